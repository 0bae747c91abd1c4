import { afterEach, describe, expect, it } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { brief, commitNow, mergedSnapshot, snapshot } from '../../testing/commit/commit.ts';
import { hasPython, NO_PYTHON } from '../../testing/commit/python.ts';
import { recordBases } from '../overlay/bases.ts';
import { scan } from '../scan/scan.ts';

let open: TestSession[] = [];
function session(options?: Parameters<typeof testSession>[0]): TestSession {
  const made = testSession(options);
  open.push(made);
  return made;
}
afterEach(() => {
  for (const one of open) one.remove();
  open = [];
});

/** `before` runs on the host, `inside` in the sandbox; the commit must give exactly the merged view. */
const CASES: Record<string, { before?: string; inside: string }> = {
  'a new file': { inside: 'echo a > a' },
  'a new tree': { inside: 'mkdir -p d/e/f; echo 1 > d/1; echo 2 > d/e/2; echo 3 > d/e/f/3' },
  'a changed file': { before: 'echo a > a', inside: 'echo b >> a' },
  'a deleted file': { before: 'echo a > a; echo b > b', inside: 'rm a' },
  'a deleted tree': { before: 'mkdir -p d/e; echo a > d/a; echo b > d/e/b', inside: 'rm -r d' },
  'a rename': { before: 'echo a > a', inside: 'mv a b' },
  'a file for a directory': { before: 'mkdir -p d/e; echo a > d/e/a', inside: 'rm -r d; echo d > d' },
  'a directory for a file': { before: 'echo d > d', inside: 'rm d; mkdir -p d/e; echo a > d/e/a' },
  'a link for a directory': { before: 'mkdir d x; echo a > d/a', inside: 'rm -r d; ln -s x d' },
  'a directory for a link': { before: 'mkdir x; ln -s x d', inside: 'rm d; mkdir d; echo a > d/a' },
  'a file for a link': { before: 'echo x > x; ln -s x l', inside: 'rm l; echo y > l' },
  'a retargeted link': { before: 'ln -s x l', inside: 'ln -sfn y l' },
  'a FIFO for a file': { before: 'echo p > p', inside: 'rm p; mkfifo p' },
  'a directory made again with some of its files': {
    before: 'mkdir -p d/e; echo a > d/a; echo b > d/b; echo c > d/e/c',
    inside: 'rm -r d; mkdir d; echo A > d/a; echo n > d/n',
  },
  'a directory made again with the same file': {
    before: 'mkdir -p d; echo a > d/a; echo b > d/b',
    inside: 'cp -p d/a .x; rm -r d; mkdir d; mv .x d/a',
  },
  'modes of files and directories': {
    before: 'echo a > a; mkdir d; echo b > d/b; chmod 644 a d/b',
    inside: 'chmod 4755 a; chmod 600 d/b; chmod 711 d',
  },
  'new files with setuid, no permission at all, and odd modes': {
    inside: 'for m in 4755 2711 1777 000 0444; do echo $m > f$m; chmod $m f$m; done; mkdir s; chmod 3775 s',
  },
  'directories in setgid ones, with the bit and without': {
    before: 'mkdir g h; chmod 2775 g; mkdir -p g/old/deep g/older/deep; chmod g-s g/old g/older g/old*/deep',
    inside:
      'rm -r g/old g/older; mkdir -p g/with g/without/deep n/one n/two; chmod g-s g/without g/without/deep; chmod 2775 n h; mkdir h/p; chmod g-s h/p; mkdir -p h/p/q',
  },
  'new directories without a write bit': {
    inside: 'mkdir -p r/s; echo a > r/a; echo b > r/s/b; chmod 555 r/s r; mkdir z; chmod 444 z',
  },
  'a file changed in a 0555 directory': {
    before: 'mkdir -p r/s; echo a > r/a; echo b > r/s/b; chmod 555 r/s r',
    inside: 'chmod 755 r/s r; echo A > r/a; rm r/s/b; echo n > r/s/n; chmod 555 r/s r',
  },
  'a 0555 directory opened up, another one closed': {
    before: 'mkdir -p r w; echo a > r/a; chmod 555 r',
    inside: 'chmod 755 r; echo n > r/n; echo m > w/m; chmod 555 w',
  },
  'a deleted 0555 tree': {
    before: 'mkdir -p r/s; echo a > r/s/a; chmod 555 r/s r',
    inside: 'chmod -R u+w r; rm -r r',
  },
  'a file for a 0555 tree, a 0555 tree for a file': {
    before: 'mkdir -p r/s; echo a > r/s/a; chmod 555 r/s r; echo q > q',
    inside: 'chmod -R u+w r; rm -r r; echo r > r; rm q; mkdir -p q/s; echo a > q/s/a; chmod 555 q/s q',
  },
  'hard links between new files': { inside: 'mkdir d; echo a > a; ln a b; ln a d/c' },
  'hard links on the host, all deleted': { before: 'echo a > a; ln a b; ln a c', inside: 'rm a b c' },
  'old times': {
    inside:
      'echo a > a; touch -d "2001-02-03 04:05:06.123456789" a; mkdir d; ln -s x l; touch -h -d 1999-01-01 l',
  },
  'a sparse file': { inside: 'truncate -s 1M s; echo end >> s' },
  'an empty file and an empty directory': { inside: 'touch e; mkdir d' },
  'names with a newline, a backslash, a dash in front, quotes, a dollar': {
    before: "mkdir d; echo x > d/$'old\\nname'; echo x > -rf",
    inside:
      "rm -- d/$'old\\nname' ./-rf; for n in $'a\\nb' 'c\\d' -e --help '\"q\" $x `y`' ' lead' 'trail ' $'\\t' '*' .hidden; do echo \"$n\" > \"./$n\"; mkdir \"d/$n\"; echo z > \"d/$n/$n\"; done",
  },
  'names that are no UTF-8, and long ones': {
    before: "echo x > $'\\xff\\xfe'; mkdir $'d\\x80'; echo y > $'d\\x80/\\xc3'",
    inside:
      "echo y >> $'\\xff\\xfe'; rm $'d\\x80/\\xc3'; mkdir $'n\\xe9'; echo z > $'n\\xe9/\\xa0\\xa1'; echo l > $(printf 'x%.0s' {1..255}); mkdir $(printf 'y%.0s' {1..255}); echo m > $(printf 'y%.0s' {1..255})/$(printf 'é%.0s' {1..127})",
  },
  'names one of which begins like the other': {
    before: 'mkdir a; echo 1 > a/1; echo 2 > a-b; echo 3 > a.c',
    inside: 'rm -r a; echo 4 > a-b; rm a.c; mkdir a; echo 5 > a/5; mkdir a+; echo 6 > a+/6',
  },
  'a copied up file that was renamed into a new directory': {
    before: 'echo a > a; echo b > b',
    inside: 'mkdir n; echo x >> a; mv a n/a; mv b n/b; ln n/a n/c',
  },
  'xattrs of the user': {
    before: `echo a > a; python3 -c 'import os; os.setxattr("a", "user.kept", b"1")'`,
    inside: `echo b >> a; mkdir d; echo n > d/n; python3 -c 'import os; os.setxattr("d/n", "user.new", b"2"); os.setxattr("d", "user.dir", b"3")'`,
  },
  'a deep tree': { inside: 'p=d; for i in {1..60}; do p=$p/dir$i; done; mkdir -p $p; echo x > $p/x' },
};

