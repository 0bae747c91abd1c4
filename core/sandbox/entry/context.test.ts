import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type BytePath, fromText } from '../../../shared/bytes.ts';
import { testState } from '../../../testing/state-dir.ts';
import { attachClaude } from '../../session/attach.ts';
import type { Plan, SessionContext } from '../../session/session-context.ts';
import { isExcluded } from '../claude-files.ts';
import { sessionContext } from '../context.ts';
import { pointTo, savePlan } from '../prepare/plan-files.ts';

const states = testState('context');
afterAll(states.remove);

async function attached(state: string, cwd: BytePath, transcriptPath: string | null): Promise<void> {
  const project = { root: cwd, id: 'a'.repeat(16) };
  const client = { claudeId: 'c1', session: '', pid: null, pidStart: null };
  await attachClaude(state, { ...client, source: 'startup', cwd, project, transcriptPath });
}

it('has the places of the plan that it is made for, whichever plan another call has got since', async () => {
  const state = states.next();
  const cwd = fromText(state);
  await attached(state, cwd, null);
  const dir = join(state, 'sessions/c1');
  mkdirSync(join(dir, 'plan'), { recursive: true });
  const names = ['mine', 'next'];
  writeFileSync(`${dir}/overlay/places.json`, JSON.stringify(names.map((id, i) => [`/${id}`, i + 1])));
  const [mine, next] = names.map((id, i): Plan => {
    const at = `${dir}/overlay/${id}`;
    const place = {
      n: i + 1,
      path: fromText(`/${id}`),
      upper: fromText(`${at}/u`),
      work: fromText(`${at}/w`),
    };
    return { v: 1, session: 'c1', id, root: false, coveredDirs: [place], notes: [], source: `trai:${id}` };
  });
  for (const plan of [mine, next]) {
    if (plan === undefined) throw new Error('two plans were made');
    savePlan(`${dir}/plan/${plan.id}`, plan, {});
    pointTo(dir, plan.id);
  }
  const env = { HOME: state };
  const paths = ({ coveredDirs }: SessionContext): string[] => coveredDirs.map((covered) => covered.path);
  expect(paths(await sessionContext(state, 'c1', env))).toEqual(['/next']);
  expect(paths(await sessionContext(state, 'c1', env, mine))).toEqual(['/mine']);
  // As after an adoption: the overlay numbers its directories differently.
  writeFileSync(`${dir}/overlay/places.json`, JSON.stringify([['/other', 2]]));
  expect(paths(await sessionContext(state, 'c1', env))).toEqual([]);
});

it('knows the files of every client that the session had, whatever this process has in its environment', async () => {
  const state = states.next();
  const [home, real, work] = ['home', 'dotfiles/claude', 'work'].map((name) => join(state, '..', name));
  for (const dir of [home, real, work]) mkdirSync(dir ?? '', { recursive: true });
  symlinkSync(real ?? '', join(home ?? '', '.claude'));
  symlinkSync(home ?? '', join(state, '../linked'));
  const cwd = fromText(work ?? '');
  await attached(state, cwd, `${work}/conf/projects/-srv/c1.jsonl`);
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
