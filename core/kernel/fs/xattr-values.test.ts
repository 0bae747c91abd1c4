import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fromText } from '../../../shared/bytes.ts';
import { system } from '../programs.testing.ts';
import { otherXattrs } from './xattrs.ts';

vi.mock('../programs.ts', async (original) =>
  (await import('../programs.testing.ts')).movable(await original()),
);

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'trai-xattrs-'));
});
afterEach(() => {
  system.reset();
  rmSync(dir, { recursive: true, force: true });
});

test('attributes are read by perl alone, whatever the names are made of', (ctx) => {
  const found = spawnSync('perl', ['-e', 'print $^X'], { encoding: 'utf8' });
  if (found.status !== 0) return ctx.skip('perl is missing');
  const make = `import os
for n in (b"plain", b"same", b"same2", b"other", b"n\\xff\\n", b"value"): open(n, "w").close()
for n in (b"same", b"same2", b"n\\xff\\n"): os.setxattr(n, "user.a", b"1\\0\\xff"); os.setxattr(n, "user.b", b"")
os.setxattr("other", "user.a", b"1"); os.setxattr("value", "user.a", b"1\\0\\xfe"); os.setxattr("value", "user.b", b"")
os.symlink("same", "link")`;
  if (spawnSync('python3', ['-c', make], { cwd: dir }).status !== 0)
    return ctx.skip('python3 is missing, or the file system keeps no attributes');
  const bin = `${dir}/bin`;
  mkdirSync(bin);
  symlinkSync(found.stdout, `${bin}/perl`);
  system.dir = bin;
  const pair = (a: string, b: string) => ({
    path: fromText(`${dir}/${a}`),
    upperPath: fromText(`${dir}/`).concat(b) as ReturnType<typeof fromText>,
  });
  const pairs = [
    pair('plain', 'plain'),
    pair('same', 'same2'),
    pair('same', 'n\xff\n'),
    pair('plain', 'same'),
    pair('same', 'other'),
    pair('same', 'value'),
    pair('plain', 'link'),
    pair('same', 'missing'),
    pair('value', 'n\xff\n'),
  ];
  expect(otherXattrs(pairs).map(({ pair: one }) => pairs.indexOf(one))).toEqual([3, 4, 5, 8]);
});

test('without it nothing is said of them', () => {
  execFileSync('touch', [`${dir}/a`, `${dir}/b`]);
  system.dir = dir;
  expect(otherXattrs([{ path: fromText(`${dir}/a`), upperPath: fromText(`${dir}/b`) }])).toEqual([]);
});
