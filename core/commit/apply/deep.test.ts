import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type BytePath, nameOf } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import {
  brief,
  commitNow,
  hasPython,
  NO_PYTHON,
  PYTHON,
  undoRequest,
} from '../../../testing/commit/commit.ts';
import { Died, type Fault, FaultPort } from '../../../testing/commit/fault-port.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { scan } from '../../scan/scan.ts';
import { discardAll, newestTrash, undoDiscard } from '../discard/discard.ts';
import { discardPart, lookAtDiscard } from '../discard/discard-part.ts';
import { readJournal } from '../journal/journal-file.ts';
import { finishCommit } from '../recover/recover.ts';
import { redoCommit } from '../undo/redo.ts';
import { undoCommit } from '../undo/undo.ts';
import { dropCommitted } from './cleanup.ts';
import '../../../testing/memory-disk.ts';

const open: TestSession[] = [];
function session(): TestSession {
  const made = testSession();
  open.push(made);
  return made;
}
function close(made: TestSession): void {
  // Node can't remove what lies deeper than PATH_MAX.
  spawnSync('chmod', ['-R', 'u+rwx', made.host, made.upper, made.ctx.stateDir]);
  spawnSync('rm', ['-rf', made.host, made.ctx.stateDir]);
  made.remove();
}
afterEach(() => {
  for (const made of open.splice(0)) close(made);
});

const python = (lines: string): string => `'${PYTHON}' - <<'PYTHON'
import os
def down(levels=30):
    for i in range(levels):
        n = "d" * 200
        os.path.isdir(n) or os.mkdir(n)
        os.chdir(n)
def write(p, text): open(p, "w").write(text)
${lines}
PYTHON
`;

/** Like SNAPSHOT of testing.ts, by relative names: path by its depth and name, type, mode, size, content, links, attributes. */
const LOOK = `
import os, stat, sys
links = {}
def show(name, depth):
    s = os.lstat(name); m = s.st_mode; out = [str(depth), name[:9] + str(len(name)), oct(m)]
    if stat.S_ISREG(m): out += [open(name).read()]
    if stat.S_ISREG(m) and s.st_nlink > 1: out.append("= " + links.setdefault(s.st_ino, str(depth) + name))
    if stat.S_ISLNK(m): out.append(os.readlink(name))
    if not stat.S_ISDIR(m): out.append(str(s.st_mtime_ns // 1000))
    if not stat.S_ISFIFO(m) and not stat.S_ISLNK(m):
        out += sorted(repr((k, os.getxattr(name, k))) for k in os.listxattr(name))
    print(" ".join(out))
    if not stat.S_ISDIR(m): return
    back = os.open(".", os.O_RDONLY)
    os.chdir(name)
    for n in sorted(os.listdir(".")): show(n, depth + 1)
    os.fchdir(back); os.close(back)
for n in sorted(os.listdir(".")): show(n, 0)
`;
const look = (dir: string): string =>
  execFileSync(PYTHON, ['-c', LOOK], { cwd: dir, encoding: 'utf8', maxBuffer: 1 << 28 });
function view(s: TestSession): string {
  const file = `${s.ctx.stateDir}/view.txt`;
  s.inSandbox(`'${PYTHON}' -c "$(cat <<'PYTHON'\n${LOOK}\nPYTHON\n)" > '${file}'`);
  return execFileSync('cat', [file], { encoding: 'utf8', maxBuffer: 1 << 28 });
}

const NEW = python(`
os.mkdir("new"); os.chdir("new"); write("first", "links")
os.mkdir("a"); write("a/shallow", "s"); os.link("first", "zlast")
top = os.open(".", os.O_RDONLY)
down(); write("end", "x"); os.symlink("t", "link"); os.mkfifo("pipe"); write("one", "1"); os.link("one", "two")
os.link("first", "deep", src_dir_fd=top)
os.mkdir("dressed"); os.setxattr("dressed", "user.d", b"1"); write("dressed/f", "f"); os.chmod("dressed", 0o500)
os.mkdir("last"); os.chmod("last", 0o2755); os.utime("last", (1e9, 1e9))
`);
const OLD = `${python(`
os.mkdir("old"); os.chdir("old"); down()
for n in ("keep", "change", "gone"): write(n, n)
os.mkdir("dir"); write("dir/f", "f"); os.symlink("x", "link")
`)} sleep 0.05`;
const CHANGE = python(`
os.chdir("old"); down(); write("change", "new"); os.remove("gone"); write("come", "c"); os.chmod("keep", 0o600)
os.remove("dir/f"); os.rmdir("dir"); write("dir", "a file now"); os.remove("link"); os.mkdir("link"); write("link/f", "f")
`);

const ask = undoRequest();

