import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Bench } from '../../e2e/client/bench.ts';
import { bash } from '../../e2e/client/mock-api.ts';
import { atEnd, pause } from '../lib/exec.ts';
import type { Result } from './table.ts';
import { interleave, percentile } from './timing.ts';

/** What a turn with one Bash call may take longer with trai (ms). */
const TARGET_MS = 30;
/** What trai does after a turn must not fall on the next one's time, least of all on that of the client without it (ms). */
const PAUSE_MS = 500;
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

  private constructor(bench: Bench, asked: number[]) {
    this.bench = bench;
    this.#asked = asked;
    const plugin = bench.plugin === null ? [] : ['--plugin-dir', bench.plugin];
    const form = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'];
    const [program = '', ...args] = bench.argv([bench.program, '-p', ...plugin, ...form]);
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
  static async open(plugin?: null): Promise<Conversation> {
    const asked: number[] = [];
    const bench = await Bench.open({
      ...(plugin === null ? { plugin } : {}),
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
    return new Conversation(bench, asked);
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

/** A turn of the real client with one Bash call, with the plugin and without, in turn: from the prompt to the result. */
export async function benchTurns(rounds: number): Promise<Result[]> {
  const [trai, plain] = [await Conversation.open(), await Conversation.open(null)];
  const turns: Record<'trai' | 'plain', Turn[]> = { trai: [], plain: [] };
  // Its first turns start what a session starts once.
  for (let n = 0; n < 3; n += 1) for (const one of [trai, plain]) await one.turn();
  const take = (name: 'trai' | 'plain', from: Conversation) => async () => {
    await pause(PAUSE_MS);
    const turn = await from.turn();
    turns[name].push(turn);
    return turn.total;
  };
  const samples = await interleave(rounds, { trai: take('trai', trai), plain: take('plain', plain) }, false);
  const modes = trai.bench.log().filter((event) => event['t'] === 'call.started');
  if (modes.length < rounds || modes.some((event) => event['mode'] !== 'sandbox'))
    throw new Error('expected every call in the sandbox, the log says otherwise');
  const part = (name: 'trai' | 'plain', of: (turn: Turn) => number) => turns[name].map(of);
  const row = (what: string, of: (turn: Turn) => number, more: number | null): Result => {
    const peer = { name: 'without trai', values: part('plain', of), atMost: null, atMostMore: more };
    return { what, values: part('trai', of), unit: 'ms', target: null, peer };
  };
  const p90 = (name: string) => percentile(samples[name] ?? [], 0.9);
  return [
    row('agent turn with one Bash call', ({ total }) => total, TARGET_MS),
    row('... of it: prompt to the first request', ({ asked }) => asked, null),
    row('... of it: the call and its hooks', ({ asked, answered }) => answered - asked, null),
    row('... of it: the last answer', ({ total, answered }) => total - answered, null),
    {
      what: 'agent turn with one Bash call, 90th percentile',
      values: [p90('trai')],
      unit: 'ms',
      target: null,
      peer: { name: 'without trai', values: [p90('plain')], atMost: null },
    },
  ];
}
