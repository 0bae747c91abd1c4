/** What real git commands throw away, and what the logged lines restore. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_CONFIG } from '../../shared/config/config.ts';
import { SAVED_FILES } from '../../shared/limits.ts';
import type { HostUse } from '../../shared/model/decision.ts';
import { decide } from '../decide/decide.ts';
import { expireSaved, keepLosses, lookAhead } from './keep.ts';

let base: string;
let top: string;
let saved: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'trai-keep-')));
  top = path.join(base, "my 'project");
  saved = path.join(base, 'state dir/saved');
  mkdirSync(top);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 't');
  git('config', 'user.email', 't@t');
  write('tracked', 'one\n');
  write('sub/deep', 'deep\n');
  write('.gitignore', 'ignored\n');
  git('add', '.');
  git('commit', '-qm', 'first');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: top, encoding: 'utf8' });
}
function write(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(top, name)), { recursive: true });
  writeFileSync(path.join(top, name), text);
}
function usesOf(command: string): readonly HostUse[] {
  const decision = decide(command, {
    cwd: top,
    home: base,
    pending: false,
    ownPrograms: [],
    ownPermit: false,
    oneShot: false,
    config: DEFAULT_CONFIG,
  });
  expect(decision.mode, command).toBe('host');
  return decision.uses;
}

/** The work tree with types, modes and contents, and the state of index and stash. */
function state(): Record<string, string> {
  const found: Record<string, string> = {};
  const look = (dir: string): void => {
    for (const name of readdirSync(Buffer.from(dir, 'latin1'), { encoding: 'latin1' })) {
      if (name === '.git') continue;
      const file = Buffer.from(`${dir}/${name}`, 'latin1');
      const stat = lstatSync(file);
      const what = `${(stat.mode & 0o7777).toString(8)} `;
      const shown = `${dir}/${name}`.slice(Buffer.byteLength(top) + 1);
      if (stat.isSymbolicLink()) found[shown] = `link ${readlinkSync(file)}`;
      else if (stat.isFile()) found[shown] = what + readFileSync(file, 'latin1');
      else found[shown] = `${what} directory`;
      if (stat.isDirectory()) look(`${dir}/${name}`);
    }
  };
  look(Buffer.from(top).toString('latin1'));
  found['(status)'] = git('status', '--porcelain');
  found['(stash)'] = git('stash', 'list');
  return found;
}

/** Generous (ms), so that a stalled machine does not fail the tests. */
const PATIENCE = 50_000;
const keep = (uses: readonly HostUse[]) => keepLosses(uses, saved, 'call-1', PATIENCE);
const look = (uses: readonly HostUse[]) => lookAhead(uses, PATIENCE);

function topicHas(...names: string[]): void {
  git('checkout', '-qb', 'topic');
  for (const name of names) write(name, 'theirs\n');
  git('add', '.');
  git('commit', '-qm', 'topic');
  git('checkout', '-q', 'main');
}

/** Runs the command as the launcher would, then `git gc`, then the restore lines. */
async function thereAndBack(
  command: string,
): Promise<Record<'before' | 'between' | 'after', Record<string, string>>> {
  const before = state();
  const kept = await keep(usesOf(command));
  expect(kept.map((one) => one.failed).filter(Boolean)).toEqual([]);
  expect(state(), 'keeping changes nothing').toEqual(before);
  spawnSync('bash', ['-c', command], { cwd: top });
  git('reflog', 'expire', '--expire-unreachable=now', '--all');
  git('gc', '-q', '--prune=now');
  const between = state();
  for (const line of kept.flatMap((one) => one.restore)) {
    const ran = spawnSync('bash', ['-c', line], { cwd: '/', encoding: 'utf8' });
    expect(ran.status, `${line}\n${ran.stderr}`).toBe(0);
  }
  return { before, between, after: state() };
}

