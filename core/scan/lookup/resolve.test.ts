import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromText } from '../../../shared/bytes.ts';
import { resolvePath, type ViewParts } from './resolve.ts';

let base: string;
let view: ViewParts;
// Not joined: `..` must stay.
const host = (name: string) => `${base}/host/${name}`;
const upper = (name: string) => `${base}/upper/${name}`;

beforeAll(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'trai-resolve-')));
  for (const dir of ['host/a/b', 'host/c', 'upper/a', 'upper/made'])
    mkdirSync(path.join(base, dir), { recursive: true });
  writeFileSync(host('a/b/file'), '');
  symlinkSync('a/b', host('link'));
  symlinkSync(host('c'), host('absolute'));
  symlinkSync('loop', host('loop'));
  symlinkSync('link/file', host('twice'));
  // Only in the view: a link, and a directory in a link's place.
  symlinkSync('/etc/passwd', upper('a/pending'));
  mkdirSync(upper('absolute'));
  const [dir, at] = [fromText(`${base}/host`), fromText(`${base}/upper`)];
  view = { coveredDirs: [{ n: 1, path: dir, upper: at, work: at }], excluded: [fromText(host('c'))] };
});
afterAll(() => rmSync(base, { recursive: true }));

const onHost = (name: string) => resolvePath(null, fromText(name));
const inView = (name: string) => resolvePath(view, fromText(name));

describe('on the host', () => {
  it.each(['a/b/file', 'link/file', 'absolute', 'twice', 'link/../b', 'a/./b//file', 'absolute/../a'])(
    '%s leads where the kernel leads',
    (name) => {
      expect(onHost(host(name))).toBe(realpathSync.native(host(name)));
    },
  );

  it('names that do not exist stay, after the links before them', () => {
    expect(onHost(host('link/none/x'))).toBe(host('a/b/none/x'));
    expect(onHost(host('none/../a'))).toBe(host('a'));
  });

  it.each([
    ['a link to itself', () => host('loop/x')],
    ['NUL', () => `${host('a')}\0`],
    ['more than a path may have', () => `/${'x/'.repeat(3_000)}`],
  ])('cannot be told of %s', (_what, name) => {
    expect(onHost(name())).toBeNull();
  });
});

describe('in the merged view', () => {
  it('pending links count, and those that the sandbox replaced do not', () => {
    expect(inView(host('a/pending'))).toBe('/etc/passwd');
    expect(onHost(host('a/pending'))).toBe(host('a/pending'));
    expect(inView(host('absolute/x'))).toBe(host('absolute/x'));
    expect(onHost(host('absolute/x'))).toBe(host('c/x'));
  });

  it('the host’s links count where nothing is pending, and in what is excluded', () => {
    expect(inView(host('link/file'))).toBe(host('a/b/file'));
    expect(inView(host('c/x'))).toBe(host('c/x'));
  });
});
