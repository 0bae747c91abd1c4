/**
 * No silent overwrite: host and sandboxes work on thousands of small directories in random order, and then everything is
 * committed but the conflicts. Whatever the commit changed on the host the sandbox must have seen as it was. Each
 * directory is an interleaving of its own; a session holds many, or the mounts would take all the time.
 *
 * `TRAI_INTERLEAVINGS` = how many (1,000 by itself) beside those of the seeds that once found something, `TRAI_SEED` = begin
 * with that one.
 */
import { once } from 'node:events';
import fs from 'node:fs';
import readline from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { commitAll } from '../../commit/node/commit.ts';
import { requestFor } from '../../commit/node/testing.ts';
import type { SessionContext } from '../../sandbox/types.ts';
import type { Change } from '../model.ts';
import { recordBases } from './bases.ts';
import {
  INSIDE,
  OPS,
  perform,
  populate,
  type Seen,
  type Step,
  stateOf,
  treeOf,
} from './interleavings.fixture.ts';
import { reap } from './reap.ts';
import { scan } from './scan.ts';
import { type TestSession, testSession } from './testing.ts';

const WANTED = Number(process.env['TRAI_INTERLEAVINGS'] ?? 1_000);
const A_SESSION = 500;
/** Directories between two turns of host and sandbox: few, so that both work in one tick of the kernel's clock. */
const A_TURN = 20;
/** Seeds that once found something. */
const FOUND: number[] = [378_662, 938_256];

let s: TestSession | undefined;
afterEach(() => s?.remove());

/** mulberry32 */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

class Interleavings {
  readonly dirs: string[];
  readonly #random: () => number;
  readonly #t: TestSession;
  readonly #seen = new Map<string, Set<string>>();
  readonly #host = new Map<string, { state: string; since: number }>();
  /** By directory: when the sandbox last touched its database. */
  readonly #database = new Map<string, number>();
  readonly history = new Map<string, string[]>();
  #clock = 1;
  #tokens = 0;

  constructor(t: TestSession, seed: number, count: number) {
    this.#t = t;
    this.#random = randomOf(seed);
    this.dirs = Array.from({ length: count }, (_, i) => `${t.host}/${i}`);
    for (const dir of this.dirs) populate(fs, dir);
    this.#lookAt(this.dirs);
  }

  chance(part: number): boolean {
    return this.#random() < part;
  }

