/** The user's `git status` rewrites the index: no conflict for an undo, a redo or a commit. */
import { afterEach, describe, expect, it } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, undoRequest } from '../../../testing/commit/commit.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { redoCommit } from '../undo/redo.ts';
import { previewUndo, undoCommit } from '../undo/undo.ts';

let open: TestSession[] = [];
afterEach(() => {
  for (const one of open) one.remove();
  open = [];
});

const GIT =
  'export HOME=/nonexistent GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=e GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=e; ';
/** Refreshes the index for sure: the files have other times than it says. */
const STATUS = `sleep 0.05; touch r/a; cp -p r/.git/index before; git -C r status > /dev/null; ! cmp -s before r/.git/index; rm before`;

async function scene(before: string, inside: string): Promise<TestSession> {
  const t = testSession();
  open.push(t);
  // As in the product: the owner of the tree is the user, inside as well.
  t.onHost(`${GIT} mkdir r; cd r; echo a > a; echo b > b; ${before}; sleep 0.05`);
  t.inSandbox(`${GIT} cd r; ${inside}`);
  await recordBases(t.ctx);
  return t;
}

const conflicts = async (t: TestSession) =>
  (await scan(t.ctx)).changes.filter(({ conflict }) => conflict !== null).map(({ path }) => path);

describe(`the host's refreshed git index, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each([
    [
      'one that was changed',
      'git init -q; git add .; git commit -qm 1',
      'echo c > c; git add .; git commit -qm 2',
    ],
    ['one of a new repository, which is moved as a whole', ':', 'git init -q; git add .; git commit -qm 1'],
  ])('stands in the way of neither an undo nor a redo: %s', async (_, before, inside) => {
    const t = await scene(before, inside);
    expect((await commitNow(t)).failed).toEqual([]);
    t.onHost(`${GIT}${STATUS}`);
    const { conflicts: found } = await previewUndo(t.ctx, 1);
    expect(found.map(({ path }) => path.slice(t.host.length + 1))).toEqual([]);
    expect(await undoCommit(t.ctx, undoRequest())).toMatchObject({ state: 'applied', failed: [] });
    expect(await conflicts(t)).toEqual([]);
    if (before !== ':') t.onHost(`${GIT}${STATUS}; [ "$(git -C r log --format=%s)" = 1 ]`);
    expect(await conflicts(t)).toEqual([]);
    expect(await redoCommit(t.ctx, await scan(t.ctx))).toMatchObject({ state: 'applied', failed: [] });
    t.onHost(`${GIT} git -C r fsck --strict; [ -z "$(git -C r status --porcelain)" ]`);
  });

  it('is no conflict of what is pending', async () => {
    const t = await scene(
      'git init -q; git add .; git commit -qm 1',
      'echo c > c; git add .; git commit -qm 2',
    );
    t.onHost(`${GIT}${STATUS}`);
    expect(await conflicts(t)).toEqual([]);
    expect((await commitNow(t)).failed).toEqual([]);
    t.onHost(
      `${GIT} [ "$(git -C r log --format=%s | head -1)" = 2 ]; [ -z "$(git -C r status --porcelain)" ]`,
    );
  });

  it('that says something else is a conflict as ever', async () => {
    const t = await scene(
      'git init -q; git add .; git commit -qm 1',
      'echo c > c; git add .; git commit -qm 2',
    );
    t.onHost(`${GIT} echo d > r/d; git -C r add d`);
    expect((await conflicts(t)).map((path) => path.slice(t.host.length + 1))).toContain('r/.git/index');
    const other = await scene(
      'git init -q; git add .; git commit -qm 1',
      'echo c > c; git add .; git commit -qm 2',
    );
    await commitNow(other);
    other.onHost(`${GIT} echo d > r/d; git -C r add d`);
    const { conflicts: found } = await previewUndo(other.ctx, 1);
    expect(found.map(({ path }) => path.slice(other.host.length + 1))).toContain('r/.git/index');
  });
});
