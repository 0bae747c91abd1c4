import { expect, test } from 'vitest';
import type { Backend } from '../../shared/api/types.ts';
import type { ChangeList } from '../../shared/changes/model.ts';
import { createSession } from './session.ts';

function list(revision: string): ChangeList {
  const change = { id: revision, path: `/${revision}`, kind: 'deleted', pending: null, host: null };
  return {
    ...{ session: 's', revision, at: '', bytes: 0, conflicts: 0, problems: [] },
    counts: { added: 0, modified: 0, deleted: 1, replaced: 0, meta: 0 },
    ignored: { count: 0, bytes: 0 },
    changes: [{ ...change, ignored: null, conflict: null, group: null } as ChangeList['changes'][number]],
  };
}

/** A session whose list is what `server` has; answers come when they are let go. */
function session() {
  const server = {
    now: 'a',
    held: null as Promise<void> | null,
    slow: null as Promise<void> | null,
    asked: 0,
  };
  const never = () => new Promise<never>(() => {});
  const backend: Partial<Backend> = {
    ...{ session: never, calls: never, viewed: never },
    changes: async () => {
      server.asked++;
      const { now } = server;
      await server.slow;
      return list(now);
    },
    newerChanges: async (_id, revision) => {
      server.asked++;
      const { now } = server;
      await server.held;
      return now === revision ? null : list(now);
    },
  };
  return { server, state: createSession(backend as Backend, 's') };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a newer list that the session went back from is not offered any more', async () => {
  const { server, state } = session();
  await state.changes.load();
  for (const [now, waits] of [
    ['b', 'b'],
    ['a', undefined],
  ] as const) {
    server.now = now;
    state.onEvent({ type: 'changes', session: 's', revision: now });
    await settled();
    expect(state.newer.value?.revision).toBe(waits);
  }
  expect(state.changes.data.value?.revision).toBe('a');
});

test('an answer from before a commit that comes after it is not offered as newer', async () => {
  const { server, state } = session();
  await state.changes.load();
  let go = (): void => {};
  server.held = new Promise((resolve) => {
    go = resolve;
  });
  server.now = 'b';
  state.onEvent({ type: 'changes', session: 's', revision: 'b' });
  server.now = 'c';
  void state.reload();
  await settled();
  expect(state.changes.data.value?.revision).toBe('c');
  go();
  await settled();
  expect(state.newer.value).toBe(null);
});

test('a list that is told of while it is on its way is fetched once, and one after it is not missed', async () => {
  const { server, state } = session();
  const hold = (what: 'held' | 'slow'): (() => void) => {
    let go = (): void => {};
    server[what] = new Promise((resolve) => {
      go = resolve;
    });
    return go;
  };
  const tell = (revision: string): void => {
    server.now = revision;
    state.onEvent({ type: 'changes', session: 's', revision });
  };
  const first = hold('slow');
  const loaded = state.changes.load();
  tell('a');
  first();
  await loaded;
  await settled();
  expect(server.asked).toBe(1);
  const second = hold('held');
  tell('b');
  tell('c');
  second();
  await settled();
  expect(state.newer.value?.revision).toBe('c');
});
