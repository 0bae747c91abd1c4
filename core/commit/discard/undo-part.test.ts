import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, mergedSnapshot } from '../../../testing/commit/commit.ts';
import { hasPython, NO_PYTHON, PLAIN_PYTHON } from '../../../testing/commit/python.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { reap } from '../../scan/reap.ts';
import { scan } from '../../scan/scan.ts';
import { openJournal } from '../journal/journal.ts';
import { readDiscard } from '../journal/trash.ts';
import { repairOverlay } from '../recover/repair.ts';
import { restoreEntries, storedAt } from '../upper/drop-entries.ts';
import { newestTrash, undoDiscard } from './discard.ts';
import { discardPart, lookAtDiscard } from './discard-part.ts';

let open: TestSession[] = [];
afterEach(() => {
  for (const one of open) one.remove();
  open = [];
});

it(`what found its place taken comes back later, whatever came back before, as ${asRoot ? 'root' : 'an ordinary user'}`, async () => {
  const t = testSession();
  open.push(t);
  t.onHost('echo old > f; mkdir m');
  t.inSandbox('mkdir d; echo 1 > d/a; echo mine > f; chmod 700 m; mkdir z; echo z > z/z; chmod 555 z');
  const list = await scan(t.ctx);
  const all = brief(list, t.host);
  const { plan } = await lookAtDiscard(t.ctx, list, new Set(list.changes.map(({ path }) => path)));
  let taken = 0;
  const rename: FsPort['rename'] = (from, to) => {
    if (/\/trash\/[^/]+\/overlay\/\d+$/.test(to) && ++taken > 1) throw new Error('died');
    nodePort.rename(from, to);
  };
  expect(() => discardPart(t.ctx, plan, { port: { ...nodePort, rename }, cancelled: () => false })).toThrow(
    'died',
  );
  t.inSandbox('mkdir d; echo again > d/a; echo late >> f');
  repairOverlay(t.ctx);
  expect(brief(await scan(t.ctx), t.host)).toEqual(all);
  const trash = (await newestTrash(t.ctx))?.trash ?? '';
  await expect(undoDiscard(t.ctx, trash)).rejects.toMatchObject({ code: 'not-empty' });
  t.inSandbox('grep again d/a; rm -r d; chmod 750 z');
  await undoDiscard(t.ctx, trash);
  expect(brief(await scan(t.ctx), t.host)).toEqual(all);
  t.inSandbox('grep 1 d/a; grep late f; [ "$(stat -c %a z)" = 750 ]; [ "$(stat -c %a m)" = 700 ]');
  expect(await newestTrash(t.ctx)).toBeNull();
});

it('what an undo in a live session has copied already is on disk before it leaves the trash', async () => {
  const t = testSession();
  open.push(t);
  t.inSandbox('echo 1 > f; ln -s f l');
  const list = await scan(t.ctx);
  const { plan } = await lookAtDiscard(t.ctx, list, new Set(list.changes.map(({ path }) => path)));
  discardPart(t.ctx, plan, { port: nodePort, cancelled: () => false });
  const trash = (await newestTrash(t.ctx))?.trash ?? '';
  const dir = readDiscard(nodePort, t.ctx, trash)?.dir ?? t.ctx.projectRoot;
  const journal = openJournal(nodePort, dir);
  if (journal === null) throw new Error('expected the journal of a discard');
  const stored = plan.tops.map(({ path }, i) => [
    storedAt(dir, i),
    `${t.upper}/${path.slice(t.host.length + 1)}`,
  ]);
  for (const [from = '', to = ''] of stored) execFileSync('cp', ['-a', from, to]);
  const events: string[] = [];
  const port: FsPort = {
    ...nodePort,
    fsync: (fd) => {
      events.push(`synced ${nodePort.fstat(fd).ino}`);
      nodePort.fsync(fd);
    },
    unlink: (path) => {
      events.push(`gone ${nodePort.lstat(path)?.ino}`);
      nodePort.unlink(path);
    },
  };
  const [kept = '', copy = ''] = stored.find(([, to = '']) => to.endsWith('/f')) ?? [];
  const inodes = [copy, kept].map((path) => lstatSync(path).ino);
  expect(restoreEntries({ port, ctx: t.ctx, journal })).toBe(0);
  journal.close();
  const told = events.filter((event) => inodes.some((ino) => event.endsWith(` ${ino}`)));
  expect(told).toEqual([`synced ${inodes[0]}`, `gone ${inodes[1]}`]);
});

it.runIf(hasPython)(`what a call did to such a copy since stays${NO_PYTHON}`, async () => {
  const t = testSession();
  open.push(t);
  t.inSandbox('for f in f g h; do echo 1 > $f; done');
  const list = await scan(t.ctx);
  const { plan } = await lookAtDiscard(t.ctx, list, new Set(list.changes.map(({ path }) => path)));
  discardPart(t.ctx, plan, { port: nodePort, cancelled: () => false });
  const trash = (await newestTrash(t.ctx))?.trash ?? '';
  const dir = readDiscard(nodePort, t.ctx, trash)?.dir ?? t.ctx.projectRoot;
  const journal = openJournal(nodePort, dir);
  if (journal === null) throw new Error('expected the journal of a discard');
  for (const [i, { path }] of plan.tops.entries())
    execFileSync('cp', ['-a', storedAt(dir, i), `${t.upper}/${path.slice(t.host.length + 1)}`]);
  t.inSandbox(`${PLAIN_PYTHON} -c 'import os; os.setxattr("f", "user.a", b"1")'; ln g g2`);
  const view = mergedSnapshot(t);
  expect(view).toContain('user.a');
  expect(restoreEntries({ port: nodePort, ctx: t.ctx, journal })).toBe(0);
  journal.close();
  expect(mergedSnapshot(t)).toBe(view);
});

it.runIf(hasPython)(
  `directories whose modes come back have the host’s extended attributes, as ${asRoot ? 'root' : 'an ordinary user'}${NO_PYTHON}`,
  async () => {
    const t = testSession();
    open.push(t);
    t.onHost(
      `mkdir -p d/e d/f; ${PLAIN_PYTHON} -c 'import os
for one in ("d", "d/e", "d/f"): os.setxattr(one, "user.kept", one.encode())'`,
    );
    t.inSandbox('chmod 700 d/e d/f');
    const list = await scan(t.ctx);
    const all = brief(list, t.host);
    const { plan } = await lookAtDiscard(t.ctx, list, new Set(list.changes.map(({ path }) => path)));
    discardPart(t.ctx, plan, { port: nodePort, cancelled: () => false });
    await reap(t.ctx);
    expect(readdirSync(t.upper)).toEqual([]);
    await undoDiscard(t.ctx, (await newestTrash(t.ctx))?.trash ?? '');
    expect(brief(await scan(t.ctx), t.host)).toEqual(all);
    t.inSandbox(`${PLAIN_PYTHON} -c 'import os
for one in ("d", "d/e", "d/f"): assert os.getxattr(one, "user.kept") == one.encode()'`);
  },
);
