/** What outlives a turn, a timeout, Esc and the client itself: what log, `trai ps` and the dashboard say of it. */
import { afterEach, expect, test } from 'vitest';
import { Bench, type BenchOptions } from './bench.ts';
import { bash } from './mock-api.ts';
import { Terminal } from './terminal.ts';
import { isThere } from './victims.ts';

const open: (Bench | Terminal)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
async function makeBench(options: BenchOptions): Promise<Bench> {
  const bench = await Bench.open({ settings: { permissions: { allow: ['Bash'] } }, ...options });
  open.push(bench);
  bench.write('project/server.js', SERVER);
  return bench;
}
async function terminal(bench: Bench): Promise<Terminal> {
  // The default mode asks a classifier that the stand-in for the model does not have.
  const screen = await Terminal.open(bench, { args: ['--permission-mode', 'default'] });
  open.push(screen);
  await screen.ready();
  return screen;
}

/** A dev server in small: listens, and says on which port. */
const SERVER = `const server = require('net').createServer();
server.listen(0, '127.0.0.1', () => require('fs').writeFileSync('port-' + process.argv[2], String(server.address().port)));`;
/** Comes back when the servers listen. */
const listening = (...names: string[]) =>
  `for i in {1..600}; do [ ${names.map((name) => `-s port-${name}`).join(' -a ')} ] && break; sleep 0.1; done`;

interface Running {
  pid: number;
  command: string;
  call: string | null;
  ports: number[];
}
const trai = (bench: Bench, args: string) =>
  bench.sh(`"$0" ${args}`, { words: [`${bench.plugin}/bin/trai`] });

async function ps(bench: Bench): Promise<Running[]> {
  const { out, err } = await trai(bench, 'ps --json');
  if (out === '') throw new Error(err);
  const { processes }: { processes: Running[] } = JSON.parse(out);
  return processes;
}

/** The session as the dashboard gets it. */
async function dashboard(bench: Bench): Promise<{ live: boolean; processes: Running[] }> {
  const url = /http:\S+/.exec((await trai(bench, 'ui --print')).out)?.[0] ?? '';
  const script = `const url = new URL(process.argv[1]);
    const ask = async (path, more) => (await fetch(url.origin + path, more)).json();
    const headers = { 'content-type': 'application/json', origin: url.origin };
    const body = JSON.stringify({ code: new URLSearchParams(url.hash.slice(1)).get('c') });
    ask('/api/exchange', { method: 'POST', headers, body })
      .then(({ token }) => ask('/api/sessions/' + process.argv[2], { headers: { authorization: 'Bearer ' + token } }))
      .then((session) => console.log(JSON.stringify(session)));`;
  const { out, err } = await bench.exec(['node', '-e', script, url, bench.sessions()[0] ?? '']);
  if (out === '') throw new Error(`${url}: ${err}`);
  return JSON.parse(out);
}

const events = (bench: Bench, type: string) => bench.log().filter((event) => event['t'] === type);
/** The client kills what TERM has not ended after a second and a half: on a busy machine the launcher too. */
const ends = (bench: Bench) =>
  bench.log().filter((event) => event['t'] === 'call.ended' || event['t'] === 'call.closed');
function expectSignalled(ended: readonly Record<string, unknown>[]): void {
  for (const event of ended) if (event['t'] === 'call.ended') expect([137, 143]).toContain(event['rc']);
}
const callOf = (bench: Bench, text: string) =>
  events(bench, 'call.decided').find((event) => String(event['command']).includes(text))?.['call'];
const server = (processes: readonly Running[], name: string) =>
  processes.find(({ command }) => command === `node server.js ${name}`);

test('a dev server that a call left behind outlives turn and client: named with its call, in nobody’s way at a commit', async () => {
  const start =
    'node server.js left > /dev/null 2>&1 & disown; (setsid node server.js daemon > /dev/null 2>&1 &)';
  const bench = await makeBench({
    scenarios: { dev: [bash(start), bash(`${listening('left', 'daemon')}; echo x > made`)] },
  });
  const run = await bench.claude('SCENARIO:dev');
  expect(await bench.pending('made'), run.out).toBe('x\n');
  // The client is gone.
  const processes = await ps(bench);
  const call = callOf(bench, 'server.js left');
  for (const name of ['left', 'daemon']) {
    const port = Number(await bench.pending(`port-${name}`));
    expect(server(processes, name)).toMatchObject({ call, ports: [port] });
  }
  expect(processes).toHaveLength(2);
  const pids = processes.map(({ pid }) => pid);
  await bench.until(() => events(bench, 'call.left').length > 0);
  const left = events(bench, 'call.left').filter((event) => event['call'] === call);
  expect(left.flatMap((event) => event['pids'])).toEqual(expect.arrayContaining(pids));
  const shown = await dashboard(bench);
  expect(shown.live).toBe(true);
  expect(shown.processes.map(({ pid, call: of }) => ({ pid, call: of }))).toEqual(
    pids.map((pid) => ({ pid, call })),
  );

  const commit = await trai(bench, 'commit');
  expect(commit.out).toContain('the committed copies stay');
  expect(bench.read('made')).toBe('x\n');
  const discard = await trai(bench, 'discard --yes');
  expect(discard.code).toBe(1);
  expect(discard.err).toContain('nothing is pending in session');

  const daemon = server(processes, 'daemon');
  expect((await trai(bench, `ps --end ${daemon?.pid}`)).code).toBe(0);
  expect(isThere(daemon?.pid ?? 0)).toBe(false);
  expect((await ps(bench)).map(({ pid }) => pid)).toEqual([server(processes, 'left')?.pid]);
  expect((await trai(bench, 'ps --end')).code).toBe(0);
  expect(await ps(bench)).toEqual([]);
  await bench.until(() => events(bench, 'processes').some((event) => event['quiet'] === true));
  const ended = events(bench, 'processes').filter((event) => event['state'] === 'ended');
  expect(ended.flatMap((event) => event['pids'])).toEqual(expect.arrayContaining(pids));
  expect((await trai(bench, 'discard --yes')).code).toBe(0);
});

