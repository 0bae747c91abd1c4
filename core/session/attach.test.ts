import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { bundleProgram, runTogether } from '../../testing/log/test-child.ts';
import { testState } from '../../testing/state-dir.ts';
import { processStat } from '../kernel/proc/proc.ts';
import { type AttachInput, attachClaude, sessionOfClaude } from './attach.ts';
import { sessionDir } from './dirs.ts';
import { metaPath, readMeta } from './meta-file.ts';
import { listSessions } from './store.ts';
import type { ClaudeIdentity } from './types.ts';

const states = testState('attach');
afterAll(states.remove);
let state = '';
beforeEach(() => {
  state = states.next();
  time = 0;
});

let time = 0;
const cwd = fromText('/');
function attach(
  claudeId: string,
  source: ClaudeIdentity['source'],
  pid: number | null = 100,
  more: Partial<AttachInput> = {},
) {
  const now = new Date(Date.UTC(2026, 0, 1) + 1000 * time++);
  const project = { root: cwd, id: 'a'.repeat(16) };
  const pidStart = pid === null ? null : '7';
  return attachClaude(state, {
    claudeId,
    source,
    pid,
    pidStart,
    cwd,
    project,
    clientVersion: '2.1.330',
    transcriptPath: null,
    now,
    ...more,
  });
}
const ids = async (): Promise<string[]> => (await listSessions(state)).sessions.map(({ id }) => id).sort();

