/**
 * What a list of sessions asks of the file system does not grow with their entries. Without a clock: every
 * call of node:fs is counted, by the session that its path lies in.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sessions } from '../../../cli/commands/sessions.ts';
import type { Cli } from '../../../cli/context/world.ts';
import { fromText } from '../../../shared/bytes.ts';
import { PLAIN } from '../../../shared/terminal/text.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { type TestServer, testServer } from '../../../testing/server/server.ts';

const FEW = 3;
const MANY = 600;
/** The server's work after a call has ended by then. */
const PAUSE_MS = 200;
/** A number in a file may be longer in one than in the other (bytes). */
const DIGITS = 400;

let t: TestServer;
beforeAll(async () => {
  t = await testServer();
});
afterAll(async () => {
  await new TestClient(t, 'any').clean();
  await t.close();
});

interface Cost {
  calls: number;
  bytes: number;
}

type Fn = (...args: unknown[]) => unknown;

async function costOf(work: () => Promise<unknown>): Promise<Map<string, Cost>> {
  const costs = new Map<string, Cost>();
  const opened = new Map<number, Cost>();
  const costAt = (path: unknown): Cost | undefined => {
    const text = path instanceof Uint8Array ? Buffer.from(path).toString() : String(path);
    const id = text.startsWith(`${t.state}/sessions/`) ? text.split('/')[t.state.split('/').length + 1] : '';
    if (id === undefined || id === '') return undefined;
    const cost = costs.get(id) ?? { calls: 0, bytes: 0 };
    costs.set(id, cost);
    return cost;
  };
  const counted =
    (name: string, real: Fn): Fn =>
    (...args) => {
      const cost = typeof args[0] === 'number' ? opened.get(args[0]) : costAt(args[0]);
      if (cost !== undefined) cost.calls++;
      const result = real(...args);
      // Descriptors are reused.
      if (name === 'openSync' && typeof result === 'number') {
        if (cost === undefined) opened.delete(result);
        else opened.set(result, cost);
      } else if (name === 'closeSync') opened.delete(Number(args[0]));
      const add = (value: unknown) => {
        if (cost === undefined) return;
        if (name === 'readSync' && typeof value === 'number') cost.bytes += value;
        else if (name.startsWith('readFile') && (typeof value === 'string' || Buffer.isBuffer(value)))
          cost.bytes += value.length;
      };
      if (result instanceof Promise) void result.then(add, () => {});
      else add(result);
      return result;
    };
  const undo = [...wrapped(fs, /Sync$/, counted), ...wrapped(fs.promises, /./, counted)];
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    for (const one of undo) one();
    syncBuiltinESMExports();
  }
  return costs;
}

/** Gives functions that restore them. */
function wrapped(of: object, names: RegExp, counted: (name: string, real: Fn) => Fn): (() => void)[] {
  const all = of as Record<string, unknown>;
  return Object.keys(of).flatMap((name) => {
    const real = all[name];
    if (typeof real !== 'function' || !names.test(name)) return [];
    // `realpathSync.native` is a property.
    const inner = Object.entries(real).map(([key, one]) => [key, counted(name, one as Fn)]);
    all[name] = Object.assign(counted(name, real as Fn), Object.fromEntries(inner));
    return [() => (all[name] = real)];
  });
}

/** The server polls all sessions now and then: the minimum is the question's own cost. */
async function least(work: () => Promise<unknown>): Promise<Map<string, Cost>> {
  const all: Map<string, Cost>[] = [];
  for (let round = 0; round < 5; round++) {
    if (round > 0) await sleep(PAUSE_MS);
    all.push(await costOf(work));
  }
  const ids = [...new Set(all.flatMap((one) => [...one.keys()]))];
  const smallest = (id: string, field: keyof Cost) =>
    Math.min(...all.map((one) => one.get(id)?.[field] ?? 0));
  return new Map(ids.map((id) => [id, { calls: smallest(id, 'calls'), bytes: smallest(id, 'bytes') }]));
}

let shown = '';
const cli = (): Cli => ({
  env: { HOME: t.home, PATH: process.env['PATH'] },
  cwd: t.project,
  dir: fromText(t.project),
  state: t.state,
  root: '',
  startFd: null,
  json: true,
  style: PLAIN,
  session: null,
  remark: () => {},
  own: (name) => `trai ${name}`,
  print: (_text, value) => {
    shown = JSON.stringify(value);
  },
});
const terminal = async () =>
  await sessions.run(cli(), {
    words: [],
    flags: new Set<string>(),
    options: new Map<string, string>(),
    lists: new Map<string, readonly string[]>(),
    json: true,
    session: null,
    help: false,
    fromPrompt: false,
  });
const page = async () => {
  for (const route of ['sessions', 'disk']) expect((await t.api(`/api/${route}`)).status).toBe(200);
};

it('asks the same of the file system for a session with few entries and for one with many', async () => {
  for (const [id, entries] of [
    ['few', FEW],
    ['many', MANY],
  ] as const) {
    const client = new TestClient(t, id);
    await client.start();
    const { rc, stderr } = await client.bash(
      `mkdir ${id}; for i in {1..${entries}}; do echo $i > ${id}/$i; done`,
    );
    expect([rc, stderr]).toEqual([0, '']);
    // Of a replay into a call that took more than a second, on a busy machine.
    fs.rmSync(`${t.state}/sessions/${id}/overlay/replay-dirs.jsonl`, { force: true });
  }
  const first = await costOf(terminal);
  expect(shown).toContain(`"added":${MANY + 1}`);
  // The first question scans: a call an entry at least.
  expect(first.get('many')?.calls ?? 0).toBeGreaterThan(MANY);
  expect(first.get('few')?.calls ?? 0).toBeLessThan(MANY / 2);
  await page();
  for (const [what, work] of [
    ['trai sessions', terminal],
    ['the start page', page],
  ] as const) {
    const costs = await least(work);
    const [few, many] = ['few', 'many'].map((id) => costs.get(id) ?? { calls: 0, bytes: 0 });
    console.log(`${what}: ${JSON.stringify([few, many])}`);
    expect(many?.calls, what).toBe(few?.calls);
    expect((many?.bytes ?? 0) - (few?.bytes ?? 0), what).toBeLessThan(DIGITS);
  }
});
