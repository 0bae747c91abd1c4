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