  #steps(dirs: readonly string[], who: string): Step[] {
    return dirs.flatMap((dir) => {
      const steps: Step[] = [];
      while (this.chance(0.3)) {
        const op = OPS[Math.floor(this.#random() * OPS.length)] ?? '';
        steps.push([dir, op, `${who}${++this.#tokens}`]);
        this.history.set(dir, [...(this.history.get(dir) ?? []), `${who} ${op}`]);
      }
      return steps;
    });
  }

  note(text: string): void {
    for (const dir of this.dirs) this.history.set(dir, [...(this.history.get(dir) ?? []), text]);
  }

  onHost(dirs = this.dirs): void {
    const steps = this.#steps(dirs, 'host');
    for (const step of steps)
      perform(
        fs,
        (_, path) => treeOf(fs, path),
        step,
        () => {},
      );
    this.#lookAt(steps.map(([dir]) => dir));
  }

  /** What the host has, and since when. */
  #lookAt(dirs: readonly string[]): void {
    this.#clock++;
    for (const dir of new Set(dirs)) {
      const now = new Map(treeOf(fs, dir).map((path) => [path, stateOf(fs, path)]));
      for (const path of this.#host.keys())
        if (path.startsWith(`${dir}/`) && !now.has(path)) now.set(path, 'absent');
      for (const [path, state] of now)
        if (this.#host.get(path)?.state !== state) this.#host.set(path, { state, since: this.#clock });
    }
  }

  hostMoved(): void {
    this.#lookAt(this.dirs);
  }

  /** Turn by turn: the sandbox, the host, the sandbox again. */
  async call(options: { hostToo: boolean }): Promise<void> {
    const child = this.#t.start(`exec '${process.execPath}' "$TRAI_INSIDE"`);
    const closed = once(child, 'close');
    const lines = readline.createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
    const turn = async (steps: Step[]): Promise<void> => {
      child.stdin?.write(`${JSON.stringify(steps)}\n`);
      this.#sees(steps, (await lines.next()).value);
    };
    await lines.next();
    for (let at = 0; at < this.dirs.length; at += A_TURN) {
      const dirs = this.dirs.slice(at, at + A_TURN);
      await turn(this.#steps(dirs, 'box'));
      if (!options.hostToo) continue;
      this.onHost(dirs);
      await turn(this.#steps(dirs, 'box'));
    }
    child.stdin?.end();
    await closed;
  }

  #sees(steps: readonly Step[], line: string): void {
    const seen: Seen[] = JSON.parse(line);
    for (const { path, state } of seen) this.#seen.set(path, (this.#seen.get(path) ?? new Set()).add(state));
    for (const [dir, op] of steps)
      if (op === 'log' || op === 'checkpoint') this.#database.set(dir, this.#clock);
  }

  /** Another session's work of one call, in steps that only it does. */
  other(): Step[] {
    return this.#steps(this.dirs, 'other');
  }

  /** Whether the sandbox saw what the host has at a path now: no two versions are the same. */
  wasSeen(path: string): boolean {
    const now = this.#host.get(path);
    // The host has never had anything there.
    if (now === undefined) return true;
    const { state } = now;
    // No byte of the host's is lost where it has nothing; bases.test.ts looks at what it removed.
    if (state === 'absent') return true;
    return this.#seen.get(path)?.has(state) === true;
  }

  /** What the host has that nobody in the sandbox ever saw, and a commit took away; and databases of two halves. */
  lost(changes: readonly Change[]): string[] {
    const before = new Map([...this.#host].map(([path, { state }]) => [path, state]));
    const databaseSince = new Map(this.dirs.map((dir) => [dir, this.#databaseSince(dir)]));
    this.#lookAtAfter(before);
    const inConflict = new Set(
      changes.filter(({ conflict }) => conflict !== null).map(({ path }) => String(path)),
    );
    const found: string[] = [];
    for (const dir of this.dirs) {
      const changed = [...before].filter(
        ([path, state]) => path.startsWith(`${dir}/`) && stateOf(fs, path) !== state,
      );
      for (const [path, state] of changed)
        if (!this.wasSeen(path)) found.push(`${path} was ${state}, is ${stateOf(fs, path)}`);
      const database = changed.map(([path]) => path).filter((path) => /\/db(-wal|-shm)?$/.test(path));
      if (database.length === 0) continue;
      if (['db', 'db-wal', 'db-shm'].some((name) => inConflict.has(`${dir}/${name}`)))
        found.push(`${database.join()} changed beside a conflict of the same database`);
      if ((databaseSince.get(dir) ?? 0) > (this.#database.get(dir) ?? 0))
        found.push(`${database.join()} changed beside a database that the host has changed since`);
    }
    return found;
  }

  #databaseSince(dir: string): number {
    return Math.max(...['db', 'db-wal'].map((name) => this.#host.get(`${dir}/${name}`)?.since ?? 0));
  }

  /** Names that only the commit made had been nothing before. */
  #lookAtAfter(before: Map<string, string>): void {
    for (const path of this.dirs.flatMap((dir) => treeOf(fs, dir)))
      if (!before.has(path)) before.set(path, 'absent');
  }
}

interface Tally {
  changes: number;
  conflicts: number;
  needless: number;
}

async function run(seed: number, count: number, tally: Tally): Promise<string[]> {
  const t = testSession();
  s = t;
  const random = randomOf(seed ^ 0x5bd1e995);
  const chance = (part: number) => random() < part;
  const log = `${t.ctx.sessionDir}/calls.jsonl`;
  const program = `${t.ctx.stateDir}/inside.cjs`;
  fs.writeFileSync(program, INSIDE);
  process.env['TRAI_INSIDE'] = program;
  const all = new Interleavings(t, seed, count);
  const other = chance(0.4) ? secondSession(t) : null;
  let earliestCall: number | null = null;
  for (let call = 0; call < 3; call++) {
    if (chance(0.5)) all.onHost();
    if (other !== null && call < 2) await otherWorks(t, other, all);
    const began = Date.now();
    fs.appendFileSync(
      log,
      `${JSON.stringify({ v: 1, t: 'call.started', at: new Date(began).toISOString() })}\n`,
    );
    earliestCall ??= began;
    all.note('call');
    await all.call({ hostToo: chance(0.6) });
    all.note('over');
    if (other !== null && chance(0.5)) await otherCommits(other, all);
    if (chance(0.5)) all.onHost();
    // Now and then the next call begins before the server has come to it.
    if (call === 2 || chance(0.8)) {
      await recordBases(t.ctx, { earliestCall });
      earliestCall = null;
      all.note('recorded');
      if (chance(0.7)) await reap(t.ctx);
    }
    if (chance(0.5)) all.onHost();
  }
  const list = await scan(t.ctx);
  tally.changes += list.changes.length;
  for (const { path, conflict, group } of list.changes) {
    if (conflict === null) continue;
    tally.conflicts++;
    if (group === null && all.wasSeen(path)) tally.needless++;
  }
  const report = await commitAll(
    t.ctx,
    list,
    requestFor(list, { conflicts: 'keep-host', noUndo: true }),
    false,
  );
  const lost = all.lost(list.changes);
  const problems = report.failed.map(({ path, message }) => `${path}: ${message}`);
  return [...lost, ...problems].slice(0, 5).map((one) => {
    const dir = all.dirs.find((name) => one.startsWith(`${name}/`)) ?? '';
    return `${one}\n      ${(all.history.get(dir) ?? []).join(', ')}`;
  });
}

function secondSession(t: TestSession): SessionContext {
  const sessionDir = `${t.ctx.stateDir}/sessions/s2`;
  for (const dir of ['u', 'w']) fs.mkdirSync(`${sessionDir}/overlay/9/${dir}`, { recursive: true });
  fs.symlinkSync(t.host, `${sessionDir}/overlay/9/l`);
  const [place] = t.ctx.places;
  if (place === undefined) throw new Error('expected a place');
  const [upper, work] = [`${sessionDir}/overlay/9/u`, `${sessionDir}/overlay/9/w`] as (typeof place.upper)[];
  if (upper === undefined || work === undefined) throw new Error('expected two directories');
  return { ...t.ctx, session: 's2', sessionDir, places: [{ ...place, upper, work }] };
}

async function otherWorks(t: TestSession, other: SessionContext, all: Interleavings): Promise<void> {
  const steps = `${other.sessionDir}/steps`;
  fs.writeFileSync(steps, `${JSON.stringify(all.other())}\n`);
  const began = Date.now();
  t.inOverlay(
    `${other.sessionDir}/overlay`,
    9,
    `'${process.execPath}' "$TRAI_INSIDE" < '${steps}' > /dev/null`,
  );
  await recordBases(other, { earliestCall: began });
}

async function otherCommits(other: SessionContext, all: Interleavings): Promise<void> {
  const list = await scan(other);
  await commitAll(other, list, requestFor(list, { conflicts: 'keep-host', noUndo: true }), false);
  all.hostMoved();
  all.note('other commits');
}

test(`nothing that the host has is overwritten unseen, in ${A_SESSION * FOUND.length + WANTED} interleavings`, {
  timeout: 3_600_000,
}, async () => {
  const first = Number(process.env['TRAI_SEED'] ?? Date.now() % 1_000_000);
  const seeds = [...FOUND, ...Array.from({ length: Math.ceil(WANTED / A_SESSION) }, (_, i) => first + i)];
  const tally: Tally = { changes: 0, conflicts: 0, needless: 0 };
  for (const seed of seeds) {
    expect(await run(seed, A_SESSION, tally), `TRAI_SEED=${seed} TRAI_INTERLEAVINGS=${A_SESSION}`).toEqual(
      [],
    );
    s?.remove();
    s = undefined;
  }
  const { changes, conflicts, needless } = tally;
  console.log(
    `${seeds.length * A_SESSION} interleavings from seed ${first}: ${changes} changes, ${conflicts} conflicts, ${needless} of them needless (${((100 * needless) / changes).toFixed(2)} % of the changes)`,
  );
  expect(conflicts).toBeGreaterThan(0);
});
