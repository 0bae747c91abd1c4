/** What a session that appears or goes costs the others: nothing of their logs is read. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { testState } from '../../../testing/state-dir.ts';
import { EventHub } from '../../events/hub.ts';
import { SessionManager } from './manager.ts';
import { WatchedSession } from './watched-session.ts';

const states = testState('appearing');
let state = '';
let manager: SessionManager;
const errors: unknown[] = [];

afterAll(states.remove);
beforeEach(async () => {
  // No poll: what follows is by the watch alone.
  vi.useFakeTimers({ toFake: ['setInterval'] });
  state = states.next();
  for (const id of ['a', 'b']) make(id);
  const context = async () => null;
  const report = (error: unknown) => errors.push(error);
  // Nothing is scanned.
  const runner = null as never;
  manager = new SessionManager({ stateDir: state, hub: new EventHub(), runner, context, report, env: {} });
  await manager.start();
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await manager.close();
  expect(errors).toEqual([]);
});

function make(id: string): void {
  const temporary = join(state, 'sessions', `.new.${id}`);
  mkdirSync(temporary, { recursive: true });
  const event = { v: 1, t: 'notice', at: '2026-01-01T00:00:00.000Z', code: 'x', text: id };
  writeFileSync(join(temporary, 'calls.jsonl'), `${JSON.stringify(event)}\n`);
  renameSync(temporary, join(state, 'sessions', id));
}

it('reads the log of the new one alone, and forgets one that has gone', async () => {
  const read = vi.spyOn(WatchedSession.prototype, 'readLog');
  make('c');
  await expect.poll(() => manager.all().find(({ id }) => id === 'c')?.log.fold.notices.length).toBe(1);
  for (const session of read.mock.contexts) expect(session).toMatchObject({ id: 'c' });
  rmSync(join(state, 'sessions/a'), { recursive: true });
  await expect.poll(() => manager.all().map(({ id }) => id)).toEqual(['b', 'c']);
});