describe('attachClaude', () => {
  it('startup makes a session with the id of Claude', async () => {
    const { id, created, meta } = await attach('c1', 'startup');
    expect([id, created, meta.clientVersion]).toEqual(['c1', true, '2.1.330']);
    expect(meta.claude).toMatchObject([{ id: 'c1', source: 'startup', pid: 100, pidStart: '7' }]);
    expect(await sessionOfClaude(state, 'c1')).toBe('c1');
    expect(await sessionOfClaude(state, 'c2')).toBeNull();
  });

  it('compact, and resume in another process, keep the session', async () => {
    await attach('c1', 'startup', 100);
    await attach('c1', 'compact', 100);
    const { id, created, meta } = await attach('c1', 'resume', 200);
    expect([id, created, await ids()]).toEqual(['c1', false, ['c1']]);
    expect(meta.claude.map(({ id, source, pid }) => [id, source, pid])).toEqual([
      ['c1', 'startup', 100],
      ['c1', 'resume', 200],
    ]);
  });

  it('doing it again changes nothing but the time', async () => {
    const first = await attach('c1', 'startup');
    const again = await attach('c1', 'startup');
    expect({ ...again.meta, claude: [] }).toEqual({ ...first.meta, claude: [] });
    expect(again.meta.claude).toHaveLength(1);
  });

  it('keeps every config directory that its clients had', async () => {
    const transcript = (dir: string) => ({ transcriptPath: `${dir}/projects/-srv/c1.jsonl` });
    expect((await attach('c1', 'startup')).meta.claudeDirs).toEqual([]);
    await attach('c1', 'resume', 200, transcript('/home/kim/.claude'));
    await attach('c1', 'compact', 200, transcript('/home/kim/.claude'));
    const { meta } = await attach('c1', 'resume', 300, transcript('/home/kim/work'));
    expect(meta.claudeDirs).toEqual(['/home/kim/.claude', '/home/kim/work']);
  });

  it('/clear stays in the session of its client process, however often', async () => {
    await attach('c1', 'startup');
    await attach('other', 'startup', 300);
    expect((await attach('c2', 'clear')).id).toBe('c1');
    expect((await attach('c3', 'clear')).id).toBe('c1');
    expect((await readMeta(sessionDir(state, 'c1'))).claude.map(({ id }) => id)).toEqual(['c1', 'c2', 'c3']);
    expect((await attach('c2', 'resume', 400)).id).toBe('c1');
  });

  it('/clear goes by what the process had last, not first', async () => {
    await attach('c1', 'startup');
    await attach('c2', 'startup', 200);
    await attach('c2', 'resume', 100);
    expect((await attach('c3', 'clear')).id).toBe('c2');
    await attach('c1', 'resume', 100);
    expect((await attach('c4', 'clear')).id).toBe('c1');
  });

  it.each<[string, number | null, Partial<AttachInput>]>([
    ['a process of the same pid that started at another time', 100, { pidStart: '8' }],
    ['no pid', null, {}],
  ])('/clear with %s makes a session of its own', async (_name, pid, more) => {
    await attach('c1', 'startup');
    expect((await attach('c2', 'clear', pid, more)).id).toBe('c2');
  });

  it('resume of a conversation from before the plugin makes a session, also in a client that has one', async () => {
    await attach('c1', 'startup');
    expect((await attach('before', 'resume')).id).toBe('before');
  });

  it('a fork in the same client stays in its session', async () => {
    await attach('c1', 'startup');
    expect((await attach('c2', 'fork')).id).toBe('c1');
  });

  it("a fork in a new client is found by its transcript's first lines", async () => {
    await attach('c1', 'startup', 100);
    await attach('c2', 'clear', 100);
    const transcriptPath = join(state, '..', 'transcript.jsonl');
    writeFileSync(transcriptPath, '{"type":"x"}\n{"sessionId":"f1","forkedFrom":{"sessionId":"c2"}}\n{"sess');
    expect((await attach('f1', 'fork', 200, { transcriptPath })).id).toBe('c1');
  });

  it("a fork in a new client is found by its command line's --resume", async () => {
    await attach('c1', 'startup');
    const child = spawn('bash', ['-c', 'read; :', 'claude', '--resume', 'c1', '--fork-session'], {
      stdio: 'pipe',
    });
    try {
      const pid = child.pid ?? 0;
      const pidStart = processStat(pid)?.start ?? null;
      expect((await attach('f1', 'fork', pid, { pidStart })).id).toBe('c1');
      expect((await attach('f2', 'fork', pid, { pidStart: '1' })).id).toBe('f2');
    } finally {
      child.stdin.end();
    }
  });

  it.each<[string, string | null]>([
    ['no transcript', null],
    ['a transcript that is not there', '/nowhere'],
    ['a transcript that is a directory', '/tmp'],
    ['a transcript that names only sessions we do not know', '{"sessionId":"unknown"}\n{"sessionId":"f1"}'],
  ])('a fork with %s gets a session of its own', async (_name, transcript) => {
    await attach('c1', 'startup');
    let transcriptPath = transcript;
    if (transcript?.startsWith('{')) {
      transcriptPath = join(state, '..', 'transcript.jsonl');
      writeFileSync(transcriptPath, transcript);
    }
    expect((await attach('f1', 'fork', 200, { transcriptPath })).id).toBe('f1');
  });

  it('takes odd ids without leaving the state dir', async () => {
    const { id } = await attach('../../x', 'startup');
    expect(id).toMatch(/^x\.[0-9a-f]{16}$/);
    expect(await sessionOfClaude(state, '../../x')).toBe(id);
    expect(readdirSync(join(state, 'claude'))).toEqual([id]);
  });

  it('reports a session with damaged meta.json, and leaves it alone', async () => {
    await attach('c1', 'startup');
    writeFileSync(metaPath(sessionDir(state, 'c1')), 'damaged');
    await expect(attach('c1', 'resume')).rejects.toMatchObject({ code: 'corrupt' });
    expect(readFileSync(metaPath(sessionDir(state, 'c1')), 'utf8')).toBe('damaged');
  });

  it('reports a damaged attachment instead of making a second session', async () => {
    await attach('c1', 'startup');
    writeFileSync(join(state, 'claude', 'c1'), '\0\0');
    await expect(attach('c1', 'resume')).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('makes a session again that was removed', async () => {
    await attach('c1', 'startup');
    await attach('c2', 'clear');
    rmSync(sessionDir(state, 'c1'), { recursive: true });
    expect(await attach('c2', 'resume')).toMatchObject({ id: 'c1', created: true });
  });

  it('goes on where a crash between attaching and making the session left off', async () => {
    await attach('c1', 'startup');
    rmSync(sessionDir(state, 'c1'), { recursive: true });
    mkdirSync(join(state, 'sessions', '.new.c1.abcdef'));
    expect(await attach('c1', 'startup')).toMatchObject({ id: 'c1', created: true });
  });

  it.each([
    ['startup', 'startup', 'startup', 'startup'],
    ['clear', 'clear', 'clear', 'clear'],
    ['startup', 'clear', 'startup', 'clear'],
  ])('processes that race for a new id (%s, %s ...) all get the same session', async (...sources) => {
    const program = await bundleProgram(
      states.top,
      'attach',
      `
      import { attachClaude } from '#/core/session/attach.ts';
      const [, , state = '', source = ''] = process.argv;
      for (let i = 0; i < 10; i++) {
        const { id } = await attachClaude(state, {
          claudeId: 'new' + i, source: source as 'clear', pid: 100, pidStart: '7', cwd: '/' as never,
          project: { root: '/' as never, id: 'a'.repeat(16) }, clientVersion: null, transcriptPath: null,
        });
        console.log(id);
      }
    `,
    );
    await attach('parent', 'startup');
    const results = await runTogether(
      program,
      sources.map((source) => [state, source]),
    );
    expect(results.map(({ stderr }) => stderr).join('')).toBe('');
    const answers = new Set(results.map(({ stdout }) => stdout));
    expect(answers.size).toBe(1);
    const given = [...answers].join('').trim().split('\n');
    expect(given).toHaveLength(10);
    for (const [i, id] of given.entries()) {
      expect(await sessionOfClaude(state, `new${i}`)).toBe(id);
      const { claude } = await readMeta(sessionDir(state, id));
      expect(claude.filter((entry) => entry.id === `new${i}`)).toHaveLength(1);
    }
    expect(await ids()).toEqual([...new Set(['parent', ...given])].sort());
    expect(readdirSync(join(state, 'claude'))).toHaveLength(11);
  });
});
