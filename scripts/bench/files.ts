import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { commitAll, lookSettled } from '../../core/commit/commit.ts';
import { diffEntry } from '../../core/content/diff.ts';
import { recordBases } from '../../core/overlay/bases.ts';
import { type LiveSession, withLock } from '../../core/sandbox/lock.ts';
import { scan } from '../../core/scan/scan.ts';
import type { ChangeList } from '../../shared/model/change.ts';
import type { CommitRequest } from '../../shared/model/commit.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { atEnd, run } from '../lib/exec.ts';
import type { Result } from './table.ts';
import { interleave, timed } from './timing.ts';

/** The lines of the diff that is shown without being asked for; every tenth is changed. */
const DIFF_LINES = 400;
/** Each makes, commits and copies a tree, which takes a while: an odd number, so that the median is a measured one. */
const COMMIT_ROUNDS = 3;

/** Makes FILES small files, a hundred in each directory, below the directory TREE. */
const MAKE_TREE = `
  const fs = require('node:fs');
  const [tree, files] = [process.argv[2], Number(process.argv[3])];
  for (let i = 0; i < files; i++) {
    const dir = tree + '/d' + Math.floor(i / 100);
    if (i % 100 === 0) fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(dir + '/f' + i + '.js', 'export const value = ' + i + ';\\n'.repeat(1 + (i % 8)));
  }`;

/** On the disk that the real state directory is on: the temporary directory may be memory. */
function cacheDir(): string {
  const dir = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache');
  mkdirSync(dir, { recursive: true });
  return dir;
}

export async function openSession(): Promise<TestSession> {
  const session = await testSession(cacheDir());
  atEnd(() => session.close());
  return session;
}

/** Runs a program on the host and waits; its output is thrown away. */
export async function host(program: string, ...args: string[]): Promise<void> {
  const { status, text } = await run(program, args, { cwd: '/', output: 'collect' });
  if (status !== 0) throw new Error(`${program}: exit status ${status}\n${text.slice(-500)}`);
}

async function inSandbox(session: TestSession, command: string): Promise<void> {
  const { rc, stderr } = await session.call(command);
  if (rc !== 0) throw new Error(`${command}: exit status ${rc}\n${stderr}`);
}

function treeScript({ base }: Pick<TestSession, 'base'>): string {
  const script = path.join(base, 'make-tree.cjs');
  writeFileSync(script, MAKE_TREE);
  return script;
}

/** Writes the tree on the host. */
export async function makeTree(beside: Pick<TestSession, 'base'>, dir: string, files: number): Promise<void> {
  await host(process.execPath, treeScript(beside), dir, String(files));
}

/** Writes the tree inside the sandbox. */
export async function pendingTree(session: TestSession, name: string, files: number): Promise<void> {
  await inSandbox(
    session,
    `'${process.execPath}' '${treeScript(session)}' '${session.project}/${name}' ${files}`,
  );
  await recordBases(session.ctx);
}

/** One diff as the dashboard asks for it, beside diff(1). */
export async function benchDiff(rounds: number): Promise<Result[]> {
  const session = await openSession();
  const lines = Array.from({ length: DIFF_LINES }, (_, i) => `const line${i} = 'the text of line ${i}';`);
  const file = path.join(session.project, 'long.js');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const edited = path.join(session.base, 'edited.js');
  writeFileSync(
    edited,
    `${lines.map((line, i) => (i % 10 === 0 ? `${line} // changed` : line)).join('\n')}\n`,
  );
  await inSandbox(session, `cat '${edited}' >'${file}'`);
  const { changes } = await scan(session.ctx);
  const change = changes.find(({ path: name }) => name.endsWith('/long.js'));
  if (change === undefined) throw new Error('expected long.js among the changes, it is not there');
  const samples = await interleave(rounds, {
    diff: () => timed(() => diffEntry(session.ctx, change)),
    // Its exit status 1 means that there is a difference.
    peer: () => timed(() => host('sh', '-c', `diff -u '${file}' '${edited}' || [ $? = 1 ]`)),
  });
  await session.close();
  const peer = { name: 'diff -u', values: samples['peer'] ?? [], atMost: null };
  return [
    {
      what: `diff of a file of ${DIFF_LINES} lines`,
      values: samples['diff'] ?? [],
      unit: 'ms',
      target: 50,
      peer,
    },
  ];
}

/**
 * Commit of a new tree on one file system, beside `cp -a` of the same tree: of a list that was scanned under the lock, as the
 * server does it, and with that look at whether the session is quiet and that scan, which come first.
 */
export async function benchCommit(files: number): Promise<Result[]> {
  const session = await openSession();
  const source = mkdtempSync(path.join(session.base, 'source-'));
  await makeTree(session, source, files);
  let round = 0;
  const whole: number[] = [];
  const things = {
    commit: async () => {
      await pendingTree(session, `new-${round}`, files);
      round += 1;
      await host('sync');
      let commit = 0;
      const all = await timed(() =>
        withLock(session.ctx, async (held) => {
          const { found, session: at, settled } = await lookSettled(held, () => scan(held));
          commit = await timed(() => commitOf(at, found, settled, files));
        }),
      );
      whole.push(all);
      return commit;
    },
    copy: async () => {
      await host('sync');
      return await timed(() => host('cp', '-a', source, path.join(session.base, `copy-${round}`)));
    },
  };
  const samples = await interleave(COMMIT_ROUNDS, things, false);
  await session.close();
  const peer = { name: 'cp -a', values: samples['copy'] ?? [], atMost: 1 / 8 };
  const more = { name: 'cp -a', values: samples['copy'] ?? [], atMost: null };
  return [
    { what: `commit of ${files} new files`, values: samples['commit'] ?? [], unit: 'ms', target: null, peer },
    { what: 'with the scan under the lock before it', values: whole, unit: 'ms', target: null, peer: more },
  ];
}

/** Commits a whole list; returns the commit's number. */
export async function commitOf(
  ctx: LiveSession,
  list: ChangeList,
  settled: boolean,
  files: number,
): Promise<number> {
  const request: CommitRequest = {
    revision: list.revision,
    includeIgnored: true,
    conflicts: 'refuse',
    choices: {},
    yes: true,
    typedCount: null,
  };
  const report = await commitAll(ctx, list, request, { settled });
  if (report.applied < files) throw new Error(`expected ${files} applied entries, found ${report.applied}`);
  return report.n;
}
