import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, requestFor, snapshot, undoRequest } from '../../../testing/commit/commit.ts';
import { hasPython } from '../../../testing/commit/python.ts';
import { identityOf } from '../../kernel/fs/fingerprint.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { withLock } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import { commitAll, lookSettled } from '../commit.ts';
import { discardAll } from '../discard/discard.ts';
import { type CommitRecord, commitDir, readJournal } from '../journal/journal.ts';
import { entriesOf } from '../journal/unit.ts';
import { undoCommit } from '../undo/undo.ts';

let t: TestSession;
beforeEach(() => {
  t = testSession();
  // Sessions of other tests that run now have the same name.
  t.ctx.source = `trai:${randomBytes(4).toString('hex')}:s1`;
});
afterEach(() => t.remove());

/** Names with what separates fields in the journal, files of two names, odd types and modes. */
const TREE = `mkdir -p d/e d/e.1.2 "d/sp ace"; echo 1 > d/1; echo 2 > "d/e/a.b:c"; : > d/e/empty; ln -s 1 d/l
ln d/1 d/e/two; echo q > 'd/q"uote'; echo n > $'d/new\\nline'; echo b > $'d/\\xff'; mkfifo d/p; echo x > d/x; chmod 4711 d/x
touch -d @1000000000 d/e/empty; touch -d @-5 d/l d/x; echo o > "d/sp ace/o"; touch -h -d @7.5 d/l`;

function journal(n: number): { record: CommitRecord; file: string } {
  const record = readJournal(nodePort, t.ctx, n);
  if (record === null) throw new Error(`expected a journal of commit ${n}`);
  return { record, file: `${t.ctx.sessionDir}/commits/${n}/journal.jsonl` };
}

/** Scans as the server does, and commits when `between` is over. */
async function order(
  between: () => unknown,
  port: Partial<FsPort> = {},
): Promise<CommitReport & { settled: boolean }> {
  const { found, session, settled } = await withLock(t.ctx, (locked) =>
    lookSettled(locked, async () => {
      const list = await scan(locked);
      await between();
      return list;
    }),
  );
  const tools = { port: { ...nodePort, ...port }, settled };
  return { ...(await commitAll(session, found, requestFor(found), tools)), settled };
}

