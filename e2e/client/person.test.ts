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
  const bench = await Bench.open({ settings: { permissions: { allow: ['Bash', 'Skill'] } }, ...options });
  open.push(bench);
  return bench;
}
async function terminal(bench: Bench, args: readonly string[] = []): Promise<Terminal> {
  const screen = await Terminal.open(bench, { args });
  open.push(screen);
  await screen.ready();
  return screen;
}

describe('what the user types', () => {
  test('/trai:status and /trai:diff answer without asking the model', async () => {
    const bench = await makeBench({ scenarios: { one: [bash('echo x > made.txt')] } });
    const screen = await terminal(bench);
    await screen.type('SCENARIO:one');
    await screen.sees('done');
    const asked = bench.api.requests.length;
    await screen.type('/trai:status');
    await screen.sees(/blocked by hook[\s\S]*made\.txt/);
    expect(bench.api.requests.length).toBe(asked);
  });

  test('/trai:commit, /trai:discard and /trai:undo act, show what they did, and ask no model', async () => {
    const bench = await makeBench({
      scenarios: { one: [bash('echo x > made.txt')], two: [bash('echo y > second.txt')], three: [] },
    });
    const screen = await terminal(bench);
    await screen.type('SCENARIO:one');
    await screen.sees('done');
    await screen.type('/trai:commit');
    await screen.sees(/Committed 1 change/);
    expect(bench.read('made.txt')).toBe('x\n');
    await screen.type('SCENARIO:two');
    await bench.until(async () => (await bench.pending('second.txt')) !== null);
    // The agent hears at its next turn what the user did.
    expect(JSON.stringify(bench.api.requests.at(-1)?.messages)).toContain(
      'trai: the user committed 1 change (made.txt)',
    );
    // Both prompts, and what the model said to each call's result.
    const asked = 4;
    await bench.until(() => bench.api.requests.length === asked);
    await screen.type('/trai:discard');
    await screen.sees(/this discards[\s\S]*Type it after \/trai:discard/);
    expect(await bench.pending('second.txt')).toBe('y\n');
    await screen.type('/trai:discard --yes');
    await screen.sees(/Discarded 1 entry\. Undo with: \/trai:undo/);
    expect(await bench.pending('second.txt')).toBeNull();
    await screen.type('/trai:undo');
    await screen.sees(/1 entry pending again/);
    expect(await bench.pending('second.txt')).toBe('y\n');
    expect(bench.read('second.txt')).toBeNull();
    await screen.type('/trai:ui');
    await screen.sees(/http:\/\/127\.0\.0\.1:\d+\//);
    await screen.type('/trai:why second.txt');
    await screen.sees(/second\.txt[\s\S]*pending/);
    expect(bench.api.requests.length).toBe(asked);
  });

  test('a plugin below a directory with blanks, in -p, where only the command itself is allowed', async () => {
    const place = await makeBench({ plugin: null, dir: 'a place with blanks' });
    const plugin = path.join(place.base, 'plugin');
    copyTree(await pluginTree(), plugin);
    const settings = { permissions: { allow: ['Bash(echo:*)'] } };
    const bench = await makeBench({ plugin, settings, scenarios: { one: [bash('echo x > made.txt')] } });
    await bench.claude('SCENARIO:one', { args: ['--permission-mode', 'acceptEdits'] });
    const asked = bench.api.requests.length;
    const run = await bench.claude('/trai:commit', { args: ['--continue'] });
    expect(bench.read('made.txt'), run.answer).toBe('x\n');
    expect(run.answer).toContain('Committed 1 change');
    expect(bench.api.requests.length).toBe(asked);
  });

  test('`! git commit` runs on the host, `! touch` in the sandbox', async () => {
    const bench = await makeBench({});
    await bench.sh(
      'git init -q . && git config user.name t && git config user.email t@t && touch a && git add a',
    );
    const screen = await terminal(bench);
    await screen.type('! git commit -m one');
    await bench.until(
      async () => (await bench.sh('git log --oneline')).out.includes('one'),
      () => screen.screen(),
    );
    await screen.type('! touch by-hand');
    await bench.until(
      async () => (await bench.pending('by-hand')) !== null,
      () => screen.screen(),
    );
    expect(bench.read('by-hand')).toBeNull();
  });

  test('/trai:passthrough lets one call run on the host, the next is in the sandbox again', async () => {
    const bench = await makeBench({ scenarios: { two: [bash('touch first'), bash('touch second')] } });
    const screen = await terminal(bench);
    await screen.type('/trai:passthrough');
    await bench.until(
      () => bench.log().some((event) => event['kind'] === 'passthrough'),
      () => screen.screen(),
    );
    await screen.type('SCENARIO:two');
    await bench.until(
      async () => (await bench.pending('second')) !== null,
      () => screen.screen(),
    );
    expect([bench.read('first'), bench.read('second')]).toEqual(['', null]);
    await screen.sees(/passthrough|on the host/);
  });
});

describe('what the model may not', () => {
  test.each([
    ['commit', '$PLUGIN/bin/trai commit'],
    ['commit by another directory', 'cd / && $PLUGIN/bin/trai commit'],
    ['discard', '$PLUGIN/bin/trai discard --yes'],
    ['commit --from-prompt', '$PLUGIN/bin/trai commit --from-prompt'],
    ['a variable', 'P=$PLUGIN; $P/bin/trai commit'],
    ['the plugin on PATH', 'trai commit'],
    ['xargs', 'echo commit | xargs $PLUGIN/bin/trai'],
    ['a git alias', "git -c alias.x='!$PLUGIN/bin/trai commit' x"],
    ['bash -c', 'bash -c "$PLUGIN/bin/trai commit"'],
    ['without the client among its ancestors', 'setsid $PLUGIN/bin/trai commit; sleep 2'],
  ])('commit or discard through Bash: %s', async (_what, command) => {
    const bench = await makeBench({
      scenarios: {
        model: ({ step }) =>
          [bash('echo x > made.txt'), bash(command.replaceAll('$PLUGIN', bench.plugin ?? ''))][step] ?? null,
      },
    });
    await bench.claude('SCENARIO:model');
    expect(bench.read('made.txt')).toBeNull();
    expect(await bench.pending('made.txt')).toBe('x\n');
    expect(bench.log().filter((event) => event['t'] === 'commit' && event['state'] === 'applied')).toEqual(
      [],
    );
  });

  test.each(['trai:commit', 'trai:discard', 'trai:passthrough', 'trai:status'])(
    'use the Skill tool for %s',
    async (skill) => {
      const bench = await makeBench({
        scenarios: {
          model: [
            bash('echo x > made.txt'),
            { tool: 'Skill', input: { skill, args: '--yes' } },
            bash('touch after'),
          ],
        },
      });
      const run = await bench.claude('SCENARIO:model');
      expect(run.results[1]?.error, run.results[1]?.text).toBe(true);
      expect(bench.read('made.txt')).toBeNull();
      expect(await bench.pending('made.txt')).toBe('x\n');
      expect(bench.read('after')).toBeNull();
    },
  );
});
