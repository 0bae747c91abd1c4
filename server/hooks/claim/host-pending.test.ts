import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGrant } from '../../../core/session/grants.ts';
import { CLOCK_TICK_MS } from '../../../shared/log/call-times.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';

let t: TestServer;
let client: TestClient;
beforeEach(async () => {
  t = await testServer();
  client = new TestClient(t, 'one');
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 't');
  git('config', 'user.email', 't@t');
  writeFileSync(path.join(t.project, 'a'), 'one\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  expect(await client.start()).toMatchObject({ exit: '0' });
});
afterEach(async () => {
  await client.clean();
  await t.close();
});

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: t.project, encoding: 'utf8' });
}

function config(value: object): void {
  mkdirSync(path.join(t.home, '.config/trai'), { recursive: true });
  writeFileSync(path.join(t.home, '.config/trai/config.json'), JSON.stringify(value));
}

interface Said {
  exit: string;
  decision: string;
  reason: string;
  message: string;
  text: string;
}

async function asks(command: string, request = client.newRequest()): Promise<Said> {
  const { exit, text } = await client.pre(request, command);
  const answer = text.startsWith('{') ? JSON.parse(text) : {};
  const hook = answer.hookSpecificOutput ?? {};
  return {
    exit,
    decision: hook.permissionDecision ?? '',
    reason: hook.permissionDecisionReason ?? '',
    message: answer.systemMessage ?? '',
    text,
  };
}

