import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, commitNow, undoRequest } from '../../../testing/commit/commit.ts';
import { scan } from '../../scan/scan.ts';
import { redoCommit } from './redo.ts';
import { undoCommit } from './undo.ts';

const open: TestSession[] = [];
afterEach(() => {
  for (const t of open.splice(0)) t.remove();
});

const FIRST = undoRequest();

/** Committed, taken back, and something done in the sandbox since. */
async function takenBack(before: string, inside: string, since: string): Promise<TestSession> {
  const t = testSession();
  open.push(t);
  t.onHost(before);
  t.inSandbox(inside);
  expect(await commitNow(t)).toMatchObject({ n: 1, state: 'applied' });
  expect(await undoCommit(t.ctx, FIRST)).toMatchObject({ n: 2, state: 'applied' });
  t.inSandbox(since);
  return t;
}

describe(`redo, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('leaves pending what came into its directories since: nobody has reviewed that', async () => {
    const t = await takenBack(
      ':',
      'mkdir d; echo 1 > d/a',
      'echo new > d/new; mkdir d/more; echo m > d/more/m',
    );
    expect(await redoCommit(t.ctx, await scan(t.ctx))).toMatchObject({ state: 'applied', applied: 2 });
    expect(readFileSync(`${t.host}/d/a`, 'utf8')).toBe('1\n');
    expect(existsSync(`${t.host}/d/new`)).toBe(false);
    expect(brief(await scan(t.ctx), t.host)).toEqual(['added d/more', 'added d/more/m', 'added d/new']);
  });

  it.each([
    [
      'in a directory that took the place of a file',
      'echo f > e',
      'rm e; mkdir -p e/d; echo x > e/d/x',
      'echo y > e/d/x',
    ],
    ['another name of its file', ':', 'echo 1 > a', 'ln a b'],
    ['a further file of its database', ':', 'echo 1 > a.db', 'echo w > a.db-wal'],
  ])('refuses what the session has changed since: %s', async (_, before, inside, since) => {
    const t = await takenBack(before, inside, since);
    const pending = brief(await scan(t.ctx), t.host);
    await expect(redoCommit(t.ctx, await scan(t.ctx))).rejects.toMatchObject({
      code: 'stale-revision',
    });
    expect(brief(await scan(t.ctx), t.host)).toEqual(pending);
  });
});
