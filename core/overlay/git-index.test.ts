import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { BytePath } from '../../shared/bytes.ts';
import { runsOf } from '../../testing/runs.ts';
import { identityOf, lstatEntry } from '../kernel/fs/entry.ts';
import { digestOf, indexDigest } from './git-index.ts';

const RUNS = runsOf(40);

let dir = '';
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Without the machine's git config. */
const ENV = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'n',
  GIT_AUTHOR_EMAIL: 'e',
  GIT_COMMITTER_NAME: 'n',
  GIT_COMMITTER_EMAIL: 'e',
};

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: dir, env: ENV, encoding: 'utf8', stdio: 'pipe' });
}

function repository(...options: string[]): void {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'trai-index-')));
  git('init', '-q', ...options);
}

const sh = (line: string): string =>
  execFileSync('sh', ['-ec', line], { cwd: dir, env: ENV, encoding: 'utf8' });
const index = (): Buffer => readFileSync(join(dir, '.git/index'));
const says = (): string | null => digestOf(index());

/** All that git tells about an index except cached stat data. */
const known = (): string =>
  git('ls-files', '--stage', '-t', '-v', '-z') + git('ls-files', '--resolve-undo', '-z');

describe('what a git index says', () => {
  it.each([
    ['of version 2', [], 'git update-index --index-version 2'],
    ['of version 3, with an entry that is only intended', [], 'echo i > intended; git add -N intended'],
    ['of version 4', [], 'git update-index --index-version 4'],
    ['with object ids of SHA-256', ['--object-format=sha256'], ':'],
    ['without a checksum', [], 'git config index.skipHash true; touch b; git update-index b'],
    [
      'with all caches',
      [],
      'git config core.untrackedCache true; git update-index --untracked-cache; git config index.threads 4',
    ],
  ])('does not move with the times of the files: %s', (_, options, line) => {
    repository(...options);
    sh(`mkdir -p d/e; echo a > a; echo b > b; echo c > d/e/c; git add .; git commit -qm 1; ${line}`);
    const before = [says(), index().toString('latin1')];
    expect(before[0]).not.toBeNull();
    sh('touch -d 2020-01-01 a b d/e/c; git status > status; rm status');
    expect(index().toString('latin1')).not.toBe(before[1]);
    expect(says()).toBe(before[0]);
    sh('git read-tree HEAD; git update-index -q --refresh || :');
    if (!line.includes('-N')) expect(says()).toBe(before[0]);
  });

  it.each([
    ['another content', 'echo other > a; git add a'],
    ['one more entry', 'echo n > n; git add n'],
    ['one less', 'git rm -q --cached a'],
    ['another mode', 'git update-index --chmod=+x a'],
    ['another name', 'git mv a z'],
    ['a file that git is to leave alone', 'git update-index --skip-worktree a'],
    ['a file that git is to believe unchanged', 'git update-index --assume-unchanged a'],
    ['an intention', 'echo n > n; git add -N n'],
    [
      'a conflict',
      'git switch -qc two HEAD; echo x > a; git commit -qam x; git switch -q -; echo y > a; git commit -qam y; git merge two || :',
    ],
  ])('moves with %s', (_, line) => {
    repository();
    sh('echo a > a; echo b > b; git add .; git commit -qm 1');
    const before = says();
    sh(`(${line}) > /dev/null`);
    expect(says()).not.toBeNull();
    expect(says()).not.toBe(before);
  });

  it('moves with what `git checkout --merge` would bring back of a resolved conflict', () => {
    repository();
    sh(
      '(echo a > a; git add .; git commit -qm 1; git switch -qc two; echo x > a; git commit -qam x; git switch -q -; echo y > a; git commit -qam y; git merge two || :; git add a) > /dev/null',
    );
    const [before, entries] = [says(), git('ls-files', '--stage')];
    sh('git update-index --clear-resolve-undo');
    expect(git('ls-files', '--stage')).toBe(entries);
    expect(says()).not.toBe(before);
  });

  it('is nothing of a file that is no whole index', () => {
    repository();
    sh('echo a > a; echo b > b; git add .');
    const whole = index();
    for (let bytes = 0; bytes < whole.length; bytes++) expect(digestOf(whole.subarray(0, bytes))).toBeNull();
    for (let at = 0; at < whole.length; at++) {
      const other = Buffer.from(whole);
      other[at] = (other[at] ?? 0) ^ 1;
      expect(digestOf(other), `byte ${at}`).toBeNull();
    }
    writeFileSync(join(dir, 'index'), 'DIRC and not more');
    const path = join(dir, 'index') as BytePath;
    const entry = lstatEntry(path);
    expect(entry === null ? '' : indexDigest(path, identityOf(entry))).toBeNull();
  });

  it('is equal exactly where git says the same of both, whatever was done', () => {
    const names = ['a', 'b', 'd/a', 'd/e/b', 'long'.repeat(30)];
    const name = fc.constantFrom(...names);
    const step = fc.oneof(
      {
        weight: 3,
        arbitrary: fc
          .tuple(name, fc.integer({ min: 1, max: 9 }))
          .map(([file, month]) => `touch -cd 2021-0${month}-01 '${file}'; git status`),
      },
      fc
        .tuple(name, fc.constantFrom('1', '2'))
        .map(([file, text]) => `mkdir -p d/e; echo ${text} > '${file}'; git add '${file}'`),
      name.map((file) => `git rm -q --cached '${file}'`),
      fc
        .tuple(name, fc.constantFrom('+x', '-x'))
        .map(([file, how]) => `git update-index --chmod=${how} '${file}'`),
      fc
        .tuple(name, fc.constantFrom('', 'no-'))
        .map(([file, no]) => `git update-index --${no}skip-worktree '${file}'`),
      fc
        .tuple(name, fc.constantFrom('', 'no-'))
        .map(([file, no]) => `git update-index --${no}assume-unchanged '${file}'`),
      fc.constantFrom('2', '4').map((version) => `git update-index --index-version ${version}`),
      fc.constant('git write-tree'),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 3, maxLength: 10 }), (steps) => {
        repository();
        try {
          mkdirSync(join(dir, 'd/e'), { recursive: true });
          sh('echo 1 > a; git add a');
          const seen = new Map<string, string | null>([[known(), says()]]);
          for (const line of steps) {
            execFileSync('bash', ['-c', `(${line}) > /dev/null 2>&1; :`], { cwd: dir, env: ENV });
            const digest = says();
            expect(digest, line).not.toBeNull();
            const text = known();
            expect(seen.get(text) ?? digest, line).toBe(digest);
            for (const [other, theirs] of seen) if (other !== text) expect(theirs, line).not.toBe(digest);
            seen.set(text, digest);
          }
        } finally {
          rmSync(dir, { recursive: true, force: true });
        }
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: 120_000 },
    );
  }, 240_000);
});
