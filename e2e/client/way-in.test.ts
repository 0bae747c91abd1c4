import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Bench, type BenchOptions } from './bench.ts';
import { bash } from './mock-api.ts';
import { copyTree, pluginTree } from './plugin-tree.ts';
import { Terminal } from './terminal.ts';

const open: (Bench | Terminal)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
async function makeBench(options: BenchOptions): Promise<Bench> {
  const bench = await Bench.open({
    settings: { permissions: { allow: ['Bash', 'Monitor', 'ToolSearch'] } },
    ...options,
  });
  open.push(bench);
  return bench;
}
const envFile = (bench: Bench): string =>
  path.join(bench.home, '.claude/session-env', bench.api.session(), 'sessionstart-hook-0.sh');

describe('holes through which a call could run outside', () => {
  test('the env file is deleted in mid-session: the next call is refused and says why', async () => {
    const bench = await makeBench({
      scenarios: {
        gone: ({ step }) => {
          if (step === 1) rmSync(envFile(bench));
          return [bash('echo 1 > one'), bash('echo 2 > two')][step] ?? null;
        },
      },
    });
    const run = await bench.claude('SCENARIO:gone');
    expect(run.results[1]).toMatchObject({ error: true, text: expect.stringContaining('env file') });
    expect([bench.read('one'), bench.read('two')]).toEqual([null, null]);
  });

  test('its content is replaced by one of the same length: refused, also after a `cd` made the client read it again', async () => {
    const bench = await makeBench({
      scenarios: {
        changed: ({ step }) => {
          if (step === 1) writeFileSync(envFile(bench), `: ${'x'.repeat(400)}`);
          return [bash('cd sub'), bash('cd ..'), bash('echo 2 > two')][step] ?? null;
        },
      },
    });
    bench.write('project/sub/file', '');
    const run = await bench.claude('SCENARIO:changed');
    expect(run.results.slice(1).map((result) => result.error)).toEqual([true, true]);
    expect(bench.read('two')).toBeNull();
  });

  test('a `!` command typed while SessionStart still runs does not switch the sandbox off', async () => {
    const plugin = path.join((await makeBench({ plugin: null })).base, 'slow');
    copyTree(await pluginTree(), plugin);
    // As if the machine were so busy that the env line is late.
    const script = path.join(plugin, 'hooks/session-start.sh');
    const bench = await makeBench({
      plugin,
      scenarios: { after: [bash('echo 1 > one')], later: [bash('echo 2 > two')] },
    });
    writeFileSync(
      script,
      `#!/usr/bin/env bash\n[ -n "\${1-}" ] || sleep 3\n. "\${BASH_SOURCE[0]%/*}/real.sh"\n`,
    );
    copyTree(path.join(await pluginTree(), 'hooks/session-start.sh'), path.join(plugin, 'hooks/real.sh'));
    const screen = await Terminal.open(bench);
    open.push(screen);
    await screen.ready();
    await screen.type('! touch early');
    await screen.type('SCENARIO:after');
    await screen.sees('done');
    await screen.type('SCENARIO:later');
    await bench.until(
      async () => (await bench.pending('two')) === '2\n',
      () => screen.screen(),
    );
    // Nor the model's first call, which came right after it.
    expect(await bench.pending('one')).toBe('1\n');
    expect([bench.read('one'), bench.read('two')]).toEqual([null, null]);
  });

  test('a SessionStart that is cut off at its time limit: calls are refused until the second hook has made up for it', async () => {
    const place = await makeBench({ plugin: null });
    const plugin = path.join(place.base, 'slow');
    copyTree(await pluginTree(), plugin);
    const script = path.join(plugin, 'hooks/session-start.sh');
    // The third hook waits until the first call has been refused, however long the client takes to come to it.
    const mend = '[[ $ENV_LINE != ok ]] || deliver SessionStart\n';
    const slow = readFileSync(script, 'utf8')
      .replace(/\n {2}deliver SessionStart\n/, '\n  sleep 20\n')
      .replace(mend, `until [[ -e $STATE/go ]]; do sleep 0.1; done\n  ${mend}`);
    expect(slow).toMatch(/until .*sleep 20\n/s);
    writeFileSync(script, slow);
    const hooks = path.join(plugin, 'hooks/hooks.json');
    writeFileSync(
      hooks,
      readFileSync(hooks, 'utf8')
        .replace(/("timeout": )20\b/, '$15')
        .replace(/("timeout": )60(,\s*"async": true)/, '$1300$2'),
    );
    const bench = await makeBench({
      plugin,
      scenarios: {
        late: async ({ step }) => {
          if (step === 1) {
            bench.write(path.join(bench.state, 'go'), '');
            await bench.until(() => bench.sessions().length === 1);
          }
          return [bash('echo 1 > one'), bash('echo 2 > two')][step] ?? null;
        },
      },
    });
    const run = await bench.claude('SCENARIO:late');
    expect(run.results.map((result) => result.error)).toEqual([true, false]);
    expect(await bench.pending('two')).toBe('2\n');
    expect([bench.read('one'), bench.read('two')]).toEqual([null, null]);
  });

  test('Monitor goes through the sandbox too', async () => {
    const bench = await makeBench({
      scenarios: {
        monitor: [
          { tool: 'ToolSearch', input: { query: 'select:Monitor', max_results: 1 } },
          {
            tool: 'Monitor',
            input: {
              command: 'echo seen > watched',
              description: 'watch',
              timeout_ms: 5000,
              persistent: false,
            },
          },
          bash('for i in {1..200}; do [ -e watched ] && break; sleep 0.3; done; cat watched'),
        ],
      },
    });
    const run = await bench.claude('SCENARIO:monitor');
    expect(run.results[2]?.text).toBe('seen');
    expect(bench.read('watched')).toBeNull();
  });
});

