import { afterEach, expect, it } from 'vitest';
import { type TestSession, testSession } from '../../testing/changes/changes.ts';
import { requestFor } from '../../testing/commit/commit.ts';
import { scan } from '../scan/scan.ts';
import { planCommit } from './plan/plan.ts';
import { askAhead, askMarks } from './stage/moves.ts';

let t: TestSession;
afterEach(() => t.remove());

it.each([
  ['everything', () => true],
  ['nothing', () => false],
  ['only what is above it', (path: string) => !path.includes('/d')],
  ['only a directory in it', (path: string) => path.endsWith('/e')],
])('of a plan every directory is asked, whatever was asked ahead: %s', async (_, wasAsked) => {
  t = testSession();
  t.onHost('mkdir h');
  t.inSandbox('mkdir -p h/d/e; echo 1 > h/d/1; echo 2 > h/d/e/2');
  const list = await scan(t.ctx);
  const ahead = askAhead(
    t.ctx,
    list.changes.filter(({ path }) => wasAsked(path)),
  );
  const marks = await askMarks(t.ctx, planCommit(list, requestFor(list)), ahead);
  const upper = t.ctx.places[0]?.upper;
  expect([...marks.counts].filter(([path]) => path.startsWith(`${upper}/h/d`))).toEqual([
    [`${upper}/h/d`, 2],
    [`${upper}/h/d/e`, 1],
  ]);
  expect(marks.unknown.size).toBe(0);
  expect([...marks.names.keys()]).toContain(`${upper}/h`);
});
