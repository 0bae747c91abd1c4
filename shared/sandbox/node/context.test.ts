import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { fromText } from '../../bytes.ts';
import { isExcluded } from '../../changes/claude-files.ts';
import { attachClaude } from '../../session/node/attach.ts';
import { testState } from '../../session/node/testing.ts';
import { sessionContext } from './context.ts';

const states = testState('context');
afterAll(states.remove);

it('knows the files of every client that the session had, whatever this process has in its environment', async () => {
  const state = states.next();
  const [home, real, work] = ['home', 'dotfiles/claude', 'work'].map((name) => join(state, '..', name));
  for (const dir of [home, real, work]) mkdirSync(dir ?? '', { recursive: true });
  symlinkSync(real ?? '', join(home ?? '', '.claude'));
  symlinkSync(home ?? '', join(state, '../linked'));
  const cwd = fromText(work ?? '');
  await attachClaude(state, {
    claudeId: 'c1',
    source: 'startup',
    pid: null,
    pidStart: null,
    cwd,
    project: { root: cwd, id: 'a'.repeat(16) },
    clientVersion: null,
    transcriptPath: `${work}/conf/projects/-srv/c1.jsonl`,
  });
  const ctx = await sessionContext(state, 'c1', { HOME: join(state, '../linked') });
  expect(ctx.home).toBe(home);
  const left = (path: string): boolean => isExcluded(fromText(path), ctx.excluded);
  expect([`${work}/conf/sessions/x`, `${real}/projects/p/x.jsonl`, `${home}/.claude.json`].map(left)).toEqual(
    [true, true, true],
  );
  expect([`${work}/conf/settings.json`, `${real}/CLAUDE.md`, `${home}/projects`].map(left)).toEqual([
    false,
    false,
    false,
  ]);
});
