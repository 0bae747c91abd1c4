/** What the client does with a plugin's permission hooks: facts that trai relies on, without trai (docs/client.md). */
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { Bench } from './bench.ts';
import { bash, type ToolCall } from './mock-api.ts';
import { Probe } from './probe.ts';
import { Terminal } from './terminal.ts';

const open: (Bench | Terminal)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const HOOKS = ['PreToolUse', 'PermissionRequest', 'PermissionDenied', 'ConfigChange', 'PostToolBatch'];
const AGENT: ToolCall = {
  tool: 'Agent',
  input: { description: 'a step', prompt: 'SCENARIO:sub', subagent_type: 'general-purpose' },
};

/** A project with `./tool NAME`, which makes the file NAME and which no permission rule of the client's own covers. */
async function makeBench(
  settings: Record<string, unknown> = {},
  second: Promise<void> = Promise.resolve(),
): Promise<{ bench: Bench; probe: Probe }> {
  const bench = await Bench.open({
    plugin: null,
    settings: { skipDangerousModePermissionPrompt: true, ...settings },
    scenarios: {
      one: async ({ step }) => {
        if (step === 1) await second;
        return [bash('./tool first'), bash('./tool second')][step] ?? null;
      },
      agent: [AGENT],
      sub: [bash('./tool first')],
    },
  });
  open.push(bench);
  chmodSync(bench.write('project/tool', '#!/bin/sh\n: > "$1"\n'), 0o755);
  return { bench, probe: new Probe(bench, HOOKS) };
}

async function terminal(bench: Bench, probe: Probe, mode = 'default'): Promise<Terminal> {
  const args = ['--plugin-dir', probe.plugin, '--permission-mode', mode];
  const screen = await Terminal.open(bench, { args });
  open.push(screen);
  await screen.ready();
  return screen;
}

const decided = (behavior: string, more = {}) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, ...more } },
});
const preToolUse = (permissionDecision: string) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: 'probed' },
});

