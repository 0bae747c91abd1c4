import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PackedScan, packScan, type ScanAnswer } from '../../../core/jobs/lists.ts';
import { processStat } from '../../../core/kernel/proc/proc.ts';
import { appendEvent } from '../../../core/session/log/append.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import { fromText } from '../../../shared/bytes.ts';
import type { ChangeList } from '../../../shared/model/change.ts';
import type { JobRunner } from '../../worker/runner.ts';
import { noChanges } from './session-list.ts';
import { WatchedSession } from './watched-session.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'trai-watched-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const listNamed = (revision: string): ChangeList => ({
  ...noChanges('s').list,
  changes: [],
  revision,
  at: '',
});

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
    coveredDirs: [],
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
  const scans: { end: (revision: string) => void; fail: (error: Error) => void }[] = [];
  let clock = 1_000;
  const runner = {
    run: () =>
      new Promise<PackedScan>((resolve, fail) =>
        scans.push({ end: (revision) => resolve(packScan(answer(revision))), fail }),
      ),
    runOnState: () => Promise.reject(new Error('nothing is asked about the state directory here')),
    ask: () => Promise.reject(new Error('nothing is asked about a list here')),
    running: 0,
    close: async () => {},
  } as JobRunner;
  const session = new WatchedSession({
    id: 's',
    dir,
    runner,
    context: async () => sessionIn(dir),
    // Each reading is later, by less than what `now` adds.
    now: () => (clock += 0.001),
  });
  const begun = (): number => scans.length;
  const scan = async (index: number) => {
    await expect.poll(begun).toBeGreaterThan(index);
    return scans[index];
  };
  return {
    session,
    begun,
    end: async (index: number, revision: string) => (await scan(index))?.end(revision),
    fail: async (index: number) => (await scan(index))?.fail(new Error('no room')),
  };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

it('a list that is young but from before a commit does not answer while the new scan runs', async () => {
  const { session, end } = watched();
  const shown = session.list.get('recent');
  await end(0, 'before');
  expect((await shown).revision).toBe('before');
  session.list.markDirty();
  const refresh = session.list.get('recent');
  const asked = session.list.get('recent');
  await end(1, 'after');
  expect((await refresh).revision).toBe('after');
  expect((await asked).revision).toBe('after');
});

it('one scan runs at a time: what changed since it began is for one after it, which all share', async () => {
  const { session, end, begun } = watched();
  const first = session.list.get('recent');
  session.list.markDirty();
  const [second, third] = [session.list.get('recent'), session.list.get('now')];
  await settled();
  expect(begun()).toBe(1);
  await end(0, 'old');
  expect((await first).revision).toBe('old');
  await end(1, 'new');
  expect([(await second).revision, (await third).revision]).toEqual(['new', 'new']);
  expect(session.list.last?.revision).toBe('new');
  expect(begun()).toBe(2);
});

it('a scan that failed keeps nobody from the next one', async () => {
  const { session, end, fail } = watched();
  const first = session.list.get('recent');
  session.list.markDirty();
  const second = session.list.get('recent');
  await fail(0);
  await expect(first).rejects.toThrow('no room');
  await end(1, 'new');
  expect((await second).revision).toBe('new');
});

describe('who will do with the last list', () => {
  const NONE = { under: 0, quick: 0, long: 0 };

  it('waits for a new one as long as it takes where the last scan was a quick one', async () => {
    const { session, end } = watched();
    await Promise.all([session.list.get('recent'), end(0, 'one')]);
    const shown = session.list.nowOrLast({ under: 60_000, quick: 60_000, long: 0 });
    await settled();
    await end(1, 'two');
    expect(await shown).toMatchObject({ list: { revision: 'two' }, since: null });
  });

  it('gets it while a new one takes a while, and then that one, which is the same or another', async () => {
    const { session, end, begun } = watched();
    await Promise.all([session.list.get('recent'), end(0, 'one')]);
    for (const [scan, found, now] of [
      [1, 'same', 'one'],
      [2, 'two', 'two'],
    ] as const) {
      const before = session.list.last?.revision;
      const last = await session.list.nowOrLast(NONE);
      expect([last.list.revision, typeof last.since]).toEqual([before, 'number']);
      const next = session.list.since(last.since ?? 0);
      await end(scan, found);
      expect((await next).revision).toBe(now);
      // It has ended by the time that a slow tab asks.
      expect((await session.list.since(last.since ?? 0)).revision).toBe(now);
      expect(begun()).toBe(scan + 1);
    }
  });

  it('waits where there is none, and gets the new one where that is soon there', async () => {
    const { session, end } = watched();
    const first = session.list.nowOrLast(NONE);
    await end(0, 'one');
    expect(await first).toMatchObject({ list: { revision: 'one' }, since: null });
    const second = session.list.nowOrLast({ ...NONE, long: 60_000 });
    await end(1, 'two');
    expect(await second).toMatchObject({ list: { revision: 'two' }, since: null });
  });

  it('gets none from before a commit: what was applied would look pending', async () => {
    const { session, end } = watched();
    await Promise.all([session.list.get('recent'), end(0, 'before')]);
    session.list.markReplaced();
    const shown = session.list.nowOrLast(NONE);
    await end(1, 'after');
    expect(await shown).toMatchObject({ list: { revision: 'after' }, since: null });
  });

  it('and asks a server that has begun anew is answered with a list of now', async () => {
    const { session, end } = watched();
    await Promise.all([session.list.get('recent'), end(0, 'one')]);
    const next = session.list.since(9e12);
    await end(1, 'two');
    expect((await next).revision).toBe('two');
  });
});

it('who wants the list of now gets none from a scan that began before, and shares the next one', async () => {
  const { session, end } = watched();
  const running = session.list.get('recent');
  const first = session.list.get('now');
  const second = session.list.get('now');
  await end(0, 'before');
  expect((await running).revision).toBe('before');
  await end(1, 'now');
  expect([(await first).revision, (await second).revision]).toEqual(['now', 'now']);
  const again = session.list.get('now');
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
  appendEvent(dir, {
    v: 1,
    at,
    t: 'call.started',
    call: 'c',
    pid: process.pid,
    mode: 'sandbox',
    overlay: 'mounted',
  });
  appendEvent(dir, { v: 1, at, t: 'call.ended', call: 'c', rc: 0, ms: 1 });
  await session.readLog();
  await expect(session.tidy()).rejects.toThrow('no room');
  expect(await session.tidy()).toEqual([]);
  expect(await session.tidy()).toBeNull();
});

it('a scan that finds nothing changed gives the list of the last one, with a new time', async () => {
  const { session, end } = watched();
  const first = session.list.get('now');
  await end(0, 'one');
  const list = await first;
  const second = session.list.get('now');
  await end(1, 'same');
  expect(await second).toBe(list);
  expect(list.head.at).not.toBe('');
});

it('a call in a box of which no number is known is lost when the box has ended, not before', async () => {
  const { session } = watched();
  const at = new Date().toISOString();
  appendEvent(dir, { v: 1, at, t: 'call.started', call: 'c', pid: 0, mode: 'sandbox', overlay: 'mounted' });
  const client = spawn('sleep', ['1000']);
  try {
    const start = processStat(client.pid ?? 0)?.start;
    const record = { v: 1, pid: client.pid, start, state: null, copy: path.join(dir, 'copy') };
    writeFileSync(path.join(dir, 'client.json'), JSON.stringify(record));
    await session.readLog();
    expect(session.lostCalls()).toEqual([]);
  } finally {
    const gone = once(client, 'exit');
    client.kill();
    await gone;
  }
  expect(session.lostCalls()).toEqual(['c']);
});
