/**
 * Sessions in use: a call right after one that wrote, calls beside a process that stays, calls side by side in one session,
 * and sessions side by side.
 */
import path from 'node:path';
import { pause, start } from '../lib/exec.ts';
import { makeTrai, startServer, type Trai } from '../lib/trai.ts';
import { makeProject } from '../start/demo.ts';
import { makeTree } from './files.ts';
import { must, startSession } from './plugin-session.ts';
import { growthOf, type Result } from './table.ts';
import { interleave, timed } from './timing.ts';

const ROUNDS = 5;
/** Longer than the server's work after a call. */
const QUIET_MS = 3_000;
const SESSIONS = 20;
const CALLS_EACH = 5;
/** What the slowest of the calls of 20 sessions may take (ms). */
const WORST_MS = 3_000;

/**
 * @param pending sizes of sessions, ascending
 * @param atOnce numbers of calls side by side
 */
export async function benchBusy(pending: readonly number[], atOnce: readonly number[]): Promise<Result[]> {
  const on = makeTrai('busy');
  await makeProject(on.project);
  const server = await startServer(on);
  const results = [
    ...(await afterWriting(on, pending)),
    ...(await besideAProcess(on)),
    ...(await sideBySide(on, atOnce)),
    ...(await manySessions(on)),
  ];
  await server.stop();
  return results;
}

/** Runs a program to its end, beside others. Fails unless it ends with 0. */
async function runBeside(on: Trai, script: string): Promise<void> {
  const { status, text } = await start('bash', ['-c', script], {
    cwd: on.project,
    env: on.env,
    output: 'collect',
  }).ended;
  if (status !== 0) throw new Error(`expected a call to end with 0, not ${status}: ${text.slice(-500)}`);
}

async function afterWriting(on: Trai, sizes: readonly number[]): Promise<Result[]> {
  const base = path.dirname(on.state);
  const found = new Map<number, { soon: number[]; later: number[] }>();
  for (const size of sizes) {
    const line = startSession(on, `pending-${size}`);
    const call = (command: string) => must('bash', ['-c', `${line}${command}`], on);
    const tree = path.join(base, `tree-${size}`);
    await makeTree({ base }, tree, size);
    call(`cp -r '${tree}' '${on.project}/new-${size}'`);
    await pause(QUIET_MS);
    const times = { soon: [] as number[], later: [] as number[] };
    for (let round = 0; round < ROUNDS; round++) {
      call(`echo ${round} >one-${size}`);
      times.soon.push(await timed(() => call('true')));
      await pause(QUIET_MS);
      times.later.push(await timed(() => call('true')));
    }
    found.set(size, times);
  }
  return [
    ...[...found].map(([size, { soon, later }]): Result => {
      const peer = { name: 'after a pause', values: later, atMost: null };
      return {
        what: `a call after one that wrote, ${size} pending`,
        values: soon,
        unit: 'ms',
        target: null,
        peer,
      };
    }),
    ...growthOf('a call after one that wrote', sizes, (size) => found.get(size)?.soon ?? []),
  ];
}

/** A development server stays, and calls go on. */
async function besideAProcess(on: Trai): Promise<Result[]> {
  const [quiet, live] = [startSession(on, 'quiet'), startSession(on, 'live')];
  must('bash', ['-c', `${live}(sleep 3600 </dev/null >/dev/null 2>&1 &)`], on);
  await pause(QUIET_MS);
  const { beside = [], alone = [] } = await interleave(4 * ROUNDS, {
    beside: () => timed(() => must('bash', ['-c', `${live}true`], on)),
    alone: () => timed(() => must('bash', ['-c', `${quiet}true`], on)),
  });
  const peer = { name: 'in a quiet session', values: alone, atMost: null };
  return [{ what: 'a call beside a process that stays', values: beside, unit: 'ms', target: null, peer }];
}

async function sideBySide(on: Trai, numbers: readonly number[]): Promise<Result[]> {
  const line = startSession(on, 'side-by-side');
  must('bash', ['-c', `${line}true`], on);
  const all = (count: number, script: string) =>
    timed(() => Promise.all(Array.from({ length: count }, () => runBeside(on, script))));
  const row = async (count: number, command: string, atMost: number | null): Promise<Result> => {
    const { trai = [], bash = [] } = await interleave(ROUNDS, {
      trai: () => all(count, `${line}${command}`),
      bash: () => all(count, command),
    });
    const peer = { name: 'bash', values: bash, atMost };
    return { what: `${count} calls of \`${command}\` at once`, values: trai, unit: 'ms', target: null, peer };
  };
  const results: Result[] = [];
  for (const count of numbers) results.push(await row(count, 'true', 4));
  return [...results, await row(10, 'sleep 1', null)];
}

async function manySessions(on: Trai): Promise<Result[]> {
  const lines = Array.from({ length: SESSIONS }, (_, i) => startSession(on, `many-${i}`));
  const times: number[] = [];
  await Promise.all(
    lines.map(async (line, i) => {
      for (let call = 0; call < CALLS_EACH; call++)
        times.push(await timed(() => runBeside(on, `${line}echo ${call} >many-${i}`)));
    }),
  );
  const what = `the slowest of ${CALLS_EACH} calls each of ${SESSIONS} sessions at once`;
  return [
    { what, values: [Math.max(...times)], unit: 'ms', target: WORST_MS, peer: null },
    { what: '… and all of these', values: times, unit: 'ms', target: null, peer: null },
  ];
}
