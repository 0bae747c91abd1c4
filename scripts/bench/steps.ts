/**
 * Scan, diff, commit, undo and discard of a new tree at several sizes, beside `cp -a`, `rsync -a` and `rm -rf` of the same
 * tree in the same rounds, and how the cost grows between the sizes.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { commitAll } from '../../core/commit/commit.ts';
import { discardAll } from '../../core/commit/discard/discard.ts';
import { previewUndo, undoCommit } from '../../core/commit/undo/undo.ts';
import { diffEntry } from '../../core/content/diff.ts';
import { JOBS } from '../../core/jobs/jobs.ts';
import { type ScanAnswer, scanJob } from '../../core/jobs/lists.ts';
import { withLock } from '../../core/sandbox/lock.ts';
import { replayDirs } from '../../core/sandbox/replay-dirs.ts';
import type { ScanMark } from '../../core/scan/cache/unchanged.ts';
import { scan } from '../../core/scan/scan.ts';
import type { CommitRequest } from '../../shared/model/commit.ts';
import { liveCall } from '../../testing/sandbox/live-call.ts';
import type { TestSession } from '../../testing/sandbox/session.ts';
import { host, makeTree, openSession, pendingTree } from './files.ts';
import { growthOf, type Result } from './table.ts';
import { timed } from './timing.ts';

const LOCK_SECONDS = 10;
/** The server waits as long after a call before it looks. */
const SETTLE_MS = 100;
const STEPS = [
  'scan',
  'scan, nothing changed',
  'diff of one file',
  'commit',
  'undo',
  'discard',
  'discard beside a process',
] as const;
const PEERS = ['cp -a', 'rsync -a', 'rm -rf'] as const;
type Name = (typeof STEPS)[number] | (typeof PEERS)[number];
type Times = Map<Name, number[]>;

/** The peer that a step is shown beside: making the tree, removing it, or none that does the like. */
const BESIDE: Partial<Record<Name, Name>> = {
  'scan': 'cp -a',
  'commit': 'cp -a',
  'undo': 'rm -rf',
  'discard': 'rm -rf',
  'discard beside a process': 'rm -rf',
};

/**
 * @param sizes ascending
 * @param cold the kernel's caches are dropped before each scan, which only root may, and everybody on the machine feels
 */
export async function benchSteps(sizes: readonly number[], cold: boolean): Promise<Result[]> {
  const found = new Map<number, Times>();
  for (const size of sizes) found.set(size, await measureSize(size, cold));
  return STEPS.flatMap((step) => [
    ...sizes.map((size) => rowOf(step, size, found.get(size) ?? new Map())),
    ...growthOf(step, sizes, (size) => found.get(size)?.get(step) ?? []),
  ]).concat(PEERS.flatMap((peer) => sizes.flatMap((size) => peerRow(peer, size, found.get(size)))));
}

async function measureSize(size: number, cold: boolean): Promise<Times> {
  const session = await openSession();
  session.ctx.excluded.push(...replayDirs(session.ctx.projectRoot));
  writeFileSync(`${session.sessionDir}/calls.jsonl`, '');
  const times: Times = new Map();
  const note = async (name: Name, work: () => Promise<unknown>): Promise<void> => {
    times.set(name, [...(times.get(name) ?? []), await timed(work)]);
  };
  const source = mkdtempSync(path.join(session.base, 'source-'));
  await makeTree(session, source, size);
  // Small trees vary more than large ones take.
  const rounds = size >= 10_000 ? 1 : 5;
  for (let round = 0; round < rounds; round++) await oneRound(session, { source, size, round, cold, note });
  await session.close();
  return times;
}

interface Round {
  source: string;
  size: number;
  round: number;
  cold: boolean;
  note: (name: Name, work: () => Promise<unknown>) => Promise<void>;
}

