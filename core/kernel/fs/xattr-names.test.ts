import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type BytePath, fromText } from '../../../shared/bytes.ts';
import { system } from '../programs.testing.ts';
import { askXattrNames, xattrNames } from './xattrs.ts';

vi.mock('../programs.ts', async (original) =>
  (await import('../programs.testing.ts')).movable(await original()),
);

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(`${tmpdir()}/trai-names-`));
  mkdirSync(`${dir}/bin`);
});
afterEach(() => {
  system.reset();
  rmSync(dir, { recursive: true });
});

const run = (program: string, ...args: string[]): string | null => {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8' });
  return status === 0 ? stdout : null;
};
const bytes = (path: string): BytePath => fromText(`${dir}/${path}`);

describe('the names of extended attributes', () => {
  it('are told by perl alone, with the number of names in each', async (ctx) => {
    const found = run('perl', '-e', 'print $^X');
    const python = run('python3', '-c', 'import sys; print(sys.executable, end="")');
    if (found === null || python === null) return ctx.skip('perl or python3 is not installed');
    symlinkSync(found, `${dir}/bin/perl`);
    mkdirSync(`${dir}/d/e`, { recursive: true });
    for (const name of ['1', '2', 'a b']) writeFileSync(`${dir}/d/${name}`, '');
    const set = 'import os, sys; [os.setxattr(p, "user.a", b"1") for p in sys.argv[1:]]';
    execFileSync(python, ['-c', set, `${dir}/d/a b`, `${dir}/d`, dir]);
    system.dir = `${dir}/bin`;
    const expected = {
      names: new Map([
        [bytes('d'), ['user.a']],
        [bytes('d/a b'), ['user.a']],
        [fromText(dir), ['user.a']],
      ]),
      unknown: new Set([bytes('gone')]),
      counts: new Map([
        [bytes('d'), 4],
        [bytes('d/e'), 0],
      ]),
    };
    const asked = { whole: [bytes('d'), bytes('d/e'), bytes('gone')], alone: [fromText(dir)] };
    expect(xattrNames(asked)).toEqual(expected);
    expect(await askXattrNames(asked)).toEqual(expected);
  });
});
