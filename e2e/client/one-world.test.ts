import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { Bench, type BenchOptions, type RunOptions, type ShellRun } from './bench.ts';
import { bash } from './mock-api.ts';
import { type ClaudeRun, parseRun } from './stream.ts';
import { Terminal } from './terminal.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const WORK = { permissions: { allow: ['Bash', 'Write', 'Edit', 'Read'] } };

/** A machine with `claude` on PATH, and without the plugin: `trai claude` brings it along. */
class World {
  readonly bench: Bench;
  readonly trai: string;

  private constructor(bench: Bench, trai: string) {
    this.bench = bench;
    this.trai = trai;
  }

  static async open(options: BenchOptions = {}): Promise<World> {
    const bench = await Bench.open({ settings: WORK, ...options });
    closers.push(() => bench.close());
    if (bench.plugin === null) throw new Error('expected the built plugin');
    const bin = path.join(bench.base, 'bin');
    mkdirSync(bin);
    symlinkSync(bench.program, path.join(bin, 'claude'));
    bench.own(bin);
    return new World(bench, path.join(bench.plugin, 'bin/trai'));
  }

  get path(): Record<string, string> {
    return { PATH: `${path.join(this.bench.base, 'bin')}:${this.bench.env['PATH']}` };
  }

  async run(words: readonly string[], options: RunOptions = {}): Promise<ShellRun> {
    return await this.bench.exec([this.trai, ...words], {
      ...options,
      env: { ...this.path, ...options.env },
    });
  }

  /** `trai claude WORDS -p SCENARIO:name` */
  async claude(name: string, words: readonly string[] = [], options: RunOptions = {}): Promise<ClaudeRun> {
    const stream = ['-p', `SCENARIO:${name}`, '--output-format', 'stream-json', '--verbose'];
    return parseRun(await this.run(['claude', ...words, ...stream], options));
  }

  async pending(): Promise<string[]> {
    const { out } = await this.run(['diff', '--list']);
    return out
      .split('\n')
      .filter(Boolean)
      .map((line) => line.trim());
  }

  async terminal(words: readonly string[] = []): Promise<Terminal> {
    const argv = this.bench.argv.bind(this.bench);
    const { base, project } = this.bench;
    const shell = { base, project, program: 'bash', plugin: null, argv } as unknown as Bench;
    const terminal = await Terminal.open(shell, { args: [this.trai, 'claude', ...words], env: this.path });
    closers.push(() => terminal.close());
    return terminal;
  }

  /** Every file of the home, with its content, but trai's state and what the client keeps of its own. */
  host(): Map<string, string> {
    const found = new Map<string, string>();
    const home = this.bench.home;
    const walk = (dir: string): void => {
      for (const entry of readdirSync(path.join(home, dir), { withFileTypes: true })) {
        const name = path.join(dir, entry.name);
        if (/^\.local\/state\/trai|^\.claude\/(projects|sessions|history\.jsonl)|^\.claude\.json/.test(name))
          continue;
        if (entry.isDirectory()) walk(name);
        else found.set(name, readFileSync(path.join(home, name), 'latin1'));
      }
    };
    walk('');
    return found;
  }
}

test('the client runs in a session of its own: Bash, Edit and Write are pending, and it is told how to go on', async () => {
  const world = await World.open({
    scenarios: {
      work: [
        bash('mkdir src; echo one > src/a; cat src/a'),
        { tool: 'Read', input: { file_path: '$PROJECT/src/a' } },
        { tool: 'Edit', input: { file_path: '$PROJECT/src/a', old_string: 'one', new_string: 'two' } },
        { tool: 'Write', input: { file_path: '$PROJECT/src/b', content: 'by Write\n' } },
        bash('cat src/a src/b'),
      ],
    },
  });
  const before = world.host();
  const run = await world.claude('work');
  expect(run.results.at(-1)?.text).toBe('two\nby Write');
  expect(world.host()).toEqual(before);
  expect(await world.pending()).toEqual(['A src/', 'A src/a', 'A src/b']);
  expect(run.err).toMatch(
    /^3 changes pending: trai diff, trai commit, trai discard, dashboard: http:\S+ \(trai ui\)\n$/,
  );
  expect((await world.run(['commit'])).code).toBe(0);
  expect([world.bench.read('src/a'), world.bench.read('src/b')]).toEqual(['two\n', 'by Write\n']);
});