describe('nothing runs where the sandbox cannot be entered', () => {
  test.each([
    ['the upper directory is gone', 'for d in "$0"/sessions/*/overlay/*/u; do mv "$d" "$d.away"; done'],
    ['the launcher is gone', 'rm -rf "$0"/bin'],
    ['the log cannot be written', 'for f in "$0"/sessions/*/calls.jsonl; do rm "$f"; mkdir "$f"; done'],
  ])('%s', async (_what, damage) => {
    const bench = await makeBench({
      scenarios: {
        broken: async ({ step }) => {
          if (step === 1) await bench.sh(damage, { words: [bench.state] });
          return [bash('echo 1 > one'), bash('echo 2 > two; echo RAN')][step] ?? null;
        },
      },
    });
    const run = await bench.claude('SCENARIO:broken');
    expect(run.results[1]?.text).not.toMatch(/^RAN/m);
    expect(run.results[1]?.error).toBe(true);
    expect(run.results[1]?.text).toContain('trai:');
    expect(bench.read('two')).toBeNull();
  });
});

describe('life after the plugin', () => {
  test('updated between two calls and removed: calls of the running session stay in the sandbox or are refused', async () => {
    const home = await makeBench({ plugin: null });
    const plugin = path.join(home.base, 'plugin');
    copyTree(await pluginTree(), plugin);
    const bench = await makeBench({
      plugin,
      scenarios: {
        gone: ({ step }) => {
          if (step === 1) rmSync(plugin, { recursive: true });
          return (
            [bash('echo 1 > one'), bash('echo 2 > two'), bash('cd sub'), bash('echo 3 > three')][step] ?? null
          );
        },
      },
    });
    bench.write('project/sub/file', '');
    await bench.claude('SCENARIO:gone');
    expect([bench.read('one'), bench.read('two'), bench.read('sub/three')]).toEqual([null, null, null]);
  });

  test('resumed without the plugin, the session has no line of ours and calls run as ever', async () => {
    const bench = await makeBench({
      scenarios: { one: [bash('echo 1 > one')], two: [bash('echo 2 > two')] },
    });
    const first = await bench.claude('SCENARIO:one');
    const words = ['-p', 'SCENARIO:two', '--resume', first.session];
    expect((await bench.exec([bench.program, ...words])).code).toBe(0);
    expect([bench.read('one'), bench.read('two')]).toEqual([null, '2\n']);
  });
});

test.each(["with 'quotes' and blanks", 'ümlaut "$(id)" `id` \\'])(
  'home and state below a directory called %j',
  async (dir) => {
    const bench = await makeBench({ dir, scenarios: { odd: [bash('echo x > made; cat made')] } });
    const run = await bench.claude('SCENARIO:odd', { args: ['--permission-mode', 'bypassPermissions'] });
    expect(run.results[0]?.text).toBe('x');
    expect(bench.read('made')).toBeNull();
  },
);

test('a client started by a call is covered by the outer session', async () => {
  const bench = await makeBench({
    scenarios: {
      outer: ({ step }) =>
        [
          bash(
            `'${bench.program}' -p SCENARIO:inner --plugin-dir '${bench.plugin}' --permission-mode bypassPermissions </dev/null; ls`,
          ),
        ][step] ?? null,
      inner: [bash('echo x > by-inner')],
    },
  });
  const run = await bench.claude('SCENARIO:outer', { args: ['--permission-mode', 'bypassPermissions'] });
  expect(run.results[0]?.text).toMatch(/by-inner/);
  expect(bench.read('by-inner')).toBeNull();
  expect(await bench.pending('by-inner')).toBe('x\n');
});
