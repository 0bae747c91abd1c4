import { chmodSync, existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { toDisplay } from '../../../shared/bytes.ts';
import type { ChangeList } from '../../../shared/model/change.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, quickLook, requestFor } from '../../../testing/commit/commit.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';
import { discardAll, newestTrash, undoDiscard } from '../discard/discard.ts';

let open: TestSession[] = [];
function session(): TestSession {
  const made = testSession();
  open.push(made);
  return made;
}
afterEach(() => {
  for (const one of open) one.remove();
  open = [];
});

/** The list of a scan that can't read `names`, made by hand since root can read everything. */
async function listWithout(t: TestSession, names: readonly string[]): Promise<ChangeList> {
  const list = await scan(t.ctx);
  const unread = names.map((name) => `${t.host}/${name}`);
  const isBelow = (path: string) => unread.some((dir) => path.startsWith(`${dir}/`));
  return {
    ...list,
    changes: list.changes.filter(({ path }) => !isBelow(path)),
    problems: unread.map((path) => ({ path, message: 'EACCES' })),
  };
}

describe(`what the scan could not read whole, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each([
    ['a new directory', 'true', 'mkdir nd; echo f > nd/f', ['nd']],
    ['one in a new tree', 'true', 'mkdir -p n/nd; echo f > n/nd/f; echo s > n/s', ['n/nd']],
    ['a closed directory of the host', 'mkdir d; echo 1 > d/in', 'echo 2 > d/in; chmod 700 d', ['d']],
    ['a deleted directory', 'mkdir -p d/e; echo 1 > d/e/in; echo 1 > d/f', 'rm -r d', ['d/e']],
  ])('is not committed by half: %s', async (_, before, inside, unread) => {
    const t = session();
    t.onHost(`umask 022; ${before}`);
    t.inSandbox(`${inside}; echo o > other`);
    await recordBases(t.ctx);
    const first = quickLook(t.host);
    const whole = brief(await scan(t.ctx), t.host);
    const list = await listWithout(t, unread);
    const report = await commitAll(t.ctx, list, requestFor(list));
    expect(report.failed.map(({ path }) => toDisplay(path))).toEqual(
      expect.arrayContaining(
        unread
          .filter((name) => list.changes.some(({ path }) => path.endsWith(`/${name}`)))
          .map((name) => `${t.host}/${name}`),
      ),
    );
    const now = quickLook(t.host);
    for (const name of unread) {
      for (const path of new Set([...first.keys(), ...now.keys()]))
        if (path === name || path.startsWith(`${name}/`)) expect(now.get(path), path).toBe(first.get(path));
    }
    expect(now.get('other')).toContain('o\n');
    // All of it is still pending.
    const left = brief(await scan(t.ctx), t.host);
    const inUnread = whole.filter((line) =>
      unread.some((name) => ` ${line.split(' ')[1]}/`.startsWith(` ${name}/`)),
    );
    expect(left).toEqual(expect.arrayContaining(inUnread));
  });

  it('keeps an undo from taking its place', async (ctx) => {
    if (asRoot) return ctx.skip('no directory is closed to root');
    const t = session();
    t.onHost('mkdir d; echo 1 > d/in');
    t.inSandbox('echo a > a');
    const { trash } = await discardAll(t.ctx, 1);
    t.inSandbox('echo 2 > d/in; chmod 000 d');
    await expect(undoDiscard(t.ctx, trash)).rejects.toMatchObject({ code: 'not-empty' });
    expect((await newestTrash(t.ctx))?.trash).toBe(trash);
    chmodSync(`${t.upper}/d`, 0o755);
    expect(existsSync(`${t.upper}/d/in`)).toBe(true);
  });
});
