import { existsSync, fstatSync, truncateSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, mergedSnapshot, snapshot, undoRequest } from '../../../testing/commit/commit.ts';
import { Died } from '../../../testing/commit/fault-port.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { commitDir } from '../journal/journal.ts';
import { undoCommit } from '../undo/undo.ts';
import { finishCommit } from './recover.ts';

let t: TestSession;
beforeEach(() => {
  t = testSession();
});
afterEach(() => t.remove());

const isCopying = (input: Buffer) => !input.toString('latin1').includes('mknod');

/** Loses power when the first copies have been made: they are on disk, as is of the journal what was synced. */
function losesPower(): { port: FsPort; dies: () => void } {
  let durable = 0;
  let dead = false;
  const fsync: FsPort['fsync'] = (fd) => {
    nodePort.fsync(fd);
    durable = fstatSync(fd).size;
  };
  const run: FsPort['run'] = async (program, args, input, fds) => {
    const result = await nodePort.run(program, args, input, fds);
    if (!args.join(' ').includes('exec cp') || !isCopying(input)) return result;
    dead = true;
    throw new Died('run');
  };
  return {
    port: { ...nodePort, fsync, run },
    dies: () => {
      expect(dead).toBe(true);
      const n = existsSync(`${commitDir(t.ctx, 2)}`) ? 2 : 1;
      truncateSync(`${commitDir(t.ctx, n)}/journal.jsonl`, durable);
    },
  };
}

/** Notes what reaches the disk, and what is done to the host. */
function noting(): { port: FsPort; order: string[] } {
  const order: string[] = [];
  const syncFs: FsPort['syncFs'] = async (fd) => {
    await nodePort.syncFs(fd);
    order.push('file system synced');
  };
  const fsync: FsPort['fsync'] = (fd) => {
    nodePort.fsync(fd);
    order.push('journal synced');
  };
  const append: FsPort['append'] = (fd, text) => {
    nodePort.append(fd, text);
    for (const [, kind] of text.matchAll(/^\{"t":"(ready|done|applied|end)"/gm)) order.push(kind ?? '');
  };
  return { port: { ...nodePort, syncFs, fsync, append }, order };
}

const APPLIED = [
  ...['file system synced', 'ready', 'journal synced'],
  ...['done', 'file system synced', 'applied', 'journal synced'],
];
const CLOSED = [...APPLIED, 'end', 'journal synced'];

describe(`what a transaction makes durable before the host changes, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('is a renamed file with its content, then what the journal says of it; and of its undo the same', async () => {
    t.onHost('echo old > f; sleep 0.05');
    t.inSandbox('echo new > f');
    const [commit, undo] = [noting(), noting()];
    await commitNow(t, { tools: { port: commit.port } });
    expect(commit.order).toEqual(CLOSED);
    await undoCommit(t.ctx, undoRequest(1), { port: undo.port });
    expect(undo.order.slice(0, APPLIED.length)).toEqual(APPLIED);
    expect(undo.order.slice(-2)).toEqual(CLOSED.slice(-2));
  });

  it('is a copy of what is taken off, also where nothing is put in its place', async () => {
    t.onHost('echo old > f; ln f g; sleep 0.05');
    t.inSandbox('rm f');
    const { port, order } = noting();
    await commitNow(t, { tools: { port } });
    expect(existsSync(`${commitDir(t.ctx, 1)}/before/c`)).toBe(true);
    expect(order).toEqual(['journal synced', ...CLOSED]);
  });
});

describe(`after a power cut, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('no copy of a before-image is left of a commit that had not staged all', async () => {
    t.onHost('echo old > f; ln f g; sleep 0.05');
    t.inSandbox('echo new > n; mv n f');
    const [host, view] = [snapshot(t.host), mergedSnapshot(t)];
    const { port, dies } = losesPower();
    await expect(commitNow(t, { tools: { port } })).rejects.toThrow(Died);
    expect(existsSync(`${commitDir(t.ctx, 1)}/before/c`)).toBe(true);
    dies();
    expect(await finishCommit(t.ctx)).toBeNull();
    expect(existsSync(`${commitDir(t.ctx, 1)}/before`)).toBe(false);
    expect([snapshot(t.host), mergedSnapshot(t)]).toEqual([host, view]);
  });

  it('no copy of the host’s is left of an undo that had not staged all', async () => {
    t.onHost('echo old > f; sleep 0.05');
    t.inSandbox('echo new > f');
    await commitNow(t);
    t.onHost('echo more >> f; ln f g');
    const [host, view] = [snapshot(t.host), mergedSnapshot(t)];
    const { port, dies } = losesPower();
    await expect(undoCommit(t.ctx, undoRequest(1, { conflicts: 'take-back' }), { port })).rejects.toThrow(
      Died,
    );
    expect(existsSync(`${commitDir(t.ctx, 2)}/back`)).toBe(true);
    dies();
    expect(await finishCommit(t.ctx)).toBeNull();
    expect(existsSync(`${commitDir(t.ctx, 2)}/back`)).toBe(false);
    expect([snapshot(t.host), mergedSnapshot(t)]).toEqual([host, view]);
  });
});
