import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bytePath, fromText, toText } from '../../shared/bytes.ts';
import { bundleProgram, run } from '../../testing/log/test-child.ts';
import { projectOf } from './project.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'trai-project-')));
afterAll(() => rmSync(top, { recursive: true }));

const ENV = {
  PATH: process.env['PATH'],
  HOME: top,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.invalid',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.invalid',
};

function git(dir: string | Buffer, ...args: string[]): string {
  const cwd = dir.toString();
  return execFileSync('git', ['-c', 'protocol.file.allow=always', '-C', cwd, ...args], {
    env: ENV,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'latin1',
  }).replace(/\n$/, '');
}

function gitOrNull(dir: string, ...args: string[]): string | null {
  try {
    return git(dir, ...args);
  } catch {
    return null;
  }
}

function answerOfGit(dir: string): { root: string | null; id: string } {
  const common = gitOrNull(dir, 'rev-parse', '--path-format=absolute', '--git-common-dir');
  const path = common === null ? realpathSync(dir) : realpathSync(toText(common));
  return {
    root: gitOrNull(dir, 'rev-parse', '--show-toplevel'),
    id: createHash('sha256').update(path).digest('hex').slice(0, 16),
  };
}

const dir = (...names: string[]): string => {
  const path = join(top, ...names);
  mkdirSync(path, { recursive: true });
  return path;
};

function repository(...names: string[]): string {
  const path = dir(...names);
  git(path, 'init', '-q', '-b', 'main');
  git(path, 'commit', '-q', '--allow-empty', '-m', 'first');
  return path;
}

beforeAll(() => {
  const main = repository('main');
  dir('main', 'deep', 'er');
  git(main, 'worktree', 'add', '-q', '--detach', join(top, 'worktree'));
  dir('worktree', 'sub');
  const library = repository('library');
  git(main, 'submodule', '--quiet', 'add', library, 'vendor/lib');
  git(top, 'clone', '-q', '--bare', main, join(top, 'bare.git'));
  git(join(top, 'bare.git'), 'worktree', 'add', '-q', '--detach', join(top, 'of-bare'));
  repository('main', 'nested');
  symlinkSync(join(main, 'deep'), join(top, 'link'));
  git(main, 'init', '-q', '--separate-git-dir', join(top, 'elsewhere.git'), join(top, 'separate'));
  repository('ünï cödé "quoted"');
  repository('détached');
  git(join(top, 'détached'), 'checkout', '-q', '--detach');
  dir('plain', 'inner');
  dir('main', 'not-a-repo', '.git');
  dir('main', 'broken', 'inside');
  writeFileSync(join(main, 'broken', '.git'), 'gitdir: /nowhere/at/all\n');
  dir('main', 'rubbish');
  writeFileSync(join(main, 'rubbish', '.git'), 'hello\n');
  mkdirSync(join(top, 'hidden-bare'));
  git(top, 'init', '-q', '--bare', join(top, 'hidden-bare', '.bare'));
  writeFileSync(join(top, 'hidden-bare', '.git'), 'gitdir: ./.bare\n');
});

describe('projectOf', () => {
  it.each([
    'main',
    'main/deep/er',
    'worktree',
    'worktree/sub',
    'main/vendor/lib',
    'bare.git',
    'bare.git/refs',
    'of-bare',
    'main/nested',
    'link/er',
    'separate',
    'ünï cödé "quoted"',
    'détached',
    'plain/inner',
    'main/not-a-repo/.git',
    'main/broken/inside',
    'main/rubbish',
    'main/.git',
    'main/.git/refs',
    'main/.git/modules/vendor/lib',
    'hidden-bare',
    'hidden-bare/.bare',
  ])('gives the same answer as git in %s', (name) => {
    const path = join(top, name);
    expect(existsSync(path)).toBe(true);
    const { root, id } = answerOfGit(path);
    const project = projectOf(fromText(path));
    expect(project.id).toBe(id);
    // In a submodule's git directory git follows core.worktree, which projectOf does not.
    if (root !== null && !name.includes('.git/modules')) expect(project.root).toBe(root);
  });

  it('gives one id to all worktrees, other ids to a submodule, a nested and a bare repository', () => {
    const id = (name: string): string => projectOf(fromText(join(top, name))).id;
    expect(id('worktree')).toBe(id('main'));
    expect(id('of-bare')).toBe(id('bare.git'));
    expect(new Set(['main', 'main/vendor/lib', 'main/nested', 'bare.git', 'library'].map(id)).size).toBe(5);
  });

  it('takes the directory itself outside git, without symlinks, also one that is gone', () => {
    symlinkSync(join(top, 'plain'), join(top, 'plain-link'));
    expect(projectOf(fromText(join(top, 'plain-link', 'inner'))).root).toBe(join(top, 'plain', 'inner'));
    expect(projectOf(fromText('/does/not/exist')).root).toBe('/does/not/exist');
  });

  it('takes names that are not UTF-8', () => {
    const path = Buffer.from(`${top}/latin-\xe9`, 'latin1');
    mkdirSync(path);
    const project = projectOf(bytePath(path.toString('latin1')));
    expect(project.root).toBe(path.toString('latin1'));
    expect(project.id).toBe(createHash('sha256').update(path).digest('hex').slice(0, 16));
  });

  it("does not follow a repository's own core.worktree, and starts no program it names", () => {
    const trap = repository('trap');
    git(trap, 'config', 'core.worktree', '/');
    git(trap, 'config', 'core.fsmonitor', `touch ${join(top, 'caught')}`);
    expect(projectOf(fromText(trap)).root).toBe(trap);
    expect(existsSync(join(top, 'caught'))).toBe(false);
  });

  it('stops where another file system begins, as git does', async ({ skip }) => {
    const mounted = dir('main', 'mounted');
    const program = await bundleProgram(
      top,
      'project',
      `
      import { projectOf } from '#/core/session/project.ts';
      console.log(projectOf(process.argv[2] as never).root);
    `,
    );
    const script =
      'mount -t tmpfs none "$0" && mkdir "$0/in" && "$1" "$2" "$0/in" && ! git -C "$0/in" rev-parse 2>/dev/null';
    const { code, stdout, stderr } = await run('unshare', [
      '-Urm',
      'sh',
      '-c',
      script,
      mounted,
      process.execPath,
      program,
    ]);
    if (stderr.includes('unshare') || stderr.includes('mount:'))
      skip(`no mounts in a user namespace here: ${stderr.trim()}`);
    expect([code, stdout]).toEqual([0, `${join(mounted, 'in')}\n`]);
  });

  it('does not hang on a FIFO named like a git file', () => {
    const path = dir('fifo', '.git');
    execFileSync('mkfifo', [join(path, 'HEAD')]);
    expect(projectOf(fromText(join(top, 'fifo'))).root).toBe(join(top, 'fifo'));
  });
});
