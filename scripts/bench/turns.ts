import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Bench } from '../../e2e/client/bench.ts';
import { bash } from '../../e2e/client/mock-api.ts';
import { atEnd, pause } from '../lib/exec.ts';
import { overlaysOf, writeBarePlugin } from './bare-plugin.ts';
import type { Result } from './table.ts';
import { interleave, percentile } from './timing.ts';

/** What a turn with one Bash call may take longer with trai than with hooks that do nothing (ms). */
const TARGET_MS = 25;
/** The same of a client that runs in the session itself (`trai claude`) (ms). */
const INSIDE_TARGET_MS = 20;
/** What trai does after a turn must not fall on the next one's time, least of all on that of the client without it (ms). */
const PAUSE_MS = 500;
const TURN_ROW = 'agent turn with one Bash call';
const TURN = '{"type":"user","message":{"role":"user","content":"SCENARIO:turn"}}\n';

/** When, within one turn, the client asked the model: first with the prompt, then with the command's result. */
interface Turn {
  total: number;
  asked: number;
  answered: number;
}

/** One client that stays, and is told one prompt after the other. */
class Conversation {
  readonly bench: Bench;
  readonly #child: ChildProcess;
  readonly #asked: number[];
  #ended: (() => void) | null = null;
  #gone: Error | null = null;

  private constructor(bench: Bench, asked: number[], isInside: boolean) {
    this.bench = bench;
    this.#asked = asked;
    const form = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
    const plugin = bench.plugin === null ? [] : ['--plugin-dir', bench.plugin];
    const [program = '', ...args] = isInside
      ? insideArgv(bench, form)
      : bench.argv([bench.program, ...plugin, ...form]);
    this.#child = spawn(program, args, { cwd: bench.project, stdio: ['pipe', 'pipe', 'inherit'] });
    this.#child.on('exit', (code) => {
      this.#gone = new Error(`the client ended, exit status ${code}`);
      this.#ended?.();
    });
    if (this.#child.stdout !== null) {
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        if (line.includes('"type":"result"')) this.#ended?.();
      });
    }
  }

  /** `plugin` as for Bench: null = none, left out = ours. */
  static async open(plugin?: string | null, isInside = false): Promise<Conversation> {
    const asked: number[] = [];
    const bench = await Bench.open({
      ...(plugin === undefined ? {} : { plugin }),
      settings: { permissions: { allow: ['Bash'] } },
      scenarios: {
        turn: ({ step }) => {
          asked.push(performance.now());
          // A program that writes: never decided `host`.
          return step === 0 ? bash('touch written') : 'done';
        },
      },
    });
    atEnd(() => bench.close());
    return new Conversation(bench, asked, isInside);
  }

  async turn(): Promise<Turn> {
    this.#asked.length = 0;
    const ended = new Promise<void>((resolve) => {
      this.#ended = resolve;
    });
    const started = performance.now();
    this.#child.stdin?.write(TURN);
    await ended;
    const total = performance.now() - started;
    if (this.#gone !== null) throw this.#gone;
    const [asked = Number.NaN, answered = Number.NaN] = this.#asked.map((at) => at - started);
    if (Number.isNaN(answered)) throw new Error('expected two requests of the client in a turn, found fewer');
    return { total, asked, answered };
  }
}

/** The words that start `trai claude`, which finds the client on PATH. */
function insideArgv(bench: Bench, words: readonly string[]): string[] {
  const bin = path.join(bench.base, 'bin');
  mkdirSync(bin, { recursive: true });
  const link = path.join(bin, 'claude');
  rmSync(link, { force: true });
  symlinkSync(bench.program, link);
  bench.own(bin);
  const trai = path.join(bench.plugin ?? '', 'bin/trai');
  return bench.argv([trai, 'claude', ...words], { PATH: `${bin}:${bench.env['PATH']}` });
}

/**
 * Which plugin a client has: ours, ours in the session itself, none, one whose hooks do nothing, and that one with bare
 * overlays for each call.
 */
