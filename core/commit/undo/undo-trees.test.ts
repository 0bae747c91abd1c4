import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { TraiError } from '../../../shared/errors.ts';
import type { CommitReport, UndoRequest } from '../../../shared/model/commit.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, commitNow, mergedSnapshot, snapshot, undoRequest } from '../../../testing/commit/commit.ts';
import { Died, type Fault, FaultPort } from '../../../testing/commit/fault-port.ts';
import { hasPython, NO_PYTHON, PLAIN_PYTHON, PYTHON } from '../../../testing/commit/python.ts';
import { eachFaultPoint, someFaultPoints } from '../../../testing/runs.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { readJournal } from '../journal/journal.ts';
import { closeUnfinished, finishCommit } from '../recover/recover.ts';
import { redoCommit } from './redo.ts';
import { undoCommit } from './undo.ts';

const open: TestSession[] = [];
const atEnd: (() => void)[] = [];
afterEach(() => {
  for (const work of atEnd.splice(0)) work();
  for (const t of open.splice(0)) t.remove();
});

const TREE = `mkdir -p d/e/f d/g; echo 1 > d/1; ln d/1 d/e/2; ln -s 1 d/l; mkfifo d/p; echo 3 > d/e/f/3; chmod 2775 d/g
  chmod 555 d/e/f; touch -d 1999-01-01 d/g d/e/f/3; python3 -c 'import os; os.setxattr("d/1", "user.a", b"2"); os.setxattr("d/e", "user.b", b"3")'`;

interface Scene {
  t: TestSession;
  before: string;
  /** What the session sees, all the time. */
  view: string;
  pending: string[];
}

/** A session whose new directory `d` was committed, by one rename. */
async function committed(before = 'echo keep > keep', inside = TREE): Promise<Scene> {
  const t = testSession();
  open.push(t);
  t.onHost(before);
  const host = snapshot(t.host);
  t.inSandbox(inside);
  await recordBases(t.ctx);
  const scene = { t, before: host, view: mergedSnapshot(t), pending: brief(await scan(t.ctx), t.host) };
  expect((await commitNow(t)).failed).toEqual([]);
  expect(unitsOf(t, 1)).toContain('move-to-host');
  return scene;
}

const unitsOf = (t: TestSession, n: number) =>
  readJournal(nodePort, t.ctx, n)?.units.map(({ kind }) => kind) ?? [];
const inode = (path: string): number => lstatSync(path).ino;
const undo = (t: TestSession, extra: Partial<UndoRequest> = {}, port: Partial<FsPort> = {}) =>
  undoCommit(t.ctx, undoRequest(1, extra), { port: { ...nodePort, ...port } });

async function expectPending({ t, before, view, pending }: Scene): Promise<void> {
  expect(snapshot(t.host)).toBe(before);
  expect(mergedSnapshot(t)).toBe(view);
  await recordBases(t.ctx);
  const { changes } = await scan(t.ctx);
  expect(changes.map(({ kind, path }) => `${kind} ${path.slice(t.host.length + 1)}`)).toEqual(pending);
  expect(changes.filter(({ conflict }) => conflict !== null)).toEqual([]);
}

/** A port that does something else at the rename of `d` out of the host. */
function atRename(t: TestSession, before: () => void, after: () => void = () => {}): Partial<FsPort> {
  const rename: FsPort['rename'] = (from, to) => {
    const isIt = to.includes('/back/') && to.endsWith('/d') && existsSync(`${t.host}/d`);
    if (isIt) before();
    nodePort.rename(from, to);
    if (isIt) after();
  };
  return { rename };
}

const messagesOf = ({ failed }: CommitReport) => failed.map(({ message }) => message).join();

