/** Files that a call modifies in place, as a formatter does: their base records, their commit and its undo. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { lookSettled } from '../../core/commit/commit.ts';
import { discardAll } from '../../core/commit/discard/discard.ts';
import { undoCommit } from '../../core/commit/undo/undo.ts';
import { recordBases } from '../../core/overlay/bases.ts';
import { asQuiet, withLock } from '../../core/sandbox/lock.ts';
import { scan } from '../../core/scan/scan.ts';
import type { TestSession } from '../../testing/sandbox/session.ts';
import { commitOf, host, makeTree, openSession } from './files.ts';
import { growthOf, type Result } from './table.ts';
import { timed } from './timing.ts';

const ROUNDS = 3;
const LOCK_SECONDS = 10;
type Times = Record<'the program' | 'base records' | 'commit' | 'undo' | 'cp -a' | 'rsync -a', number[]>;

/** Appends a line to every file below a directory; prints how long that took (ms). */
export const EDIT = `
  const fs = require('node:fs');
  const [top, line] = process.argv.slice(2);
  const started = performance.now();
  for (const dir of fs.readdirSync(top))
    for (const name of fs.readdirSync(top + '/' + dir)) fs.appendFileSync(top + '/' + dir + '/' + name, line);
  console.log(performance.now() - started);`;

/** @param sizes ascending */
export async function benchModified(sizes: readonly number[]): Promise<Result[]> {
  const found = new Map<number, Times>();
  for (const size of sizes) found.set(size, await measure(size));
  return [
    ...sizes.flatMap((size) => rowsOf(size, found.get(size))),
    ...(['base records', 'commit', 'undo'] as const).flatMap((name) =>
      growthOf(name, sizes, (size) => found.get(size)?.[name] ?? []),
    ),
  ];
}

function rowsOf(size: number, times: Times | undefined): Result[] {
  if (times === undefined) return [];
  const row = (what: keyof Times, name: keyof Times, atMost: number | null): Result => {
    const peer = { name: name === 'commit' ? 'its commit' : name, values: times[name], atMost };
    return { what: `${what} of ${size} modified files`, values: times[what], unit: 'ms', target: null, peer };
  };
  return [
    row('base records', 'the program', 3),
    row('commit', 'cp -a', 1.2),
    row('commit', 'rsync -a', null),
    row('undo', 'commit', 1.3),
  ];
}

async function measure(size: number): Promise<Times> {
  const session = await openSession();
  const tree = path.join(session.project, 'tree');
  await makeTree(session, tree, size);
  const edit = path.join(session.base, 'edit.cjs');
  writeFileSync(edit, EDIT);
  const times: Times = {
    'the program': [],
    'base records': [],
    'commit': [],
    'undo': [],
    'cp -a': [],
    'rsync -a': [],
  };
  for (let round = 0; round < ROUNDS; round++) {
    await ours(session, { tree, edit, size, round }, times);
    await theirs(session, { tree, edit }, times);
  }
  await session.close();
  return times;
}

interface Work {
  tree: string;
  edit: string;
  size: number;
  round: number;
}

async function ours(session: TestSession, { tree, edit, size, round }: Work, times: Times): Promise<void> {
  const locked = <T>(work: Parameters<typeof withLock<typeof session.ctx, T>>[1]) =>
    withLock(session.ctx, work, LOCK_SECONDS);
  await host('sync');
  const earliestCall = Date.now();
  const line = `// round ${round}\n`;
  const { rc, stdout, stderr } = await session.call(`'${process.execPath}' '${edit}' '${tree}' '${line}'`);
  if (rc !== 0) throw new Error(`the program: exit status ${rc}\n${stderr}`);
  times['the program'].push(Number(stdout));
  times['base records'].push(await timed(() => recordBases(session.ctx, { earliestCall })));
  await host('sync');
  let n = 0;
  await locked(async (held) => {
    const { found, session: at, settled } = await lookSettled(held, () => scan(held));
    times.commit.push(
      await timed(async () => {
        n = await commitOf(at, found, settled, size);
      }),
    );
  });
  await host('sync');
  const request = {
    n,
    revision: null,
    conflicts: 'refuse',
    choices: {},
    yes: true,
    typedCount: null,
  } as const;
  await locked(async (held) => {
    const quiet = (await asQuiet(held)) ?? held;
    times.undo.push(await timed(() => undoCommit(quiet, request)));
  });
  await locked(async (held) => {
    const quiet = await asQuiet(held);
    if (quiet === null) throw new Error('expected a quiet session');
    await discardAll(quiet, size);
  });
  await session.replan();
}

/** The same change as a copy over a copy of the tree. */
async function theirs({ base }: TestSession, { tree, edit }: Pick<Work, 'tree' | 'edit'>, times: Times) {
  const [from, to] = [path.join(base, 'from'), path.join(base, 'to')];
  for (const [name, args] of [
    ['cp -a', ['cp', '-a', '-T', from, to]],
    ['rsync -a', ['rsync', '-a', `${from}/`, to]],
  ] as const) {
    for (const dir of [from, to]) await host('cp', '-a', tree, dir);
    await host(process.execPath, edit, from, '// other\n');
    await host('sync');
    const [program, ...rest] = args;
    times[name].push(await timed(() => host(program, ...rest)));
    for (const dir of [from, to]) rmSync(dir, { recursive: true });
  }
}
