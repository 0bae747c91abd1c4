import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { bundleProgram, runTogether } from '../../testing/log/test-child.ts';
import { testState } from '../../testing/state-dir.ts';
import { type AttachInput, attachClaude, configDirOf, sessionOfClaude } from './attach.ts';
import { sessionDir } from './dirs.ts';
import { type ClaudeIdentity, metaPath, readMeta } from './meta-file.ts';
import { listSessions } from './store.ts';

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
    session: '',
    source,
    pid,
    pidStart,
    cwd,
    project,
    transcriptPath: null,
    now,
    ...more,
  });
}
const ids = async (): Promise<string[]> => (await listSessions(state)).sessions.map(({ id }) => id).sort();

describe('attachClaude', () => {
  it('startup makes a session with the id of Claude', async () => {
    const { id, created, meta } = await attach('c1', 'startup');
    expect([id, created]).toEqual(['c1', true]);
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

  it('attaches a new id to the session that the hook chose, and keeps it there', async () => {
    await attach('c1', 'startup');
    expect((await attach('c2', 'clear', 100, { session: 'c1' })).id).toBe('c1');
    expect((await attach('a / b', 'fork', 100, { session: 'c1' })).id).toBe('c1');
    expect((await readMeta(sessionDir(state, 'c1'))).claude.map(({ id }) => id)).toEqual([
      'c1',
      'c2',
      'a / b',
    ]);
    expect((await attach('c2', 'resume', 400, { session: 'other' })).id).toBe('c1');
  });

  it('a session that is no id does not count', async () => {
    expect((await attach('c1', 'startup', 100, { session: '../x' })).id).toBe('c1');
  });

  it('resume of a conversation from before the plugin makes a session, also in a client that has one', async () => {
    await attach('c1', 'startup');
    expect((await attach('before', 'resume')).id).toBe('before');
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
    await attach('c2', 'clear', 100, { session: 'c1' });
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
    ['', '', '', ''],
    ['parent', 'parent', 'parent', 'parent'],
    ['', 'parent', '', 'parent'],
  ])('processes that race for a new id (%j, %j ...) all get the same session', async (...sources) => {
    const program = await bundleProgram(
      states.top,
      'attach',
      `
      import { attachClaude } from '#/core/session/attach.ts';
      const [, , state = '', session = ''] = process.argv;
      for (let i = 0; i < 10; i++) {
        const { id } = await attachClaude(state, {
          claudeId: 'new' + i, session, source: 'startup', pid: 100, pidStart: '7', cwd: '/' as never,
          project: { root: '/' as never, id: 'a'.repeat(16) }, transcriptPath: null,
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

describe('configDirOf', () => {
  it.each<[string, string | null]>([
    ['/home/kim/.claude/projects/-home-kim-shop/0b1c.jsonl', '/home/kim/.claude'],
    ['/data/projects/claude/projects/-srv/0b1c.jsonl', '/data/projects/claude'],
    ['/home/kim/.claude/projects/-home-kim-shop/sub/0b1c.jsonl', null],
    ['projects/-srv/0b1c.jsonl', null],
    ['/tmp/0b1c.jsonl', null],
    ['', null],
  ])('of %j', (path, expected) => {
    expect(configDirOf(path)).toBe(expected);
  });
});
