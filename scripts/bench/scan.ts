/** The change list of many pending files, new ones and modified ones, beside find(1) over the same uppers. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { recordBases } from '../../core/overlay/bases.ts';
import { scan } from '../../core/scan/scan.ts';
import type { TestSession } from '../../testing/sandbox/session.ts';
import { host, makeTree, openSession, pendingTree } from './files.ts';
import { EDIT } from './modified.ts';
import { growthOf, type Result } from './table.ts';
import { interleave, timed } from './timing.ts';

const KINDS = ['new', 'modified'] as const;
type Kind = (typeof KINDS)[number];
type Times = Record<Kind | `find ${Kind}`, number[]>;

/** Of 50,000 entries (ms). */
const TARGET = { entries: 50_000, ms: 800 };
/** A modified entry has a base record to parse and to compare with the host's; a new one has none. */
const MODIFIED_AT_MOST = 3;

/** @param sizes ascending */
export async function benchScan(sizes: readonly number[], rounds: number): Promise<Result[]> {
  const found = new Map<number, Times>();
  for (const size of sizes) found.set(size, await measure(size, rounds));
  return [
    ...sizes.flatMap((size) => rowsOf(size, found.get(size))),
    ...KINDS.flatMap((kind) =>
      growthOf(`list of ${kind} files`, sizes, (size) => found.get(size)?.[kind] ?? []),
    ),
  ];
}

function rowsOf(size: number, times: Times | undefined): Result[] {
  if (times === undefined) return [];
  const row = (kind: Kind, name: string, values: number[], atMost: number | null): Result => ({
    what: `list of ${size} ${kind} files, warm`,
    values: times[kind],
    unit: 'ms',
    target: size === TARGET.entries && kind === 'new' ? TARGET.ms : null,
    peer: { name, values, atMost },
  });
  return [
    row('new', 'find -printf', times['find new'], null),
    row('modified', 'find -printf', times['find modified'], null),
    row('modified', 'as many new ones', times.new, MODIFIED_AT_MOST),
  ];
}

async function measure(size: number, rounds: number): Promise<Times> {
  const sessions = { new: await openSession(), modified: await openSession() };
  await pendingTree(sessions.new, 'new', size);
  await modify(sessions.modified, size);
  const things = Object.fromEntries(
    KINDS.flatMap((kind) => [
      [kind, async () => await list(sessions[kind], size)],
      [`find ${kind}`, async () => await find(sessions[kind])],
    ]),
  );
  const times = (await interleave(rounds, things)) as Times;
  for (const kind of KINDS) await sessions[kind].close();
  return times;
}

async function modify(session: TestSession, size: number): Promise<void> {
  const tree = path.join(session.project, 'tree');
  await makeTree(session, tree, size);
  await session.replan();
  const edit = path.join(session.base, 'edit.cjs');
  writeFileSync(edit, EDIT);
  const earliestCall = Date.now();
  const { rc, stderr } = await session.call(`'${process.execPath}' '${edit}' '${tree}' '// edited\n'`);
  if (rc !== 0) throw new Error(`the edit: exit status ${rc}\n${stderr}`);
  await recordBases(session.ctx, { earliestCall });
}

async function list(session: TestSession, size: number): Promise<number> {
  let found = 0;
  const ms = await timed(async () => {
    found = (await scan(session.ctx)).changes.length;
  });
  if (found < size) throw new Error(`expected a list of ${size} entries, found ${found}`);
  return ms;
}

const find = ({ ctx }: TestSession): Promise<number> =>
  timed(() => host('find', ...ctx.coveredDirs.map(({ upper }) => upper), '-printf', '%p %s %m %T@\\n'));