describe.runIf(hasPython)(
  `trees deeper than PATH_MAX, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`,
  { timeout: 600_000 },
  () => {
    it.each([19, 30])('a new directory below %i long names goes back as it came', async (levels) => {
      const s = session();
      s.onHost(python(`os.mkdir("old"); os.chdir("old"); down(${levels})`));
      const before = look(s.host);
      s.inSandbox(python(`os.chdir("old"); down(${levels}); os.mkdir("new"); write("new/f", "f")`));
      const wanted = view(s);
      await commitNow(s);
      expect(look(s.host)).toBe(wanted);
      const report = await undoCommit(s.ctx, ask, false);
      expect(report).toMatchObject({ state: 'applied', failed: [] });
      expect(look(s.host)).toBe(before);
      expect(view(s)).toBe(wanted);
      expect((await redoCommit(s.ctx, await scan(s.ctx), false)).failed).toEqual([]);
    });

    // Of a state directory that was moved since to where names are longer: a commit renames nothing that lies as deep.
    it.each([4_080, 4_091, 4_093, 4_095, 4_096])(
      'a new directory whose path would have %i bytes on its way back goes back, too',
      async (bytes) => {
        const s = session();
        s.onHost(python('os.mkdir("old"); os.chdir("old"); down(18)'));
        const before = look(s.host);
        s.inSandbox(python('os.chdir("old"); down(18); os.makedirs("new/sub"); write("new/sub/f", "f")'));
        await commitNow(s);
        expect(readJournal(nodePort, s.ctx, 1)?.record.units).toMatchObject([{ kind: 'move-to-host' }]);
        const back = `/commits/2/back/9/old${`/${'d'.repeat(200)}`.repeat(18)}/new`;
        const short = `${s.ctx.stateDir}/sessions`;
        const name = 's'.repeat(bytes - back.length - short.length - 2 - 200);
        const sessionDir = `${short}/${'s'.repeat(200)}/${name}`;
        mkdirSync(`${short}/${'s'.repeat(200)}`);
        renameSync(s.ctx.sessionDir, sessionDir);
        const moved = (path: BytePath) => path.replace(s.ctx.sessionDir, sessionDir) as BytePath;
        const places = s.ctx.coveredDirs.map((one) => ({
          ...one,
          upper: moved(one.upper),
          work: moved(one.work),
        }));
        const ctx = { ...s.ctx, sessionDir, places };
        expect(await undoCommit(ctx, ask, false)).toMatchObject({ state: 'applied', failed: [] });
        expect(look(s.host)).toBe(before);
        expect((await redoCommit(ctx, await scan(ctx), false)).failed).toEqual([]);
      },
    );

    it.each([
      ['of a quiet session', false],
      ['of a live one, which are copied', true],
    ])('new ones %s are committed, taken back and committed again', async (_, live) => {
      const s = session();
      s.inSandbox(NEW);
      const wanted = view(s);
      expect(wanted.match(/= /g)).toHaveLength(5);
      const list = await scan(s.ctx);
      expect(list.changes.length).toBe(44);
      expect((await commitNow(s, { live })).failed).toEqual([]);
      expect(look(s.host)).toBe(wanted);
      await dropCommitted(s.ctx);
      expect(brief(await scan(s.ctx), s.host)).toEqual([]);

      expect((await undoCommit(s.ctx, ask, false)).failed).toEqual([]);
      expect(readdirSync(s.host)).toEqual([]);
      expect(view(s)).toBe(wanted);
      expect((await redoCommit(s.ctx, await scan(s.ctx), false)).failed).toEqual([]);
      expect(look(s.host)).toBe(wanted);
      expect(brief(await scan(s.ctx), s.host)).toEqual([]);
    });

    it.each([
      ['what changed deep down in one', CHANGE],
      ['one that was deleted', 'rm -rf old'],
      ['one that a file has replaced', 'rm -rf old; echo f > old'],
    ])('%s is committed, and comes back', async (_, lines) => {
      const s = session();
      s.onHost(OLD);
      const before = look(s.host);
      s.inSandbox(lines);
      const wanted = view(s);
      expect((await commitNow(s)).failed).toEqual([]);
      expect(look(s.host)).toBe(wanted);
      expect((await undoCommit(s.ctx, ask, false)).failed).toEqual([]);
      expect(look(s.host)).toBe(before);
      expect(view(s)).toBe(wanted);
      expect((await redoCommit(s.ctx, await scan(s.ctx), false)).failed).toEqual([]);
      expect(look(s.host)).toBe(wanted);
    });

    it('are discarded in part or whole, and come back', async () => {
      const s = session();
      s.onHost(OLD);
      s.inSandbox(`${CHANGE}${NEW}`);
      const wanted = view(s);
      const list = await scan(s.ctx);
      const chosen = new Set(
        list.changes
          .filter(({ path }) => ['come', 'change', 'end', 'dressed'].includes(nameOf(path)))
          .map((c) => c.path),
      );
      discardPart(s.ctx, (await lookAtDiscard(s.ctx, list, chosen)).plan);
      expect((await scan(s.ctx)).changes.filter(({ path }) => chosen.has(path))).toEqual([]);
      await undoDiscard(s.ctx, (await newestTrash(s.ctx))?.trash ?? '');
      expect(view(s)).toBe(wanted);
      await discardAll(s.ctx);
      expect((await scan(s.ctx)).changes).toEqual([]);
      await undoDiscard(s.ctx, (await newestTrash(s.ctx))?.trash ?? '');
      expect(view(s)).toBe(wanted);
    });

    it('are committed in part: what lies deepest, then the rest', async () => {
      const s = session();
      s.onHost(OLD);
      s.inSandbox(`${CHANGE}${NEW}`);
      const wanted = view(s);
      const deepest = (await scan(s.ctx)).changes.filter(({ path }) =>
        ['come', 'end', 'change'].includes(nameOf(path)),
      );
      const only = new Set<BytePath>(deepest.map(({ path }) => path));
      expect((await commitNow(s, { request: { only } })).failed).toEqual([]);
      expect(view(s)).toBe(wanted);
      expect(look(s.host)).not.toBe(wanted);
      expect((await commitNow(s)).failed).toEqual([]);
      expect(look(s.host)).toBe(wanted);
    });

    it('what is nested too deep stays pending, with what to do; the rest is committed', async () => {
      const s = session();
      const nested = (lines: string) =>
        python(`
for i in range(1_000):
    os.path.isdir("d") or os.mkdir("d")
    os.chdir("d")
${lines}`);
      s.onHost(`${nested('write("end", "x")')} sleep 0.05`);
      s.inSandbox(`echo b > beside; ${nested('write("end", "y")')}`);
      const { failed, applied } = await commitNow(s);
      expect(failed.map(({ path, message }) => [nameOf(path), message.replace(/^.*; /, '')])).toEqual([
        ['end', 'move what is above it up with a command in the sandbox, then commit again'],
      ]);
      expect([applied, readdirSync(s.host).sort()]).toEqual([1, ['beside', 'd']]);
    });

    it.each(['die', 'EIO', 'ENOSPC'] as const)(
      'are old or new after any call meets %s, and the next run finishes commit and undo',
      async (fault) => {
        for (const what of ['commit', 'undo'] as const) {
          const total = totals.get(what) ?? (await withFault(what, 0, fault));
          totals.set(what, total);
          // Each of these trees takes a second.
          const step = process.env['TRAI_RUNS'] === undefined ? Math.ceil((2 * total) / 3) : 1;
          for (let n = step; n <= total; n += step) await withFault(what, n, fault);
        }
      },
    );
  },
);

