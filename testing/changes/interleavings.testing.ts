/** Small directories that host and sandboxes change in random turns, and what each of them has seen. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import readline from 'node:readline';
import type { Change } from '../../shared/model/change.ts';
import {
  CHECKOUT,
  checkoutWith,
  INSIDE,
  perform,
  populate,
  type Seen,
  type Step,
  stateOf,
  treeOf,
} from './interleavings.fixture.ts';

export interface Worked {
  host: string;
  start(lines: string): ChildProcess;
}

export interface Shape {
  /** Directories. */
  count: number;
  /** A directory that no sandbox covers. */
  aside: string;
  /** The operations to choose from. */
  ops: readonly string[];
  /** The same of the sandbox, if it has others. */
  inside?: readonly string[];
}

export interface CallOptions {
  hostToo: boolean;
  /** `begin`: the call runs and has done nothing; `end`: it has done its steps and still runs. */
  begin?: () => Promise<void>;
  end?: () => Promise<void>;
  /** After the host's turn, while the call runs: must not change what the sandbox made. */
  between?: (dirs: string[]) => Promise<void>;
}

/** Directories between two turns: few, so that both sides work in one tick of the kernel's clock. */
const A_TURN = 20;

/** mulberry32 */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function listed(changes: readonly Change[], dir: string): string {
  const mine = changes.filter(({ path }) => path.startsWith(`${dir}/`));
  return `\n      ${mine.map(({ kind, path, conflict }) => `${kind} ${path.slice(dir.length + 1)} ${conflict}`).join(', ')}`;
}

const isDatabase = (path: string) => /\/db(-wal|-shm)?$/.test(path);

export function count(counts: Map<string, number>, names: Iterable<string>, by = 1): void {
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + by);
}

interface HostEntry {
  state: string;
  since: number;
}

export class Interleavings {
  readonly dirs: string[];
  /** Shell line that runs the program inside. */
  readonly program: string;
  readonly #random: () => number;
  readonly #t: Worked;
  readonly #ops: readonly string[];
  readonly #inside: readonly string[];
  readonly #checkout: (dir: string, token: string) => void;
  readonly #seen = new Map<string, Set<string>>();
  /** By directory, then by path: what the host has there, and since when. */
  readonly #host = new Map<string, Map<string, HostEntry>>();
  /** By directory: when the sandbox last touched its database. */
  readonly #database = new Map<string, number>();
  readonly history = new Map<string, string[]>();
  /** Every state that the host has ever had at a path. */
  readonly #hostHad = new Map<string, Set<string>>();
  /** Completed operations of the host, and of sandboxes. */
  readonly done = new Map<string, number>();
  readonly doneInside = new Map<string, number>();
  /** Entries that a live sync removed from the sandbox. */
  readonly vanished: string[] = [];
  #clock = 1;
  #tokens = 0;

  constructor(t: Worked, seed: number, { count, aside, ops, inside = ops }: Shape) {
    this.#t = t;
    this.#ops = ops;
    this.#inside = inside;
    const [program, repo] = [`${aside}/inside.cjs`, `${aside}/repo.git`];
    fs.writeFileSync(program, INSIDE);
    execFileSync('git', ['init', '-q', '--bare', repo], { stdio: 'ignore' });
    this.#checkout = checkoutWith(execFileSync, CHECKOUT, repo);
    this.program = `TRAI_REPO='${repo}' exec '${process.execPath}' '${program}'`;
    this.#random = randomOf(seed);
    this.dirs = Array.from({ length: count }, (_, i) => `${t.host}/${i}`);
    for (const dir of this.dirs) populate(fs, dir);
    this.#lookAt(this.dirs);
  }

  chance(part: number): boolean {
    return this.#random() < part;
  }

