import { describe, expect, test } from 'vitest';
import type { Backend } from '../../shared/api/contract.ts';
import type { ChangeList } from '../../shared/model/change.ts';
import { createSession } from './session.ts';

function list(revision: string): ChangeList {
  const change = { id: revision, path: `/${revision}`, kind: 'deleted', pending: null, host: null };
  return {
    session: 's',
    revision,
    at: '',
    bytes: 0,
    conflicts: 0,
    problems: [],
    counts: { added: 0, modified: 0, deleted: 1, replaced: 0, meta: 0 },
    ignored: { count: 0, bytes: 0 },
    changes: [{ ...change, ignored: null, conflict: null, group: null } as ChangeList['changes'][number]],
  };
}

/** A session on a server whose answers the test releases. */
function session() {
  const server = {
    now: 'a',
    held: null as Promise<void> | null,
    slow: null as Promise<void> | null,
    asked: 0,
    since: null as number | null,
    told: null as number | null,
  };
  const none = async (): Promise<never> => await Promise.reject(new Error('not asked for here'));
  const backend: Partial<Backend> = {
    session: none,
    calls: none,
    viewed: none,
    changes: async () => {
      server.asked++;
      const { now } = server;
      await server.slow;
      return list(now);
    },
    lastChanges: async () => ({ list: list(server.now), since: server.since }),
    newerChanges: async (_id, revision, since) => {
      server.asked++;
      server.told = since;
      await server.held;
      const { now } = server;
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
    expect(state.changes.newer.value?.revision).toBe(waits);
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
  expect(state.changes.newer.value).toBe(null);
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
  expect(state.changes.newer.value?.revision).toBe('c');
});

describe('a list that may be old', () => {
  /** Opened, while it asks for a newer list. */
  async function opened() {
    const { server, state } = session();
    let answer: (failure?: Error) => void = () => {};
    server.held = new Promise((resolve, reject) => {
      answer = (failure) => (failure === undefined ? resolve() : reject(failure));
    });
    server.since = 7;
    void state.open();
    await settled();
    expect([state.changes.data.value?.revision, state.old.value, server.told]).toEqual(['a', true, 7]);
    return { server, state, answer };
  }

  test('is marked until it is found to be the same', async () => {
    const { state, answer } = await opened();
    answer();
    await settled();
    expect([state.old.value, state.changes.newer.value]).toEqual([false, null]);
  });

  test('stays on show when there is a newer one, which is offered', async () => {
    const { server, state, answer } = await opened();
    server.now = 'b';
    answer();
    await settled();
    expect([
      state.old.value,
      state.changes.data.value?.revision,
      state.changes.newer.value?.revision,
    ]).toEqual([...[false, 'a', 'b']]);
  });

  test('is not said to be looked after once that failed: that is said in its own place', async () => {
    const { state, answer } = await opened();
    answer(new Error('the disk did not answer'));
    await settled();
    expect([state.old.value, state.stale.value?.message]).toEqual([false, 'the disk did not answer']);
  });

  test('is no obstacle to an order: all is fetched anew after it, and the look for news is given up', async () => {
    const { server, state, answer } = await opened();
    server.now = 'c';
    await state.reload();
    expect([state.old.value, state.changes.data.value?.revision]).toEqual([false, 'c']);
    answer();
    await settled();
    expect([state.old.value, state.changes.newer.value, state.changes.data.value?.revision]).toEqual([
      ...[false, null, 'c'],
    ]);
  });
});
