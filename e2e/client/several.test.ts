import { afterEach, expect, test } from 'vitest';
import { Bench, type BenchOptions } from './bench.ts';
import { bash } from './mock-api.ts';

const open: Bench[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function makeBench(options: BenchOptions): Promise<Bench> {
  const bench = await Bench.open({ settings: { permissions: { allow: ['Bash'] } }, ...options });
  open.push(bench);
  return bench;
}

const SCENARIOS = { make: [bash('echo 1 > one; mkdir -p d; echo 2 > d/two')], look: [bash('cat one d/two')] };

test('/trai:adopt in a new session goes on with the changes of an earlier one', async () => {
  const bench = await makeBench({ scenarios: SCENARIOS });
  const first = await bench.claude('SCENARIO:make');
  const second = await bench.claude(`/trai:adopt ${first.session}`);
  // Where counting takes too long for a start of a session, the number is left out.
  expect(second.out).toMatch(
    new RegExp(`session ${first.session} has (3 )?pending changes: /trai:adopt ${first.session}`),
  );
  expect(bench.log(second.session)).toContainEqual(
    expect.objectContaining({ t: 'adopt', from: first.session, to: second.session, entries: 3 }),
  );
  const third = await bench.claude('SCENARIO:look', { args: ['--resume', second.session] });
  expect(third.results.at(-1)?.text).toBe('1\n2');
  expect(bench.read('one')).toBeNull();
  // The permit was for one use.
  const again = await bench.claude('SCENARIO:look', { args: ['--resume', first.session] });
  expect(again.results.at(-1)?.error).toBe(true);
  expect(again.out).toContain(`what was pending here continues in session ${second.session}`);
});

test('adopt by the model is refused, and nothing is moved', async () => {
  let earlier = '';
  const bench: Bench = await makeBench({
    scenarios: {
      ...SCENARIOS,
      model: ({ step }) => (step === 0 ? bash(`${bench.plugin}/bin/trai adopt ${earlier}`) : null),
    },
  });
  earlier = (await bench.claude('SCENARIO:make')).session;
  const model = await bench.claude('SCENARIO:model');
  expect(model.results[0]?.error, model.results[0]?.text).toBe(true);
  expect(bench.log(earlier).filter((event) => event['t'] === 'adopt')).toEqual([]);
  const still = await bench.claude('SCENARIO:look', { args: ['--resume', earlier] });
  expect(still.results.at(-1)?.text).toBe('1\n2');
});

test('an agent whose call touches what another session has pending is told once', async () => {
  let other = '';
  const bench: Bench = await makeBench({
    scenarios: {
      ...SCENARIOS,
      same: async ({ step }) => {
        // The look for it comes after the call, and nobody waits for it.
        const known = (): boolean =>
          bench
            .sessions()
            .some((id) => id !== other && bench.log(id).some((event) => event['code'] === 'overlap'));
        if (step === 1) await bench.until(known);
        return [bash('mkdir -p d; echo mine > d/two'), bash('echo a'), bash('echo b')][step] ?? null;
      },
    },
  });
  other = (await bench.claude('SCENARIO:make')).session;
  await bench.claude('SCENARIO:same');
  const last = JSON.stringify(bench.api.requests.filter(({ tools }) => tools > 0).at(-1)?.messages);
  expect(last.split(`session ${other} has pending changes of the same path: d/two`)).toHaveLength(2);
});

test('a session that is resumed after the host moved on says how many of its pending paths that changed', async () => {
  const bench = await makeBench({ scenarios: SCENARIOS });
  for (const name of ['one', 'd/two']) bench.write(`project/${name}`, 'before\n');
  const first = await bench.claude('SCENARIO:make');
  bench.write('project/one', 'of the host\n');
  const again = await bench.claude('SCENARIO:look', { args: ['--resume', first.session] });
  const said = 'the host changed 1 of 2 pending paths since: one';
  expect(again.out).toContain(said);
  expect(JSON.stringify(bench.api.requests.at(-1)?.messages)).toContain(
    'the host changed 1 of 2 pending paths',
  );
  // What it made is still what it sees; the host's own is where it was.
  expect(again.results.at(-1)?.text).toBe('1\n2');
  expect(bench.read('one')).toBe('of the host\n');
});