/** How many calls a commit and an undo of the scene make. */
const totals = new Map<string, number>();

const top = (s: TestSession): string[] => readdirSync(s.host).filter((name) => !name.startsWith('.trai-'));

/** Returns how many calls there were. */
async function withFault(what: 'commit' | 'undo', n: number, fault: Fault): Promise<number> {
  const s = testSession();
  try {
    s.onHost(OLD);
    const old = look(s.host);
    s.inSandbox(`rm -rf old; ${NEW}`);
    const fresh = view(s);
    const take = { request: { conflicts: 'take-sandbox' as const } };
    if (what === 'undo') await commitNow(s, take);
    const wanted = what === 'undo' ? old : fresh;
    const faulty = new FaultPort(n, fault);
    const run = (port: FsPort) =>
      what === 'undo'
        ? undoCommit(s.ctx, { ...ask, conflicts: 'take-back' }, false, undefined, port)
        : commitNow(s, { ...take, tools: { port } });
    const result = await run(faulty.port).catch((error: unknown) => error);
    faulty.dispose();
    if (n === 0) {
      expect(look(s.host)).toBe(wanted);
      return faulty.count;
    }
    if (faulty.hit === null) return faulty.count;
    if (result instanceof Error) expect(result).toBeInstanceOf(fault === 'die' ? Died : TraiError);
    expect(top(s).filter((name) => !['old', 'new'].includes(name))).toEqual([]);
    // The new tree is there whole or not at all.
    if (what === 'commit' && top(s).includes('new'))
      expect(look(s.host)).toContain(fresh.slice(fresh.indexOf('0 new')));
    await finishCommit(s.ctx, false);
    for (let round = 0; round < 3; round++) {
      const again = await run(nodePort).catch((error: unknown) => error);
      if (!(again instanceof Error)) expect(again).toMatchObject({ failed: [] });
      else if (again instanceof TraiError && again.code === 'not-found') break;
      else throw again;
      if (what === 'commit' && (await scan(s.ctx)).changes.length === 0) break;
    }
    expect(look(s.host)).toBe(wanted);
    return faulty.count;
  } catch (error) {
    throw new Error(`${fault} at call ${n} of ${what}`, { cause: error });
  } finally {
    close(s);
  }
}