describe('PermissionRequest', () => {
  test('in -p fires for the client’s own question, waits for the hook, and takes its answer', async () => {
    const { bench, probe } = await makeBench();
    probe.answer('PermissionRequest', { hold: true, say: decided('allow') });
    const run = bench.claude('SCENARIO:one', { args: ['--plugin-dir', probe.plugin] });
    await bench.until(() => probe.seen('PermissionRequest').length === 1);
    expect(bench.read('first')).toBeNull();
    probe.release();
    expect((await run).results.map((result) => result.error)).toEqual([false, false]);
    expect(probe.seen('PermissionRequest')[0]).toMatchObject({ tool_input: { command: './tool first' } });
    expect(probe.seen('PermissionRequest')[0]).not.toHaveProperty('tool_use_id');
  });

  test('in -p does not fire for a hook’s ask, whose reason is the denial', async () => {
    const { bench, probe } = await makeBench();
    probe.answer('PreToolUse', { say: preToolUse('ask') });
    probe.answer('PermissionRequest', { say: decided('allow') });
    const run = await bench.claude('SCENARIO:one', { args: ['--plugin-dir', probe.plugin] });
    expect(run.results[0]).toMatchObject({ error: true, text: 'probed' });
    expect(probe.seen('PermissionRequest')).toEqual([]);
  });

  test('a rule that its answer adds for the session holds', async () => {
    const { bench, probe } = await makeBench();
    const rules = [{ toolName: 'Bash', ruleContent: './tool:*' }];
    const updatedPermissions = [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }];
    probe.answer('PermissionRequest', { say: decided('allow', { updatedPermissions }) });
    await bench.claude('SCENARIO:one', { args: ['--plugin-dir', probe.plugin] });
    expect([bench.read('first'), bench.read('second')]).toEqual(['', '']);
    expect(probe.seen('PermissionRequest')).toHaveLength(1);
  });

  test('the dialog is there while the hook waits; a yes by the keyboard leaves the hook alone, and its late answer has no effect', async () => {
    let goOn = (): void => undefined;
    const second = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { bench, probe } = await makeBench({}, second);
    probe.answer('PermissionRequest', { hold: true, say: decided('deny', { message: 'too late' }) });
    const screen = await terminal(bench, probe);
    await screen.type('SCENARIO:one');
    await screen.confirm('Do you want to proceed?');
    await bench.until(() => bench.read('first') !== null);
    goOn();
    // The first one's hook is still waiting.
    await bench.until(() => probe.seen('PermissionRequest').length === 2);
    expect(probe.seen('signal')).toEqual([]);
    probe.release();
    await bench.until(() => probe.seen('PostToolBatch').length === 2);
    expect([bench.read('first'), bench.read('second')]).toEqual(['', null]);
  });

  test('a no by the keyboard ends the waiting hook', async () => {
    const { bench, probe } = await makeBench();
    probe.answer('PermissionRequest', { hold: true });
    const screen = await terminal(bench, probe);
    await screen.type('SCENARIO:one');
    await screen.sees('Do you want to proceed?');
    await bench.until(() => {
      if (screen.screen().includes('Do you want to proceed?')) screen.key('Escape');
      return probe.seen('signal').length > 0;
    });
    expect(probe.seen('signal')[0]).toMatchObject({ signal: 'TERM' });
    expect(bench.read('first')).toBeNull();
  });

  test('of a subagent is awaited before any dialog', async () => {
    const { bench, probe } = await makeBench({ permissions: { allow: ['Agent'] } });
    probe.answer('PermissionRequest', { hold: true });
    const screen = await terminal(bench, probe);
    await screen.type('SCENARIO:agent');
    await bench.until(() => probe.seen('PermissionRequest').length === 1);
    expect(probe.seen('PermissionRequest')[0]?.['agent_id']).toBeTypeOf('string');
    await screen.sees('1 background agent');
    expect(screen.screen()).not.toContain('Do you want to proceed?');
    probe.release();
    await screen.sees('Do you want to proceed?');
  });

  test.each(['acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'])(
    'in a terminal fires for a hook’s ask in %s',
    async (mode) => {
      const { bench, probe } = await makeBench();
      probe.answer('PreToolUse', { say: preToolUse('ask') });
      const screen = await terminal(bench, probe, mode);
      await screen.type('SCENARIO:one');
      await screen.sees(/probed[\s\S]*Do you want to proceed\?/);
      await bench.until(() => probe.seen('PermissionRequest').length === 1);
    },
  );
});

describe('other events of a plugin', () => {
  test('PermissionDenied fires where the classifier does not allow, ConfigChange when settings change', async () => {
    const { bench, probe } = await makeBench();
    const args = ['--plugin-dir', probe.plugin, '--permission-mode', 'auto'];
    await bench.claude('SCENARIO:one', { args });
    expect(probe.seen('PermissionDenied')[0]).toMatchObject({ tool_name: 'Bash' });
    await terminal(bench, probe);
    const file = bench.write('project/.claude/settings.local.json', '{"permissions":{"deny":["WebFetch"]}}');
    await bench.until(() => probe.seen('ConfigChange').some((seen) => seen['file_path'] === file));
  });
});

describe('a PreToolUse hook that fails', () => {
  test.each([
    ['is killed', 'kill -9 $$'],
    ['ends with status 1', 'exit 1'],
    ['takes too long', 'sleep 30'],
  ])('that %s lets the call run, and blocks it with onFailure', async (_what, script) => {
    const { bench } = await makeBench({ permissions: { allow: ['Bash'] } });
    const ran = [];
    for (const onFailure of [{}, { onFailure: 'block' }]) {
      const plugin = path.join(bench.base, `failing-${ran.length}`);
      bench.write(`${plugin}/.claude-plugin/plugin.json`, '{"name":"failing","version":"1.0.0"}');
      const hook = { type: 'command', command: 'bash', args: ['-c', script], timeout: 1, ...onFailure };
      bench.write(
        `${plugin}/hooks/hooks.json`,
        JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
      );
      const run = await bench.claude('SCENARIO:one', { args: ['--plugin-dir', plugin] });
      ran.push(run.results.map((result) => result.error));
    }
    expect(ran).toEqual([
      [false, false],
      [true, true],
    ]);
  });
});
