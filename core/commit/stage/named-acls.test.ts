/** ACLs that name a user and a group which no user namespace of this user's has. */
import { afterEach, describe, expect, it } from 'vitest';
import { asLive, asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { requestFor, undoRequest } from '../../../testing/commit/commit.ts';
import { hasPython, NO_PYTHON, PLAIN_PYTHON, runPython } from '../../../testing/commit/python.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import type { LiveSession } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';
import { discardAll, undoDiscard } from '../discard/discard.ts';
import { redoCommit } from '../undo/redo.ts';
import { undoCommit } from '../undo/undo.ts';

const open: TestSession[] = [];
afterEach(() => {
  for (const made of open.splice(0)) made.remove();
});

const LOOK = `
import os, stat
ACCESS, DEFAULT = "system.posix_acl_access", "system.posix_acl_default"
def acl(p, name):
    try: return os.getxattr(p, name).hex()
    except OSError: return ""
for dir, dirs, files in os.walk("."):
    for p in sorted([dir] + [dir + "/" + n for n in files]):
        m = os.lstat(p).st_mode
        if stat.S_ISLNK(m): print(p, "->", os.readlink(p))
        else: print(p, oct(m), acl(p, ACCESS), acl(p, DEFAULT))
`;
/** Modes and ACLs, by path. The owner of a closed entry may look at its ACL. */
const look = (dir: string): string[] => runPython(LOOK, dir).trim().split('\n').sort();

/** `named`: tag and id of the entry beside those that a mode has. */
const GRANT = `${PLAIN_PYTHON} - <<'PYTHON'
import os, struct
def grant(p, kind, named, mask=7, who=7):
    rows = [(1, 7, -1), (4, 5, -1), (16, mask, -1), (32, 0, -1), *[(tag, who, 65534) for tag in named]]
    rows.sort()
    os.setxattr(p, "system.posix_acl_" + kind, struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *row) for row in rows))
for name, named in ("user", [2]), ("group", [8]), ("both", [2, 8]), ("mask", [2]):
    d = name + "/"; os.makedirs(d + "was/deep")
    for kind in "access", "default":
        for p in d, d + "was", d + "was/deep": grant(p, kind, named, 5 if name == "mask" else 7)
    for n in "old", "replaced", "gone", "moded", "was/deep/old", "linked":
        open(d + n, "w").write(n)
        grant(d + n, "access", named, 6)
    os.mkdir(d + "plain"); open(d + "plain/old", "w").write("p"); grant(d + "plain/old", "access", named, 6); os.removexattr(d + "plain", "system.posix_acl_default")
    os.link(d + "linked", d + "second"); os.symlink("old", d + "way")
PYTHON
echo w > was.txt; sleep 0.05
`;
const WORK = `for d in user group both mask; do (
  cd $d; echo n > n; echo more >> old; rm gone; mkdir sub sub/deep; echo x > sub/deep/x; echo y > was/deep/y; echo z >> was/deep/old
  ln -s n link; echo two >> linked; rm replaced; mkdir replaced; echo in > replaced/in; rm way; echo way > way; echo p > private
  chmod 600 private; chmod 640 moded; echo c > closed; chmod 060 closed; mkdir shut; echo s > shut/s; chmod 0 shut/s; chmod 550 shut; ln n third; chmod 2750 sub
  echo o >> plain/old; chmod 060 plain/old; cp -p ../was.txt plain/none2; chmod 040 plain/none2
) done
`;

describe.runIf(hasPython)(
  `ACLs that name others, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`,
  { timeout: 600_000 },
  () => {
    it.each([true, false])(
      'are on the host as without trai, and come back and go again (quiet: %s)',
      async (quiet) => {
        const [s, twin] = [testSession(), testSession()];
        open.push(s, twin);
        for (const { onHost } of [s, twin]) onHost(GRANT);
        const before = look(s.host);
        twin.onHost(WORK);
        const wanted = look(twin.host);
        s.inSandbox(WORK);
        const commit = async (ctx = s.ctx as LiveSession) => {
          const list = await scan(ctx);
          expect((await commitAll(ctx, list, requestFor(list))).failed).toEqual([]);
          expect(look(s.host)).toEqual(wanted);
        };
        const undo = async (n: number) => {
          expect((await undoCommit(s.ctx, undoRequest(n))).failed).toEqual([]);
          expect(look(s.host)).toEqual(before);
        };
        await commit(quiet ? s.ctx : asLive(s.ctx));
        await undo(1);
        const { n, failed } = await redoCommit(s.ctx, await scan(s.ctx));
        expect(failed).toEqual([]);
        expect(look(s.host)).toEqual(wanted);
        await undo(n);
        const { trash } = await discardAll(s.ctx, 1);
        expect(look(s.host)).toEqual(before);
        await undoDiscard(s.ctx, trash);
        await commit();
      },
    );

    it('of a closed file that can’t be copied leave it pending, and say so', async () => {
      const s = testSession();
      open.push(s);
      s.onHost(GRANT);
      s.inSandbox('cd user; echo o >> plain/old; chmod 060 plain/old; ln plain/old plain/again');
      const list = await scan(s.ctx);
      const port: FsPort = {
        ...nodePort,
        setXattrs: () => {
          throw Object.assign(new Error('EINVAL: invalid argument'), { code: 'EINVAL' });
        },
      };
      const before = look(s.host);
      const report = await commitAll(s.ctx, list, requestFor(list), { port });
      if (asRoot) return expect(report.failed).toEqual([]);
      expect(
        report.failed.map(({ path, message }) => `${path.slice(s.host.length)}: ${message}`).sort(),
      ).toEqual(
        ['again', 'old'].map(
          (name) =>
            `/user/plain/${name}: it could not be copied: the ACL of again could not be kept: the host’s file system does not take such a name or value (EINVAL)`,
        ),
      );
      expect(look(s.host)).toEqual(before);
    });
  },
);
