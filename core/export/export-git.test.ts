/** Exports against the same commit on a clean checkout; the repository itself must not change. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { asRoot, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { commitNow, quickLook, requestFor } from '../../testing/commit/commit.ts';
import { planCommit } from '../commit/plan/plan.ts';
import { recordBases } from '../overlay/bases.ts';
import { scan } from '../scan/scan.ts';
import { type ExportReport, type ExportTarget, exportChanges } from './export-git.ts';

let open: TestSession[] = [];
afterEach(() => {
  for (const one of open) one.remove();
  open = [];
});

const git = (dir: string, ...args: string[]): string =>
  execFileSync('git', ['-C', dir, ...args], { encoding: 'utf8', stdio: 'pipe' });

const BEFORE =
  'git init -q -b main r; cd r; git config user.name Kim; git config user.email kim@example.org; ' +
  "echo one > a; echo gone > gone; mkdir d sub; echo x > d/x; echo y > d/y; printf '\\0\\1\\2' > bin; echo s > run; ln -s a link; " +
  "echo '*.log' > .gitignore; echo t > swap; mkdir was; echo w > was/w; git add .; git commit -qm first; echo dirty > untracked; echo log > old.log";
const INSIDE =
  "cd r; echo two > a; rm gone; rm -r d; echo file > d; printf '\\0\\377\\n\\0' > bin; chmod 755 run; ln -sfn bin link; " +
  "mkdir -p 'new dir/deep'; echo ä > 'new dir/deep/ö'; echo log > new.log; rm swap; mkdir swap; echo in > swap/in; rm -r was; " +
  "mkfifo pipe; printf 'no newline' > end; mkdir empty; echo secret > closed; chmod 400 closed; printf 'x' > $'odd\\nname'";

async function scene(): Promise<TestSession> {
  const t = testSession();
  open.push(t);
  t.onHost(BEFORE);
  t.inSandbox(INSIDE);
  await recordBases(t.ctx);
  return t;
}

async function exported(t: TestSession, target: ExportTarget): Promise<ExportReport> {
  const list = await scan(t.ctx);
  const plan = planCommit(list, requestFor(list, { conflicts: 'take-sandbox' }));
  const going = plan.steps.flatMap(({ members, below }) => [...members, ...below]);
  return await exportChanges(t.ctx, list, going, `${t.host}/r`, target);
}

/** What an export must leave alone in the repository; it may add objects. */
function untouched(dir: string): unknown {
  const files = [...quickLook(dir)].filter(
    ([name]) => !/^\.git\/(objects|refs\/heads|logs\/refs\/heads)/.test(name),
  );
  return {
    files,
    status: git(dir, 'status', '--porcelain', '--ignored'),
    head: git(dir, 'rev-parse', 'HEAD'),
  };
}

/** The work tree without entries that git can't hold. */
function contents(dir: string): Record<string, string> {
  const shown = [...quickLook(dir)].filter(
    ([name, state]) => !/^\.git(\/|$)|\.log$|^untracked$|^pipe$/.test(name) && !state.startsWith('4'),
  );
  const executable = (state: string) =>
    state.replace(/^100(\d)\d\d/, (_, user) => (Number(user) & 1 ? 'x' : 'f'));
  return Object.fromEntries(shown.map(([name, state]) => [name, executable(state)]));
}

