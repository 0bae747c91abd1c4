import { afterEach, describe, expect, test } from 'vitest';
import { Bench, type BenchOptions } from './bench.ts';
import { bash } from './mock-api.ts';
import { ordinaryPerson, rootPerson } from './person.ts';
import { Terminal } from './terminal.ts';

const open: (Bench | Terminal)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
const ALLOW = { permissions: { allow: ['Bash', 'Edit', 'Write', 'Read', 'Task', 'Agent'] } };
async function makeBench(options: BenchOptions): Promise<Bench> {
  const bench = await Bench.open({ settings: ALLOW, ...options });
  open.push(bench);
  return bench;
}

const PERSONS = process.getuid?.() === 0 ? [ordinaryPerson(), rootPerson()] : [ordinaryPerson()];

test.each(PERSONS.map((person) => [person.name, person] as const))(
  'a Bash call writes into the overlay, later calls see it, the host does not: as %s',
  async (_name, person) => {
    const bench = await makeBench({
      person,
      scenarios: {
        write: [
          bash('echo new > made.txt; rm old.txt; echo $?'),
          bash('cat made.txt; ls'),
          bash('id -u; exit 3'),
        ],
      },
    });
    bench.write('project/old.txt', 'old\n');
    const run = await bench.claude('SCENARIO:write');
    expect(run.results.map((result) => result.text)).toEqual([
      '0',
      'new\nmade.txt',
      `Exit code 3\n${person.uid}`,
    ]);
    expect(bench.read('made.txt')).toBeNull();
    expect(bench.read('old.txt')).toBe('old\n');
    expect(await bench.pending('made.txt')).toBe('new\n');
    const ended = bench.log().filter((event) => event['t'] === 'call.ended');
    expect(ended.map((event) => event['rc'])).toEqual([0, 0, 3]);
    const decided = bench.log().filter((event) => event['t'] === 'call.decided');
    expect(decided.map((event) => `${event['mode']} ${event['matched']}`)).toEqual(
      Array(3).fill('sandbox exact'),
    );
    expect(
      bench.log().filter((event) => event['t'] === 'call.outcome' && event['unsandboxed'] === true),
    ).toEqual([]);
  },
);

test('Esc during a command: its end is logged, with its children gone', async () => {
  // Other programs of this machine sleep too. The brackets keep the search from finding itself.
  const nap = `300.${process.pid}${Date.now()}`;
  const bench = await makeBench({ scenarios: { long: [bash(`touch begun; sleep ${nap}`)] } });
  const screen = await Terminal.open(bench);
  open.push(screen);
  await screen.ready();
  await screen.type('SCENARIO:long');
  await bench.until(
    async () => (await bench.pending('begun')) !== null,
    () => screen.screen(),
  );
  screen.key('Escape');
  const ends = () => bench.log().filter((event) => event['t'] === 'call.ended');
  await bench.until(
    () => ends().length === 1,
    () => screen.screen(),
  );
  expect(ends()[0]?.['rc']).toBe(143);
  // The launcher, which has the text among its arguments, leaves after it has written that line.
  await bench.until(async () => (await bench.sh(`pgrep -f "[s]leep ${nap}"`)).out === '');
});