describe('with pending changes in the repository', () => {
  it('the user is asked before a command works on files there, with what is missing', async () => {
    await client.bash('echo two > a; touch b c d e f; mkdir sub; touch sub/x');
    const said = await asks('git add -A && git commit -m x');
    expect(said).toMatchObject({ exit: '0', decision: 'ask', message: '' });
    expect(said.reason).toMatch(
      /^trai: `git add` and `git commit` would run on the host without 8 pending changes: /,
    );
    expect(said.reason).toContain('M a, A b, A c, A d, A e and 3 more.');
    expect(said.reason).toContain('/trai:commit');
    expect(said.reason).toContain(
      'To Claude, if this was denied: nothing was run. Do not try it another way.',
    );
  });

  it('what only reads is warned about, as is what only changes records', async () => {
    await client.bash('echo two > a');
    for (const command of ['git status', 'git tag v1', 'git checkout -b topic', 'gh pr list']) {
      const said = await asks(command);
      expect(said, command).toMatchObject({ exit: '0', decision: '' });
      expect(said.message).toMatch(/^trai: `(git|gh)` runs on the host[\s\S]*Pending changes/);
    }
  });

  it('a command that the user allowed runs on the host', async () => {
    await client.bash('echo two > pending');
    writeFileSync(path.join(t.project, 'on-host'), '');
    const request = client.newRequest();
    expect(await asks('git add -A', request)).toMatchObject({ decision: 'ask' });
    expect(await client.shell('git add -A')).toMatchObject({ rc: 0, stderr: '' });
    expect(git('status', '--porcelain')).toBe('A  on-host\n');
  });

  it('a call of the model about which nobody was asked is refused, and asked about when it comes again', async () => {
    const request = client.newRequest();
    expect(await asks('git add -A', request)).toMatchObject({ decision: '' });
    await client.bash('echo two > pending');
    const ran = await client.shell('git add -A');
    expect(ran).toMatchObject({ rc: 125 });
    expect(ran.stderr).toContain('The user was not asked');
    await client.post(request, 'git add -A', ran);
    expect(await asks('git add -A')).toMatchObject({ decision: 'ask' });
    expect((await client.log()).filter((call) => call['state'] === 'unsandboxed')).toEqual([]);
  });

  it('a line that the user typed runs, and says what is not there', async () => {
    await client.bash('echo two > a');
    const ran = await client.shell('git commit --allow-empty -qm typed');
    expect(ran.rc).toBe(0);
    expect(ran.stderr).toBe('trai: `git commit` would run on the host without 1 pending change: M a.\n');
    expect(git('log', '-1', '--format=%s')).toBe('typed\n');
  });

  it.each([
    ['another repository', () => 'git -C ../other add -A'],
    ['a directory that is no repository', () => 'cd ../other && git init && git add .'],
    ['a build of another directory', () => 'docker build ../other'],
    ['a container without files', () => 'docker run --rm alpine true'],
    ['a build of a directory without changes', () => 'docker build sub'],
    ['a clone into a directory of its own', () => 'git clone ../other vendor'],
    ['a work tree elsewhere', () => 'git worktree add ../w'],
    ['a stream of what is recorded', () => 'git archive HEAD | wc -c'],
  ])('%s is not asked about', async (_what, command) => {
    mkdirSync(path.join(t.base, 'other'));
    mkdirSync(path.join(t.project, 'sub'));
    await client.bash('echo two > a');
    expect(await asks(command())).toMatchObject({ exit: '0', decision: '' });
  });

  it.each([
    ['git -C sub add .', 'git add'],
    ['cd sub && git commit -m x', 'git commit'],
    ['git -C "$PWD/sub" stash', 'git stash'],
    ['git -C link add .', 'git add'],
    ['git -C made/by/bash add .', 'git add'],
    ['docker build .', 'docker build'],
    ['docker run -v "$PWD:/w" x', 'docker run'],
    ['docker compose up', 'docker compose up'],
    ['gh pr create --fill', 'gh pr create'],
    ['git -C "$anywhere" pull', 'git pull'],
  ])('%s is asked about', async (command, what) => {
    mkdirSync(path.join(t.project, 'sub'));
    symlinkSync('sub', path.join(t.project, 'link'));
    await client.bash('echo two > a');
    const said = await asks(command);
    expect(said.decision).toBe('ask');
    expect(said.reason).toContain(`\`${what}\` would run on the host without 1 pending change: M a.`);
  });

  it('a clone or a work tree is asked about where its place holds, or lies below, what is pending', async () => {
    mkdirSync(path.join(t.project, 'gone'));
    await client.bash('mkdir vendor; touch vendor/b; rmdir gone');
    const vendor = /would run on the host without 2 pending changes: A vendor, A vendor\/b\./;
    expect((await asks('git clone ../other vendor')).reason).toMatch(vendor);
    expect((await asks('git worktree add vendor')).reason).toMatch(vendor);
    // A pending directory hides what the host has below it.
    const made = /`git clone` would run on the host without 1 pending change: A vendor\./;
    expect((await asks('git clone ../other vendor/c')).reason).toMatch(made);
    const gone = /`git clone` would run on the host without 1 pending change: D gone\./;
    expect((await asks('git clone ../other gone/b')).reason).toMatch(gone);
    expect(await asks('git clone ../other new/b')).toMatchObject({ decision: '' });
  });

  it('a work tree and a clone of a place are made of the records there', async () => {
    mkdirSync(path.join(t.base, 'other'));
    await client.bash('touch .git/records');
    const records = /would run on the host without 1 pending change: A \.git\/records\./;
    expect((await asks('git worktree add ../w')).reason).toMatch(records);
    expect((await asks('git clone . ../w')).reason).toMatch(records);
    expect(await asks('git clone ../other ../w')).toMatchObject({ decision: '' });
    expect(await asks('git clone https://example.org/a ../w')).toMatchObject({ decision: '' });
  });

  it('an archive, a bundle and patches are pending like what any program makes', async () => {
    const files = ['a.tar', 'a.bundle', '0001-first.patch'];
    for (const command of [
      'git archive -o a.tar HEAD',
      'git bundle create -q a.bundle HEAD',
      'git format-patch -q --root HEAD',
    ])
      expect(await client.bash(command), command).toMatchObject({ rc: 0 });
    expect(files.filter((file) => existsSync(path.join(t.project, file)))).toEqual([]);
    expect(await client.bash(`ls ${files.join(' ')}`)).toMatchObject({ rc: 0 });
  });

  it('a linked work tree has its own files, and the records of the main one', async () => {
    git('worktree', 'add', '-q', 'tree');
    await client.bash('echo two > a');
    expect(await asks('git -C tree add .')).toMatchObject({ decision: '' });
    await client.bash('touch .git/records');
    expect((await asks('git -C tree add .')).reason).toContain('without 1 pending change: A .git/records.');
    expect((await asks('git -C tree tag x')).reason).toContain('`git tag` would run on the host');
    await client.bash('touch tree/b');
    expect((await asks('git -C tree add .')).reason).toContain('A .git/records, A tree/b.');
  });

  it('a path of odd bytes is shown and not obeyed', async () => {
    await client.bash("touch $'new\\nline' $'\\xff' $'\\e[31m'");
    expect((await asks('git add .')).reason).toContain('A \\x1b[31m, A new\\nline, A \\xff.');
  });
});

