import { afterEach, expect, test } from 'vitest';
import { Bench, type BenchOptions } from './bench.ts';
import { bash } from './mock-api.ts';
import { Terminal } from './terminal.ts';

const open: (Bench | Terminal)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
const SCENARIOS = {
  first: [bash('echo 1 > one')],
  second: [bash('cat one; echo 2 > two')],
  third: [bash('cat one two')],
};
async function makeBench(options: BenchOptions = {}): Promise<Bench> {
  const bench = await Bench.open({
    settings: { permissions: { allow: ['Bash'] } },
    scenarios: SCENARIOS,
    ...options,
  });
  open.push(bench);
  return bench;
}

test.each([
  ['--resume', (id: string) => ['--resume', id]],
  ['--continue', () => ['--continue']],
  ['a fork of --resume', (id: string) => ['--resume', id, '--fork-session']],
  ['a fork of --continue', () => ['--continue', '--fork-session']],
])('%s goes on in the same overlay', async (_what, args) => {
  const bench = await makeBench();
  const first = await bench.claude('SCENARIO:first');
  const second = await bench.claude('SCENARIO:second', { args: args(first.session) });
  expect(second.results.at(-1)?.text).toBe('1');
  expect(bench.sessions()).toEqual([first.session]);
  expect(bench.read('two')).toBeNull();
});

test('/clear goes on in the same overlay', async () => {
  const bench = await makeBench();
  const screen = await Terminal.open(bench);
  open.push(screen);
  await screen.ready();
  await screen.type('SCENARIO:first');
  await bench.until(
    async () => (await bench.pending('one')) !== null,
    () => screen.screen(),
  );
  await screen.sees('done');
  await screen.type('/clear');
  await bench.until(
    () => bench.log().some((event) => event['source'] === 'clear'),
    () => screen.screen(),
  );
  await screen.type('SCENARIO:second');
  await bench.until(
    async () => (await bench.pending('two')) !== null,
    () => screen.screen(),
  );
  expect(bench.sessions()).toHaveLength(1);
  expect(
    new Set(
      bench
        .log()
        .filter((event) => event['t'] === 'session')
        .map((event) => event['claude']),
    ).size,
  ).toBe(2);
});

test('two sessions at the same time see their own pending changes only', async () => {
  const bench = await makeBench({
    scenarios: {
      a: [bash('echo a > mine; sleep 1'), bash('ls; cat mine')],
      b: [bash('echo b > mine; sleep 1'), bash('ls; cat mine')],
    },
  });
  const [a, b] = await Promise.all([bench.claude('SCENARIO:a'), bench.claude('SCENARIO:b')]);
  expect([a.results[1]?.text, b.results[1]?.text]).toEqual(['mine\na', 'mine\nb']);
  expect(bench.sessions()).toHaveLength(2);
  expect(bench.read('mine')).toBeNull();
});

test('a new session of a project with pending changes is told of them', async () => {
  const bench = await makeBench();
  const first = await bench.claude('SCENARIO:first');
  const second = await bench.claude('SCENARIO:first');
  expect(second.out).toContain(first.session.slice(0, 8));
  expect(bench.sessions()).toHaveLength(2);
});