describe('what the client does around a command is kept', () => {
  test('the directory of `cd`, functions and aliases of the shell, and the status that means "nothing found"', async () => {
    const bench = await makeBench({
      scenarios: {
        shell: [
          bash('cd sub'),
          bash('pwd; greet me; hello'),
          bash('cd ..; false'),
          bash('pwd'),
          bash('echo x | grep nothing'),
          bash('mkdir inside && cd inside'),
          bash('pwd'),
        ],
      },
    });
    bench.write('project/sub/file', '');
    bench.write('.bashrc', 'greet() { echo "greetings, $1"; }\nalias hello="echo from an alias"\n');
    const run = await bench.claude('SCENARIO:shell');
    const [, inSub, , stillInSub, nothing, , back] = run.results.map((result) => result.text);
    const sub = `${bench.project}/sub`;
    expect(inSub).toBe(`${sub}\ngreetings, me\nfrom an alias`);
    expect(stillInSub).toBe(sub);
    expect(run.results[4]?.error, nothing).toBe(false);
    // A directory that only the sandbox has is no place for the client: it stays where it was.
    expect(back).toBe(sub);
  });

  test('reading commands in parallel, and writing ones in order, each with its own result', async () => {
    const bench = await makeBench({
      scenarios: {
        parallel: [
          bash('echo pending > p'),
          ['one', 'two', 'three', 'four'].map((name) => bash(`cat ${name}.txt p`)),
          [bash('echo a > x'), bash('echo b >> x'), bash('cat x')],
        ],
      },
    });
    for (const name of ['one', 'two', 'three', 'four']) bench.write(`project/${name}.txt`, `${name}\n`);
    const run = await bench.claude('SCENARIO:parallel');
    const byId = run.results.map((result) => result.text);
    expect(byId.slice(1, 5).sort()).toEqual(
      ['four', 'one', 'three', 'two'].map((name) => `${name}\npending`),
    );
    expect(byId.at(-1)).toBe('a\nb');
    const calls = bench.log().filter((event) => event['t'] === 'call.decided');
    expect(new Set(calls.map((event) => event['request'])).size).toBe(8);
  });

  test('commands of subagents, several at a time, land in the same overlay', async () => {
    const agent = (n: number) => ({
      tool: 'Agent',
      input: { description: `agent ${n}`, prompt: `SCENARIO:sub-${n}`, subagent_type: 'general-purpose' },
    });
    const bench = await makeBench({
      scenarios: {
        agents: [
          [agent(1), agent(2), agent(3)],
          bash('for i in {1..60}; do [ -e by-1 -a -e by-2 -a -e by-3 ] && break; sleep 0.5; done; sort by-*'),
        ],
        ...Object.fromEntries([1, 2, 3].map((n) => [`sub-${n}`, [bash(`sleep 1; echo ${n} > by-${n}; ls`)]])),
      },
    });
    const run = await bench.claude('SCENARIO:agents');
    expect(run.results.at(-1)?.text).toBe('1\n2\n3');
    // Agents work in the background, so the last call overlapped theirs and joined their namespace.
    expect(bench.read('by-1')).toBeNull();
    const requested = bench.log().filter((event) => event['t'] === 'call.requested');
    expect(new Set(requested.map((event) => event['agent'])).size).toBe(4);
  });

  // One at a time: with two, `claude -p` may leave when the first has ended.
  test.each([
    ['a background task', 'sleep 2; echo late > late.txt; exit 7', { run_in_background: true }, 7],
    [
      'a timeout that moves to the background',
      'for i in 1 2 3; do sleep 1; done; echo late > late.txt',
      { timeout: 1000 },
      0,
    ],
  ])('%s has its real end in the log', async (_what, command, options, rc) => {
    const bench = await makeBench({ scenarios: { background: [bash(command, options), bash('true')] } });
    await bench.claude('SCENARIO:background');
    expect(await bench.pending('late.txt')).toBe('late\n');
    expect(bench.read('late.txt')).toBeNull();
    const ends = bench.log().filter((event) => event['t'] === 'call.ended');
    const long = ends.filter((event) => Number(event['ms']) >= 2000);
    expect(long.map((event) => event['rc'])).toEqual([rc]);
  });

  test('a heredoc, unicode and a command that is longer than most arrive as the model wrote them', async () => {
    const long = 'x'.repeat(20_000);
    const bench = await makeBench({
      scenarios: {
        odd: [
          bash("cat <<'EOF' > here\n$HOME `id` 'q' \"d\" \\n ü\u{1F600}\nEOF\ncat here"),
          bash(`printf '%s' ${long} | wc -c`),
          bash('  echo "a  b"   # remark\n\necho $((1+1))'),
        ],
      },
    });
    const run = await bench.claude('SCENARIO:odd', { args: ['--permission-mode', 'bypassPermissions'] });
    expect(run.results.map((result) => result.text)).toEqual([
      '$HOME `id` \'q\' "d" \\n ü\u{1F600}',
      '20000',
      'a  b\n2',
    ]);
    const matched = bench
      .log()
      .filter((event) => event['t'] === 'call.decided')
      .map((event) => event['matched']);
    expect(matched).toEqual(['exact', 'exact', 'exact']);
  });
});

