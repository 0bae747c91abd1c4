import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { removeTree } from '../../../testing/remove-tree.ts';
import { HookWorld } from '../world/world.ts';
import { answerHook } from './dispatch.ts';

it.each([
  ['PreToolUse', { exit: 2, stream: 'err' }],
  ['PostToolBatch', { exit: 0, text: '' }],
] as const)('of a client whose session is gone, %s is answered %j', async (event, answer) => {
  const stateDir = mkdtempSync(path.join(tmpdir(), 'trai-inside-'));
  const reported: unknown[] = [];
  const headers = {
    session: 'gone',
    env: 'ok' as const,
    claudePid: null,
    claudePidStart: null,
    entry: '',
    whenGone: () => undefined,
    caller: () => ({ kind: 'client' as const, found: 'the test' }),
    inside: 'gone',
    isClientOf: () => false,
    outside: () => null,
  };
  const call = { tool_name: 'Write', tool_use_id: 't1', tool_input: { file_path: '/nowhere' } };
  const body = Buffer.from(JSON.stringify({ session_id: 'c', cwd: '/', transcript_path: '', ...call }));
  try {
    const world = new HookWorld({ stateDir, env: { HOME: stateDir }, programs: [] });
    const said = await answerHook(world, event, body, headers, (thrown) => reported.push(thrown));
    expect(said).toMatchObject(answer);
    expect(String(reported)).toContain('there is no session gone');
  } finally {
    removeTree(stateDir);
  }
});
