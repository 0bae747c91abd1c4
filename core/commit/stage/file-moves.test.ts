import { closeSync, lstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { asLive, asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import {
  brief,
  commitNow,
  mergedSnapshot,
  requestFor,
  snapshot,
  undoRequest,
} from '../../../testing/commit/commit.ts';
import { Died, FaultPort } from '../../../testing/commit/fault-port.ts';
import { hasPython, NO_PYTHON, PLAIN_PYTHON } from '../../../testing/commit/python.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';
import { finishCommit } from '../recover/recover.ts';
import { undoCommit } from '../undo/undo.ts';

const open: TestSession[] = [];
afterEach(() => {
  for (const t of open.splice(0)) t.remove();
});

async function session(before: string, inside: string): Promise<TestSession> {
  const t = testSession();
  open.push(t);
  t.onHost(`${before}; sleep 0.05`);
  const earliestCall = Date.now();
  t.inSandbox(inside);
  await recordBases(t.ctx, { earliestCall });
  return t;
}

const inode = (path: string): number => lstatSync(path).ino;
const attribute = (path: string, value: string) =>
  `${PLAIN_PYTHON} -c 'import os; os.setxattr("${path}", "user.a", b"${value}")'`;

/** Without link sets. */
const unlinked = (text: string) => text.replace(/ = b(['"]).*?\1(?= |$)/gm, '');

/** The calls that a commit of changed files of one directory makes, and its undo. */
async function callsOf(files: number): Promise<Record<'commit' | 'undo', ReadonlyMap<string, number>>> {
  const each = (line: string) => `for i in $(seq ${files}); do ${line} d/$i; done`;
  const t = await session(`mkdir d; ${each('echo 1 >')}`, each('echo 2 >>'));
  const [commit, undo] = [new FaultPort(), new FaultPort()];
  expect(await commitNow(t, { tools: { port: commit.port } })).toMatchObject({ applied: files, failed: [] });
  expect(await undoCommit(t.ctx, undoRequest(), { port: undo.port })).toMatchObject({
    applied: files,
    failed: [],
  });
  return { commit: commit.calls, undo: undo.calls };
}

/** What happens to `d/f`, and whether its inode reaches the host. */
const CASES: Record<string, { before: string; inside: string; moved: boolean }> = {
  'written in place': { before: 'mkdir d; echo 1 > d/f', inside: 'echo 2 >> d/f', moved: true },
  'written beside and renamed': {
    before: 'mkdir d; echo 1 > d/f',
    inside: 'echo 2 > d/g; mv d/g d/f',
    moved: true,
  },
  'another file of the host put over it': {
    before: 'mkdir d; echo 1 > d/f; echo 2 > d/g',
    inside: 'mv d/g d/f',
    moved: true,
  },
  'with another mode and an old time': {
    before: 'mkdir d; echo 1 > d/f',
    inside: 'echo 2 > d/f; chmod 4750 d/f; touch -d 1999-01-01 d/f',
    moved: true,
  },
  'with an attribute of its own': {
    before: `mkdir d; echo 1 > d/f; ${attribute('d/f', '1')}`,
    inside: `echo 2 > d/f; ${attribute('d/f', '2')}`,
    moved: true,
  },
  'in place of a link': { before: 'mkdir d; ln -s x d/f', inside: 'rm d/f; echo 2 > d/f', moved: true },
  'that the host has under two names': {
    before: 'mkdir d; echo 1 > d/f; ln d/f g',
    inside: 'echo 2 > d/f',
    moved: true,
  },
  'with two names in the sandbox': {
    before: 'mkdir d; echo 1 > d/f',
    inside: 'echo 2 > d/f; ln d/f d/g',
    moved: false,
  },
  'that the host does not have': { before: 'mkdir d', inside: 'echo 2 > d/f', moved: false },
  'in a directory that was made again': {
    before: 'mkdir d; echo 1 > d/f; echo 1 > d/g',
    inside: 'rm -r d; mkdir d; echo 2 > d/f; echo 2 > d/g',
    moved: false,
  },
};

describe.runIf(hasPython)(`a file, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`, () => {
  it.each(Object.entries(CASES))('%s', async (_, { before, inside, moved }) => {
    const t = await session(before, inside);
    const [was, view, host] = [inode(`${t.upper}/d/f`), mergedSnapshot(t), snapshot(t.host)];
    const pending = brief(await scan(t.ctx), t.host);
    expect(await commitNow(t)).toMatchObject({ state: 'applied', failed: [] });
    expect(inode(`${t.host}/d/f`) === was).toBe(moved);
    expect(unlinked(snapshot(t.host))).toBe(unlinked(view));
    expect(snapshot(t.host)).not.toContain('.overlay.');
    expect(unlinked(mergedSnapshot(t))).toBe(unlinked(view));
    expect(brief(await scan(t.ctx), t.host)).toEqual([]);
    expect(snapshot(t.upper).trim().split('\n')).toHaveLength(1);
    await undoCommit(t.ctx, undoRequest(1, { conflicts: 'take-back' }));
    // A link that the commit broke is not made again.
    expect(unlinked(snapshot(t.host))).toBe(unlinked(host));
    expect(unlinked(mergedSnapshot(t))).toBe(unlinked(view));
    expect(brief(await scan(t.ctx), t.host)).toEqual(pending);
  });

  it('takes these calls for each, whatever the commit takes besides', async () => {
    const [few, many] = [await callsOf(10), await callsOf(30)];
    const forEach = (what: 'commit' | 'undo') =>
      Object.fromEntries(
        [...many[what]]
          .map(([call, n]) => [call, (n - (few[what].get(call) ?? 0)) / 20])
          .filter(([, n]) => n !== 0),
      );
    const changes = { link: 1, append: 1 };
    expect(forEach('commit')).toEqual({ ...changes, lstat: 5, readlink: 1, rename: 1 });
    expect(forEach('undo')).toEqual({ ...changes, lstat: 5, readlink: 1, rename: 2 });
    // However many: a journal that is durable at `ready`, `applied` and `end`, and the file system synced before the first two.
    expect([few.commit.get('fsync'), few.commit.get('syncFs')]).toEqual([3, 2]);
  });

  it('is copied in a live session, which may still write to it', async () => {
    const t = await session('echo 1 > f', 'echo 2 > f');
    const list = await scan(t.ctx);
    const was = inode(`${t.upper}/f`);
    expect(await commitAll(asLive(t.ctx), list, requestFor(list))).toMatchObject({ state: 'applied' });
    expect(inode(`${t.host}/f`)).not.toBe(was);
    t.inSandbox('echo 3 > f');
    expect(snapshot(t.host)).not.toBe(mergedSnapshot(t));
  });

  it('with a label of the place, as SELinux gives it, is copied (needs root)', async (ctx) => {
    if (!asRoot) return ctx.skip('only root can set one');
    const label = 'import os; os.setxattr("f", "security.selinux", b"system_u:object_r:user_home_t:s0\\\\0")';
    const t = await session('echo 1 > f', `echo 2 > f; ${PLAIN_PYTHON} -c '${label}'`);
    const was = inode(`${t.upper}/f`);
    expect(await commitNow(t)).toMatchObject({ state: 'applied' });
    expect(inode(`${t.host}/f`)).not.toBe(was);
  });

  it('that a call wrote to after the commit had died stays pending with what it wrote', async () => {
    const t = await session('echo 1 > a; echo 1 > b', 'echo 2 > a; echo 2 > b');
    const dies = new FaultPort(2, 'die', () => {}, 'rename');
    await expect(commitNow(t, { tools: { port: dies.port } })).rejects.toThrow(Died);
    dies.dispose();
    t.inSandbox('echo 3 >> b; sleep 0.05');
    const report = await finishCommit(t.ctx);
    expect(report?.failed.map(({ path }) => path)).toEqual([`${t.host}/b`]);
    const list = await scan(t.ctx);
    expect(brief(list, t.host)).toEqual(['modified b']);
    await commitNow(t);
    expect(snapshot(t.host)).toBe(mergedSnapshot(t));
  });

  it('becomes pending again as the same file when the commit is undone, but a copy where a process writes to it', async () => {
    const t = await session('echo 1 > a; echo 1 > b; echo 1 > c', 'for f in a b c; do echo 2 > $f; done');
    await commitNow(t);
    const [a, b, c] = ['a', 'b', 'c'].map((name) => inode(`${t.host}/${name}`));
    const held = openSync(`${t.host}/b`, 'r+');
    let late = -1;
    const port: FsPort = {
      ...nodePort,
      link: (from, to) => {
        if (from.endsWith('/c')) late = openSync(from, 'r+');
        nodePort.link(from, to);
      },
    };
    try {
      expect(await undoCommit(t.ctx, undoRequest(), { port })).toMatchObject({ failed: [] });
      for (const fd of [held, late]) writeSync(fd, '3', 0);
    } finally {
      for (const fd of [held, late]) closeSync(fd);
    }
    expect([inode(`${t.upper}/a`) === a, inode(`${t.upper}/b`) === b]).toEqual([true, false]);
    expect(readFileSync(`${t.upper}/b`, 'utf8')).toBe('2\n');
    // Opened at the last moment: what is written there is pending, and so not lost.
    expect(inode(`${t.upper}/c`)).toBe(c);
    expect(readFileSync(`${t.upper}/c`, 'utf8')).toBe('3\n');
    t.onHost('[ "$(cat a b c)" = "$(printf "1\\n1\\n1")" ]');
  });

  it('keeps its place in the upper, and its content, when a commit dies before it is ready', async () => {
    const t = await session('echo 1 > a; echo 1 > b', 'echo 2 > a; echo 2 > b');
    const [host, view] = [snapshot(t.host), mergedSnapshot(t)];
    // The journal is synced at `ready` for the first time.
    const dies = new FaultPort(1, 'die', () => {}, 'link');
    await expect(commitNow(t, { tools: { port: dies.port } })).rejects.toThrow(Died);
    dies.dispose();
    expect(snapshot(t.host)).toBe(host);
    expect(mergedSnapshot(t)).toBe(view);
    await finishCommit(t.ctx);
    expect(snapshot(t.host)).toBe(view);
    expect(mergedSnapshot(t)).toBe(view);
  });
});
