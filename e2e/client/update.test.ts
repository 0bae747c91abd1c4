import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Bench, type BenchOptions } from './bench.ts';
import { clone, install, plugin, release } from './marketplace.ts';
import { bash } from './mock-api.ts';
import type { ClaudeRun } from './stream.ts';
import { Terminal } from './terminal.ts';
import { clientPids, isThere, kill, pidIn, serverPid } from './victims.ts';

const open: (Bench | Terminal)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
async function makeBench(options: BenchOptions): Promise<Bench> {
  const bench = await Bench.open({ settings: { permissions: { allow: ['Bash'] } }, ...options });
  open.push(bench);
  return bench;
}

/** A bench with the plugin installed from a marketplace, by the real client. `at` runs ahead of each reply of `mid`. */
async function installed(
  commands: readonly string[],
  at: (bench: Bench, step: number, dir: string) => Promise<void>,
): Promise<{ bench: Bench; dir: string }> {
  let dir = '';
  const bench: Bench = await makeBench({
    plugin: null,
    scenarios: {
      mid: async ({ step }) => {
        await at(bench, step, dir);
        const command = commands[step];
        return command === undefined ? null : bash(command);
      },
      next: [bash('cat one; echo next > next')],
    },
  });
  dir = await clone(bench);
  await install(bench, dir);
  return { bench, dir };
}

const texts = (run: ClaudeRun): string[] => run.results.map((result) => result.text);
const NOTHING = '(Bash completed with no output)';

/** What the env files of the client's session hold; '' after its end. */
async function envLines(bench: Bench): Promise<string> {
  return (await bench.sh('cat "$HOME"/.claude/session-env/*/*.sh')).out;
}

describe('the plugin is updated while a session runs', () => {
  test('its calls go on, the next session has the new launcher and the new server, and sees what is pending', async () => {
    const { bench } = await installed(
      ['echo 1 > one', 'cat one; echo 2 > two', 'cat two'],
      async (bench, step, dir) => {
        if (step !== 1) return;
        await release(bench, dir, '0.2.0');
        await plugin(bench, 'marketplace', 'update', 'trai');
        await plugin(bench, 'update', 'trai@trai');
      },
    );
    const first = await bench.claude('SCENARIO:mid');
    expect(texts(first)).toEqual([NOTHING, '1', '2']);
    const old = serverPid(bench);
    expect(versions(bench)).toEqual(['0.1.0']);

    const second = await bench.claude('SCENARIO:next', { args: ['--resume', first.session] });
    expect(second.results.at(-1)?.text).toBe('1');
    expect(versions(bench)).toEqual(['0.1.0', '0.2.0']);
    expect(readFileSync(path.join(bench.state, 'claude-env', second.session), 'utf8')).toContain(
      `${bench.state}/bin/0.2.0/launch`,
    );
    expect(readFileSync(path.join(bench.state, 'server.json'), 'utf8')).toContain('"version":"0.2.0"');
    expect([serverPid(bench) === old, isThere(old), isThere(serverPid(bench))]).toEqual([false, false, true]);
    const plugins = bench.log().filter((event) => event['t'] === 'session');
    expect(plugins.map((event) => event['plugin'])).toEqual(['0.1.0', '0.2.0']);
    for (const name of ['one', 'two', 'next']) expect(bench.read(name), name).toBeNull();
  });
});

describe('the plugin is uninstalled', () => {
  test('while a session runs: its calls stay in the sandbox, its end takes the line out, and then Bash is as ever', async () => {
    const { bench } = await installed(
      ['echo 1 > one', 'cd sub', 'cat ../one; echo 2 > two'],
      async (bench, step) => {
        if (step === 1) await plugin(bench, 'uninstall', 'trai@trai');
      },
    );
    bench.write('project/sub/file', '');
    const first = await bench.claude('SCENARIO:mid');
    expect(texts(first)).toEqual([NOTHING, NOTHING, '1']);
    expect([bench.read('one'), bench.read('sub/two')]).toEqual([null, null]);
    expect(await envLines(bench)).toBe('');
    await bench.claude('SCENARIO:next', { args: ['--resume', first.session] });
    expect(bench.read('next')).toBe('next\n');
    expect(await bench.pending('one')).toBe('1\n');
  });

  test('and disabled while a session runs: the line goes with the session too', async () => {
    const { bench } = await installed(['echo 1 > one', 'echo 2 > two'], async (bench, step) => {
      if (step === 1) await plugin(bench, 'disable', 'trai@trai');
    });
    await bench.claude('SCENARIO:mid');
    expect([bench.read('one'), bench.read('two')]).toEqual([null, null]);
    expect(await envLines(bench)).toBe('');
  });

  test('after the client was killed, so that its line stays: resumed, calls are in the sandbox, or refused with where things are', async () => {
    const { bench } = await installed(['echo 1 > one', 'echo $$ > begun; sleep 100'], async () => {});
    const running = bench.claude('SCENARIO:mid');
    await pidIn(bench, 'begun');
    const session = bench.api.session();
    for (const pid of clientPids(bench)) await kill(bench, pid);
    await running;
    await plugin(bench, 'uninstall', 'trai@trai');
    expect(await envLines(bench)).toContain(`# trai:${session}`);

    const second = await bench.claude('SCENARIO:next', { args: ['--resume', session] });
    expect(second.results.at(-1)).toMatchObject({ text: '1', error: false });
    expect(await bench.pending('next')).toBe('next\n');

    // Trai's own files are gone as well: nothing can enter the sandbox any more.
    rmSync(path.join(bench.state, 'bin'), { recursive: true });
    const third = await bench.claude('SCENARIO:next', { args: ['--resume', session] });
    const said = third.results.at(-1);
    expect(said?.error).toBe(true);
    expect(said?.text).toMatch(/^Exit code 125\ntrai: /);
    expect(said?.text).toContain(`${bench.state}/sessions/${session}`);
    expect(said?.text).toContain(`${bench.home}/.claude/session-env/${session}`);
    for (const name of ['one', 'begun', 'next']) expect(bench.read(name), name).toBeNull();
    expect(await bench.pending('one')).toBe('1\n');
  });
});

test('/compact goes on in the same session, in the sandbox', async () => {
  const bench = await makeBench({
    scenarios: { first: [bash('echo 1 > one')], second: [bash('cat one > two; echo 3 > three')] },
  });
  const screen = await Terminal.open(bench);
  open.push(screen);
  await screen.ready();
  await screen.type('SCENARIO:first');
  await bench.until(
    async () => (await bench.pending('one')) !== null,
    () => screen.screen(),
  );
  await screen.sees('done');
  await screen.type('/compact');
  const sources = () =>
    bench
      .log()
      .filter((event) => event['t'] === 'session')
      .map((event) => event['source']);
  await bench.until(
    () => sources().includes('compact'),
    () => screen.screen(),
  );
  await screen.type('SCENARIO:second');
  await bench.until(
    async () => (await bench.pending('three')) !== null,
    () => screen.screen(),
  );
  expect(await bench.pending('two')).toBe('1\n');
  expect(sources()).toEqual(['startup', 'compact']);
  expect(bench.sessions()).toHaveLength(1);
  for (const name of ['one', 'two', 'three']) expect(bench.read(name), name).toBeNull();
});

function versions(bench: Bench): string[] {
  return readdirSync(path.join(bench.state, 'bin')).sort();
}