describe(`export, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('a patch makes of a clean checkout what a commit makes of the work tree, and writes nothing into the repository', async () => {
    const t = await scene();
    const repo = `${t.host}/r`;
    const before = { ...quickLook(repo), all: [...quickLook(repo)] };
    const file = path.join(t.host, '..', 'out.patch');
    const report = await exported(t, { kind: 'patch', file: fromText(file) });
    expect([...quickLook(repo)]).toEqual(before.all);
    expect(report).toMatchObject({ repository: repo, commit: null });
    expect(report.left.map(({ path: at, why }) => `${path.basename(at)}: ${why}`).sort()).toEqual([
      'new.log: git ignores it',
      'pipe: git has no entries of this type (fifo)',
    ]);
    expect(readdirSync(t.ctx.sessionDir).filter((name) => name.startsWith('export'))).toEqual([]);
    const clone = path.join(t.host, '..', 'clone');
    git(t.host, 'clone', '-q', repo, clone);
    git(clone, 'apply', '--index', file);
    await commitNow(t, { request: { conflicts: 'take-sandbox' } });
    expect(contents(clone)).toEqual(contents(repo));
    await expect(exported(t, { kind: 'patch', file: fromText(file) })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('a branch is one commit on HEAD; work tree, index and HEAD are as they were', async () => {
    const t = await scene();
    const repo = `${t.host}/r`;
    git(repo, 'add', 'untracked');
    const before = untouched(repo);
    const report = await exported(t, {
      kind: 'branch',
      name: 'kim/pending',
      message: 'what the session did',
    });
    expect(untouched(repo)).toEqual(before);
    expect(git(repo, 'rev-parse', 'kim/pending').trim()).toBe(report.commit);
    expect(git(repo, 'log', '-2', '--format=%an %ae %s', 'kim/pending').trim().split('\n')).toEqual([
      'Kim kim@example.org what the session did',
      'Kim kim@example.org first',
    ]);
    const clone = path.join(t.host, '..', 'clone');
    git(t.host, 'clone', '-q', '-b', 'kim/pending', repo, clone);
    await commitNow(t, { request: { conflicts: 'take-sandbox' } });
    expect(contents(clone)).toEqual(contents(repo));
    const again = exported(t, { kind: 'branch', name: 'kim/pending', message: 'm' });
    await expect(again).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('runs nothing that the repository names, and leaves another repository in it alone', async () => {
    const t = testSession();
    open.push(t);
    t.onHost(
      'git init -q r; cd r; echo 1 > f; echo "* filter=evil diff=evil" > .gitattributes; mkdir in; cd in; git init -q .; echo i > i',
    );
    const repo = `${t.host}/r`;
    const evil = path.join(t.host, '..', 'evil');
    writeFileSync(evil, `#!/bin/sh\n: > '${evil}-ran'\ncat\n`);
    chmodSync(evil, 0o755);
    for (const [key, value] of [
      ['filter.evil.clean', evil],
      ['filter.evil.process', evil],
      ['diff.evil.textconv', evil],
      ['diff.evil.command', evil],
      ['diff.external', evil],
      ['core.fsmonitor', evil],
      ['core.hooksPath', path.dirname(evil)],
      ['gpg.program', evil],
      ['commit.gpgSign', 'true'],
    ])
      git(repo, 'config', key ?? '', value ?? '');
    mkdirSync(`${repo}/.git/hooks`, { recursive: true });
    writeFileSync(`${repo}/.git/hooks/reference-transaction`, `#!/bin/sh\n: > '${evil}-ran'\n`, {
      mode: 0o755,
    });
    t.inSandbox(
      'cd r; echo 2 > f; echo j > in/j; mkdir own; cd own; mkdir .git; echo h > .git/HEAD; echo o > o',
    );
    await recordBases(t.ctx);
    const report = await exported(t, { kind: 'branch', name: 'b', message: 'm' });
    const file = path.join(t.host, '..', 'p.patch');
    await exported(t, { kind: 'patch', file: fromText(file) });
    expect(existsSync(`${evil}-ran`)).toBe(false);
    expect(git(repo, '-c', 'core.fsmonitor=false', 'ls-tree', '-r', '--name-only', 'b').trim()).toBe('f');
    expect(readFileSync(file, 'utf8')).toContain('+2');
    expect(report.left.map(({ why }) => why)).toContain('it belongs to another repository');
  });

  it.each(['-x', 'a..b', 'x.lock', ''])('takes no bad name of a branch: %j', async (name) => {
    const t = await scene();
    await expect(exported(t, { kind: 'branch', name, message: 'm' })).rejects.toMatchObject({
      code: 'bad-input',
    });
  });
});
