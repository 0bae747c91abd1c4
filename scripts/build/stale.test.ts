import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isUnbuilt, newerThanBuild } from './stale.ts';

let root: string;
let dist: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'trai-stale-'));
  dist = path.join(root, 'dist/plugin');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A file that was written so many seconds after the first. */
function write(name: string, second: number): void {
  const file = path.join(root, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  utimesSync(file, 1_000 + second, 1_000 + second);
}

it('a build is as good as the sources that it was made from', () => {
  expect(isUnbuilt(dist)).toBe(true);
  write('dist/plugin/lib/cli.cjs', 10);
  write('server/http/app.ts', 9);
  expect(isUnbuilt(dist)).toBe(false);
  expect(newerThanBuild(root, dist)).toBe(null);
});

it.each(['server/http/app.ts', 'web/ui/styles/base.css', 'hooks/hook.sh', 'README.md', 'package-lock.json'])(
  '%s that is newer is named',
  (name) => {
    write('dist/plugin/lib/cli.cjs', 10);
    write(name, 11);
    expect(newerThanBuild(root, dist)).toBe(name);
  },
);

it.each(['server/http/attacks/attack.test.ts', 'docs/screenshots/other.png', 'e2e/fake/page.ts'])(
  '%s is no part of the build',
  (name) => {
    write('dist/plugin/lib/cli.cjs', 10);
    write(name, 11);
    expect(newerThanBuild(root, dist)).toBe(null);
  },
);