  #steps(dirs: readonly string[], who: string): Step[] {
    const ops = who === 'box' ? this.#inside : this.#ops;
    return dirs.flatMap((dir) => {
      const steps: Step[] = [];
      while (this.chance(0.3)) {
        const op = ops[Math.floor(this.#random() * ops.length)] ?? '';
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
    for (const step of steps) {
      const did = perform(
        fs,
        (_, path) => treeOf(fs, path),
        step,
        () => {},
        this.#checkout,
      );
      if (did) count(this.done, [step[1]]);
    }
    this.#lookAt(steps.map(([dir]) => dir));
  }

  #lookAt(dirs: readonly string[]): void {
    this.#clock++;
    for (const dir of new Set(dirs)) {
      const known = this.#host.get(dir) ?? new Map<string, HostEntry>();
      this.#host.set(dir, known);
      const now = new Map(treeOf(fs, dir).map((path) => [path, stateOf(fs, path)]));
      for (const path of known.keys()) if (!now.has(path)) now.set(path, 'absent');
      for (const [path, state] of now) {
        this.#hostHad.set(path, (this.#hostHad.get(path) ?? new Set()).add(state));
        if (known.get(path)?.state !== state) known.set(path, { state, since: this.#clock });
      }
    }
  }

  /** Every path of a directory that the host has ever had. */
  known(dir: string): string[] {
    return [...(this.#host.get(dir)?.keys() ?? [])].filter((path) => path !== dir);
  }

  /** The host's states of a directory, by path. */
  #statesOf(dir: string): Map<string, string> {
    return new Map([...(this.#host.get(dir) ?? [])].map(([path, { state }]) => [path, state]));
  }

  /** Another program changed the host. */
  hostMoved(): void {
    this.#lookAt(this.dirs);
  }

  /** A commit changed the host: the new state is the session's own. */
  ownMoved(): void {
    const before = new Map(this.dirs.map((dir) => [dir, this.#statesOf(dir)]));
    this.hostMoved();
    for (const [dir, states] of this.#host)
      for (const [path, { state }] of states) {
        if (before.get(dir)?.get(path) === state) continue;
        this.#seen.set(path, (this.#seen.get(path) ?? new Set()).add(state));
        if (isDatabase(path)) this.#database.set(dir, this.#clock);
      }
  }

  /** Turns: the sandbox, the host, the sandbox again. */
  async call({ hostToo, between, begin, end }: CallOptions): Promise<void> {
    const child = this.#t.start(this.program);
    const closed = once(child, 'close');
    const lines = readline.createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
    const ask = async (steps: Step[]): Promise<Seen[]> => {
      child.stdin?.write(`${JSON.stringify(steps)}\n`);
      const { seen, done } = JSON.parse((await lines.next()).value);
      count(this.doneInside, done);
      return seen;
    };
    const turn = async (dirs: string[]): Promise<void> => {
      const steps = this.#steps(dirs, 'box');
      this.#sees(steps, await ask(steps));
    };
    const looks = async (dirs: string[]) => await ask(dirs.map((dir): Step => [dir, 'look', '']));
    await lines.next();
    await begin?.();
    for (let at = 0; at < this.dirs.length; at += A_TURN) {
      const dirs = this.dirs.slice(at, at + A_TURN);
      await turn(dirs);
      if (!hostToo) continue;
      const before = between === undefined ? [] : await looks(dirs);
      this.onHost(dirs);
      if (between !== undefined) {
        await between(dirs);
        await this.#expectKept(before, await looks(dirs), ask);
      }
      await turn(dirs);
    }
    await end?.();
    child.stdin?.end();
    await closed;
  }

  /** What the view showed and the host never had is the sandbox's own; it stays whatever the host does. */
  async #expectKept(
    before: readonly Seen[],
    after: readonly Seen[],
    ask: (steps: Step[]) => Promise<Seen[]>,
  ): Promise<void> {
    const now = new Map(after.map(({ path, state }) => [path, state]));
    // A directory that the host has removed and a process has open lists nothing, and has it all.
    const unlisted = before.filter(({ path }) => !now.has(path)).map(({ path }) => this.#seeing(path));
    for (const { path, state } of await ask(unlisted)) now.set(path, state);
    for (const { path, state } of before) {
      if (this.#hostHad.get(path)?.has(state) === true || (now.get(path) ?? 'absent') === state) continue;
      const dir = this.dirs.find((one) => path.startsWith(`${one}/`)) ?? '';
      const history = (this.history.get(dir) ?? []).join(', ');
      this.vanished.push(`${path} was ${state} inside, is ${now.get(path) ?? 'absent'}\n      ${history}`);
    }
  }

  #seeing(path: string): Step {
    const dir = this.#dirOf(path);
    return [dir, 'see', path.slice(dir.length + 1)];
  }

  #sees(steps: readonly Step[], seen: readonly Seen[]): void {
    for (const { path, state } of seen) this.#seen.set(path, (this.#seen.get(path) ?? new Set()).add(state));
    for (const [dir, op] of steps)
      if (op === 'log' || op === 'checkpoint') this.#database.set(dir, this.#clock);
  }

  /** Another session's work of one call, in steps that only it does. */
  other(): Step[] {
    return this.#steps(this.dirs, 'other');
  }

  /** Whether the sandbox saw the host's present state of a path: no two states are the same. */
  wasSeen(path: string): boolean {
    const now = this.#host.get(this.#dirOf(path))?.get(path);
    // The host has never had anything there.
    if (now === undefined) return true;
    const { state } = now;
    // Where the host has nothing, no byte of it can be lost; bases.test.ts covers what it removed.
    if (state === 'absent') return true;
    return this.#seen.get(path)?.has(state) === true;
  }

  /** Host states that no sandbox ever saw and a commit removed, and databases with files of both sides. */
  lost(changes: readonly Change[]): string[] {
    const inConflict = new Set(
      changes.filter(({ conflict }) => conflict !== null).map(({ path }) => String(path)),
    );
    const found: string[] = [];
    for (const dir of this.dirs) {
      const before = this.#statesOf(dir);
      // Names that only the commit made were absent before.
      for (const path of treeOf(fs, dir)) if (!before.has(path)) before.set(path, 'absent');
      const changed = [...before].filter(([path, state]) => path !== dir && stateOf(fs, path) !== state);
      for (const [path, state] of changed)
        if (!this.wasSeen(path))
          found.push(`${path} was ${state}, is ${stateOf(fs, path)}${listed(changes, dir)}`);
      const database = changed.map(([path]) => path).filter(isDatabase);
      if (database.length === 0) continue;
      if (['db', 'db-wal', 'db-shm'].some((name) => inConflict.has(`${dir}/${name}`)))
        found.push(`${database.join()} changed beside a conflict of the same database`);
      if (this.#databaseSince(dir) > (this.#database.get(dir) ?? 0))
        found.push(`${database.join()} changed beside a database that the host has changed since`);
    }
    return found;
  }

  #databaseSince(dir: string): number {
    const states = this.#host.get(dir);
    return Math.max(...['db', 'db-wal'].map((name) => states?.get(`${dir}/${name}`)?.since ?? 0));
  }

  /** Which of the directories holds a path, or is it. */
  #dirOf(path: string): string {
    return `${this.#t.host}/${path.slice(this.#t.host.length + 1).split('/')[0]}`;
  }
}
