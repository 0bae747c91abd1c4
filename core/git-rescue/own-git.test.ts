/** The git that trai runs executes nothing that a repository names, leaves nothing behind, and ends. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { HostUse, Loss } from '../../shared/model/decision.ts';
import { git as ownGit } from './git.ts';
import { keepLosses } from './keep.ts';

let base: string;
const PATH = process.env['PATH'];
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), 'trai-own-git-')));
});
afterEach(() => {
  process.env['PATH'] = PATH;
  rmSync(base, { recursive: true, force: true });
});

type Git = (...args: string[]) => string;

function repository(name: string): { dir: string; git: Git } {
  const dir = path.join(base, name);
  mkdirSync(dir);
  const git: Git = (...args) => execFileSync('git', args, { cwd: dir, encoding: 'utf8', stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 't');
  git('config', 'user.email', 't@t');
  writeFileSync(path.join(dir, 'file'), 'one\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  return { dir, git };
}

/** A program that leaves a trace when it runs. */
function program(name: string): string {
  const file = path.join(base, name);
  writeFileSync(file, `#!/bin/sh\n: >'${base}/RAN-${name}'\nexit 1\n`);
  chmodSync(file, 0o755);
  return file;
}
const ran = (): string[] => readdirSync(base).filter((name) => name.startsWith('RAN-'));

const use = (dir: string, loss: Loss): HostUse => ({
  what: 'git x',
  scope: 'repository',
  dirs: [dir],
  globals: [],
  losses: [loss],
});
const TREE: Loss = { kind: 'tree', unlessRef: null };
/** Generous (ms), so that a stalled machine does not fail the tests. */
const PATIENCE = 50_000;
const keep = (dir: string, loss: Loss, ms = PATIENCE) =>
  keepLosses([use(dir, loss)], path.join(base, 'saved'), 'call-1', ms);

it('no program of a signature, when stashes are listed', async () => {
  const { dir, git } = repository('p');
  const input = `tree ${git('rev-parse', 'HEAD^{tree}').trim()}\nparent ${git('rev-parse', 'HEAD').trim()}
author t <t@t> 1 +0000\ncommitter t <t@t> 1 +0000
gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----\n\nsigned\n`;
  const words = ['hash-object', '-t', 'commit', '-w', '--stdin'];
  const commit = execFileSync('git', words, { cwd: dir, input, encoding: 'utf8' }).trim();
  git('update-ref', '--create-reflog', '-m', 'signed', 'refs/stash', commit);
  git('config', 'log.showSignature', 'true');
  git('config', 'gpg.program', program('gpg'));
  const [kept] = await keep(dir, { kind: 'stash', entry: null });
  expect(kept?.restore).toHaveLength(1);
  expect(ran()).toEqual([]);
});

it.each(['file', 'index', 'config'])(
  'nothing inside a submodule that wants to be looked into: %s',
  async (where) => {
    const sub = repository('sub');
    const { dir, git } = repository('p');
    git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', sub.dir, 'a sub.dir');
    if (where === 'config') git('config', 'submodule.a sub.dir.ignore', 'none');
    else appendFileSync(path.join(dir, '.gitmodules'), '\tignore = none\n');
    git('add', '.');
    git('commit', '-qm', 'sub');
    const inside = path.join(dir, 'a sub.dir');
    const at = (...args: string[]) => execFileSync('git', args, { cwd: inside });
    at('config', 'filter.theirs.clean', program('clean'));
    at('config', 'core.fsmonitor', program('fsmonitor'));
    writeFileSync(path.join(inside, '.gitattributes'), '* filter=theirs\n');
    writeFileSync(path.join(inside, 'file'), 'two\n');
    writeFileSync(path.join(dir, 'file'), 'two\n');
    if (where === 'index') rmSync(path.join(dir, '.gitmodules'));
    expect(ran()).toEqual([]);
    const [kept] = await keep(dir, TREE);
    expect(kept?.restore).toHaveLength(1);
    // During a merge files are listed instead.
    writeFileSync(path.join(dir, '.git', 'index.lock'), '');
    await keep(dir, TREE);
    expect(ran()).toEqual([]);
  },
);

/** A git whose `stash create` records the signal that ended it, and leaves a child that holds its output. */
function stubborn(how: string): void {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  mkdirSync(path.join(base, 'bin'));
  const file = path.join(base, 'bin', 'git');
  writeFileSync(file, `#!/bin/bash\ncase " $* " in *' stash create '*) ${how};; esac\nexec '${real}' "$@"\n`);
  chmodSync(file, 0o755);
  process.env['PATH'] = `${base}/bin:${PATH}`;
}

it('a git that is too slow may take its locks away before it ends', async () => {
  const { dir } = repository('p');
  const lock = path.join(dir, '.git', 'index.lock');
  stubborn(`trap "rm -f '${lock}'; exit 1" TERM; : >'${lock}'; sleep 600 & wait`);
  const repo = { dir, globals: [], settings: [], deadline: Date.now() + 3_000 };
  const { status } = await ownGit(repo, ['stash', 'create'], { grace: PATIENCE });
  expect(status).toBe(124);
  expect(existsSync(lock)).toBe(false);
});

it('what outlives a git that is too slow is not waited for', async () => {
  const { dir } = repository('p');
  writeFileSync(path.join(dir, 'file'), 'two\n');
  const pid = path.join(base, 'pid');
  stubborn(`setsid -f bash -c 'echo $$ >"${pid}"; exec sleep 600'; exec sleep 600`);
  const [kept] = await keep(dir, TREE, 3_000);
  expect(kept?.failed).not.toBe('');
  execFileSync('sh', ['-c', `[ ! -e '${pid}' ] || kill $(cat '${pid}')`]);
});