describe(`a list that is believed, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('is one of a session that was quiet before it was scanned', async () => {
    t.inSandbox('mkdir d; echo 1 > d/1');
    expect(await order(() => {})).toMatchObject({ settled: true, state: 'applied', applied: 2 });
  });

  it('is none of a session in which a process ran when it was scanned: what that wrote behind it stays pending', async () => {
    const live = await t.live('mkdir d; echo s > d/1; echo s > d/2; echo ready; read || true; echo l > d/1');
    const report = await order(() => live.stop());
    expect(report).toMatchObject({ settled: false, copies: false, state: 'partial' });
    expect(report.failed.map(({ path }) => path)).toEqual([`${t.host}/d/1`]);
    expect([existsSync(`${t.host}/d/1`), existsSync(`${t.host}/d/2`)]).toEqual([false, true]);
  });

  it('is none while a process runs, which keeps its copy', async () => {
    const live = await t.live('mkdir d; echo s > d/1; echo ready; read || true; echo l >> d/1');
    const was = lstatSync(`${t.upper}/d`).ino;
    const report = await order(() => {});
    await live.stop();
    expect(report).toMatchObject({ settled: false, copies: true, state: 'applied' });
    expect(lstatSync(`${t.upper}/d`).ino).toBe(was);
    expect(readFileSync(`${t.host}/d/1`, 'utf8')).toBe('s\n');
  });

  it('is none after a call that came before the commit', async () => {
    t.inSandbox('mkdir d; echo s > d/1; echo s > d/2');
    const list = await scan(t.ctx);
    t.inSandbox('echo l > d/1');
    const report = await commitAll(t.ctx, list, requestFor(list));
    expect(report.failed.map(({ path }) => path)).toEqual([`${t.host}/d/1`]);
    expect(readFileSync(`${t.host}/d/2`, 'utf8')).toBe('s\n');
  });

  it('is none of a session in which a process ran: what that wrote to a file of the host’s stays pending as well', async () => {
    t.onHost('echo 0 > f; echo 0 > g');
    const live = await t.live('echo s > f; echo s > g; echo ready; read || true; echo l > f');
    const report = await order(() => live.stop());
    expect(report).toMatchObject({ settled: false, copies: false, state: 'partial' });
    expect(report.failed.map(({ path }) => path)).toEqual([`${t.host}/f`]);
    expect([readFileSync(`${t.host}/f`, 'utf8'), readFileSync(`${t.host}/g`, 'utf8')]).toEqual([
      '0\n',
      's\n',
    ]);
  });

  it.each(['renamed', 'copied'])(
    'does not hide that a file of the host’s has other content than it says, where it is %s',
    async (how) => {
      t.onHost('echo 0 > f; echo 0 > g');
      t.inSandbox('echo s > f; echo s > g');
      mkdirSync(`${t.ctx.sessionDir}/commits`);
      if (how === 'copied') writeFileSync(`${t.ctx.sessionDir}/commits/no-moves`, '');
      const was = lstatSync(`${t.upper}/g`).ino;
      const report = await order(() => writeFileSync(`${t.upper}/f`, 'l\n'));
      expect(report).toMatchObject({ settled: true, state: 'partial', applied: 1 });
      expect(report.failed.map(({ path }) => path)).toEqual([`${t.host}/f`]);
      expect([readFileSync(`${t.host}/f`, 'utf8'), readFileSync(`${t.host}/g`, 'utf8')]).toEqual([
        '0\n',
        's\n',
      ]);
      expect(lstatSync(`${t.host}/g`).ino === was).toBe(how === 'renamed');
      expect((await scan(t.ctx)).changes.map(({ path }) => path)).toEqual([`${t.host}/f`]);
    },
  );

  it.runIf(hasPython)('gives the journal what a look would, for every entry', async () => {
    t.inSandbox(TREE);
    const { ino } = lstatSync(`${t.upper}/d`);
    const looks: BytePath[] = [];
    const lstat: FsPort['lstat'] = (path) => {
      looks.push(path);
      return nodePort.lstat(path);
    };
    const report = await order(() => {}, { lstat });
    expect(report).toMatchObject({ state: 'applied', settled: true });
    expect(lstatSync(`${t.host}/d`).ino).toBe(ino);
    // Of two names, and so looked at; of one, and so not.
    expect(looks.some((path) => path.endsWith('/two'))).toBe(true);
    expect(looks.some((path) => path.endsWith('/x'))).toBe(false);
    const [unit] = journal(report.n).record.units;
    const entries = unit === undefined ? [] : entriesOf(unit);
    expect(entries).toHaveLength(report.applied);
    for (const { path, id } of entries) {
      const now = nodePort.lstat(path);
      // The rename moves the change time of the directory itself.
      const fields = (one: string | null) => (path === unit?.path ? one?.replace(/:\d+$/, '') : one);
      expect(fields(id), path).toBe(fields(now === null ? null : identityOf(now)));
    }
  });

  it.runIf(asRoot && hasPython)('names the owner of each entry (needs root)', async () => {
    t.inSandbox('mkdir -p d/e; echo 1 > d/1; echo 2 > d/2; chown 7:8 d/1; chown 9 d/e');
    const { n } = await order(() => {});
    const entries = journal(n).record.units.slice(0, 1).flatMap(entriesOf);
    const ids = new Map(entries.map(({ path, id }) => [path.slice(-3), id]));
    expect(ids.get('d/1')).toMatch(/^file:\d+:7:8:/);
    expect(ids.get('d/2')).toMatch(/^file:\d+:0:0:/);
    expect(ids.get('d/e')).toMatch(/^dir:\d+:9:0:/);
  });

  it('is taken back and committed again whole', async () => {
    const before = snapshot(t.host);
    t.inSandbox(TREE);
    const { n } = await order(() => {});
    const after = snapshot(t.host);
    expect((await undoCommit(t.ctx, undoRequest(n))).state).toBe('applied');
    expect(snapshot(t.host)).toBe(before);
    expect((await commitNow(t)).state).toBe('applied');
    expect(snapshot(t.host)).toBe(after);
  });

  it('is looked at after all where it cannot be renamed', async () => {
    t.inSandbox('mkdir d; echo s > d/1; echo s > d/2');
    let mounts = 0;
    const readText: FsPort['readText'] = (path) =>
      path.includes('/fdinfo/') ? `mnt_id:\t${++mounts}\n` : nodePort.readText(path);
    // Nobody can do that; who looks notices it.
    const report = await order(() => writeFileSync(`${t.upper}/d/1`, 'l\n'), { readText });
    expect(report).toMatchObject({ settled: true, state: 'partial', applied: 2 });
    expect(report.failed.map(({ path }) => path)).toEqual([`${t.host}/d/1`]);
    expect(existsSync(`${t.host}/d/1`)).toBe(false);
  });

  it('is no reason not to look at the host', async () => {
    t.inSandbox('mkdir -p d/e; echo s > d/1');
    const report = await order(() => t.onHost('mkdir d; echo host > d/host'));
    expect(report).toMatchObject({ settled: true, applied: 0 });
    expect(readFileSync(`${t.host}/d/host`, 'utf8')).toBe('host\n');
    expect(existsSync(`${t.host}/d/1`)).toBe(false);
  });

  it('is no reason to take along what is in the directory beside it', async () => {
    t.inSandbox('mkdir d; echo s > d/1');
    const was = lstatSync(`${t.upper}/d`).ino;
    const report = await order(() => writeFileSync(`${t.upper}/d/new`, 'new\n'));
    expect(report.settled).toBe(true);
    expect(lstatSync(`${t.host}/d`).ino).not.toBe(was);
    expect(existsSync(`${t.host}/d/new`)).toBe(false);
  });
});

it.each([1, 4, 6])('a journal of format %i is refused with what to do, and nothing is changed', async (v) => {
  t.inSandbox('mkdir -p d/e; echo 1 > d/1');
  const { n } = await commitNow(t);
  const { file } = journal(n);
  const text = readFileSync(file, 'utf8').replace('"v":5', `"v":${v}`);
  writeFileSync(file, text);
  t.inSandbox('echo 2 > other');
  const list = await scan(t.ctx);
  const refused = {
    code: 'unsupported',
    path: toDisplay(commitDir(t.ctx, n)),
    message: expect.stringContaining(`format ${v}`),
  };
  await expect(commitAll(t.ctx, list, requestFor(list))).rejects.toMatchObject(refused);
  await expect(undoCommit(t.ctx, undoRequest(n))).rejects.toMatchObject(refused);
  await expect(discardAll(t.ctx, 1)).rejects.toMatchObject(refused);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(existsSync(`${t.host}/other`)).toBe(false);
  expect((await scan(t.ctx)).revision).toBe(list.revision);
});
