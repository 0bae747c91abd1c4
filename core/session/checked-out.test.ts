import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { checkedOut } from './project.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'trai-checked-out-')));
afterAll(() => rmSync(top, { recursive: true }));
const main = join(top, 'main');
const linked = join(top, 'elsewhere');

function git(cwd: string, ...args: string[]): string {
  const env = { PATH: process.env['PATH'], HOME: top, GIT_CONFIG_NOSYSTEM: '1' };
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid'];
  return execFileSync('git', [...who, ...args], { cwd, env, encoding: 'utf8' }).trim();
}

beforeAll(() => {
  mkdirSync(join(main, 'below'), { recursive: true });
  git(main, 'init', '-q', '-b', 'trunk');
  git(main, 'commit', '-q', '--allow-empty', '-m', 'first');
  git(main, 'worktree', 'add', '-q', '-b', 'fix/größe', linked);
});

const at = (dir: string) => checkedOut(fromText(dir));

it('names the branch, from below too', () => {
  const found = { branch: 'trunk', commit: null, worktree: null };
  expect(at(main)).toEqual(found);
  expect(at(join(main, 'below'))).toEqual(found);
});

it('names a linked worktree, and its own branch', () => {
  expect(at(linked)).toEqual({ branch: fromText('fix/größe'), commit: null, worktree: 'elsewhere' });
});

it('gives the commit of a detached HEAD', () => {
  git(main, 'checkout', '-q', '--detach');
  const commit = git(main, 'rev-parse', 'HEAD').slice(0, 8);
  expect(at(main)).toEqual({ branch: null, commit, worktree: null });
});

it('says nothing outside git, and where HEAD is a stub for another store', () => {
  expect(at(top)).toBeNull();
  writeFileSync(join(main, '.git/HEAD'), 'ref: refs/heads/.invalid\n');
  expect(at(main)).toBeNull();
});
