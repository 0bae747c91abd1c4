/** Home, state and project in directories with blanks and names that are not ASCII. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitAll } from '../../../core/commit/commit.ts';
import { unfinishedCommit } from '../../../core/commit/journal/journal.ts';
import { needsRepair } from '../../../core/commit/recover/repair.ts';
import { findGarbage, removeGarbage } from '../../../core/commit/retention/collect.ts';
import { adoptOverlay } from '../../../core/jobs/adopt.ts';
import { JOBS } from '../../../core/jobs/jobs.ts';
import { sessionContext } from '../../../core/sandbox/context.ts';
import { runDoctor } from '../../../core/sandbox/doctor/doctor.ts';
import { withLock } from '../../../core/sandbox/lock.ts';
import { scan } from '../../../core/scan/scan.ts';
import { fromText, nameOf, toDisplay } from '../../../shared/bytes.ts';
import type { CommitReport, DiscardReport, UndoPreview } from '../../../shared/model/commit.ts';
import { requestFor } from '../../../testing/commit/commit.ts';
import { FaultPort } from '../../../testing/commit/fault-port.ts';
import { TestClient } from '../../../testing/server/client.ts';
import { listOf, type TestServer, testServer } from '../../../testing/server/server.ts';

/** Beyond Latin-1 too: a path taken for bytes loses more than its spelling. A digit after an octal escape. */
let under: string;
let t: TestServer;
let clients = 0;
beforeAll(async () => {
  under = mkdtempSync(path.join(tmpdir(), 'josé 日本 1 '));
  t = await testServer({ under });
});
afterAll(async () => {
  for (let n = 1; n <= clients; n++) await new TestClient(t, `o${n}`).clean();
  await t.close();
  rmSync(under, { recursive: true, force: true });
});

async function session(): Promise<TestClient> {
  const made = new TestClient(t, `o${++clients}`);
  await made.start();
  return made;
}

async function ask<T>(client: TestClient, route: string, body?: unknown): Promise<T> {
  const answer = await t.api(`/api/sessions/${client.id}/${route}`, body);
  const text = await answer.text();
  expect(answer.status, `${route}: ${text}`).toBe(200);
  return JSON.parse(text);
}

const inProject = (name: string): string => path.join(t.project, name);
const context = (client: TestClient) => sessionContext(t.state, client.id, { HOME: t.home });
const pending = async (client: TestClient): Promise<string[]> =>
  (await listOf(t, client)).changes.map((one) => toDisplay(nameOf(one.path)));

async function commit(client: TestClient): Promise<CommitReport> {
  const { revision } = await listOf(t, client);
  return await ask(client, 'commit', {
    scope: { kind: 'all' },
    revision,
    includeIgnored: false,
    conflicts: 'refuse',
    choices: {},
    yes: false,
    typedCount: null,
    noUndo: false,
  });
}

it('passes the checks of doctor, which leave nothing behind', async () => {
  const env = { HOME: t.home, PATH: process.env['PATH'] };
  const checks = await runDoctor({ stateDir: t.state, env, project: fromText(t.project) });
  expect(checks.find(({ id }) => id === 'overlay')).toMatchObject({ ok: true });
  expect(readdirSync(t.state).filter((name) => name.startsWith('probe-'))).toEqual([]);
  const bytes = Buffer.from(under, 'latin1');
  expect(existsSync(bytes), 'the path was taken for bytes').toBe(false);
});

