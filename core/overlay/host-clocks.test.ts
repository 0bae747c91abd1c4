/** A covered directory whose file system counts as another machine's; the real one is local. */

import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { fileSystemType } from '../kernel/fs/entry.ts';
import { ScanTrace } from '../scan/cache/unchanged.ts';
import { scan } from '../scan/scan.ts';
import { recordBases } from './bases.ts';
import { hasOurTimes } from './seen.ts';

const NFS = 0x6969;
const LAG_MS = 1_500;
vi.mock('../kernel/fs/entry.ts', { spy: true });
vi.mock('../../shared/limits.ts', async (original) => ({
  ...(await original<typeof import('../../shared/limits.ts')>()),
  FOREIGN_CLOCK_MS: 1_500,
}));

let s: TestSession;
beforeEach(() => {
  s = testSession();
});
afterEach(() => {
  s.remove();
  vi.mocked(fileSystemType).mockReset();
});

const asNfs = () => vi.mocked(fileSystemType).mockImplementation(() => NFS);
const conflicts = async (): Promise<string[]> =>
  (await scan(s.ctx)).changes.map(({ path, conflict }) => `${path.slice(s.host.length + 1)} ${conflict}`);

const CALL = 'echo new > f; rm gone; rm -r d; mkdir d; echo new > d/k';
const prepare = () => s.onHost('echo old > f; echo old > gone; mkdir d; echo old > d/k; echo old > d/m');
const UNKNOWN = ['d', 'd/k', 'd/m', 'f', 'gone'].map((path) => `${path} unknown-base`);

test(`what the host wrote shortly before a call counts as seen here, and as unknown there, as ${asRoot ? 'root' : 'an ordinary user'}`, async () => {
  prepare();
  await sleep(50);
  s.inSandbox(CALL);
  const seen = UNKNOWN.map((one) => one.replace('unknown-base', 'null'));
  expect(await conflicts()).toEqual(seen);
  asNfs();
  expect(await conflicts()).toEqual(UNKNOWN);
  await recordBases(s.ctx);
  expect(await conflicts()).toEqual(UNKNOWN);
});

test(`what the host wrote long before counts as seen there, too, as ${asRoot ? 'root' : 'an ordinary user'}`, async () => {
  asNfs();
  prepare();
  const written = statSync(`${s.host}/d`).ctimeMs;
  while (Date.now() < written + LAG_MS + 100) await sleep(100);
  const earliestCall = Date.now();
  s.inSandbox(CALL);
  await recordBases(s.ctx, { earliestCall });
  expect(await conflicts()).toEqual(UNKNOWN.map((one) => one.replace('unknown-base', 'null')));
});

test('a scan there is never taken for repeated', async () => {
  expect(hasOurTimes(s.ctx.projectRoot)).toBe(true);
  asNfs();
  expect(hasOurTimes(s.ctx.projectRoot)).toBe(false);
  expect((await ScanTrace.begin(s.ctx)).mark()).toBeNull();
});