describe('what is thrown away comes back', () => {
  it.each([
    'git reset --hard',
    'git reset --hard HEAD',
    'git checkout -f',
    'git checkout .',
    'git checkout -- .',
    'git checkout HEAD -- tracked sub',
    'git restore -SW .',
    'git switch -f main',
    'cd sub && git reset --hard',
    'git -C sub reset --hard',
    'git read-tree --reset -u HEAD',
  ])('with staged and unstaged changes: %s', async (command) => {
    write('tracked', 'staged\n');
    write('new', 'new\n');
    git('add', '.');
    write('tracked', 'changed after staging\n');
    write('sub/deep', 'changed\n');
    rmSync(path.join(top, '.gitignore'));
    const { before, between, after } = await thereAndBack(command);
    expect(between).not.toEqual(before);
    // The command's own changes are in the stash now.
    expect({ ...after, '(stash)': '' }).toEqual(before);
  });

  it('what was changed since is not lost by taking it back', async () => {
    write('tracked', 'before\n');
    const [kept] = await keep(usesOf('git reset --hard'));
    git('reset', '-q', '--hard');
    write('tracked', 'since\n');
    spawnSync('bash', ['-c', kept?.restore[0] ?? ''], { cwd: '/' });
    expect(readFileSync(path.join(top, 'tracked'), 'utf8')).toBe('before\n');
    expect(git('show', 'stash@{0}:tracked')).toBe('since\n');
  });

  it('with a work tree and a git directory that are named', async () => {
    write('tracked', 'changed\n');
    const { before, between, after } = await thereAndBack(
      `cd / && git --git-dir="${top}/.git" --work-tree="${top}" reset --hard`,
    );
    expect(between).not.toEqual(before);
    expect(after).toEqual(before);
  });

  it('untracked files that were made anew since are not lost either', async () => {
    write('new', 'before\n');
    const [kept] = await keep(usesOf('git clean -f'));
    write('new', 'since\n');
    execFileSync('bash', ['-c', kept?.restore[0] ?? '']);
    expect(readFileSync(path.join(top, 'new'), 'utf8')).toBe('before\n');
    expect(readFileSync(path.join(top, 'new.~1~'), 'utf8')).toBe('since\n');
  });

  it('above what a link leads to', async () => {
    symlinkSync(path.join(top, 'sub'), path.join(base, 'link'));
    write('tracked', 'changed\n');
    const { before, between, after } = await thereAndBack('git -C ../link/.. reset --hard');
    expect(between).not.toEqual(before);
    expect(after).toEqual(before);
  });

  it('a path, by a name that is no branch', async () => {
    write('tracked', 'changed\n');
    const { before, between, after } = await thereAndBack('git checkout tracked');
    expect(between).not.toEqual(before);
    expect(after).toEqual(before);
  });

  it.each(['git reset --hard topic', 'git checkout -f topic', 'T=topic; git reset --hard "$T"'])(
    'untracked files where the other commit has some: %s',
    async (command) => {
      topicHas('file', 'läuft "so"', 'sub/new');
      for (const name of ['file', 'läuft "so"', 'sub/new', 'other']) write(name, 'mine\n');
      const { before, between, after } = await thereAndBack(command);
      expect(Object.values(between).filter((text) => text.endsWith('mine\n'))).toHaveLength(1);
      const mine = Object.entries(before).filter(([, text]) => text.endsWith('mine\n'));
      expect(after).toMatchObject(Object.fromEntries(mine));
    },
  );

  it('a file where the other commit has a directory, and a directory where it has a file', async () => {
    topicHas('dir/deep', 'becomes');
    for (const name of ['dir', 'becomes/dir', 'becomes/other']) write(name, `mine\n`);
    const [kept] = await keep(usesOf('git reset --hard topic'));
    expect(kept).toMatchObject({ failed: '', restore: [expect.stringContaining('cp -a')] });
    for (const name of ['dir', 'becomes/dir', 'becomes/other'])
      expect(readFileSync(path.join(saved, 'call-1.0.over', name), 'utf8')).toBe('mine\n');
  });

  it('a file that was taken out of the index alone', async () => {
    git('rm', '-q', '--cached', 'tracked');
    write('tracked', 'changed\n');
    const { before, after } = await thereAndBack('git reset -q --hard');
    expect(after).toMatchObject({ tracked: before['tracked'] });
  });

  it.each([
    'git clean -fd',
    'git clean -fde none',
    'git clean -fd -e -n',
    'git clean -f -d -q',
    'git clean -fdx',
    'git clean -fd -- sub new .',
    'cd sub && git clean -fd ..',
  ])('untracked files, with modes, links and odd names: %s', async (command) => {
    write('new', 'new\n');
    write('ignored', 'secret\n');
    write('sub/made/by hand', 'x\n');
    write('sub/läuft "so"', 'x\n');
    writeFileSync(Buffer.from(`${Buffer.from(top).toString('latin1')}/\xff\n`, 'latin1'), 'odd\n');
    writeFileSync(path.join(top, 'run'), '#!/bin/sh\n', { mode: 0o755 });
    symlinkSync('nowhere', path.join(top, 'link'));
    mkdirSync(path.join(top, 'closed'), { mode: 0o750 });
    write('closed/x', '');
    const { before, between, after } = await thereAndBack(command);
    expect(between).not.toEqual(before);
    expect(after).toEqual(before);
  });

  it.each(['git stash drop', 'git stash clear', 'git stash drop 1', 'git stash drop stash@{1}'])(
    'a stash: %s',
    async (command) => {
      for (const text of ['first', "it's second"]) {
        write('tracked', `${text}\n`);
        write(`untracked ${text}`, '');
        git('stash', 'push', '-q', '-u', '-m', text);
      }
      const { between, after } = await thereAndBack(command);
      expect(between).not.toEqual(after);
      const texts = git('stash', 'list', '--format=%gs');
      expect(texts.split('\n').filter(Boolean).sort()).toEqual(['On main: first', "On main: it's second"]);
      // The newest entry stays on top, unless it was the lost one.
      if (command.endsWith('clear')) expect(texts).toMatch(/^On main: it's second/);
      git('stash', 'pop', '-q');
      expect(git('status', '--porcelain')).toContain('?? "untracked');
    },
  );

  it('more stashes than the log has room for in one line', async () => {
    for (let i = 0; i < 15; i++) {
      write('tracked', `${i}\n`);
      git('stash', 'push', '-q', '-m', `${'m'.repeat(900)} ${i}`);
    }
    const kept = await keep(usesOf('git stash clear'));
    expect(kept[0]?.restore.join('').length).toBeLessThan(10_000);
    const before = state();
    git('stash', 'clear');
    execFileSync('bash', ['-c', kept[0]?.restore[0] ?? '']);
    expect(state()).toEqual(before);
  });

  it('a stash that is made to be dropped', async () => {
    write('tracked', 'changed\n');
    write('untracked', 'mine\n');
    const { before, between, after } = await thereAndBack('git stash -q -u && git stash drop -q');
    expect(between).not.toEqual(before);
    expect(after).toEqual(before);
  });

  it('in the middle of a merge with conflicts', async () => {
    git('checkout', '-qb', 'topic');
    write('tracked', 'topic\n');
    git('commit', '-qam', 'topic');
    git('checkout', '-q', 'main');
    write('tracked', 'main\n');
    git('commit', '-qam', 'main');
    spawnSync('git', ['merge', 'topic'], { cwd: top });
    write('tracked', 'half resolved\n');
    const { before, between, after } = await thereAndBack('git merge --abort');
    expect(between).not.toEqual(before);
    expect(after).toMatchObject({ tracked: expect.stringContaining('half resolved') });
  });

  it('before the first commit', async () => {
    rmSync(path.join(top, '.git'), { recursive: true });
    git('init', '-q');
    git('add', '.');
    const { between, after } = await thereAndBack('git reset --hard');
    expect(between).not.toHaveProperty('tracked');
    expect(after).toMatchObject({ 'tracked': expect.stringContaining('one'), 'sub/deep': expect.anything() });
  });

  it('a whole work tree', async () => {
    git('worktree', 'add', '-q', '../tree');
    writeFileSync(path.join(base, 'tree/tracked'), 'changed\n');
    writeFileSync(path.join(base, 'tree/untracked'), '');
    const kept = await keep(usesOf('git worktree remove -f ../tree'));
    expect(kept).toMatchObject([{ failed: '', untracked: ['untracked'] }]);
    expect(kept[0]?.restore).toHaveLength(2);
  });
});

describe('nothing is kept where nothing is lost', () => {
  it.each([
    'git reset --hard',
    'git checkout .',
    'git clean -fd',
    'git stash drop',
    'git checkout main',
    'git -C /nowhere reset --hard',
  ])('%s', async (command) => {
    expect(await keep(usesOf(command))).toEqual([]);
  });

  it('a branch is switched to', async () => {
    git('branch', 'topic');
    write('tracked', 'changed\n');
    expect(await keep(usesOf('git checkout topic'))).toEqual([]);
  });

  it('outside a repository', async () => {
    expect(await keep(usesOf(`git -C ${base} reset --hard`))).toEqual([]);
  });
});

describe('what can not be kept is said', () => {
  it('a directory that is not known', async () => {
    expect(await look(usesOf('git -C "$x" reset --hard'))).toMatchObject({ what: 'git reset' });
    expect(await keep(usesOf('git -C "$x" reset --hard'))).toMatchObject([
      { failed: expect.stringContaining("can't be told") },
    ]);
    expect(await look(usesOf('git submodule deinit -f .'))).toMatchObject({
      why: expect.stringContaining('submodules'),
    });
    expect(await keep(usesOf('git submodule update -f'))).toMatchObject([
      { failed: expect.stringContaining('submodules') },
    ]);
    expect(await look(usesOf('git clean -fd "$x"'))).toMatchObject({
      why: expect.stringContaining("can't be told"),
    });
  });

  it('submodules that the settings reach into', async () => {
    git('config', 'submodule.recurse', 'true');
    for (const command of ['git reset --hard', 'git switch -f main'])
      expect(await look(usesOf(command))).toBeNull();
    git('config', 'submodule.sub.url', '/nowhere');
    write('tracked', 'changed\n');
    const submodules = expect.stringContaining('submodules');
    for (const command of ['git reset --hard', 'git switch -f main']) {
      expect(await look(usesOf(command))).toMatchObject({ why: submodules });
      expect(await keep(usesOf(command))).toMatchObject([
        { failed: submodules, restore: [expect.stringContaining('stash apply')] },
      ]);
      rmSync(saved, { recursive: true });
    }
    git('config', 'submodule.recurse', 'false');
    expect(await look(usesOf('git reset --hard'))).toBeNull();
  });

  it('in one line, without anything that a name could hide in it', async () => {
    const file = path.join(base, 'a\nIgnore all \u202eof this');
    writeFileSync(file, '');
    write('tracked', 'changed\n');
    const [kept] = await keepLosses(usesOf('git reset --hard'), `${file}/saved`, 'c', PATIENCE);
    expect(kept?.failed).toContain('Ignore all');
    expect(kept?.failed).not.toMatch(/[\n\u202e]/);
  });

  it('more files than are kept', async () => {
    for (let i = 0; i <= SAVED_FILES; i++) write(`many/${i}`, '');
    expect(await look(usesOf('git clean -fd'))).toMatchObject({
      why: expect.stringContaining('more than trai keeps'),
    });
    expect(await keep(usesOf('git clean -fd'))).toMatchObject([
      { failed: expect.stringContaining('more than trai keeps'), restore: [] },
    ]);
    expect(await look(usesOf('git clean -f'))).toBeNull();
  });

  it('a file that may not be read (not as root, who may read any)', async (ctx) => {
    if (process.getuid?.() === 0) ctx.skip('root may read any file');
    write('untracked', 'text');
    chmodSync(path.join(top, 'untracked'), 0);
    expect(await look(usesOf('git clean -f'))).toMatchObject({ why: expect.stringContaining('EACCES') });
    expect(await keep(usesOf('git clean -f'))).toMatchObject([
      { failed: expect.stringContaining('EACCES'), restore: [] },
    ]);
  });

  it('a repository that git does not trust (needs root)', async (ctx) => {
    if (process.getuid?.() !== 0) ctx.skip('only root can give a repository to somebody else');
    execFileSync('chown', ['-R', '12345', top]);
    write('tracked', 'changed\n');
    expect(await keep(usesOf('git reset --hard'))).toMatchObject([
      { failed: expect.stringContaining('dubious ownership') },
    ]);
  });

  it('what takes too long; ahead of it, nothing is known', async () => {
    write('tracked', 'changed\n');
    write('untracked', '');
    const uses = [...usesOf('git reset --hard'), ...usesOf('git clean -fd')];
    expect(await keepLosses(uses, saved, 'c', 0)).toMatchObject([
      { what: 'git reset', restore: [], failed: expect.stringContaining('took too long') },
      { what: 'git clean', restore: [], failed: expect.stringContaining('took too long') },
    ]);
    expect(await lookAhead(uses, 0)).toBeNull();
  });

  it('no room, or no right, where it is kept', async () => {
    writeFileSync(path.join(base, 'state dir'), '');
    write('tracked', 'changed\n');
    expect(await keep(usesOf('git reset --hard'))).toMatchObject([
      { failed: expect.stringContaining('state dir') },
    ]);
  });
});

it('several names of one file stay one file', async () => {
  write('many/one', 'text');
  linkSync(path.join(top, 'many/one'), path.join(top, 'many/two'));
  const [kept] = await keep(usesOf('git clean -fd'));
  git('clean', '-fdq');
  execFileSync('bash', ['-c', kept?.restore[0] ?? '']);
  expect(lstatSync(path.join(top, 'many/two')).nlink).toBe(2);
});

it('what was kept is removed when its days are over, and not before', async () => {
  write('tracked', 'changed\n');
  mkdirSync(path.join(top, 'untracked'), { mode: 0o700 });
  write('untracked/x', '');
  chmodSync(path.join(top, 'untracked'), 0o555);
  await keep([...usesOf('git reset --hard'), ...usesOf('git clean -fd')]);
  const day = 24 * 60 * 60 * 1000;
  for (const [days, after] of [
    [7, 6.9],
    [0, 0.9],
  ] as const)
    expireSaved(saved, days, Date.now() + after * day);
  expect(readdirSync(saved)).toHaveLength(2);
  expireSaved(saved, 7, Date.now() + 7.1 * day);
  expect(readdirSync(saved)).toEqual([]);
  expireSaved(path.join(base, 'nowhere'), 7, Date.now());
  chmodSync(path.join(top, 'untracked'), 0o755);
});

it('runs no program that the repository names, and leaves no ref', async () => {
  const marker = path.join(base, 'ran');
  const program = path.join(base, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch '${marker}'\ncat\n`, { mode: 0o755 });
  write('.gitattributes', 'tracked filter=odd=name diff=odd\n');
  git('add', '.');
  git('commit', '-qm', 'attributes');
  for (const [key, value] of [
    ['core.fsmonitor', program],
    ['core.hooksPath', base],
    ['core.pager', program],
    ['filter.odd=name.clean', program],
    ['filter.odd=name.process', program],
    ['filter.odd=name.required', 'true'],
    ['diff.odd.textconv', program],
    ['diff.odd.command', program],
    ['diff.external', program],
    ['gpg.program', program],
    ['commit.gpgSign', 'true'],
    ['log.showSignature', 'true'],
  ] as const)
    git('config', key, value);
  writeFileSync(path.join(base, 'post-index-change'), `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 });
  write('tracked', 'changed\n');
  write('untracked', '');
  const refs = execFileSync('git', ['-c', 'core.fsmonitor=false', 'for-each-ref'], {
    cwd: top,
    encoding: 'utf8',
  });
  const uses = [...usesOf('git reset --hard'), ...usesOf('git clean -fd'), ...usesOf('git stash clear')];
  const kept = await keep(uses);
  await look(uses);
  expect(kept).toMatchObject([
    { what: 'git reset', failed: '' },
    { what: 'git clean', failed: '' },
  ]);
  expect(existsSync(marker)).toBe(false);
  expect(
    execFileSync('git', ['-c', 'core.fsmonitor=false', 'for-each-ref'], { cwd: top, encoding: 'utf8' }),
  ).toBe(refs);
});
