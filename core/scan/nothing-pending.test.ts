import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import { setOpenXattrs } from '../kernel/fs/xattrs.ts';
import type { SessionContext } from '../session/session-context.ts';
import { holdsDirsAlone, nothingPending } from './nothing-pending.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trai-nothing-'));
  for (const name of ['host', 'upper', 'work']) mkdirSync(join(dir, name), { mode: 0o755 });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const context = (excluded: BytePath[]): SessionContext => {
  const [path, upper, work] = ['host', 'upper', 'work'].map((name) => fromText(join(dir, name)));
  return { coveredDirs: [{ n: 1, path, upper, work }], excluded } as unknown as SessionContext;
};
const look = (excluded: BytePath[] = []): (() => Promise<boolean>) => nothingPending(context(excluded));
const untouched = async (excluded: BytePath[] = []): Promise<boolean> => await look(excluded)();

it('holds for empty uppers of the host’s mode only', async () => {
  expect(await untouched()).toBe(true);
  chmodSync(join(dir, 'upper'), 0o700);
  expect(await untouched()).toBe(false);
  // The host may have got it by a commit since.
  chmodSync(join(dir, 'host'), 0o700);
  expect(await untouched()).toBe(true);
});

it.each([
  ['an entry', () => mkdirSync(join(dir, 'upper/new'))],
  ['a link to nowhere', () => symlinkSync('nowhere', join(dir, 'upper/link'))],
  ['an upper that is gone', () => rmSync(join(dir, 'upper'), { recursive: true })],
  ['a directory that the host has no more', () => rmSync(join(dir, 'host'), { recursive: true })],
])('does not hold for %s', async (_what, change) => {
  change();
  expect(await untouched()).toBe(false);
});

it('holds for what no list has, but not in a directory that was made again, and not beside another entry', async () => {
  const own = fromText(join(dir, 'host/own'));
  mkdirSync(join(dir, 'upper/own/deep'), { recursive: true });
  expect(await untouched([own])).toBe(true);
  mkdirSync(join(dir, 'upper/other'));
  expect(await untouched([own])).toBe(false);
  rmSync(join(dir, 'upper'), { recursive: true });
  for (const at of ['host', 'upper']) mkdirSync(join(dir, at, 'd/own'), { recursive: true, mode: 0o755 });
  // Without overlayfs' mark of a copy.
  const below = [fromText(join(dir, 'host/d/own'))];
  expect([await untouched(below), holdsDirsAlone(context(below))]).toEqual([false, true]);
  symlinkSync('nowhere', join(dir, 'upper/d/link'));
  expect([await untouched(below), holdsDirsAlone(context(below))]).toEqual([false, false]);
});

it.each([
  ['makes an entry', () => mkdirSync(join(dir, 'upper/other')), false],
  ['changes a copy', () => utimesSync(join(dir, 'upper/d'), 0, 0), false],
  ['writes nothing', () => {}, true],
])('is asked for as a process ends that %s', async (_what, write, expected) => {
  for (const at of ['host', 'upper']) mkdirSync(join(dir, at, 'd/own'), { recursive: true, mode: 0o755 });
  const fd = openSync(join(dir, 'upper/d'), 'r');
  // overlayfs' mark of a copy.
  const name = Buffer.from(`${process.getuid?.() === 0 ? 'trusted' : 'user'}.overlay.origin`).toString('hex');
  setOpenXattrs(fd, [{ name, from: null, to: '00' }]);
  closeSync(fd);
  const answer = look([fromText(join(dir, 'host/d/own'))]);
  write();
  expect(await answer()).toBe(expected);
});
