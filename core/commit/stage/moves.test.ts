import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { CommitRequest } from '../../../shared/model/commit.ts';
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
import { readJournal } from '../journal/journal.ts';
import { closeUnfinished, finishCommit } from '../recover/recover.ts';
import { redoCommit } from '../undo/redo.ts';
import { undoCommit } from '../undo/undo.ts';

const open: TestSession[] = [];
afterEach(() => {
  for (const t of open.splice(0)) t.remove();
});

function session(before = ''): TestSession {
  const t = testSession();
  open.push(t);
  if (before !== '') t.onHost(before);
  return t;
}

const inode = (path: string): number => lstatSync(path).ino;

const attribute = (path: string) => `${PLAIN_PYTHON} -c 'import os; os.setxattr("${path}", "user.a", b"1")'`;

/** A port of which some methods are other ones. */
const portWith = (other: Partial<FsPort>) => ({ port: { ...nodePort, ...other } });

interface Case {
  before?: string;
  inside: string;
  /** Of the directory `d`. */
  moved: boolean;
  request?: Partial<CommitRequest>;
  ignore?: readonly string[];
}

const CASES: Record<string, Case> = {
  'a new tree': {
    inside: 'mkdir -p d/e/f d/g; echo 1 > d/1; echo 2 > d/e/f/2; ln -s 1 d/l; mkfifo d/p',
    moved: true,
  },
  'a new tree in a directory that the host has, beside other changes': {
    before: 'mkdir x; ln -s x/d d; echo old > x/f; echo gone > x/gone',
    inside: 'mkdir x/d; echo 1 > x/d/1; echo new > x/f; rm x/gone; echo n > x/n',
    moved: true,
  },
  'hard links inside': {
    inside: 'mkdir -p d/e; echo 1 > d/1; ln d/1 d/e/2; ln -s x d/s; ln -P d/s d/e/s',
    moved: true,
  },
  'odd modes and old times': {
    inside:
      'mkdir -p d/r/s d/g; echo 1 > d/r/s/1; for m in 4755 000 1777; do echo $m > d/$m; chmod $m d/$m; done; chmod 2775 d/g; chmod 555 d/r/s d/r; touch -d 1999-01-01 d/g d',
    moved: true,
  },
  'attributes of the user': {
    inside: `mkdir d; echo n > d/n; python3 -c 'import os; os.setxattr("d/n", "user.a", b"2"); os.setxattr("d", "user.b", b"3")'`,
    moved: true,
  },
  'what was made and removed in it again': {
    inside: 'mkdir -p d/x; echo 1 > d/x/1; rm -r d/x; mkdir d/x; echo 2 > d/x/2',
    moved: true,
  },
  'a hard link from outside': { inside: 'mkdir d; echo 1 > d/1; ln d/1 one', moved: false },
  'a file of the host that was moved into it': {
    before: 'echo f > f',
    inside: 'mkdir d; mv f d/f',
    moved: false,
  },
  'a directory made where the host had another, which is gone by now': {
    before: 'mkdir d; echo old > d/old',
    inside: 'rm -r d; mkdir d; echo 1 > d/1',
    moved: false,
  },
  'something ignored in it': {
    inside: 'mkdir d; echo 1 > d/1; mkdir d/.cache; echo c > d/.cache/c',
    ignore: ['**/.cache/'],
    moved: false,
  },
  'a directory that its owner may not write': {
    inside: 'mkdir d; echo 1 > d/1; chmod 555 d',
    moved: asRoot,
  },
};

