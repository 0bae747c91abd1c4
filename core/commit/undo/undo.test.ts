import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { fromText } from '../../../shared/bytes.ts';
import { UNDO_LIMITS } from '../../../shared/limits.ts';
import type { ChangeList } from '../../../shared/model/change.ts';
import type { UndoRequest } from '../../../shared/model/commit.ts';
import { asLive, asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, commitNow, mergedSnapshot, snapshot, undoRequest } from '../../../testing/commit/commit.ts';
import { hasPython, NO_PYTHON } from '../../../testing/commit/python.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { recordBases } from '../../overlay/bases.ts';
import { reap } from '../../scan/reap.ts';
import { scan } from '../../scan/scan.ts';
import { dropCommitted } from '../apply/cleanup.ts';
import { imageOf } from '../apply/images.ts';
import { readJournal } from '../journal/journal.ts';
import { redoCommit } from './redo.ts';
import { previewUndo, undoCommit } from './undo.ts';

const BEFORE = `
echo keep > keep; echo old > change; echo gone > delete; echo m > mode; mkdir -p tree/deep; echo 1 > tree/1
echo 2 > tree/deep/2; chmod 555 tree/deep; mkdir -p swap/in; echo s > swap/in/s; echo f > file; mkdir again; echo a > again/a
echo b > again/b; mkdir ro; echo r > ro/r; chmod 555 ro; ln -s keep link; mkdir dmode; mkfifo pipe; ln keep second
mkdir g; chmod 2775 g; mkdir -p g/old/deep g/older; chmod g-s g/old g/older g/old/deep`;
const INSIDE = `
echo new > change; rm delete; chmod 755 mode; chmod 755 tree/deep; rm -r tree; rm -r swap; echo swapped > swap; rm file
mkdir -p file/d; echo x > file/d/x; rm -r again; mkdir again; echo A > again/a; chmod 755 ro; echo R > ro/r; echo n > ro/n
chmod 555 ro; mkdir locked; echo l > locked/l; chmod 555 locked; mkdir -p fresh/sub; echo y > fresh/sub/y
chmod 555 fresh/sub; echo z > fresh/z; ln -sfn change link; chmod 700 dmode; echo q > plain; rm pipe second
rm -r g/old g/older; mkdir -p g/new/deep g/newer; chmod g-s g/new g/newer g/new/deep`;

const open: TestSession[] = [];
afterEach(() => {
  for (const t of open.splice(0)) t.remove();
});

function session(): TestSession {
  const t = testSession();
  open.push(t);
  return t;
}

const inConflict = ({ changes }: ChangeList) =>
  changes.filter(({ conflict }) => conflict !== null).map(({ path }) => path);
const ask = (n: number, extra: Partial<UndoRequest> = {}) => undoRequest(n, { yes: false, ...extra });

