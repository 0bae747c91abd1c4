import { afterEach, expect, it } from 'vitest';
import { type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, snapshot, undoRequest } from '../../../testing/commit/commit.ts';
import { undoCommit } from './undo.ts';

let t: TestSession;
afterEach(() => t.remove());

it('files of the host that are named as before-images are get their own content back', async () => {
  t = testSession();
  const names = Array.from({ length: 8 }, (_, i) => `l${i + 1}`);
  t.onHost(names.map((name) => `echo ${name} > ${name}; touch -d 2001-01-01 ${name}`).join('; '));
  const before = snapshot(t.host);
  t.inSandbox(names.map((name) => `echo new > ${name}`).join('; '));
  await commitNow(t);
  expect(await undoCommit(t.ctx, undoRequest(1))).toMatchObject({ failed: [] });
  expect(snapshot(t.host)).toBe(before);
});