describe('hostWithPending', () => {
  it('"warn" lets it run, and the user reads what is missing', async () => {
    config({ hostWithPending: 'warn' });
    await client.bash('echo two > a');
    const request = client.newRequest();
    const said = await asks('git add -A', request);
    expect(said).toMatchObject({ exit: '0', decision: '' });
    expect(said.message).toBe('trai: `git add` would run on the host without 1 pending change: M a.');
    expect(await client.shell('git add -A')).toMatchObject({ rc: 0, stderr: '' });
  });

  it('"refuse" refuses it, with the way out, also where the user typed it', async () => {
    config({ hostWithPending: 'refuse' });
    await client.bash('echo two > a');
    const said = await asks('git add -A');
    expect(said.exit).toBe('2');
    expect(said.text).toMatch(/^trai: `git add` would run[\s\S]*Nothing was run[\s\S]*\/trai:commit/);
    expect(await client.shell('git add -A')).toMatchObject({ rc: 125 });
    expect(await asks('git status')).toMatchObject({ exit: '0', decision: '' });
  });
});

describe('git that may run other programs', () => {
  const command = 'git -c core.hooksPath=hooks commit --allow-empty -qm x';
  beforeEach(() => {
    mkdirSync(path.join(t.project, 'hooks'));
    writeFileSync(path.join(t.project, 'hooks/post-commit'), '#!/bin/sh\necho ran > by-hook\n', {
      mode: 0o755,
    });
  });

  it('is asked about although nothing is pending, and runs on the host when it was allowed', async () => {
    const said = await asks(command);
    expect(said.decision).toBe('ask');
    expect(said.reason).toContain('because of `-c core.hooksPath=hooks`');
    expect(said.reason).toContain(
      'To Claude, if this was denied: nothing was run. Do not try it another way.',
    );
    expect(await client.shell(command)).toMatchObject({ rc: 0 });
    expect(readFileSync(path.join(t.project, 'by-hook'), 'utf8')).toBe('ran\n');
  });

  it('runs in the sandbox where nobody was asked about exactly that', async () => {
    expect(await client.shell(command)).toMatchObject({ rc: 0 });
    expect(existsSync(path.join(t.project, 'by-hook'))).toBe(false);
    rmSync(path.join(t.state, 'sessions/one/requests'), { recursive: true, force: true });
    // Another plugin may have made it from a command that was asked about.
    expect(await asks('git -c core.pager=x stash')).toMatchObject({ decision: 'ask' });
    expect(await client.shell(command)).toMatchObject({ rc: 0 });
    expect(existsSync(path.join(t.project, 'by-hook'))).toBe(false);
  });
});

describe('what a host command throws away', () => {
  const savedOf = async () =>
    (await client.log()).flatMap((call) => call['saved'] as { restore: string[]; text: string }[]);

  it('is kept before it runs, and the log has the line that brings it back', async () => {
    writeFileSync(path.join(t.project, 'a'), 'changed\n');
    writeFileSync(path.join(t.project, 'untracked'), 'mine\n');
    await client.bash('git reset --hard');
    await client.bash('git clean -fd');
    expect(git('status', '--porcelain')).toBe('');
    const saved = await savedOf();
    expect(saved).toMatchObject([
      { what: 'git reset', text: '', untracked: ['untracked'], count: 1 },
      { what: 'git clean', text: '', untracked: ['untracked'] },
    ]);
    for (const line of saved.flatMap((one) => one.restore)) execFileSync('bash', ['-c', line], { cwd: '/' });
    expect(git('status', '--porcelain')).toBe(' M a\n?? untracked\n');
    const log = await client.send('UserPromptExpansion', {
      expansion_type: 'slash_command',
      command_name: 'trai:log',
      command_args: '',
    });
    expect(JSON.parse(log.text).reason).toContain(saved[0]?.restore[0]);
  });

  it('is kept for a line that the user typed, too', async () => {
    writeFileSync(path.join(t.project, 'a'), 'changed\n');
    expect(await client.shell('git checkout a')).toMatchObject({
      rc: 0,
      stderr: expect.not.stringContaining('trai'),
    });
    expect(await savedOf()).toHaveLength(1);
  });

  it('is asked about when it can not be kept, and then goes', async () => {
    writeFileSync(path.join(t.project, 'u1'), '');
    const request = client.newRequest();
    const command = 'f=u1; git clean -f "$f"';
    const said = await asks(command, request);
    expect(said).toMatchObject({ decision: 'ask' });
    expect(said.reason).toMatch(/^trai: What `git clean` throws away cannot be saved: which files/);
    expect(await client.shell(command)).toMatchObject({ rc: 0, stderr: '' });
    expect(git('status', '--porcelain')).toBe('');
    expect(await savedOf()).toMatchObject([{ restore: [], text: expect.stringContaining('which files') }]);
  });

  it('is not thrown away by the model when keeping it fails, and is by the user, who is told', async () => {
    writeFileSync(path.join(t.state, 'sessions/one/saved'), 'in the way');
    writeFileSync(path.join(t.project, 'a'), 'changed\n');
    const ran = await client.bash('git reset --hard');
    expect(ran.rc).toBe(125);
    expect(ran.stderr).toMatch(/cannot be saved[\s\S]*Nothing was run[\s\S]*\/trai:passthrough/);
    expect(readFileSync(path.join(t.project, 'a'), 'utf8')).toBe('changed\n');
    await openGrant(path.join(t.state, 'sessions/one'), { kind: 'passthrough' });
    expect(await client.bash('git stash list && git restore a')).toMatchObject({ rc: 0 });
    writeFileSync(path.join(t.project, 'a'), 'changed\n');
    const typed = await client.shell('git reset --hard');
    expect(typed.rc).toBe(0);
    expect(typed.stderr).toContain('cannot be saved');
  });
});