describe.runIf(hasPython)(`undo of a commit, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`, () => {
  it('gives the host everything back, and the changes are pending again; redo applies them again', async () => {
    const t = session();
    t.onHost(BEFORE);
    const before = snapshot(t.host);
    t.inSandbox(INSIDE);
    await recordBases(t.ctx);
    const merged = mergedSnapshot(t);
    const scanned = await scan(t.ctx);
    const pending = brief(scanned, t.host);
    expect((await commitNow(t, { request: { conflicts: 'take-sandbox' } })).failed).toEqual([]);
    const after = snapshot(t.host);

    const preview = await previewUndo(t.ctx, 1);
    expect(preview).toMatchObject({ conflicts: [], unable: [], guard: null });
    const report = await undoCommit(t.ctx, ask(1, { revision: preview.revision }));
    expect(report).toMatchObject({ n: 2, state: 'applied', failed: [], notApplied: [] });
    expect(untied(snapshot(t.host))).toBe(untied(before));
    await recordBases(t.ctx);
    await dropCommitted(t.ctx);
    await reap(t.ctx);
    expect(untied(mergedSnapshot(t))).toBe(untied(merged));
    const list = await scan(t.ctx);
    // A directory that was made again is the host's with other things in it: the session sees no difference.
    expect(brief(list, t.host)).toEqual(pending.filter((line) => !line.startsWith('dir-replaced')));
    expect(inConflict(list)).toEqual(inConflict(scanned));
    await expect(previewUndo(t.ctx, 1)).rejects.toMatchObject({ code: 'not-found' });

    expect(await redoCommit(t.ctx, await scan(t.ctx))).toMatchObject({ n: 3, state: 'applied' });
    expect(untied(snapshot(t.host))).toBe(untied(after));
    expect(brief(await scan(t.ctx), t.host)).toEqual([]);
    await undoCommit(t.ctx, ask(3));
    expect(untied(snapshot(t.host))).toBe(untied(before));
  });

  it('does the same where nothing can be linked: another file system, other names', async () => {
    const t = session();
    t.onHost(BEFORE);
    const before = snapshot(t.host);
    t.inSandbox(INSIDE);
    const merged = mergedSnapshot(t);
    let mounts = 0;
    const port: FsPort = {
      ...nodePort,
      readText: (path) =>
        path.startsWith('/proc/self/fdinfo/') ? `mnt_id: ${++mounts}` : nodePort.readText(path),
    };
    const tools = { port };
    expect((await commitNow(t, { tools, request: { conflicts: 'take-sandbox' } })).failed).toEqual([]);
    const units = readJournal(nodePort, t.ctx, 1)?.units ?? [];
    expect(new Set(units.map(imageOf))).toEqual(new Set(['copy', undefined]));
    expect(await undoCommit(t.ctx, ask(1))).toMatchObject({ state: 'applied', failed: [] });
    expect(untied(snapshot(t.host))).toBe(untied(before));
    expect(untied(mergedSnapshot(t))).toBe(untied(merged));
  });

  it('keeps apart from before-images whoever can still write to the old file', async () => {
    const t = session();
    t.onHost(
      'echo before > held; echo before > linked; ln linked other; mkdir d; echo before > d/held; echo x > plain',
    );
    const inode = (name: string) => lstatSync(`${t.host}/${name}`).ino;
    t.inSandbox('echo after > held; echo after > linked; rm -r d; echo y > plain');
    const [held, below] = [openSync(`${t.host}/held`, 'r+'), openSync(`${t.host}/d/held`, 'r+')];
    const plain = inode('plain');
    try {
      await commitNow(t, { request: { conflicts: 'take-sandbox' } });
      // Written in place through what was open, and through the other name.
      for (const fd of [held, below]) writeSync(fd, 'TORN', 0);
      t.onHost('echo OTHER > other');
      const report = await undoCommit(t.ctx, ask(1));
      expect(report.failed).toEqual([]);
    } finally {
      for (const fd of [held, below]) closeSync(fd);
    }
    for (const name of ['held', 'linked', 'd/held'])
      expect(readFileSync(`${t.host}/${name}`, 'utf8')).toBe('before\n');
    expect(readFileSync(`${t.host}/other`, 'utf8')).toBe('OTHER\n');
    // Nobody could write to this one: it is the very same file again.
    expect(inode('plain')).toBe(plain);
  });

  it('finds who opened the old file at the last moment, and refuses an image that was written to', async () => {
    const t = session();
    t.onHost('echo before > late; echo before > hidden');
    t.inSandbox('echo after > late; echo after > hidden');
    let late = -1;
    const port: FsPort = {
      ...nodePort,
      link: (from, to) => {
        if (from.endsWith('/late')) late = openSync(`${t.host}/late`, 'r+');
        nodePort.link(from, to);
      },
    };
    await commitNow(t, { tools: { port } });
    try {
      writeSync(late, 'TORN', 0);
    } finally {
      closeSync(late);
    }
    // A process of another user can't be looked into: what it writes shows in the time of the image.
    const units = readJournal(nodePort, t.ctx, 1)?.units ?? [];
    const i = units.find(({ path }) => path.endsWith('/hidden'))?.i;
    writeFileSync(`${t.ctx.sessionDir}/commits/1/before/l${i}`, 'TORN!!\n');
    const report = await undoCommit(t.ctx, ask(1));
    expect(report.failed).toMatchObject([{ message: expect.stringContaining('still had it open') }]);
    expect(readFileSync(`${t.host}/late`, 'utf8')).toBe('before\n');
    expect(readFileSync(`${t.host}/hidden`, 'utf8')).toBe('after\n');
  });

  it('refuses what the host changed since, keeps it or takes it back as told, and loses neither', async () => {
    const scene = async () => {
      const t = session();
      t.onHost('echo 1 > a; echo 1 > b; mkdir d; echo 1 > d/x');
      t.inSandbox('echo 2 > a; echo 2 > b; mkdir new; echo 2 > new/n; rm -r d');
      await commitNow(t);
      t.onHost('echo mine > a; echo mine > new/mine; echo mine > d');
      return { t, now: snapshot(t.host) };
    };
    const first = await scene();
    await expect(undoCommit(first.t.ctx, ask(1))).rejects.toMatchObject({
      code: 'conflicts',
      paths: expect.arrayContaining(['a', 'd', 'new/mine'].map((name) => `${first.t.host}/${name}`)),
    });
    expect(snapshot(first.t.host)).toBe(first.now);
    await undoCommit(first.t.ctx, ask(1, { conflicts: 'keep-host' }));
    const read = (t: TestSession, name: string) => readFileSync(`${t.host}/${name}`, 'utf8');
    expect(read(first.t, 'a') + read(first.t, 'b') + read(first.t, 'd')).toBe('mine\n1\nmine\n');
    expect(readdirSync(`${first.t.host}/new`)).toEqual(['mine']);

    const { t } = await scene();
    const report = await undoCommit(t.ctx, ask(1, { conflicts: 'take-back' }));
    expect(report.failed).toEqual([]);
    expect(read(t, 'a') + read(t, 'b') + read(t, 'd/x')).toBe('1\n1\n1\n');
    // Never touched: it is not the commit's.
    expect(readdirSync(`${t.host}/new`)).toEqual(['mine']);
    t.inSandbox('test "$(cat a b d new/n new/mine)" = "$(printf "mine\n2\nmine\n2\nmine")"');
  });

  it('works while the session is live as long as its copies are there, and refuses when they are not', async () => {
    const t = session();
    t.onHost('echo 1 > a');
    const live = await t.live('echo 2 > a; echo new > n; echo ready; cat > /dev/null');
    try {
      await commitNow(t, { live: true, request: { conflicts: 'take-sandbox' } });
      const report = await undoCommit(asLive(t.ctx), ask(1));
      expect(report).toMatchObject({ state: 'applied', failed: [] });
      expect(readFileSync(`${t.host}/a`, 'utf8')).toBe('1\n');
    } finally {
      await live.stop();
    }
    expect(await dropCommitted(t.ctx)).toBe(0);
    expect(brief(await scan(t.ctx), t.host)).toEqual(['modified a', 'added n']);
    await commitNow(t);
    const again = await t.live('echo ready; cat > /dev/null');
    try {
      await expect(undoCommit(asLive(t.ctx), ask(3))).rejects.toMatchObject({ code: 'live' });
      expect(readFileSync(`${t.host}/a`, 'utf8')).toBe('2\n');
    } finally {
      await again.stop();
    }
  });

  it('leaves what came later pending as it is, and does not redo what the session changed since', async () => {
    const t = session();
    t.onHost('echo 1 > a; echo 1 > b; mkdir d; echo 1 > d/x');
    t.inSandbox('echo 2 > a; echo 2 > b; echo 2 > n; rm -r d');
    await commitNow(t);
    t.inSandbox('echo 3 > a; rm n; mkdir d; echo 3 > d/y');
    await recordBases(t.ctx);
    const merged = mergedSnapshot(t);
    await undoCommit(t.ctx, ask(1));
    expect(readFileSync(`${t.host}/a`, 'utf8') + readFileSync(`${t.host}/d/x`, 'utf8')).toBe('1\n1\n');
    expect(untied(mergedSnapshot(t))).toBe(untied(merged));
    t.inSandbox('echo 4 > b');
    await expect(redoCommit(t.ctx, await scan(t.ctx))).rejects.toMatchObject({
      code: 'stale-revision',
    });
  });

  it('takes a commit back although a later one, taken back too, had replaced another link of its file', async () => {
    const t = session();
    t.onHost('echo 0 > b');
    t.inSandbox('echo 1 > a-b; ln a-b a');
    await commitNow(t);
    t.inSandbox('echo 2 > a');
    await commitNow(t, { request: { conflicts: 'take-sandbox' } });
    await undoCommit(t.ctx, ask(2));
    expect(await undoCommit(t.ctx, ask(1))).toMatchObject({ state: 'applied', failed: [] });
    expect(readdirSync(t.host)).toEqual(['b']);
  });

  it('asks before it keeps more than the limit, and a commit without undo says that it can not be taken back', async () => {
    const t = session();
    t.ctx.undo = { ...UNDO_LIMITS, maxBytes: 3 };
    t.onHost('echo 1234 > a');
    t.inSandbox('rm a; echo longer > new');
    await expect(commitNow(t)).rejects.toMatchObject({ code: 'undo-size', data: { bytes: 5, maxBytes: 3 } });
    expect(await commitNow(t, { request: { noUndo: true } })).toMatchObject({ state: 'applied' });
    expect(existsSync(`${t.ctx.sessionDir}/commits/1/before`)).toBe(false);
    await expect(undoCommit(t.ctx, ask(1))).rejects.toMatchObject({ code: 'not-found' });
  });

  it('leaves a directory that is a covered directory of its own by now, and takes back what was made in it', async () => {
    const t = session();
    t.onHost('echo f > file');
    t.inSandbox('mkdir made; echo x > made/x; rm file; mkdir file; echo y > file/y; echo z > plain');
    await recordBases(t.ctx);
    expect((await commitNow(t)).failed).toEqual([]);
    await dropCommitted(t.ctx);
    await reap(t.ctx);
    const overlay = `${t.ctx.sessionDir}/overlay`;
    for (const [n, name] of [
      [10, 'made'],
      [11, 'file'],
    ] as const) {
      for (const part of ['u', 'w']) mkdirSync(`${overlay}/${n}/${part}`, { recursive: true });
      symlinkSync(`${t.host}/${name}`, `${overlay}/${n}/l`);
      const [path, upper, work] = [`${t.host}/${name}`, `${overlay}/${n}/u`, `${overlay}/${n}/w`].map(
        fromText,
      );
      if (path !== undefined && upper !== undefined && work !== undefined)
        t.ctx.coveredDirs = [...t.ctx.coveredDirs, { n, path, upper, work }];
    }
    const { unable } = await previewUndo(t.ctx, 1);
    expect(unable.map(({ path }) => path.slice(t.host.length + 1)).sort()).toEqual(['file', 'made']);
    const report = await undoCommit(t.ctx, ask(1));
    expect(report.failed.map(({ path }) => path.slice(t.host.length + 1)).sort()).toEqual(['file', 'made']);
    expect(readdirSync(t.host).sort()).toEqual(['file', 'made']);
    expect(readdirSync(`${t.host}/made`)).toEqual([]);
    expect(readFileSync(`${t.host}/file/y`, 'utf8')).toBe('y\n');
    expect(readFileSync(`${overlay}/10/u/x`, 'utf8')).toBe('x\n');
    expect(readFileSync(`${t.upper}/plain`, 'utf8')).toBe('z\n');
  });
});

/** Which names share an inode: a link breaks on copy-up, and comes back as a file of its own. */
function untied(text: string): string {
  return text.replace(/ = b(['"]).*?\1(?= |$)/gm, '');
}
