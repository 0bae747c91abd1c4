import { differences, touched } from './compare.ts';
import type { Machine, Ran } from './machine.ts';
import type { Program } from './program.ts';

export interface Trial {
  /** Why the program could not be run here; then nothing else is there. */
  skipped: string | null;
  /** Milliseconds. */
  plain: number;
  trai: number;
  /** What differs between the run without trai and the one with it; empty = equal. */
  faults: string[];
}

/** Where a replay of the host's changes keeps what it replaces: there while something of the session runs (docs/limits.md). */
const REPLAY = /\/\.trai-replay(\/|$)/;

/**
 * One run without trai and one with it, of the same command in the same place: exit status and output, the tree as the
 * session sees it, the host meanwhile, and the host after a commit.
 * @throws when a step of the trial itself fails.
 */
export async function trial(machine: Machine, program: Program): Promise<Trial> {
  const reason = await machine.prepare(program);
  if (reason !== null) return { skipped: reason, plain: Number.NaN, trai: Number.NaN, faults: [] };
  const plain = await machine.host(program.command);
  const wanted = await machine.tree(null);
  await machine.begin();
  const before = await machine.tree(null);
  const session = await machine.session();
  const inside = await machine.inside(session, program.command);
  const merged = await machine.tree(session);
  const host = await machine.tree(null);
  const commit = await machine.commit(session);
  const committed = await machine.tree(null);
  const faults = [
    ...outputs(plain, inside, program),
    ...differences(wanted, merged, program)
      .filter((line) => !REPLAY.test(line))
      .map((line) => `in the sandbox: ${line}`),
    ...touched(before, host).map((line) => `on the host before the commit: ${line}`),
    ...(commit.status === 0 ? [] : [`the commit failed: ${commit.stderr}${commit.stdout}`]),
    ...differences(wanted, committed, program).map((line) => `after the commit: ${line}`),
  ];
  return { skipped: null, plain: plain.ms, trai: inside.ms, faults };
}

function outputs(plain: Ran, inside: Ran, program: Program): string[] {
  const faults: string[] = [];
  if (plain.status !== inside.status)
    faults.push(
      `exit status ${plain.status} without trai, ${inside.status} with it\n${inside.stderr}${inside.stdout}`,
    );
  const read = program.stdout === undefined ? (text: string) => text : program.stdout;
  if (read !== null && read(plain.stdout) !== read(inside.stdout))
    faults.push(`output without trai:\n${read(plain.stdout)}with it:\n${read(inside.stdout)}`);
  return faults;
}