describe.runIf(hasPython)(`commit as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`, () => {
  it.each(Object.entries(CASES))(
    '%s: the host becomes what the session saw, nothing stays pending',
    async (_, c) => {
      const t = session();
      if (c.before !== undefined) t.onHost(c.before);
      t.inSandbox(c.inside);
      const merged = mergedSnapshot(t);
      const report = await commitNow(t);
      expect(report).toMatchObject({ state: 'applied', failed: [], notApplied: [], copies: false });
      expect(snapshot(t.host)).toBe(merged);
      expect(merged).not.toContain('.overlay.');
      expect(brief(await scan(t.ctx), t.host)).toEqual([]);
      expect(snapshot(t.upper).trim().split('\n')).toHaveLength(1);
      expect(mergedSnapshot(t)).toBe(merged);
    },
  );

  it('works with the state directory inside the covered directory', async () => {
    const t = session({ stateInside: true, name: 'odd, na:me\\ \nx' });
    t.onHost('mkdir d; echo a > d/a; echo b > b');
    t.inSandbox('rm -r d; echo c > d; echo B > b');
    expect((await commitNow(t)).state).toBe('applied');
    t.onHost('[ "$(cat d b)" = $\'c\\nB\' ]');
  });
});

it('a directory without setgid that is copied into one with it, for a live session, has none', async () => {
  const t = session();
  t.onHost('chmod 2775 .');
  const live = await t.live('mkdir -p d/e; chmod g-s d d/e; chmod 755 d d/e; echo ready; cat');
  expect(await commitNow(t, { live: true })).toMatchObject({ failed: [], copies: true });
  t.onHost('[ "$(stat -c %a d d/e)" = "755\n755" ]');
  await live.stop();
});

it('a file that a commit made, and an empty directory in its place, is one more change to commit', async () => {
  const t = session();
  t.inSandbox('echo 0 > made');
  await recordBases(t.ctx);
  await commitNow(t);
  t.inSandbox('rm made; mkdir made');
  await recordBases(t.ctx);
  expect(brief(await scan(t.ctx), t.host)).toEqual(['replaced made']);
  const report = await commitNow(t, { request: { conflicts: 'take-sandbox' } });
  expect(report).toMatchObject({ state: 'applied', applied: 1 });
  expect(snapshot(t.host)).toBe(mergedSnapshot(t));
  expect(brief(await scan(t.ctx), t.host)).toEqual([]);
});