it('is committed, undone, committed again, and collected', async () => {
  const client = await session();
  writeFileSync(inProject('old'), 'old\n');
  expect(await client.bash('echo new > old; mkdir sub; echo two > sub/ü')).toMatchObject({ rc: 0 });
  const report = await commit(client);
  expect(report).toMatchObject({ state: 'applied', failed: [], applied: 3 });
  expect(readFileSync(inProject('sub/ü'), 'utf8')).toBe('two\n');
  const { revision } = await ask<UndoPreview>(client, 'undo-preview', { n: report.n });
  const order = { conflicts: 'refuse', yes: false, typedCount: null, endProcesses: false };
  const undone = await ask<CommitReport>(client, 'undo-commit', { n: report.n, revision, ...order });
  expect(undone).toMatchObject({ state: 'applied', failed: [] });
  expect(readFileSync(inProject('old'), 'utf8')).toBe('old\n');
  expect(existsSync(inProject('sub'))).toBe(false);
  await expect.poll(() => pending(client)).toEqual(['old', 'sub', 'ü']);
  expect(await ask<CommitReport>(client, 'redo', {})).toMatchObject({ state: 'applied', applied: 3 });
  expect(readFileSync(inProject('old'), 'utf8')).toBe('new\n');
  // Before-images of two commits: the older ones may go.
  await client.bash('echo third > old');
  expect(await commit(client)).toMatchObject({ state: 'applied', applied: 1 });
  const ctx = await context(client);
  const late = Date.now() + 365 * 86_400_000;
  const garbage = (await findGarbage([ctx], late)).found;
  expect(garbage.map(({ kind }) => kind)).toContain('images');
  for (const one of garbage) expect(await withLock(ctx, (held) => removeGarbage(held, one, late))).toBe(true);
  expect((await findGarbage([ctx], late)).found).toEqual([]);
});

it('is discarded and comes back, also when a discard or a commit died half-way', async () => {
  const client = await session();
  await client.bash('echo one > dropped');
  const { revision } = await listOf(t, client);
  const body = { scope: { kind: 'all' }, revision, endProcesses: false };
  const { trash } = await ask<DiscardReport>(client, 'discard', body);
  expect(await pending(client)).toEqual([]);
  await ask<DiscardReport>(client, 'undo', { trash });
  expect(await pending(client)).toEqual(['dropped']);
  const ctx = await context(client);
  expect(needsRepair(ctx)).toBe(false);
  expect(existsSync(path.join(ctx.sessionDir, 'reserve'))).toBe(true);
  const list = await scan(ctx);
  const faulty = new FaultPort(30);
  const tools = { port: faulty.port };
  await expect(withLock(ctx, (held) => commitAll(held, list, requestFor(list), tools))).rejects.toThrow();
  faulty.dispose();
  expect(unfinishedCommit(ctx)).not.toBeNull();
  await JOBS.recover(ctx, null, () => {});
  expect(unfinishedCommit(ctx)).toBeNull();
});

it('is adopted by another session', async () => {
  const [from, to] = [await session(), await session()];
  await from.bash('echo one > adopted');
  await to.bash('sh -c true');
  const report = await adoptOverlay({ stateDir: t.state, from: from.id, to: to.id, env: { HOME: t.home } });
  expect(report).toMatchObject({ entries: 1 });
  expect(await to.bash('cat adopted; echo 2 > adopted-2')).toMatchObject({ rc: 0, stdout: 'one\n' });
  expect(await pending(to)).toEqual(['adopted', 'adopted-2']);
  expect(await pending(from)).toEqual([]);
  expect(await commit(to)).toMatchObject({ state: 'applied', applied: 2 });
  expect(readFileSync(inProject('adopted'), 'utf8')).toBe('one\n');
});

it('is told to a live session, and joined', async () => {
  const client = await session();
  writeFileSync(inProject('seen'), 'before\n');
  await client.bash('sleep 1000 > /dev/null 2>&1 & disown; cat seen');
  writeFileSync(inProject('seen'), 'after\n');
  await expect.poll(async () => (await client.bash('cat seen')).stdout).toBe('after\n');
  expect(await client.bash('ls; echo 3 > by-join')).toMatchObject({ rc: 0 });
  expect(await pending(client)).toEqual(['by-join']);
  expect(await commit(client)).toMatchObject({ state: 'applied', applied: 1 });
  expect(readFileSync(inProject('by-join'), 'utf8')).toBe('3\n');
});