describe.runIf(hasPython)(`a new directory, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`, () => {
  it.each(Object.entries(CASES))('%s', async (name, { before, inside, moved, ignore }) => {
    const t = session(before);
    if (ignore !== undefined) t.ctx = { ...t.ctx, ignore };
    t.inSandbox(inside);
    await recordBases(t.ctx);
    if (name.includes('gone by now')) t.onHost('rm -r d');
    const merged = mergedSnapshot(t);
    const was = inode(`${t.upper}/${name.includes('that the host has') ? 'x/' : ''}d`);
    const report = await commitNow(t, {
      request: { conflicts: 'take-sandbox', includeIgnored: ignore === undefined },
    });
    expect(report).toMatchObject({ state: 'applied', failed: [], notApplied: [] });
    expect(inode(`${t.host}/d/.`) === was).toBe(moved);
    expect(mergedSnapshot(t)).toBe(merged);
    const host = snapshot(t.host);
    expect(host).not.toContain('.overlay.');
    if (ignore !== undefined) return;
    expect(host).toBe(merged);
    expect(brief(await scan(t.ctx), t.host)).toEqual([]);
    expect(snapshot(t.upper).trim().split('\n')).toHaveLength(1);
  });

  it('a label of the place, as SELinux gives it, is a reason to copy (needs root)', async (ctx) => {
    if (!asRoot) return ctx.skip('only root can set one');
    const t = session();
    const label = `import os; os.setxattr("d/e/f", "security.selinux", b"system_u:object_r:user_home_t:s0\\\\0")`;
    t.inSandbox(`mkdir -p d/e; echo 1 > d/e/f; python3 -c '${label}'`);
    const was = inode(`${t.upper}/d`);
    expect((await commitNow(t)).state).toBe('applied');
    expect(inode(`${t.host}/d`)).not.toBe(was);
  });

  it('undo takes it back to pending, redo moves it again', async () => {
    const t = session('echo keep > keep');
    const before = snapshot(t.host);
    t.inSandbox('mkdir -p d/e; echo 1 > d/1; ln d/1 d/e/2; chmod 555 d/e');
    await recordBases(t.ctx);
    const merged = mergedSnapshot(t);
    const { n } = await commitNow(t);
    expect(readJournal(nodePort, t.ctx, n)?.units).toMatchObject([{ kind: 'move-to-host' }]);
    expect((await undoCommit(t.ctx, undoRequest(n))).state).toBe('applied');
    expect(snapshot(t.host)).toBe(before);
    expect(mergedSnapshot(t)).toBe(merged);
    const again = await redoCommit(t.ctx, await scan(t.ctx));
    expect(again.state).toBe('applied');
    expect(readJournal(nodePort, t.ctx, again.n)?.units).toMatchObject([{ kind: 'move-to-host' }]);
    expect(snapshot(t.host)).toBe(merged);
  });

  it('what the host has changed in it since is a conflict of the undo', async () => {
    const t = session();
    t.inSandbox('mkdir d; echo 1 > d/1; echo 2 > d/2');
    const { n } = await commitNow(t);
    t.onHost('echo more >> d/1; echo new > d/3');
    const error: unknown = await undoCommit(t.ctx, undoRequest(n)).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'conflicts', paths: [`${t.host}/d/3`, `${t.host}/d/1`] });
  });

  it('a live session keeps its copy, and the host gets one of its own', async () => {
    const t = session();
    t.inSandbox('mkdir d; echo 1 > d/1');
    const was = inode(`${t.upper}/d`);
    expect((await commitNow(t, { live: true })).copies).toBe(true);
    expect(inode(`${t.host}/d`)).not.toBe(was);
    expect(inode(`${t.upper}/d`)).toBe(was);
  });

  it('a directory of the sandbox that hides the host keeps what was committed of it', async () => {
    const t = session('mkdir -p a; echo old > a/old');
    t.inSandbox('rm -r a; mkdir a; echo 1 > a/1; mkdir a/d; echo 2 > a/d/2');
    await recordBases(t.ctx);
    const merged = mergedSnapshot(t);
    const list = await scan(t.ctx);
    const only = new Set(list.changes.map(({ path }) => path).filter((path) => /\/a\/d(\/|$)/.test(path)));
    expect((await commitAll(t.ctx, list, requestFor(list, { exactly: only }))).state).toBe('applied');
    expect(existsSync(`${t.host}/a/d/2`)).toBe(true);
    expect(mergedSnapshot(t)).toBe(merged);
  });

  it('another mount is a reason to copy', async () => {
    const t = session();
    t.inSandbox('mkdir d; echo 1 > d/1');
    const was = inode(`${t.upper}/d`);
    let mounts = 0;
    const readText: FsPort['readText'] = (path) =>
      path.includes('/fdinfo/') ? `mnt_id:\t${++mounts}\n` : nodePort.readText(path);
    expect((await commitNow(t, { tools: portWith({ readText }) })).state).toBe('applied');
    expect(mounts).toBeGreaterThan(0);
    expect(inode(`${t.host}/d`)).not.toBe(was);
  });

  it('a rename that the kernel refuses all the same leaves it pending, and the next commit copies it', async () => {
    const t = session();
    t.inSandbox('mkdir d; echo 1 > d/1');
    const rename: FsPort['rename'] = () => {
      throw Object.assign(new Error('EXDEV'), { code: 'EXDEV' });
    };
    const report = await commitNow(t, { tools: portWith({ rename }) });
    expect([report.state, report.applied, report.failed[0]?.message]).toEqual([
      'partial',
      0,
      expect.stringContaining('the next commit copies it'),
    ]);
    expect(brief(await scan(t.ctx), t.host)).toEqual(['added d', 'added d/1']);
    const was = inode(`${t.upper}/d`);
    expect((await commitNow(t)).state).toBe('applied');
    expect(inode(`${t.host}/d`)).not.toBe(was);
  });

  it('of a repository, that can not be renamed after all, leaves the host with none of its changes', async () => {
    const t = session('mkdir -p .git/objects; echo a > .git/HEAD; echo old > .git/index');
    const before = snapshot(t.host);
    t.inSandbox(
      'mkdir .git/objects/ab; echo o > .git/objects/ab/1; echo new > .git/index; echo b > .git/HEAD',
    );
    const merged = mergedSnapshot(t);
    const rename: FsPort['rename'] = (from, to) => {
      if (nodePort.lstat(from)?.type === 'dir') throw Object.assign(new Error('EXDEV'), { code: 'EXDEV' });
      nodePort.rename(from, to);
    };
    const request = { conflicts: 'take-sandbox' } as const;
    expect((await commitNow(t, { request, tools: portWith({ rename }) })).applied).toBe(0);
    expect(snapshot(t.host)).toBe(before);
    expect((await commitNow(t, { request })).failed).toEqual([]);
    expect(snapshot(t.host)).toBe(merged);
  });

  it('of a repository, that a call has changed after a death, keeps the rest from the host when it is given up', async () => {
    const t = session('mkdir -p .git/objects; echo a > .git/HEAD; echo old > .git/index');
    t.inSandbox(
      'mkdir .git/objects/ab .git/objects/cd; echo o > .git/objects/ab/1; echo o > .git/objects/cd/1; echo new > .git/index; echo b > .git/HEAD',
    );
    const list = await scan(t.ctx);
    const dies = new FaultPort(2, 'die', () => {}, 'rename');
    const request = requestFor(list, { conflicts: 'take-sandbox' });
    await expect(commitAll(t.ctx, list, request, { port: dies.port })).rejects.toThrow(Died);
    dies.dispose();
    expect(['ab', 'cd'].map((name) => existsSync(`${t.host}/.git/objects/${name}`))).toEqual([true, false]);
    t.inSandbox('echo more > .git/objects/cd/2');
    await closeUnfinished(t.ctx);
    expect(existsSync(`${t.host}/.git/objects/cd`)).toBe(false);
    expect(['HEAD', 'index'].map((name) => readFileSync(`${t.host}/.git/${name}`, 'utf8'))).toEqual([
      'a\n',
      'old\n',
    ]);
  });

  it('what the host makes there at the last moment stays, and so does the directory', async () => {
    const t = session();
    t.inSandbox('mkdir d; echo 1 > d/1');
    const syncFs: FsPort['syncFs'] = async (fd) => {
      if (!existsSync(`${t.host}/d`)) mkdirSync(`${t.host}/d`);
      await nodePort.syncFs(fd);
    };
    const report = await commitNow(t, { tools: portWith({ syncFs }) });
    expect([report.state, report.applied]).toEqual(['partial', 0]);
    expect(existsSync(`${t.host}/d/1`)).toBe(false);
    expect(existsSync(`${t.upper}/d/1`)).toBe(true);
  });

  it('after a death: what the host makes there while the upper is looked at again stays', async () => {
    const t = session();
    t.inSandbox('mkdir d; echo 1 > d/1');
    const list = await scan(t.ctx);
    const dies = new FaultPort(1, 'die', () => {}, 'rename');
    await expect(commitAll(t.ctx, list, requestFor(list), { port: dies.port })).rejects.toThrow(Died);
    dies.dispose();
    const { port } = portWith({
      readdir: (path) => {
        if (realpathSync(path) === realpathSync(`${t.upper}/d`)) mkdirSync(`${t.host}/d`);
        return nodePort.readdir(path);
      },
    });
    const report = await finishCommit(t.ctx, { port });
    expect([report?.state, report?.applied]).toEqual(['partial', 0]);
    expect(existsSync(`${t.host}/d/1`)).toBe(false);
    expect(existsSync(`${t.upper}/d/1`)).toBe(true);
  });

  it.each([
    ['nothing', 'true', true, false],
    ['nothing, and looked at all', 'ls -lR d; cat d/1', true, false],
    ['an attribute of a directory', attribute('d'), false, false],
    ['an attribute of a file of two names', attribute('d/l1'), false, false],
    ['a file', 'echo new > d/new', false, false],
    ['a content', 'echo more >> d/1', false, false],
    ['a mark alone', 'mv f d/f; rm d/f', false, false],
    ['nothing, and goes on', 'true', false, true],
  ])('after a death before the rename, and a call that changed %s', async (_, call, moved, live) => {
    const t = session('echo f > f');
    t.inSandbox('mkdir d; echo 1 > d/1; echo 2 > d/l1; ln d/l1 d/l2');
    const list = await scan(t.ctx);
    const dies = new FaultPort();
    const port: FsPort = {
      ...dies.port,
      rename: () => {
        throw new Died('rename');
      },
    };
    await expect(commitAll(t.ctx, list, requestFor(list), { port })).rejects.toThrow(Died);
    dies.dispose();
    expect(existsSync(`${t.host}/d`)).toBe(false);
    t.inSandbox(call);
    // Nothing leaves an upper that somebody has mounted.
    if (live) {
      expect((await finishCommit(asLive(t.ctx)))?.applied).toBe(0);
      expect(existsSync(`${t.upper}/d/1`)).toBe(true);
      return;
    }
    const report = await finishCommit(t.ctx);
    expect(report?.applied).toBe(moved ? 4 : 0);
    expect(existsSync(`${t.host}/d`)).toBe(moved);
    expect((await commitNow(t)).failed).toEqual([]);
    expect(brief(await scan(t.ctx), t.host)).toEqual([]);
    expect(snapshot(t.host)).not.toContain('.overlay.');
  });

  it.each([true, false])(
    'after a death behind the rename: what a call and the host both changed is in conflict (live: %s)',
    async (live) => {
      const t = session();
      t.inSandbox('mkdir d; echo 1 > d/1; echo 2 > d/2');
      await recordBases(t.ctx);
      const list = await scan(t.ctx);
      const dies = new FaultPort();
      const rename: FsPort['rename'] = (from, to) => {
        dies.port.rename(from, to);
        throw new Died('rename');
      };
      const tools = { port: { ...dies.port, rename } };
      await expect(commitAll(t.ctx, list, requestFor(list), tools)).rejects.toThrow(Died);
      dies.dispose();
      t.inSandbox('echo sandbox >> d/1');
      await recordBases(t.ctx);
      t.onHost('echo host >> d/1');
      expect((await finishCommit(live ? asLive(t.ctx) : t.ctx))?.applied).toBe(3);
      const { changes } = await scan(t.ctx);
      expect(changes.map(({ path, conflict }) => [path, conflict])).toEqual([
        [`${t.host}/d/1`, 'host-created'],
      ]);
    },
  );
});