describe("the user's permission rules mean what they say", () => {
  const COMMAND = 'touch made && rm victim';
  test.each([
    ['allow', { allow: ['Bash(touch:*)', 'Bash(rm:*)'] }, true],
    ['allow of another command', { allow: ['Bash(touch:*)'] }, false],
    ['ask', { allow: ['Bash'], ask: ['Bash(rm:*)'] }, false],
    ['deny', { allow: ['Bash'], deny: ['Bash(rm:*)'] }, false],
  ])('%s', async (_what, permissions, runs) => {
    const bench = await makeBench({ settings: { permissions }, scenarios: { rules: [bash(COMMAND)] } });
    bench.write('project/victim', '');
    const run = await bench.claude('SCENARIO:rules');
    expect(run.results[0]?.error, run.results[0]?.text).toBe(!runs);
    expect((await bench.pending('made')) !== null).toBe(runs);
    expect(bench.read('victim')).toBe('');
    // A command that was not allowed never reached a launcher, and is not shown as one that slipped past it.
    const events = bench.log();
    expect(events.filter((event) => event['t'] === 'call.started')).toHaveLength(runs ? 1 : 0);
    expect(events.filter((event) => event['unsandboxed'] === true)).toEqual([]);
  });
});

describe('beside the file tools', () => {
  test('an Edit between two calls is seen by the next call', async () => {
    const bench = await makeBench({
      scenarios: {
        edit: [
          bash('cat host.txt; echo pending > only-bash.txt'),
          { tool: 'Read', input: { file_path: '$PROJECT/host.txt' } },
          {
            tool: 'Edit',
            input: { file_path: '$PROJECT/host.txt', old_string: 'before', new_string: 'after' },
          },
          bash('cat host.txt only-bash.txt'),
        ],
      },
    });
    bench.write('project/host.txt', 'before\n');
    const run = await bench.claude('SCENARIO:edit');
    expect(bench.read('host.txt')).toBe('after\n');
    expect(run.results.at(-1)?.text).toBe('after\npending');
  });
});

test('without a server every call takes the Node path, with the same result', async () => {
  const bench = await makeBench({ scenarios: { node: [bash('echo x > f; cat f'), bash('cat f')] } });
  bench.write('.config/trai/config.json', '{"server":{"autostart":false}}');
  const run = await bench.claude('SCENARIO:node');
  expect(run.results.map((result) => result.text)).toEqual(['x', 'x']);
  expect(bench.read('f')).toBeNull();
  expect(await bench.sh('cat "$0"/server.json', { words: [bench.state] })).toMatchObject({ code: 1 });
  expect(bench.log().filter((event) => event['t'] === 'call.decided')).toHaveLength(2);
});

test('a server killed between two calls is not missed', async () => {
  const bench = await makeBench({
    scenarios: {
      kill: async ({ step }) => {
        if (step === 1)
          await bench.sh('kill -9 $(grep -o \'"pid":[0-9]*\' "$0"/server.json | cut -d: -f2)', {
            words: [bench.state],
          });
        return [bash('echo x > f'), bash('cat f; echo y > g'), bash('cat g')][step] ?? null;
      },
    },
  });
  const run = await bench.claude('SCENARIO:kill');
  expect(run.results.map((result) => result.text)).toEqual(['(Bash completed with no output)', 'x', 'y']);
  expect(bench.read('g')).toBeNull();
});
