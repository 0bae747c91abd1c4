import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fromText } from '../../../shared/bytes.ts';
import { sameContent } from './file-content.ts';
import { isPast } from './fingerprint.ts';
import { resultAtOnce } from './pace.ts';
import { toStat } from './port.ts';

const SECOND = 1_000_000_000n;
const SIZE = 300_000;

vi.mock('./port.ts', async (original) => {
  const port = await original<typeof import('./port.ts')>();
  const floor = (time: bigint): bigint => (wholeSeconds.are ? time - (time % SECOND) : time);
  const rounded = (stat: fs.BigIntStats) => {
    const entry = port.toStat(stat);
    return { ...entry, mtimeNs: floor(entry.mtimeNs), ctimeNs: floor(entry.ctimeNs) };
  };
  return { ...port, toStat: rounded };
});
const wholeSeconds = vi.hoisted(() => ({ are: false }));

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trai-content-'));
});
afterEach(() => {
  wholeSeconds.are = false;
  rmSync(dir, { recursive: true });
});

const at = (name: string) => fromText(join(dir, name));
const stat = (name: string) => toStat(fs.lstatSync(join(dir, name), { bigint: true }));
const isSame = (): boolean => resultAtOnce(sameContent(at('a'), stat('a'), at('b'), stat('b')));

it.each([true, false])(
  'a large file that is written again at once is compared again; whole seconds: %s',
  (are) => {
    wholeSeconds.are = are;
    for (let tries = 0; tries < 100; tries++) {
      for (const name of ['a', 'b']) writeFileSync(join(dir, name), Buffer.alloc(SIZE, `${tries} `));
      const before = stat('a');
      expect(isSame()).toBe(true);
      writeFileSync(join(dir, 'a'), Buffer.alloc(SIZE, 'x'), { flag: 'r+' });
      expect(isSame()).toBe(false);
      if (stat('a').ctimeNs === before.ctimeNs) return;
    }
    expect(are, 'no two writes had the same time').toBe(false);
  },
);

it('a large file that is written while it is compared is compared again', () => {
  wholeSeconds.are = true;
  for (;;) {
    for (const name of ['a', 'b']) writeFileSync(join(dir, name), Buffer.alloc(SIZE, '1'));
    const before = stat('a');
    const comparing = sameContent(at('a'), before, at('b'), stat('b'));
    expect(comparing.next().done).toBe(false);
    writeFileSync(join(dir, 'a'), 'x', { flag: 'r+' });
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_000);
    resultAtOnce(comparing);
    expect(isSame()).toBe(false);
    clock.mockRestore();
    if (stat('a').ctimeNs === before.ctimeNs) return;
  }
});

it('a time is past when no later write gets it', () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(5_500);
  const ms = (time: number) => BigInt(time) * 1_000_000n;
  expect([5_499, 5_479, 5_000, 4_000].map((time) => isPast(ms(time)))).toEqual([false, true, false, true]);
  clock.mockReturnValue(5_010);
  expect(isPast(ms(4_000))).toBe(false);
  clock.mockRestore();
});