async function oneRound(session: TestSession, { source, size, round, cold, note }: Round): Promise<void> {
  const { ctx } = session;
  const locked = <T>(work: () => Promise<T>) => withLock(session.ctx, work, LOCK_SECONDS);
  await pendingTree(session, `new-${round}`, size);
  if (cold) await dropCaches();
  let answer: ScanAnswer | null = null;
  // A scan does not believe change times of just now, and leaves no mark then: the next one would be a whole one, too.
  await setTimeout(SETTLE_MS);
  await note('scan', async () => {
    answer = await scanJob(ctx, null);
  });
  const mark = markOf(answer);
  let same = false;
  await note('scan, nothing changed', async () => {
    same = (await scanJob(ctx, mark)).same;
  });
  if (!same) throw new Error('expected the second scan to find nothing changed, it was a whole one');
  const list = await scan(ctx);
  // Nothing has run since the call, and nothing does: this process starts each.
  const tools = { settled: true };
  if (list.changes.length < size) throw new Error(`expected ${size} changes, found ${list.changes.length}`);
  const file = list.changes.findLast(({ pending }) => pending?.type === 'file');
  if (file !== undefined) await note('diff of one file', () => diffEntry(ctx, file));
  await host('sync');
  const report = { n: 0 };
  await note('commit', () =>
    locked(async () => {
      report.n = (await commitAll(ctx, list, requestOf(list.revision), tools)).n;
    }),
  );
  await host('sync');
  const { revision } = await previewUndo(ctx, report.n);
  const order = {
    n: report.n,
    revision,
    conflicts: 'refuse',
    choices: {},
    yes: true,
    typedCount: null,
  } as const;
  await note('undo', () => locked(() => undoCommit(ctx, order)));
  await note('discard', () => locked(() => discardAll(ctx, 1)));
  // The next call gets the overlay that the discard has begun.
  await session.replan();
  await besideProcess(session, `live-${round}`, size, note);
  const copy = path.join(session.base, 'copy');
  await host('sync');
  await note('cp -a', () => host('cp', '-a', source, copy));
  await note('rm -rf', () => host('rm', '-rf', copy));
  if (existsSync('/usr/bin/rsync')) {
    await host('sync');
    await note('rsync -a', () => host('rsync', '-a', `${source}/`, copy));
    rmSync(copy, { recursive: true });
  }
}

/** Of a session that a process keeps live: the job as the server and the terminal run it, with its scan. */
async function besideProcess(
  session: TestSession,
  name: string,
  size: number,
  note: Round['note'],
): Promise<void> {
  const { ctx } = session;
  const call = await liveCall(session);
  await pendingTree(session, name, size);
  const scope = { kind: 'paths' as const, paths: [ctx.projectRoot] };
  await note('discard beside a process', async () => {
    const { left } = await JOBS.discard(ctx, { scope, revision: null, endProcesses: false });
    if (left !== undefined) throw new Error(`expected all of it to be discarded, ${left.length} stayed`);
  });
  await call.end();
  await JOBS.tidy(ctx, { earliestCall: null });
}

function requestOf(revision: string): CommitRequest {
  return {
    revision,
    includeIgnored: true,
    conflicts: 'refuse',
    choices: {},
    yes: true,
    typedCount: null,
  };
}

async function dropCaches(): Promise<void> {
  await host('sh', '-c', 'sync; echo 3 >/proc/sys/vm/drop_caches');
}

/** What the server remembers of a scan, to tell that nothing changed. */
function markOf(answer: ScanAnswer | null): ScanMark | null {
  return answer === null || answer.same ? null : answer.mark;
}

function rowOf(step: Name, size: number, times: Times): Result {
  const name = BESIDE[step];
  const values = name === undefined ? undefined : times.get(name);
  const peer = name === undefined || values === undefined ? null : { name, values, atMost: null };
  const target = step === 'scan, nothing changed' ? 150 : null;
  return { what: `${step}, ${size} entries`, values: times.get(step) ?? [], unit: 'ms', target, peer };
}

function peerRow(peer: Name, size: number, times: Times | undefined): Result[] {
  const values = times?.get(peer);
  const what = `${peer}, ${size} files`;
  return [
    values === undefined
      ? { what, skipped: 'not installed' }
      : { what, values, unit: 'ms', target: null, peer: null },
  ];
}

/** The exponent between two sizes: 1 = ten times the entries cost ten times as much. */
