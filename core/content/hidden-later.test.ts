/** Directories that replaced the host's, while the host has nothing that they hide yet. */
import { afterEach, expect, test } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { recordBases } from '../overlay/bases.ts';
import { scan } from '../scan/scan.ts';

let s: TestSession | undefined;
afterEach(() => s?.remove());

const conflicts = async (t: TestSession): Promise<string[]> =>
  (await scan(t.ctx)).changes.map(({ path, conflict }) => `${path.slice(t.host.length + 1)} ${conflict}`);

test(`what the host makes in a directory that was swapped is never taken for seen, as ${asRoot ? 'root' : 'an ordinary user'}`, async () => {
  s = testSession();
  s.onHost('mkdir -p d/e; echo old > d/k');
  s.inSandbox('mkdir -p s/e; echo new > s/k; mv d gone; mv -T s d; rm -r gone');
  await recordBases(s.ctx);
  s.onHost('echo mine > d/e/h; echo mine > d/n');
  await recordBases(s.ctx, { earliestCall: Date.now() + 1_000 });
  const found = await conflicts(s);
  expect(found).toContain('d/e/h unknown-base');
  expect(found).toContain('d/n unknown-base');
});

test(`a directory of an earlier call that is made again in a later one hides what was seen, as ${asRoot ? 'root' : 'an ordinary user'}`, async () => {
  s = testSession();
  s.onHost('mkdir d; echo old > d/k; echo old > d/m');
  s.inSandbox('echo more >> d/k');
  await recordBases(s.ctx);
  const { earliestCall } = { earliestCall: Date.now() + 1_000 };
  s.inSandbox('rm -r d; mkdir d; echo new > d/k');
  await recordBases(s.ctx, { earliestCall });
  expect(await conflicts(s)).toEqual(['d null', 'd/k null', 'd/m null']);
});
