import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { boxRecordPath, writeBoxRecord } from '../../../core/sandbox/box-record.ts';
import { sessionDir } from '../../../core/session/dirs.ts';
import { permitText } from '../../../core/session/grants.ts';
import { logTo } from '../../../core/session/log/append.ts';
import { ensureSession } from '../../../core/session/store.ts';
import { fromText } from '../../../shared/bytes.ts';
import { removeTree } from '../../../testing/remove-tree.ts';
import { HookWorld } from '../world/world.ts';
import { answerHook } from './dispatch.ts';

const HEADERS = {
  env: 'ok' as const,
  claudePid: null,
  claudePidStart: null,
  entry: '',
  whenGone: () => undefined,
  caller: () => ({ kind: 'client' as const, found: 'the test' }),
  isClientOf: () => false,
  outside: () => null,
};

it.each([
  ['PreToolUse', { exit: 2, stream: 'err' }],
  ['PostToolBatch', { exit: 0, text: '' }],
] as const)('of a client whose session is gone, %s is answered %j', async (event, answer) => {
  const stateDir = mkdtempSync(path.join(tmpdir(), 'trai-inside-'));
  const reported: unknown[] = [];
  const headers = { ...HEADERS, session: 'gone', inside: 'gone' };
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

const RECORD = {
  v: 1,
  rows: [],
  variables: [],
  net: 'open',
  write: 'pending',
  direct: [],
  directFiles: [],
} as const;

it.each([
  ['in a box', false, ['adopt', 'answer', 'commit', 'export', 'passthrough', 'rules', 'sessions', 'undo']],
  ['with --commit-inside', true, ['adopt', 'answer', 'export', 'passthrough', 'rules', 'sessions']],
  ['in a box whose record is damaged', null, ['adopt', 'commit', 'passthrough', 'undo']],
] as const)('what acts outside cannot be typed %s, and gets no permit', async (_, commitInside, refused) => {
  const stateDir = mkdtempSync(path.join(tmpdir(), 'trai-inside-'));
  try {
    await ensureSession(stateDir, 's', { cwd: fromText(stateDir) });
    const dir = sessionDir(stateDir, 's');
    if (commitInside === null) writeFileSync(boxRecordPath(dir), '{"v":1,');
    else writeBoxRecord(dir, { ...RECORD, instance: stateDir, commitInside });
    const decided = {
      request: '',
      matched: 'none',
      command: 'box',
      cwd: '/',
      mode: 'sandbox',
      reason: 'default',
      text: '',
    } as const;
    logTo(dir, { t: 'call.decided', call: 'c1', origin: 'client', ...decided });
    logTo(dir, { t: 'call.started', call: 'c1', pid: 7, mode: 'sandbox', overlay: 'inside' });
    const world = new HookWorld({ stateDir, env: { HOME: stateDir }, programs: [] });
    const said = async (name: string): Promise<string> => {
      const typed = {
        expansion_type: 'slash_command',
        command_name: `trai:${name}`,
        command_args: ' a  "b c" ',
      };
      const body = Buffer.from(JSON.stringify({ session_id: 'c', cwd: '/', transcript_path: '', ...typed }));
      const headers = { ...HEADERS, session: 's', inside: 's', isClientOf: (pid: number) => pid === 7 };
      return (await answerHook(world, 'UserPromptExpansion', body, headers, () => undefined)).text;
    };
    for (const name of refused) {
      expect(await said(name)).toMatch(
        new RegExp(`cannot be typed in a box.* trai ${name} --session s a .*b c`),
      );
      expect(await permitText(dir, name)).toBeNull();
    }
    for (const name of ['status', 'discard', ...(commitInside === true ? ['commit', 'undo'] : [])])
      expect(await said(name)).toMatch(
        new RegExp(`run in a terminal outside of it: trai ${name} --session s a .*b c`),
      );
  } finally {
    removeTree(stateDir);
  }
});

it('of a box that writes directly, or whose record is damaged, nobody is told that all of it is pending', async () => {
  const stateDir = mkdtempSync(path.join(tmpdir(), 'trai-inside-'));
  try {
    await ensureSession(stateDir, 's', { cwd: fromText(stateDir) });
    const dir = sessionDir(stateDir, 's');
    const world = new HookWorld({ stateDir, env: { HOME: stateDir }, programs: [] });
    const begun = async (): Promise<Record<'user' | 'model', string>> => {
      const body = Buffer.from(JSON.stringify({ session_id: 'c', cwd: '/', source: 'startup' }));
      const headers = { ...HEADERS, session: 's', inside: 's' };
      const { text } = await answerHook(world, 'SessionStart', body, headers, () => undefined);
      const { systemMessage, hookSpecificOutput } = JSON.parse(text);
      return { user: systemMessage, model: hookSpecificOutput.additionalContext.split('\n')[0] };
    };
    const box = { ...RECORD, instance: stateDir, commitInside: false };
    writeBoxRecord(dir, box);
    expect(await begun()).toEqual({
      user: expect.stringContaining('everything that is written in this session stays pending'),
      model: expect.stringMatching(/what they write is pending [^,]*$/),
    });
    writeBoxRecord(dir, { ...box, direct: [fromText('/own/p')], directFiles: [fromText('/own/f')] });
    expect(await begun()).toEqual({
      user: expect.stringMatching(/stays pending .* except in \/own\/p, \/own\/f: that is yours at once/),
      model: expect.stringMatching(/is pending .* except in \/own\/p, \/own\/f: those are the real files\.$/),
    });
    writeFileSync(boxRecordPath(dir), '');
    const damaged = expect.stringMatching(
      /^(?!.*stays pending).*box\.json of the session is damaged.*may be pending/,
    );
    expect(await begun()).toEqual({ user: damaged, model: damaged });
  } finally {
    removeTree(stateDir);
  }
});

it.each([
  ['git push origin main > log', 'publishes'],
  ['cd sub && GIT_SSH_COMMAND=x git -C . p"us"h', 'publishes'],
  ['bash -c "env A=1 git push"', 'publishes'],
  ['git stash push; git log --grep push; git commit -m "push it"; git config push.default simple', ''],
  ['git push --dry-run', ''],
  ['sudo -n id > out', 'sudo cannot'],
  ['timeout 9 docker ps', 'docker cannot'],
  ['sudo id && git push', 'sudo cannot.*publishes'],
  ['echo sudo git push', ''],
])('%j is noted as what does not work inside, or acts outside: %j', async (command, noted) => {
  const stateDir = mkdtempSync(path.join(tmpdir(), 'trai-inside-'));
  try {
    await ensureSession(stateDir, 's', { cwd: fromText(stateDir) });
    const world = new HookWorld({ stateDir, env: { HOME: stateDir }, programs: [] });
    const call = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command } };
    const body = Buffer.from(
      JSON.stringify({ session_id: 'c', cwd: stateDir, transcript_path: '', ...call }),
    );
    const headers = { ...HEADERS, session: 's', inside: 's' };
    const { text } = await answerHook(world, 'PreToolUse', body, headers, () => undefined);
    const context = text === '' ? '' : (JSON.parse(text).hookSpecificOutput?.additionalContext ?? '');
    expect(context).toMatch(noted === '' ? /^$/ : new RegExp(noted));
  } finally {
    removeTree(stateDir);
  }
});
