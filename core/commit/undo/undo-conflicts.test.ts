import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asLive, asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, quickLook, undoRequest } from '../../../testing/commit/commit.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { redoCommit } from './redo.ts';
import { undoCommit } from './undo.ts';

let t: TestSession;
beforeEach(() => {
  t = testSession();
});
afterEach(() => t.remove());

const tick = 'sleep 0.05';
const take = { request: { conflicts: 'take-sandbox' } } as const;
const undo = async (n: number) => await undoCommit(t.ctx, undoRequest(n));
const redo = async () => await redoCommit(t.ctx, await scan(t.ctx));

async function pending(): Promise<string[]> {
  const { changes } = await scan(t.ctx);
  return changes.map(({ kind, path, conflict }) => `${kind} ${path.slice(t.host.length + 1)} ${conflict}`);
}

/** What the sandbox and then the host does, with the records of a call in between. */
async function both(before: string, inSandbox: string, onHost: string): Promise<void> {
  t.onHost(`${before}; ${tick}`);
  t.inSandbox(inSandbox);
  await recordBases(t.ctx, { earliestCall: Date.now() });
  t.onHost(`${tick}; ${onHost}; ${tick}`);
}

const LONGEST = 'n'.repeat(255);

const CASES: [name: string, before: string, inSandbox: string, onHost: string, conflicts: string[]][] = [
  ['both changed a file', 'echo 0 > f', 'echo 1 > f', 'echo 2 > f', ['modified f host-changed']],
  ['the host removed a file', 'echo 0 > f', 'echo 1 > f', 'rm f', ['modified f host-deleted']],
  ['the host changed a deleted file', 'echo 0 > f', 'rm f', 'echo 2 > f', ['deleted f host-changed']],
  ['both made a file', ':', 'echo 1 > f', 'echo 2 > f', ['modified f host-created']],
  [
    'a new file below a deleted directory',
    'mkdir d; echo 0 > d/f',
    'rm -r d',
    'echo 2 > d/new',
    ['deleted d null', 'deleted d/f null', 'deleted d/new host-new-below'],
  ],
  [
    'the host removed the directory of a new file',
    'mkdir d; echo 0 > d/f',
    'echo 1 > d/new',
    'rm -r d',
    ['added d host-deleted', 'added d/new host-parent-gone'],
  ],
  [
    'the host made a directory of a file that the sandbox changed',
    'echo 0 > f',
    'echo 1 > f',
    'rm f; mkdir f; echo 2 > f/x',
    ['replaced f host-changed', 'deleted f/x host-new-below'],
  ],
  ['a mode of a directory', 'mkdir d', 'chmod 700 d', 'chmod 750 d', ['meta d host-changed']],
  [
    'a file with the longest name',
    `echo 0 > ${LONGEST}`,
    `echo 1 > ${LONGEST}`,
    `echo 2 > ${LONGEST}`,
    [`modified ${LONGEST} host-changed`],
  ],
  [
    'a log of a database that the host wrote to',
    'echo 0 > a.db; echo 0 > a.db-wal',
    'echo 1 > a.db',
    'echo 2 > a.db-wal',
    ['modified a.db host-changed'],
  ],
  [
    'names that stand or fall together',
    'echo 0 > a; echo 0 > b',
    'echo 1 > a; ln -f a b',
    'echo 2 > a',
    ['modified a host-changed', 'modified b host-changed'],
  ],
];

describe(`a conflict that was decided for the sandbox, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each(CASES)('is one again after an undo, and a redo takes it again: %s', async (_, ...scene) => {
    const [before, inSandbox, onHost, conflicts] = scene;
    await both(before, inSandbox, onHost);
    expect(await pending()).toEqual(conflicts);
    const mine = quickLook(t.host);
    expect(await commitNow(t, take)).toMatchObject({ n: 1, state: 'applied' });
    const theirs = quickLook(t.host);
    for (const n of [1, 3]) {
      expect(await undo(n)).toMatchObject({ state: 'applied' });
      expect(quickLook(t.host)).toEqual(mine);
      const again = await pending();
      expect(again.map((line) => line.replace(/ \S+$/, ''))).toEqual(
        conflicts.map((line) => line.replace(/ \S+$/, '')),
      );
      expect(again.map((line) => line.endsWith(' null'))).toEqual(
        conflicts.map((line) => line.endsWith(' null')),
      );
      await expect(commitNow(t)).rejects.toMatchObject({ code: 'conflicts' });
      expect(await redo()).toMatchObject({ n: n + 2, state: 'applied' });
      expect(quickLook(t.host)).toEqual(theirs);
      expect(await pending()).toEqual([]);
    }
  });

  it.each([
    ['a file', 'echo 0 > f', 'echo 1 > f', 'echo 2 > f', 'echo 3 > f'],
    [
      'a file, as long and as old as before',
      'echo 0 > f',
      'echo 1 > f',
      'echo 2 > f',
      'touch -r f t; echo 3 > f; touch -r t f; rm t',
    ],
    ['a file that is there again', 'echo 0 > f', 'echo 1 > f', 'rm f', 'echo 3 > f'],
    ['a mode', 'mkdir d', 'chmod 700 d', 'chmod 750 d', 'chmod 711 d'],
    [
      'the log of a database',
      'echo 0 > a.db; echo 0 > a.db-wal',
      'echo 1 > a.db',
      'echo 2 > a.db-wal',
      'echo 3 > a.db-wal',
    ],
    [
      'the log of a database is gone',
      'echo 0 > a.db; echo 0 > a.db-wal',
      'echo 1 > a.db',
      'echo 2 > a.db-wal',
      'rm a.db-wal',
    ],
    [
      'what a log is read with is gone',
      'echo 0 > a.db; echo 0 > a.db-shm',
      'echo 1 > a.db',
      'echo 2 > a.db',
      'rm a.db-shm',
    ],
  ])(
    'is not decided by a redo when the host has changed it since: %s',
    async (_, before, inside, onHost, since) => {
      await both(before, inside, onHost);
      await commitNow(t, take);
      await undo(1);
      t.onHost(`${tick}; ${since}; ${tick}`);
      const mine = quickLook(t.host);
      await expect(redo()).rejects.toMatchObject({ code: 'conflicts' });
      expect(quickLook(t.host)).toEqual(mine);
    },
  );

  it('is one again in a live session', async () => {
    await both('echo 0 > f', 'echo 1 > f', 'echo 2 > f');
    const live = await t.live('echo ready; cat');
    try {
      expect(await commitNow(t, { ...take, live: true })).toMatchObject({ state: 'applied' });
      expect(await undoCommit(asLive(t.ctx), undoRequest(1))).toMatchObject({ state: 'applied' });
    } finally {
      await live.stop();
    }
    expect(await pending()).toEqual(['modified f host-changed']);
  });

  it('what an undo took from the host instead stays pending, also where it is what the sandbox had found', async () => {
    await both('echo 0 > f', 'echo 1 > f', 'echo 2 > f');
    await commitNow(t, take);
    t.onHost(`${tick}; echo 0 > f; ${tick}`);
    await undoCommit(t.ctx, undoRequest(1, { conflicts: 'take-back' }));
    expect(await pending()).toEqual(['modified f unknown-base']);
  });

  it('is none after an undo of a commit without one', async () => {
    await both('echo 0 > f', 'echo 1 > f', ':');
    await commitNow(t);
    await undo(1);
    expect(await pending()).toEqual(['modified f null']);
  });
});
