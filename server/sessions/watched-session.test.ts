import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import type { ChangeList } from '../../shared/changes/model.ts';
import { appendEvent } from '../../shared/log/node/append.ts';
import type { SessionContext } from '../../shared/sandbox/types.ts';
import { emptyList } from './empty-list.ts';
import { type PackedScan, packScan } from './packed-scan.ts';
import type { JobRunner } from './runner.ts';
import type { ScanAnswer } from './scan-job.ts';
import { WatchedSession } from './watched-session.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'trai-watched-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const listNamed = (revision: string): ChangeList => ({ ...emptyList('s'), revision, at: '' });

function answer(revision: string): ScanAnswer {
  if (revision === 'same') return { same: true };
  const [paths, stats] = [new SharedArrayBuffer(0), new SharedArrayBuffer(0)];
  const timed = { list: listNamed(revision), times: new Float64Array() };
  return { same: false, timed, mark: { settings: revision, paths, stats } };
}

function sessionIn(dir: string): SessionContext {
  return {
    session: 's',
    stateDir: dir,
    sessionDir: dir,
    places: [],
    source: 'trai:test:s',
    root: false,
    uid: 1,
    gid: 1,
    home: fromText('/'),
    projectRoot: fromText('/'),
    excluded: [],
    ignore: [],
  };
}

/** A session whose scans end when the test says so. */
function watched() {
  const scans: ((revision: string) => void)[] = [];
  const runner = {
    run: () =>
      new Promise<PackedScan>((resolve) => scans.push((revision) => resolve(packScan(answer(revision))))),
    running: 0,
    close: async () => {},
  } as JobRunner;
  const session = new WatchedSession({
    id: 's',
    dir,
    runner,
    context: async () => sessionIn(dir),
    now: () => 1_000,
  });
  const end = async (index: number, revision: string): Promise<void> => {
    await expect.poll(() => scans.length).toBeGreaterThan(index);
    scans[index]?.(revision);
  };
  return { session, end };
}

it('a list that is young but from before a commit does not answer while the new scan runs', async () => {
  const { session, end } = watched();
  const shown = session.changes();
  await end(0, 'before');
  expect((await shown).revision).toBe('before');
  session.markDirty();
  const refresh = session.changes();
  const asked = session.changes();
  await end(1, 'after');
  expect((await refresh).revision).toBe('after');
  expect((await asked).revision).toBe('after');
});

it('a scan that was overtaken does not put its old list in the place of the new one', async () => {
  const { session, end } = watched();
  const slow = session.changes();
  session.markDirty();
  const quick = session.changes();
  await end(1, 'new');
  await quick;
  await end(0, 'old');
  await slow;
  expect(session.list?.revision).toBe('new');
});

it('who wants the list of now gets none from a scan that began before, and shares the next one', async () => {
  const { session, end } = watched();
  const running = session.changes();
  const first = session.changesNow();
  const second = session.changesNow();
  await end(0, 'before');
  expect((await running).revision).toBe('before');
  await end(1, 'now');
  expect([(await first).revision, (await second).revision]).toEqual(['now', 'now']);
  const again = session.changesNow();
  await end(2, 'later');
  expect((await again).revision).toBe('later');
});

it('work after a call that failed is not forgotten: the next one asks for it again', async () => {
  const rounds: ('fails' | 'works')[] = ['fails', 'works'];
  const runner = {
    run: async () => {
      if (rounds.shift() === 'fails') throw new Error('no room');
      return { left: [] };
    },
    running: 0,
    close: async () => {},
  } as unknown as JobRunner;
  const context = async () => sessionIn(dir);
  const session = new WatchedSession({ id: 's', dir, runner, context, now: () => 1_000 });
  const at = new Date().toISOString();
  await appendEvent(dir, { v: 1, at, t: 'call.started', call: 'c', pid: process.pid, mode: 'sandbox' });
  await appendEvent(dir, { v: 1, at, t: 'call.ended', call: 'c', rc: 0, ms: 1 });
  await session.readLog();
  await expect(session.tidy()).rejects.toThrow('no room');
  expect(await session.tidy()).toEqual([]);
  expect(await session.tidy()).toBeNull();
});

it('a scan that finds nothing changed gives the list of the last one, with a new time', async () => {
  const { session, end } = watched();
  const first = session.changesNow();
  await end(0, 'one');
  const list = await first;
  const second = session.changesNow();
  await end(1, 'same');
  expect(await second).toBe(list);
  expect(list.at).not.toBe('');
});
