import { afterEach, describe, expect, it } from 'vitest';
import type { CommitReport } from '../../../shared/model/commit.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import {
  commitNow,
  mergedSnapshot,
  requestFor,
  snapshot,
  undoRequest,
} from '../../../testing/commit/commit.ts';
import { Died, FaultPort } from '../../../testing/commit/fault-port.ts';
import { hasPython, NO_PYTHON, PLAIN_PYTHON } from '../../../testing/commit/python.ts';
import { eachFaultPoint } from '../../../testing/runs.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';
import { finishCommit } from '../recover/recover.ts';
import { redoCommit } from '../undo/redo.ts';
import { undoCommit } from '../undo/undo.ts';

const open: TestSession[] = [];
function session(): TestSession {
  const made = testSession();
  open.push(made);
  return made;
}
afterEach(() => {
  for (const made of open.splice(0)) made.remove();
});

/** Python: each entry of `BEFORE` and `INSIDE` is a directory (`d...`) or a file (`f...`). */
const python = (mode: number, lines: string): string => `${PLAIN_PYTHON} - <<'PYTHON'
import os, struct
MODE, ACCESS = ${mode}, "system.posix_acl_access"
def acl(p):
    rows = [(1, MODE >> 6 & 7, -1), (2, 5, os.getuid()), (4, MODE >> 3 & 7, -1), (16, 7, -1), (32, MODE & 7, -1)]
    os.setxattr(p, ACCESS, struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *row) for row in rows))
def dress(p, v): os.setxattr(p, "user.u", v)
def make(p):
    if p[0] == "d": os.mkdir(p)
    open(p + "/in" if p[0] == "d" else p, "w").write("in")
${lines}
PYTHON
`;

/** The attribute and the mode, as a mode or in an ACL, come, go, and have another value. */
const BEFORE = `
for k in ("d", "f"):
    for n in ("set", "was", "val", "mode"): make(k + n)
    dress(k + "was", b"1"); dress(k + "val", b"1"); dress(k + "mode", b"1")
    acl(k + "was"); acl(k + "val"); os.chmod(k + "mode", MODE)`;
const INSIDE = `
for k in ("d", "f"):
    make(k + "new"); dress(k + "new", b"2"); acl(k + "new")
    dress(k + "set", b"2"); acl(k + "set"); dress(k + "val", b"2"); dress(k + "mode", b"2")
    os.removexattr(k + "was", ACCESS); os.removexattr(k + "was", "user.u"); os.chmod(k + "was", 0o755)`;

/** For each fault point. */
const SMALL: [before: string, inside: string] = [
  'make("dwas"); dress("dwas", b"1"); acl("dwas"); make("dset"); make("fset")',
  'dress("dwas", b"2"); dress("dset", b"2"); acl("dset"); dress("fset", b"2"); acl("fset"); open("dset/new", "w")',
];

interface Scene {
  s: TestSession;
  before: string;
  view: string;
}

async function scene(mode: number, [before, inside]: [string, string]): Promise<Scene> {
  const s = session();
  s.onHost(`${python(mode, before)} sleep 0.05`);
  const host = snapshot(s.host);
  s.inSandbox(python(mode, inside));
  await recordBases(s.ctx);
  return { s, before: host, view: mergedSnapshot(s) };
}

/** Their owner may read them: the others are in the next test. */
const READABLE = asRoot ? [0o555, 0o500, 0o400, 0] : [0o555, 0o500];

describe.runIf(hasPython)(
  `extended attributes of what its owner may not write, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`,
  { timeout: 600_000 },
  () => {
    it.each(READABLE)('are committed, undone and redone (mode %i)', async (mode) => {
      const { s, before, view } = await scene(mode, [BEFORE, INSIDE]);
      expect(await commitNow(s)).toMatchObject({ state: 'applied', failed: [], notApplied: [] });
      expect(snapshot(s.host)).toBe(view);
      expect(await undoCommit(s.ctx, undoRequest())).toMatchObject({ state: 'applied', failed: [] });
      expect(snapshot(s.host)).toBe(before);
      expect(mergedSnapshot(s)).toBe(view);
      const redone = await redoCommit(s.ctx, await scan(s.ctx));
      expect(redone).toMatchObject({ state: 'applied', failed: [], notApplied: [] });
      expect(snapshot(s.host)).toBe(view);
      expect((await scan(s.ctx)).changes).toEqual([]);
    });

    it.for([0o400, 0])(
      'stay pending where nobody may look into the directory (mode %i)',
      async (mode, ctx) => {
        if (asRoot) return ctx.skip('no directory is closed to root');
        const { s, before, view } = await scene(mode, [BEFORE, INSIDE]);
        const names = ({ failed }: CommitReport) => failed.map(({ path }) => path.slice(s.host.length + 1));
        const first = await commitNow(s);
        expect(names(first)).toEqual(['dmode', 'dnew', 'dset', 'dval']);
        // Attributes of the host's that could not be read are known once the mode has been committed.
        const second = await commitNow(s, { request: { conflicts: 'take-sandbox' } });
        expect(names(second)).toEqual(names(first));
        const lines = (text: string) => new Set(text.split('\n'));
        const oldOrNew = new Set([...lines(before), ...lines(view)]);
        expect([...lines(snapshot(s.host))].filter((line) => !oldOrNew.has(line))).toEqual([]);
        expect(mergedSnapshot(s)).toBe(view);
        for (const { n, applied } of [second, first])
          if (applied > 0) expect((await undoCommit(s.ctx, undoRequest(n))).failed).toEqual([]);
        expect(snapshot(s.host)).toBe(before);
        expect(mergedSnapshot(s)).toBe(view);
      },
    );

    it('are old or new when commit, undo or redo dies at any step, and the next run finishes it', async () => {
      for (const what of ['commit', 'undo', 'redo'] as const)
        await eachFaultPoint(what, async (n) => await dieAt(what, n));
    });
  },
);

const RUNS = {
  commit: async ({ ctx }: TestSession, port: FsPort) => {
    const list = await scan(ctx);
    return await commitAll(ctx, list, requestFor(list), { port });
  },
  undo: async ({ ctx }: TestSession, port: FsPort) => await undoCommit(ctx, undoRequest(), { port }),
  redo: async ({ ctx }: TestSession, port: FsPort) => await redoCommit(ctx, await scan(ctx), { port }),
};

async function dieAt(what: keyof typeof RUNS, n: number): Promise<string | null> {
  const { s, before, view } = await scene(0o555, SMALL);
  const faulty = new FaultPort(n, 'die', () => {}, 'changes');
  try {
    if (what !== 'commit') await RUNS.commit(s, nodePort);
    if (what === 'redo') await RUNS.undo(s, nodePort);
    const result = await RUNS[what](s, faulty.port).catch((error: unknown) => error);
    faulty.dispose();
    if (faulty.hit === null) return null;
    expect(result).toBeInstanceOf(Died);
    const rolledOn = await finishCommit(s.ctx);
    expect(rolledOn?.failed ?? []).toEqual([]);
    const wanted = what === 'undo' ? before : view;
    if (snapshot(s.host) !== wanted) {
      expect(snapshot(s.host)).toBe(what === 'undo' ? view : before);
      expect(await RUNS[what](s, nodePort)).toMatchObject({ state: 'applied', failed: [] });
    }
    expect(snapshot(s.host)).toBe(wanted);
    expect(mergedSnapshot(s)).toBe(view);
    return faulty.hit;
  } catch (error) {
    throw new Error(`died at change ${n} of ${what}: ${faulty.hit}`, { cause: error });
  } finally {
    open.splice(open.indexOf(s), 1);
    s.remove();
  }
}
