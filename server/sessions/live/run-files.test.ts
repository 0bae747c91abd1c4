import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { tidy } from '../../../core/jobs/tidy.ts';
import { dropRunFiles } from '../../../core/sandbox/run-files.ts';
import { testSession } from '../../../testing/sandbox/session.ts';

const open: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

test('the work after a call leaves no file of calls that have ended, and that of one that runs', async () => {
  const session = await testSession();
  open.push(() => session.close());
  const running = session.start('touch up; while [ ! -e stop ]; do sleep 0.05; done');
  const names = (): string[] => readdirSync(join(session.sessionDir, 'run'));
  await expect.poll(() => (existsSync(join(session.sessionDir, 'run')) ? names() : [])).toHaveLength(1);
  await expect.poll(async () => (await session.call('ls up')).rc).toBe(0);
  expect(names().length).toBeGreaterThan(1);
  await tidy(session.ctx, null);
  expect(names()).toEqual([String(running.pid)]);
  await session.call('touch stop');
  if (running.exitCode === null) await once(running, 'exit');
  // Its exit status was read from it.
  expect(running.exitCode).toBe(0);
  await tidy(session.ctx, null);
  expect(names()).toEqual([]);
});

test('files that earlier versions named after a call go when they are old and nothing of the session runs', () => {
  const dir = mkdtempSync(join(tmpdir(), 'trai-run-'));
  open.push(() => rmSync(dir, { recursive: true }));
  mkdirSync(join(dir, 'run'));
  for (const name of ['old-call', 'new-call']) writeFileSync(join(dir, 'run', name), 'in\n');
  utimesSync(join(dir, 'run/old-call'), 0, 0);
  dropRunFiles(dir, false);
  expect(readdirSync(join(dir, 'run')).sort()).toEqual(['new-call', 'old-call']);
  dropRunFiles(dir, true);
  expect(readdirSync(join(dir, 'run'))).toEqual(['new-call']);
  dropRunFiles(join(dir, 'none'), true);
});
