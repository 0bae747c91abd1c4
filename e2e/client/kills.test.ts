import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Bench, type BenchOptions } from './bench.ts';
import { bash } from './mock-api.ts';
import type { ClaudeRun } from './stream.ts';
import { clientPids, isThere, kill, launcherPid, pidIn, serverPid } from './victims.ts';

const open: Bench[] = [];
const files: string[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  for (const file of files.splice(0)) rmSync(file, { force: true });
});
async function makeBench(options: BenchOptions): Promise<Bench> {
  const bench = await Bench.open({ settings: { permissions: { allow: ['Bash'] } }, ...options });
  open.push(bench);
  return bench;
}

/** A file in scratch, which both sides see at once: its appearance lets a command go on. */
function gate(): string {
  const file = path.join('/tmp', `trai-gate-${randomBytes(6).toString('hex')}`);
  files.push(file);
  return file;
}
const waitFor = (file: string) => `for i in {1..600}; do [ -e '${file}' ] && break; sleep 0.1; done`;
const AFTER = 'cat before; rm old.txt; echo after > after; ls';

interface Interrupted {
  bench: Bench;
  run: ClaudeRun;
  /** Pid of the shell that the call in the middle was. */
  shell: number;
}

/**
 * Three calls; `strike` happens in the middle of the second, which writes on if it lives. With `last`, one more call goes
 * on until that holds: `claude -p` leaves without waiting for the hooks of its last call.
 */
async function interrupted(
  strike: (bench: Bench, shell: number) => Promise<void>,
  last?: (bench: Bench) => boolean,
): Promise<Interrupted> {
  const go = gate();
  const leave = gate();
  const bench = await makeBench({
    scenarios: {
      kill: [
        bash('echo before > before'),
        bash(`echo $$ > begun; ${waitFor(go)}; echo late > late`),
        bash(AFTER),
        ...(last === undefined ? [] : [bash(waitFor(leave))]),
      ],
    },
  });
  bench.write('project/old.txt', 'old\n');
  const running = bench.claude('SCENARIO:kill');
  const shell = await pidIn(bench, 'begun');
  await strike(bench, shell);
  writeFileSync(go, '');
  if (last !== undefined)
    await bench.until(
      () => last(bench),
      () => JSON.stringify(bench.log(), null, 1),
    );
  writeFileSync(leave, '');
  return { bench, run: await running, shell };
}

function events(bench: Bench, type: string): Record<string, unknown>[] {
  return bench.log().filter((event) => event['t'] === type);
}

/** What must hold whoever was killed: the third call saw what was pending, nothing is on the host, nothing is called unsandboxed. */
async function expectIntact({ bench, run }: Interrupted): Promise<void> {
  expect(run.results[2]?.text, run.out).toMatch(/^before\nafter\nbefore\nbegun/);
  for (const name of ['before', 'begun', 'late', 'after']) expect(bench.read(name), name).toBeNull();
  expect(bench.read('old.txt')).toBe('old\n');
  expect(await bench.pending('before')).toBe('before\n');
  expect(await bench.pending('after')).toBe('after\n');
  expect(bench.log().filter((event) => event['unsandboxed'] === true)).toEqual([]);
}

describe('kill -9 in the middle of a call', () => {
  test('of the launcher: the call is closed in the log, what its command still writes is pending', async () => {
    const done = await interrupted(async (bench) => await kill(bench, launcherPid(bench)));
    await expectIntact(done);
    const { bench, run, shell } = done;
    // What the client says of a shell of its own that got SIGKILL.
    expect(run.results[1]).toMatchObject({ error: true, text: expect.stringMatching(/^Exit code 1/) });
    const [, struck] = events(bench, 'call.started');
    await bench.until(() => events(bench, 'call.closed').length > 0);
    expect(events(bench, 'call.closed')).toMatchObject([{ call: struck?.['call'], why: 'launcher-gone' }]);
    await bench.until(() => !isThere(shell));
    expect([bench.read('late'), await bench.pending('late')]).toEqual([null, 'late\n']);
  });

  test('of the server: the call ends as ever, and so does the next one', async () => {
    const done = await interrupted(
      async (bench) => await kill(bench, serverPid(bench)),
      (bench) => events(bench, 'call.outcome').length >= 3,
    );
    await expectIntact(done);
    const { bench, run } = done;
    expect(run.results[1]).toMatchObject({ error: false });
    expect(await bench.pending('late')).toBe('late\n');
    const three = (type: string) => events(bench, type).slice(0, 3);
    expect(three('call.ended').map((event) => event['rc'])).toEqual([0, 0, 0]);
    expect(three('call.decided').map((event) => event['matched'])).toEqual(['exact', 'exact', 'exact']);
    // Each call has one outcome, and none was found outside the sandbox.
    const requests = three('call.decided').map((event) => event['request']);
    const outcomes = three('call.outcome');
    expect(outcomes.map((event) => event['request']).sort()).toEqual(requests.sort());
    expect(outcomes.map((event) => event['unsandboxed'])).toEqual([false, false, false]);
  });

  test("of the command's shell: its status is the signal's", async () => {
    const done = await interrupted(kill);
    await expectIntact(done);
    expect(done.run.results[1]).toMatchObject({ error: true, text: expect.stringMatching(/^Exit code 137/) });
    expect(events(done.bench, 'call.ended').map((event) => event['rc'])).toEqual([0, 137, 0]);
  });

  test('of launcher, server and command at once: the next server closes the call', async () => {
    const done = await interrupted(async (bench, shell) => {
      const [launcher, server] = [launcherPid(bench), serverPid(bench)];
      await kill(bench, server);
      await kill(bench, launcher);
      if (isThere(shell)) await kill(bench, shell);
    });
    await expectIntact(done);
    const { bench, run } = done;
    const [, struck] = events(bench, 'call.started');
    expect(events(bench, 'call.closed')).toEqual([]);
    await bench.claude('SCENARIO:none', { args: ['--resume', run.session] });
    await bench.until(() => events(bench, 'call.closed').length > 0);
    expect(events(bench, 'call.closed')).toMatchObject([{ call: struck?.['call'], why: 'launcher-gone' }]);
    expect(isThere(serverPid(bench))).toBe(true);
  });

  test('of the client itself: resumed, the session has its overlay, and its line in place', async () => {
    const go = gate();
    const bench = await makeBench({
      scenarios: {
        first: [bash('echo before > before'), bash(`echo $$ > begun; ${waitFor(go)}; echo late > late`)],
        second: [bash(AFTER)],
      },
    });
    bench.write('project/old.txt', 'old\n');
    const running = bench.claude('SCENARIO:first');
    await pidIn(bench, 'begun');
    const session = bench.api.session();
    for (const pid of clientPids(bench)) await kill(bench, pid);
    await running;
    const run = await bench.claude('SCENARIO:second', { args: ['--resume', session] });
    writeFileSync(go, '');
    expect(run.results.at(-1)?.text, run.out).toMatch(/^before\nafter\nbefore\nbegun/);
    expect(bench.sessions()).toEqual([session]);
    await bench.until(() => events(bench, 'call.ended').length + events(bench, 'call.closed').length === 3);
    for (const name of ['before', 'begun', 'late', 'after']) expect(bench.read(name), name).toBeNull();
    expect(bench.read('old.txt')).toBe('old\n');
  });
});