test('--continue goes on with session and conversation', async () => {
  const world = await World.open({
    scenarios: { first: [bash('echo 1 > one')], second: [bash('cat one; echo 2 > two')] },
  });
  const first = await world.claude('first');
  const second = await world.claude('second', ['--continue']);
  const ids = [first, second].map(
    ({ events }) => events.findLast(({ type }) => type === 'result')?.['session_id'],
  );
  expect(ids[1]).toBe(ids[0]);
  expect(second.results.at(-1)?.text).toBe('1');
  expect(world.bench.sessions()).toHaveLength(1);
  expect(await world.pending()).toEqual(['A one', 'A two']);
  // The conversation is the host's.
  expect(readdirSync(path.join(world.bench.home, '.claude/projects'))).toHaveLength(1);
});

test('stdin, stdout, exit status and signals are the client’s own', async () => {
  const world = await World.open({ scenarios: { wait: [bash('tail -f /dev/null')] } });
  const version = await world.run(['claude', '--', '--version']);
  expect(version).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+ \(Claude Code\)\n$/),
    err: '',
  });
  expect((await world.run(['claude', '--no-such-option'])).code).toBe(1);
  const piped = await world.run(['claude', '-p'], { input: 'hello from a pipe' });
  expect(piped).toMatchObject({ code: 0, out: 'done\n' });
  const said = world.bench.api.requests.flatMap(({ messages }) => JSON.stringify(messages)).join('\n');
  expect(said).toContain('hello from a pipe');
  const waits = world.claude('wait');
  await world.bench.until(() => world.bench.processes().some((pid) => commandOf(pid).startsWith('tail -f')));
  const own = world.bench.processes().find((pid) => /cli\.mjs claude/.test(commandOf(pid)));
  process.kill(own ?? -1, 'SIGTERM');
  expect((await waits).code).toBe(143);
  expect(world.bench.processes().filter((pid) => commandOf(pid).startsWith('tail -f'))).toEqual([]);
});

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

test('what cannot start says why, and starts nothing', async () => {
  const world = await World.open();
  const none = await world.run(['claude'], { env: { PATH: world.bench.env['PATH'] ?? '' } });
  expect(none).toMatchObject({ code: 127, err: expect.stringContaining('expected the program claude') });
  expect((await world.run(['claude', '--session'])).code).toBe(2);
  expect((await world.run(['claude', '--session', 'a/b'])).code).toBe(2);
  expect(await world.run(['claude', '--continue', '-p', 'x'])).toMatchObject({ code: 1 });
  expect(world.bench.sessions()).toEqual([]);
});

test('an ordinary session in the terminal leaves nothing pending, and is refused to a second client', async () => {
  const world = await World.open({ scenarios: { chat: ['hello', 'again'] } });
  const terminal = await world.terminal(['--session', 'chat']);
  await terminal.ready();
  await terminal.type('SCENARIO:chat');
  await terminal.sees('hello');
  const second = await world.run(['claude', '--session', 'chat', '-p', 'x']);
  expect(second).toMatchObject({
    code: 1,
    err: expect.stringMatching(/already runs in session chat \(process \d+\)/),
  });
  await terminal.type('/clear');
  await terminal.ready();
  await terminal.type('/exit');
  await world.bench.until(() =>
    world.bench.processes().every((pid) => !commandOf(pid).includes('cli.mjs claude')),
  );
  expect(await world.pending()).toEqual([]);
  const home = world.bench.home;
  expect(readFileSync(path.join(home, '.claude/history.jsonl'), 'utf8')).toContain('SCENARIO:chat');
  const state = JSON.parse(readFileSync(path.join(home, '.claude.json'), 'utf8'));
  expect(state.numStartups).toBeGreaterThan(0);
  // Without the session the client goes on as if it had run outside.
  expect((await world.run(['claude', '--session', 'chat', '-p', 'x'])).code).toBe(0);
});
