/** Many sessions with many pending entries: what a list of them costs. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startServer as serve } from '../../server/start.ts';
import { DirectRunner } from '../../testing/server/direct-runner.ts';
import { makeTrai, startInSession, type Trai, trai } from '../lib/trai.ts';
import type { Result } from './table.ts';
import { timed } from './timing.ts';

const MODEL = 'model';
const ROUNDS = 5;
/** What a list of 200 sessions with a million entries may take (ms). */
const TARGET_MS = 1_000;

/**
 * What `trai sessions` and the start page take with so many sessions and so many entries in all of them. First after the
 * entries were made (nothing is counted yet), then as it is every time after.
 */
export async function benchMany(sessions: number, entries: number): Promise<Result[]> {
  const on = makeTrai('many');
  const { status } = await startInSession(on, MODEL, 'mkdir new && echo x >new/x', 'ignore').ended;
  if (status !== 0) throw new Error(`expected a file to be written in the sandbox, exit status ${status}`);
  const each = Math.ceil(entries / sessions);
  const tree = path.join(on.state, 'tree');
  makeTree(tree, each);
  for (let i = 0; i < sessions; i++) copySession(on, `bench-${i}`, tree);
  rmSync(tree, { recursive: true });
  const list = async () => {
    const { status: rc, text } = await trai(on, ['sessions', '--json']);
    if (rc !== 0) throw new Error(`trai sessions: exit status ${rc}\n${text.slice(-500)}`);
  };
  const first = await timed(list);
  const again: number[] = [];
  for (let round = 0; round < ROUNDS; round++) again.push(await timed(list));
  const page = await startPage(on, sessions);
  const size = `${sessions} sessions, ${sessions * each} entries`;
  return [
    row(`trai sessions, ${size}`, again, TARGET_MS),
    row('… counted for the first time', [first], null),
    row(`GET /sessions, ${size}`, page, TARGET_MS),
  ];
}

function row(what: string, values: number[], target: number | null): Result {
  return { what, values, unit: 'ms', target, peer: null };
}

/** Empty files are enough: what is linear in a list of sessions is the number of names. */
function makeTree(to: string, entries: number): void {
  mkdirSync(to);
  for (let i = 0; i < entries - 2; i++) {
    const dir = path.join(to, `d${Math.floor(i / 100)}`);
    if (i % 100 === 0) mkdirSync(dir);
    else writeFileSync(path.join(dir, `f${i}`), '');
  }
}

/** The names are links of one tree's files: a million inodes would take minutes, and so would removing them. */
function copySession(on: Trai, id: string, tree: string): void {
  const from = path.join(on.state, 'sessions', MODEL);
  const to = path.join(on.state, 'sessions', id);
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.includes('/w/work'),
  });
  // What was counted of the model is nothing of the copy's.
  for (const file of ['counts.json', 'disk.json']) rmSync(path.join(to, file), { force: true });
  for (const file of ['meta.json', ...plans(to)]) rewrite(path.join(to, file), id);
  const upper = readdirSync(path.join(to, 'overlay'))
    .filter((name) => /^\d+$/.test(name))
    .map((name) => path.join(to, 'overlay', name, 'u/new'))
    .find((dir) => existsSync(dir));
  if (upper === undefined)
    throw new Error(`expected the model session's file in a copy of its overlay (${to})`);
  const { status, stderr } = spawnSync('cp', ['-al', `${tree}/.`, upper], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`cp -al: ${stderr}`);
}

function plans(dir: string): string[] {
  return readdirSync(path.join(dir, 'plan'), { recursive: true, encoding: 'utf8' })
    .filter((name) => path.basename(name) === 'plan.json')
    .map((name) => path.join('plan', name));
}

function rewrite(file: string, id: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text
      .replaceAll(`/sessions/${MODEL}/`, `/sessions/${id}/`)
      .replaceAll(`:${MODEL}"`, `:${id}"`)
      .replaceAll(`"${MODEL}"`, `"${id}"`),
  );
}

async function startPage(on: Trai, sessions: number): Promise<number[]> {
  const server = await serve({
    stateDir: on.state,
    env: on.env,
    port: 0,
    webRoot: on.project,
    programs: [],
    runner: new DirectRunner(),
    report: console.error,
    onDrain: () => {},
  });
  try {
    const { token } = server.deps.browsers.issue();
    const origin = `http://127.0.0.1:${server.port}`;
    const ask = async () => {
      const headers = { Authorization: `Bearer ${token}`, Origin: origin };
      const found: unknown = await (await fetch(`${origin}/api/sessions`, { headers })).json();
      if (!Array.isArray(found) || found.length < sessions)
        throw new Error(
          `expected a list of ${sessions} sessions, found ${JSON.stringify(found).slice(0, 200)}`,
        );
    };
    const values: number[] = [];
    for (let round = 0; round < ROUNDS; round++) values.push(await timed(ask));
    return values;
  } finally {
    await server.stop('the bench is over');
  }
}