describe.runIf(hasPython)(
  `a new directory that is taken back, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`,
  { timeout: 60_000 },
  () => {
    it('goes by one rename, is pending with all that it has, and is committed again', async () => {
      const scene = await committed();
      const { t, view } = scene;
      const was = inode(`${t.host}/d/1`);
      expect(await undo(t)).toMatchObject({ n: 2, state: 'applied', failed: [], notApplied: [] });
      expect(unitsOf(t, 2)).toEqual(['move-to-store']);
      expect(inode(`${t.upper}/d/1`)).toBe(was);
      expect(existsSync(`${t.ctx.sessionDir}/commits/2/back`)).toBe(false);
      await expectPending(scene);
      expect((await redoCommit(t.ctx, await scan(t.ctx))).failed).toEqual([]);
      expect(snapshot(t.host)).toBe(view);
      expect(brief(await scan(t.ctx), t.host)).toEqual([]);
      expect(await undoCommit(t.ctx, undoRequest(3))).toMatchObject({ state: 'applied', failed: [] });
      await expectPending(scene);
      expect(inode(`${t.upper}/d/1`)).toBe(was);
    });

    it('is not committed again once a call has changed something in it', async () => {
      const { t } = await committed();
      await undo(t);
      t.inSandbox('echo more >> d/e/f/3');
      await expect(redoCommit(t.ctx, await scan(t.ctx))).rejects.toMatchObject({
        code: 'stale-revision',
      });
    });

    it.each([
      ['another name for a file of it', 'ln d/1 other', 'rm other'],
      ['a name made and removed in it', 'echo x > d/e/x; rm d/e/x', ''],
      ['another mode of the directory', 'chmod 711 d; chmod 755 d', ''],
      [
        'an attribute that came and went',
        `${PLAIN_PYTHON} -c 'import os; os.setxattr("d/g", "user.c", b"1"); os.removexattr("d/g", "user.c")'`,
        '',
      ],
    ])('is copied when the host had meanwhile %s', async (_, meanwhile, afterwards) => {
      const scene = await committed();
      scene.t.onHost(`sleep 0.02; ${meanwhile}`);
      expect(await undo(scene.t)).toMatchObject({ state: 'applied', failed: [] });
      expect(unitsOf(scene.t, 2)).not.toContain('move-to-store');
      scene.t.onHost(afterwards);
      await expectPending(scene);
    });

    it('is copied while a process writes to a file of it, and what that writes later is nowhere', async () => {
      const scene = await committed();
      const { t } = scene;
      const fd = openSync(`${t.host}/d/1`, 'a');
      try {
        expect(await undo(t)).toMatchObject({ state: 'applied', failed: [] });
        writeFileSync(fd, 'late');
      } finally {
        closeSync(fd);
      }
      await expectPending(scene);
    });

    it('is copied while a process has a file of it mapped, and what that writes later is nowhere', async () => {
      const scene = await committed();
      const { t } = scene;
      const script = `import mmap, sys
with open("d/e/f/3", "r+b") as f: m = mmap.mmap(f.fileno(), 0)
print(flush=True); sys.stdin.readline(); m[0:1] = b"X"; m.flush(); print(flush=True)`;
      const child = spawn(PYTHON, ['-c', script], { cwd: t.host, stdio: ['pipe', 'pipe', 'inherit'] });
      atEnd.push(() => child.kill('SIGKILL'));
      await once(child.stdout, 'data');
      expect(await undo(t)).toMatchObject({ state: 'applied', failed: [] });
      child.stdin.write('\n');
      await once(child.stdout, 'data');
      await expectPending(scene);
    });

    it('is copied while a process works in it that has it by another mount', async () => {
      const scene = await committed();
      const { t } = scene;
      const script = 'mkdir ../mnt && mount --bind . ../mnt && cd ../mnt/d/e && echo; exec sleep 60';
      const enter = asRoot ? ['-m'] : ['-Urm'];
      const child = spawn('unshare', [...enter, 'bash', '--norc', '-c', script], {
        cwd: t.host,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      atEnd.push(() => child.kill('SIGKILL'));
      await once(child.stdout, 'data');
      const was = inode(`${t.host}/d/e`);
      expect(await undo(t)).toMatchObject({ state: 'applied', failed: [] });
      expect(inode(`${t.upper}/d/e`)).not.toBe(was);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await expectPending(scene);
    });

    it.each(['works in it', 'has a directory of it open'])('is copied while a process %s', async (how) => {
      const scene = await committed();
      const { t } = scene;
      const args =
        how === 'works in it' ? ['-c', 'echo; exec sleep 60'] : ['-c', 'exec 5<d/e; echo; exec sleep 60'];
      const child = spawn('bash', ['--norc', ...args], {
        cwd: how === 'works in it' ? `${t.host}/d/e` : t.host,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      atEnd.push(() => child.kill('SIGKILL'));
      await once(child.stdout, 'data');
      const was = inode(`${t.host}/d/e`);
      expect(await undo(t)).toMatchObject({ state: 'applied', failed: [] });
      expect(inode(`${t.upper}/d/e`)).not.toBe(was);
      await expectPending(scene);
    });

    it('leaves what is pending in it by then as it is', async () => {
      const { t } = await committed();
      t.inSandbox('echo later > d/1');
      await recordBases(t.ctx);
      const view = mergedSnapshot(t);
      expect(await undo(t)).toMatchObject({ state: 'applied', failed: [] });
      expect(unitsOf(t, 2)).not.toContain('move-to-store');
      expect(existsSync(`${t.host}/d`)).toBe(false);
      t.inSandbox(
        'test "$(cat d/1)" = later; test -p d/p; test "$(cat d/e/2 d/e/f/3)" = "$(printf "1\\n3")"',
      );
      expect(mergedSnapshot(t).split('\n').length).toBe(view.split('\n').length);
    });

    it.each<[string, (t: TestSession) => void]>([
      ['a new file', (t) => writeFileSync(`${t.host}/d/e/late`, 'late')],
      ['a changed file', (t) => writeFileSync(`${t.host}/d/1`, 'late', { flag: 'a' })],
      ['a writer', (t) => void atEnd.push(closeSync.bind(null, openSync(`${t.host}/d/1`, 'a')))],
    ])('stays whole on the host when the last moment brings %s', async (_, late) => {
      const { t, view } = await committed();
      const report = await undo(
        t,
        {},
        atRename(t, () => late(t)),
      );
      expect([report.state, report.applied]).toEqual(['partial', 0]);
      expect(messagesOf(report)).toMatch(/new or changed entry|works in it/);
      expect(existsSync(`${t.host}/d/p`)).toBe(true);
      expect(readFileSync(`${t.host}/d/e/f/3`, 'utf8')).toBe('3\n');
      expect(existsSync(`${t.upper}/d`)).toBe(false);
      expect(mergedSnapshot(t)).toBe(snapshot(t.host));
      if (_ === 'a writer') expect(snapshot(t.host)).toBe(view);
      else await expect(undo(t)).rejects.toMatchObject({ code: 'conflicts' });
    });

    it('is pending with what came at the last moment, when something else took its place on the host', async () => {
      const { t } = await committed();
      const late = () => writeFileSync(`${t.host}/d/e/late`, 'late');
      const report = await undo(
        t,
        {},
        atRename(t, late, () => mkdirSync(`${t.host}/d`)),
      );
      expect(report.state).toBe('partial');
      expect(messagesOf(report)).toContain('something else is in its place');
      expect(readFileSync(`${t.upper}/d/e/late`, 'utf8')).toBe('late');
      t.inSandbox('test "$(cat d/e/late d/1)" = "$(printf "late1")"');
      expect(existsSync(`${t.host}/d/1`)).toBe(false);
    });

    it('is in conflict with what the host has made in its place before the undo was finished', async () => {
      const { t } = await committed();
      const dies = new FaultPort();
      const port = { ...dies.port, ...atRename(t, () => {}, died) };
      await expect(undoCommit(t.ctx, undoRequest(1), { port })).rejects.toThrow(Died);
      dies.dispose();
      t.onHost('mkdir d; echo host > d/1');
      expect((await finishCommit(t.ctx))?.failed).toEqual([]);
      await recordBases(t.ctx);
      const { changes } = await scan(t.ctx);
      expect(changes.find(({ path }) => path === `${t.host}/d/1`)?.conflict).toBe('host-created');
      expect(readFileSync(`${t.host}/d/1`, 'utf8')).toBe('host\n');
      expect(readFileSync(`${t.upper}/d/1`, 'utf8')).toBe('1\n');
    });

    it.each([
      ['a commit', (t: TestSession) => finishCommit(t.ctx)],
      ['a discard', (t: TestSession) => closeUnfinished(t.ctx)],
    ])('after a death behind the rename it is made pending, before %s', async (_, finish) => {
      const scene = await committed();
      const dies = new FaultPort();
      const port = { ...dies.port, ...atRename(scene.t, () => {}, died) };
      await expect(undoCommit(scene.t.ctx, undoRequest(1), { port })).rejects.toThrow(Died);
      dies.dispose();
      expect(existsSync(`${scene.t.host}/d`)).toBe(false);
      expect(await finish(scene.t)).toMatchObject({ state: 'applied', failed: [] });
      await expectPending(scene);
    });

    it('after a reboot behind the rename, and another number of its device, it is made pending all the same', async () => {
      const scene = await committed();
      const { t } = scene;
      const dies = new FaultPort();
      const port = { ...dies.port, ...atRename(t, () => {}, died) };
      await expect(undoCommit(t.ctx, undoRequest(1), { port })).rejects.toThrow(Died);
      dies.dispose();
      const journal = `${t.ctx.sessionDir}/commits/2/journal.jsonl`;
      const { dev } = lstatSync(t.host);
      const other = readFileSync(journal, 'latin1').replaceAll(`:${dev}:`, `:${dev + 1}:`);
      writeFileSync(journal, other, 'latin1');
      expect(await finishCommit(t.ctx)).toMatchObject({ state: 'applied', failed: [] });
      await expectPending(scene);
    });

    it('after a death behind the rename, and a call that made another one, both are kept', async () => {
      const { t } = await committed();
      const dies = new FaultPort();
      const port = { ...dies.port, ...atRename(t, () => {}, died) };
      await expect(undoCommit(t.ctx, undoRequest(1), { port })).rejects.toThrow(Died);
      dies.dispose();
      t.inSandbox('mkdir d; echo other > d/1');
      const report = await finishCommit(t.ctx);
      expect(report?.state).toBe('partial');
      const kept = / is kept: (.*)$/.exec(report === null ? '' : messagesOf(report))?.[1] ?? '';
      expect(readFileSync(`${kept}/1`, 'utf8')).toBe('1\n');
      expect(readFileSync(`${t.upper}/d/1`, 'utf8')).toBe('other\n');
    });

    it('that the kernel does not let go by a rename stays, and the next undo copies it', async () => {
      const scene = await committed();
      const { t, view } = scene;
      const refuses = atRename(t, () => {
        throw Object.assign(new Error('EXDEV'), { code: 'EXDEV' });
      });
      expect(messagesOf(await undo(t, {}, refuses))).toContain('EXDEV');
      expect(snapshot(t.host)).toBe(view);
      expect(await undo(t, {}, refuses)).toMatchObject({ state: 'applied', failed: [] });
      await expectPending(scene);
    });

    const ERRORS: Fault[] = ['ENOSPC', 'EIO', 'EACCES', 'EBUSY', 'EXDEV'];

    it('is whole on the host or whole on its way, at whatever call an undo dies or fails', async () => {
      await eachFaultPoint('undo that moves, death', async (n) => await faultAt(n, 'die'));
      const fails = async (n: number) => await faultAt(n, ERRORS[n % ERRORS.length] ?? 'EIO');
      await someFaultPoints('undo that moves, errors', fails, 13);
    }, 900_000);
  },
);

function died(): never {
  throw new Died('rename');
}

/** The method that call `n` was, null when there were fewer. */
async function faultAt(n: number, fault: Fault): Promise<string | null> {
  const inside = 'mkdir -p x/d/e; echo 1 > x/d/1; ln x/d/1 x/d/e/2; chmod 555 x/d/e';
  const scene = await committed('mkdir x; echo old > x/old', inside);
  const { t } = scene;
  const faulty = FaultPort.at(n, fault);
  try {
    await undoCommit(t.ctx, undoRequest(1), { port: faulty.port }).catch((thrown: unknown) =>
      expect(thrown).toBeInstanceOf(Error),
    );
  } finally {
    faulty.dispose();
  }
  if (faulty.hit === null) return null;
  const where = `${fault} at call ${n} (${faulty.hit})`;
  const places = [t.host, t.upper, `${t.ctx.sessionDir}/commits/2/back/${t.ctx.coveredDirs[0]?.n}`].map(
    (dir) => `${dir}/x/d`,
  );
  const there = places.filter((dir) => existsSync(dir));
  expect(there.length, where).toBe(1);
  for (const dir of there)
    expect([existsSync(`${dir}/1`), existsSync(`${dir}/e/2`)], where).toEqual([true, true]);
  await finishCommit(t.ctx);
  for (let round = 0; round < 3; round++) {
    const again = await undoCommit(t.ctx, undoRequest(1)).catch((error: unknown) => error);
    if (!(again instanceof Error)) expect(again, where).toMatchObject({ failed: [] });
    else if (again instanceof TraiError && again.code === 'not-found') break;
    else throw new Error(where, { cause: again });
  }
  await expectPending(scene);
  open.splice(open.indexOf(t), 1);
  t.remove();
  return faulty.hit;
}
