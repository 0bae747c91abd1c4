import { readFileSync, readlinkSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { sameRevision } from '../../shared/model/change.ts';
import { asLive, asRoot, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { requestFor } from '../../testing/commit/commit.ts';
import { scan } from '../scan/scan.ts';
import { commitAll } from './commit.ts';

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

describe(`between the scan and the copies of a commit, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each([
    ['content of the same size', 'a', 'echo s > a', 'echo l > a'],
    ['content of the same size, with the old time', 'a', 'echo s > a', 'echo l > a; touch -d @1000000000 a'],
    ['another file of the same size moved there', 'a', 'echo s > a', 'echo l > b; mv b a'],
    ['content of the same size in what is deleted', 'd/f', 'rm -r d', 'echo l > d/f'],
    ['content of the same size in what is replaced', 'd/f', 'rm -r d; echo s > d', 'echo l > d/f'],
  ])('the host gets %s: that is not overwritten', async (_, path, inside, late) => {
    const t = session();
    t.onHost('echo h > a; mkdir d; echo h > d/f; echo h > other; touch -d @1000000000 a');
    t.inSandbox(`${inside}; echo s > other`);
    const list = await scan(t.ctx);
    t.onHost(late);
    const report = await commitAll(t.ctx, list, requestFor(list));
    expect(report.state).toBe('partial');
    expect(report.failed.map((one) => one.path)).toContain(`${t.host}/${path}`);
    expect(readFileSync(`${t.host}/${path}`, 'utf8')).toBe('l\n');
    expect(readFileSync(`${t.host}/other`, 'utf8')).toBe('s\n');
  });

  it.each([
    [
      'belongs to a database',
      ':',
      'echo d > a.db; echo w > a.db-wal',
      (t: TestSession) => t.inSandbox('echo more >> a.db-wal'),
    ],
    [
      'goes with its directory',
      'mkdir d; echo l > d/a-wal',
      'rm -r d',
      (t: TestSession) => t.onHost('echo more >> d/a-wal'),
    ],
  ])('an ignored entry that %s was reviewed with it', async (_, before, inside, late) => {
    const t = session();
    const ctx = { ...t.ctx, ignore: ['*-wal', 'noise'] };
    t.onHost(before);
    t.inSandbox(`${inside}; echo 1 > noise`);
    const list = await scan(ctx);
    t.inSandbox('echo 2 >> noise');
    expect(sameRevision((await scan(ctx)).revision, list.revision, false)).toBe(true);
    late(t);
    const now = await scan(ctx);
    await expect(commitAll(ctx, now, requestFor(list))).rejects.toMatchObject({
      code: 'stale-revision',
    });
  });

  it('the sandbox writes the same number of bytes: only what was reviewed is committed', async () => {
    const t = session();
    t.onHost('echo h > a; ln -s h link');
    const gate = `${t.host}/../gate`;
    const live = await t.live(
      `echo s > a; echo s > n; ln -sfn s link; echo ready; until [ -e '${gate}' ]; do sleep 0.02; done; echo l > a; echo l > n; ln -sfn l link; touch '${gate}.done'; read _ || true`,
    );
    const list = await scan(t.ctx);
    t.onHost(`touch '${gate}'; until [ -e '${gate}.done' ]; do sleep 0.02; done`);
    const report = await commitAll(asLive(t.ctx), list, requestFor(list));
    await live.stop();
    expect(report).toMatchObject({ state: 'partial', applied: 0 });
    expect(readFileSync(`${t.host}/a`, 'utf8')).toBe('h\n');
    expect(readlinkSync(`${t.host}/link`)).toBe('h');
  });
});