describe('what a host command did to pending files', () => {
  const told = (answer: { text: string }): string =>
    answer.text === '' ? '' : (JSON.parse(answer.text).hookSpecificOutput.additionalContext ?? '');
  const notices = () =>
    readFileSync(path.join(t.state, 'sessions/one/calls.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line.includes('"code":"host-conflicts"'));

  beforeEach(async () => {
    git('checkout', '-qb', 'topic');
    for (const name of ['a', 'b']) writeFileSync(path.join(t.project, name), 'topic\n');
    git('add', '.');
    git('commit', '-qm', 'topic');
    git('checkout', '-q', 'main');
    // A file that the host has just changed is in conflict before git runs.
    await sleep(2 * CLOCK_TICK_MS);
  });

  async function run(command: string): Promise<string> {
    const request = client.newRequest();
    await client.pre(request, command);
    const ran = await client.shell(command);
    expect(ran, command).toMatchObject({ rc: 0 });
    await client.post(request, command, ran);
    return told(await client.batch([{ request, command }]));
  }

  it('the agent and the log are told which are in conflict now, once', async () => {
    await client.bash('echo mine > a; echo new > b; echo other > c');
    const said = await run('git merge -q topic');
    expect(said).toMatch(
      /^trai: 2 pending changes are in conflict since `git merge` ran on the host: a \(.*\), b \(/,
    );
    expect(said).not.toContain('c (');
    expect(notices()).toHaveLength(1);
    expect(await run('git reset -q')).toBe('');
    expect(await run('ls')).toBe('');
    expect(notices()).toHaveLength(1);
  });

  it('nothing is said where nothing is in conflict', async () => {
    await client.bash('echo other > c');
    expect(await run('git merge -q topic')).toBe('');
    expect(notices()).toEqual([]);
  });

  it('of a line that the user typed, the agent learns with the next prompt', async () => {
    await client.bash('echo mine > a');
    await client.shell('git merge -q topic');
    const next = () => client.send('UserPromptSubmit', { prompt: 'go on' });
    expect(told(await next())).toContain('1 pending change is in conflict since `git merge` ran');
    expect(told(await next())).toBe('');
  });

  it('a running process of the session sees what git changed', async () => {
    const request = client.newRequest();
    const command =
      'touch mine; cat a > /dev/null; while ! grep -q topic a; do sleep 0.1; done; echo seen >> mine';
    await client.pre(request, command, { run_in_background: true });
    const background = client.shell(command);
    const running = () =>
      existsSync(path.join(t.state, 'sessions/one/run')) &&
      readFileSync(path.join(t.state, 'sessions/one/calls.jsonl'), 'utf8').includes('call.started');
    await expect.poll(running, { timeout: 30_000 }).toBe(true);
    await expect.poll(async () => (await client.bash('cat mine')).rc, { timeout: 30_000 }).toBe(0);
    await run('git checkout -q topic');
    expect(await background).toMatchObject({ rc: 0 });
  });
});
