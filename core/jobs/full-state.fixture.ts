/** Runs with a TMPDIR on a small tmpfs: what still works when not one byte is free. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { TraiError } from '../../shared/errors.ts';
import { testSession } from '../../testing/changes/changes.ts';
import { requestFor } from '../../testing/commit/commit.ts';
import { scan } from '../scan/scan.ts';
import { JOBS } from './jobs.ts';

const t = testSession();
// A source of its own: a session counts as live while any process has its source mounted.
t.ctx.source = `trai:full${process.pid}:s1`;
const ignore = () => undefined;
const reserve = () => statSync(`${t.ctx.sessionDir}/reserve`, { throwIfNoEntry: false })?.size ?? 0;
const names = async () => (await scan(t.ctx)).changes.map(({ path }) => path.slice(t.host.length + 1));

async function coded<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work();
  } catch (error) {
    return error instanceof TraiError ? error.code : String(error);
  }
}

async function commit() {
  const request = requestFor(await scan(t.ctx));
  return await coded(async () => (await JOBS.commit(t.ctx, request, ignore)).state);
}

t.onHost('echo old > f');
// A new file is copied, unlike the others.
t.inSandbox('echo new > f; echo new > g; mkdir d; head -c 100000 /dev/urandom > d/big');
await JOBS.tidy(t.ctx, { earliestCall: null }, ignore);
const kept = reserve();
const filler = `${t.ctx.stateDir}/filler`;
spawnSync('sh', ['-c', `cat /dev/zero > '${filler}'`], { stdio: 'ignore' });

const full = await commit();
const afterCommit = reserve();
const { revision } = await scan(t.ctx);
const dropped = await coded(async () => {
  const { trash, entries } = await JOBS.discard(
    t.ctx,
    { scope: { kind: 'all' }, revision, endProcesses: false },
    ignore,
  );
  return { trash, entries };
});
const left = await names();
const trash = typeof dropped === 'string' ? '' : dropped.trash;
const undone = await coded(async () => (await JOBS.undo(t.ctx, { trash }, ignore)).entries);
rmSync(filler);
const back = await names();
const later = await commit();
console.log(
  JSON.stringify({
    kept,
    full,
    holds: afterCommit >= kept - 8192,
    dropped: typeof dropped === 'string' ? dropped : dropped.entries,
    left,
    undone,
    back,
    later,
    f: readFileSync(`${t.host}/f`, 'utf8'),
    again: reserve(),
  }),
);