type Side = 'trai' | 'inside' | 'plain' | 'empty' | 'bare';

function barePlugin(places: readonly string[]): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'trai-bare-'));
  atEnd(async () => rmSync(dir, { recursive: true, force: true }));
  chmodSync(dir, 0o755);
  writeBarePlugin(dir, places);
  return dir;
}

async function openAll(): Promise<Record<Side, Conversation>> {
  const trai = await Conversation.open();
  // The first turn makes the plan, whose places the bare one takes.
  await trai.turn();
  return {
    trai,
    inside: await Conversation.open(undefined, true),
    plain: await Conversation.open(null),
    empty: await Conversation.open(barePlugin([])),
    bare: await Conversation.open(
      barePlugin(
        overlaysOf(trai.bench.seen(path.join(trai.bench.state, 'sessions', trai.bench.sessions()[0] ?? ''))),
      ),
    ),
  };
}

/** A turn of the real client with one Bash call, with the plugin and without, in turn: from the prompt to the result. */
export async function benchTurns(rounds: number): Promise<Result[]> {
  const clients = await openAll();
  const { trai, inside, bare } = clients;
  const turns: Record<Side, Turn[]> = { trai: [], inside: [], plain: [], empty: [], bare: [] };
  // Its first turns start what a session starts once.
  for (let n = 0; n < 3; n += 1) for (const one of Object.values(clients)) await one.turn();
  const take = (name: Side) => async () => {
    await pause(PAUSE_MS);
    const turn = await clients[name].turn();
    turns[name].push(turn);
    return turn.total;
  };
  const sides: Side[] = ['trai', 'inside', 'plain', 'empty', 'bare'];
  await interleave(rounds, Object.fromEntries(sides.map((side) => [side, take(side)])), false);
  const modes = trai.bench.log().filter((event) => event['t'] === 'call.started');
  if (modes.length < rounds || modes.some((event) => event['mode'] !== 'sandbox'))
    throw new Error('expected every call in the sandbox, the log says otherwise');
  for (const { bench } of [bare, inside])
    if (bench.read('written') !== null)
      throw new Error('expected the overlays to hold what the call wrote, the project has it');
  return rows(turns);
}

function rows(turns: Record<Side, Turn[]>): Result[] {
  const part = (name: Side, of: (turn: Turn) => number) => turns[name].map(of);
  const row = (what: string, of: (turn: Turn) => number): Result => {
    const peer = { name: 'without trai', values: part('plain', of), atMost: null };
    return { what, values: part('trai', of), unit: 'ms', target: null, peer };
  };
  // What the design itself takes: programs that start at events, and overlays that are mounted for each call.
  const beside = (name: Side, peer: string, atMostMore: number | null, side: Side = 'trai'): Result => {
    const values = part(name, whole);
    return {
      what: side === 'inside' ? `${TURN_ROW}, trai claude` : TURN_ROW,
      values: part(side, whole),
      unit: 'ms',
      target: null,
      peer: { name: peer, values, atMost: null, atMostMore },
    };
  };
  const p90 = (name: Side) => percentile(part(name, whole), 0.9);
  return [
    row(TURN_ROW, whole),
    row('... of it: prompt to the first request', ({ asked }) => asked),
    row('... of it: the call and its hooks', ({ asked, answered }) => answered - asked),
    row('... of it: the last answer', ({ total, answered }) => total - answered),
    beside('empty', 'with hooks that do nothing', TARGET_MS),
    beside('bare', 'with these, and bare overlays', null),
    beside('empty', 'with hooks that do nothing', INSIDE_TARGET_MS, 'inside'),
    {
      what: `${TURN_ROW}, 90th percentile`,
      values: [p90('trai')],
      unit: 'ms',
      target: null,
      peer: { name: 'without trai', values: [p90('plain')], atMost: null },
    },
  ];
}

function whole({ total }: Turn): number {
  return total;
}
