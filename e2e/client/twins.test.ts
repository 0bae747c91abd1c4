import { afterEach, expect, test } from 'vitest';
import { Bench } from './bench.ts';
import { bash } from './mock-api.ts';

const open: Bench[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const AGENTS = [1, 2, 3, 4];
/** The shell's parent is the launcher: so the output says which call it came from. */
const COMMAND = 'sleep 1; echo x >> by-$$; echo "from $PPID"';

test.each([
  ['with the server', true],
  ['without a server', false],
])('identical commands of subagents at the same time are each claimed once, %s', async (_how, server) => {
  const bench = await Bench.open({
    settings: { permissions: { allow: ['Bash', 'Agent', 'Task'] } },
    scenarios: {
      agents: [
        AGENTS.map((n) => ({
          tool: 'Agent',
          input: { description: `agent ${n}`, prompt: 'SCENARIO:twin', subagent_type: 'general-purpose' },
        })),
        bash('for i in {1..120}; do set -- by-*; [ $# -ge 4 ] && break; sleep 0.5; done; cat by-* | wc -l'),
      ],
      twin: [bash(COMMAND)],
    },
  });
  open.push(bench);
  if (!server) bench.write('.config/trai/config.json', '{"server":{"autostart":false}}');
  const run = await bench.claude('SCENARIO:agents');
  expect(run.results.at(-1)?.text, run.out).toBe('4');

  const log = bench.log();
  const asked = log.filter((event) => event['t'] === 'call.requested' && event['command'] === COMMAND);
  const requests = asked.map((event) => event['request']);
  expect(new Set(requests).size).toBe(AGENTS.length);
  await bench.until(
    () => outcomes(bench, requests).length === AGENTS.length,
    () => JSON.stringify(bench.log(), null, 1),
  );
  const decided = bench
    .log()
    .filter((event) => event['t'] === 'call.decided' && requests.includes(event['request']));
  expect(decided.map((event) => event['request']).sort()).toEqual([...requests].sort());
  expect(decided.map((event) => event['mode'])).toEqual(AGENTS.map(() => 'sandbox'));
  // Each request got the output of the call that claimed it.
  for (const outcome of outcomes(bench, requests)) {
    const call = decided.find((event) => event['request'] === outcome['request'])?.['call'];
    const started = log.find((event) => event['t'] === 'call.started' && event['call'] === call);
    expect(outcome, String(call)).toMatchObject({ head: `from ${started?.['pid']}`, unsandboxed: false });
  }
  expect((await bench.sh('ls')).out).toBe('');
});

function outcomes(bench: Bench, requests: readonly unknown[]): Record<string, unknown>[] {
  return bench.log().filter((event) => event['t'] === 'call.outcome' && requests.includes(event['request']));
}