test('background task and timeout: running calls until the client is left, which ends them and not what left its tree', async () => {
  const bench = await makeBench({
    scenarios: {
      dev: [
        bash('(setsid node server.js daemon > /dev/null 2>&1 &); node server.js task', {
          run_in_background: true,
        }),
        bash(`${listening('task', 'daemon')}; echo x > made`),
      ],
      slow: [bash('node server.js slow', { timeout: 1_000 })],
    },
  });
  const screen = await terminal(bench);
  await screen.type('SCENARIO:dev');
  await bench.until(
    async () => (await bench.pending('made')) !== null,
    () => screen.screen(),
  );
  await screen.type('SCENARIO:slow');
  const slow = () => callOf(bench, 'server.js slow');
  // The client moves it to the background and says so in the outcome.
  await bench.until(
    () => events(bench, 'call.outcome').filter((event) => event['background'] !== '').length === 2,
    () => screen.screen(),
  );
  await bench.until(async () => (await bench.pending('port-slow')) !== null);
  const task = callOf(bench, 'server.js task');
  const before = await ps(bench);
  expect(server(before, 'task')?.call).toBe(task);
  expect(server(before, 'daemon')?.call).toBe(task);
  expect(server(before, 'slow')?.call).toBe(slow());
  const over = () => ends(bench).map((event) => event['call']);
  expect(over()).not.toContain(task);
  expect(over()).not.toContain(slow());
  // Nothing of a call that runs counts as left over.
  expect(events(bench, 'call.left')).toEqual([]);

  await screen.type('/exit');
  await screen.confirm('Exit and stop tasks');
  await bench.until(
    () => over().includes(task) && over().includes(slow()),
    () => JSON.stringify(bench.log().slice(-6)),
  );
  expectSignalled(ends(bench).filter((event) => [task, slow()].includes(event['call'] as string)));
  const daemon = server(before, 'daemon');
  await bench.until(async () => (await ps(bench)).length === 1);
  expect(await ps(bench)).toMatchObject([{ pid: daemon?.pid, call: task }]);
  await bench.until(() => events(bench, 'call.left').some((event) => event['call'] === task));
  expect((await dashboard(bench)).processes).toMatchObject([{ pid: daemon?.pid, call: task }]);
  expect((await trai(bench, 'commit')).out).toContain('the committed copies stay');
  expect((await trai(bench, 'discard --yes --end-processes')).code).toBe(0);
  expect(isThere(daemon?.pid ?? 0)).toBe(false);
});

test('Esc ends the command and its children; what left its tree is listed under that call, and can be ended', async () => {
  const bench = await makeBench({
    scenarios: {
      long: [
        bash(
          `(setsid node server.js daemon > /dev/null 2>&1 &); node server.js child & ${listening('daemon', 'child')}; touch begun; sleep 300`,
        ),
      ],
    },
  });
  const screen = await terminal(bench);
  await screen.type('SCENARIO:long');
  await bench.until(
    async () => (await bench.pending('begun')) !== null,
    () => screen.screen(),
  );
  const before = await ps(bench);
  screen.key('Escape');
  await bench.until(
    () => ends(bench).length === 1,
    () => screen.screen(),
  );
  expectSignalled(ends(bench));
  const call = callOf(bench, 'server.js child');
  const daemon = server(before, 'daemon');
  await bench.until(async () => (await ps(bench)).length === 1);
  expect(await ps(bench)).toMatchObject([{ pid: daemon?.pid, call }]);
  await bench.until(() => events(bench, 'call.left').length > 0);
  expect(events(bench, 'call.left')[0]).toMatchObject({ call });
  await screen.type(`/trai:ps --end ${daemon?.pid}`);
  await bench.until(
    () => !isThere(daemon?.pid ?? 0),
    () => screen.screen(),
  );
  await bench.until(() => events(bench, 'processes').some((event) => event['quiet'] === true));
  expect(events(bench, 'processes')[0]).toMatchObject({ state: 'ending', pids: [daemon?.pid] });
});
