/**
 * No silent overwrite: host and sandboxes change thousands of small directories in random order, then
 * all but conflicts is committed. The sandbox must have seen whatever the commit changes on the host.
 * Each directory is an interleaving of its own; a session holds many, to save mounts.
 *
 * `TRAI_RUNS`: how many (500 by default) beside the seeds that once failed; `TRAI_SEED`: the first seed.
 */
import fs from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { type TestSession, testSession } from '../../testing/changes/changes.ts';
import { OPS } from '../../testing/changes/interleavings.fixture.ts';
import { count, Interleavings, randomOf } from '../../testing/changes/interleavings.testing.ts';
import { requestFor } from '../../testing/commit/commit.ts';
import { firstSeed, foundSeeds, runsOf } from '../../testing/runs.ts';
import { recordBases } from '../overlay/bases.ts';
import type { QuietSession } from '../sandbox/lock.ts';
import { reap } from '../scan/reap.ts';
import { scan } from '../scan/scan.ts';
import { commitAll } from './commit.ts';

const WANTED = runsOf(500);
const A_SESSION = 500;
/** Seeds that once found something, with the number of operations that there were then. */
const FOUND = foundSeeds<[seed: number, ops: number]>([
  [378_662, 22],
  [938_256, 22],
  [51_006, 22],
  [700_018, 34],
]);

let s: TestSession | undefined;
afterEach(() => s?.remove());

interface Tally {
  host: Map<string, number>;
  inside: Map<string, number>;
  /** Calls, those during which the host worked too, and those with another session's beside them. */
  calls: Map<string, number>;
  changes: number;
  conflicts: number;
  /** The host removed what the sandbox changed: nothing would be lost, but only the user can decide. */
  gone: number;
  /** Conflicts over what the sandbox has seen, by reason and kind. */
  needless: Map<string, number>;
}

async function run(seed: number, ops: number, tally: Tally): Promise<string[]> {
  const t = testSession();
  s = t;
  const random = randomOf(seed ^ 0x5bd1e995);
  const chance = (part: number) => random() < part;
  const log = `${t.ctx.sessionDir}/calls.jsonl`;
  const all = new Interleavings(t, seed, { count: A_SESSION, aside: t.ctx.stateDir, ops: OPS.slice(0, ops) });
  const other = chance(0.4) ? secondSession(t) : null;
  let earliestCall: number | null = null;
  for (let call = 0; call < 3; call++) {
    if (chance(0.5)) all.onHost();
    if (other !== null && call < 2) await otherWorks(t, other, all);
    const began = Date.now();
    fs.appendFileSync(
      log,
      `${JSON.stringify({ v: 1, t: 'call.started', at: new Date(began).toISOString(), mode: 'sandbox' })}\n`,
    );
    earliestCall ??= began;
    all.note('call');
    const hostToo = chance(0.6);
    const sessions = other === null ? 'one session' : 'two sessions';
    count(tally.calls, [hostToo ? 'calls while the host works' : 'calls alone', `calls of ${sessions}`]);
    await all.call({ hostToo });
    all.note('over');
    if (other !== null && chance(0.5)) await otherCommits(other, all);
    if (chance(0.5)) all.onHost();
    // Now and then the next call begins before the server has come to it.
    if (call === 2 || chance(0.8)) {
      await recordBases(t.ctx, { earliestCall });
      earliestCall = null;
      all.note('recorded');
      if (chance(0.7)) await reap(t.ctx);
    }
    if (chance(0.5)) all.onHost();
  }
  for (const [op, times] of all.done) count(tally.host, [op], times);
  for (const [op, times] of all.doneInside) count(tally.inside, [op], times);
  const list = await scan(t.ctx);
  tally.changes += list.changes.length;
  for (const { path, conflict, group, kind } of list.changes) {
    if (conflict === null) continue;
    tally.conflicts++;
    if (group !== null || !all.wasSeen(path)) continue;
    if (conflict === 'host-deleted' || conflict === 'host-parent-gone') tally.gone++;
    else count(tally.needless, [`${conflict} of ${kind}`]);
  }
  const report = await commitAll(t.ctx, list, requestFor(list, { conflicts: 'keep-host', noUndo: true }));
  const lost = all.lost(list.changes);
  const problems = report.failed.map(({ path, message }) => `${path}: ${message}`);
  return [...lost, ...problems].slice(0, 5).map((one) => {
    const dir = all.dirs.find((name) => one.startsWith(`${name}/`)) ?? '';
    return `${one}\n      ${(all.history.get(dir) ?? []).join(', ')}`;
  });
}

const shown = ({ host, inside }: Tally, op: string) => `${op} ${host.get(op) ?? 0}, ${inside.get(op) ?? 0}`;

function secondSession(t: TestSession): QuietSession {
  const sessionDir = `${t.ctx.stateDir}/sessions/s2`;
  for (const dir of ['u', 'w']) fs.mkdirSync(`${sessionDir}/overlay/9/${dir}`, { recursive: true });
  fs.symlinkSync(t.host, `${sessionDir}/overlay/9/l`);
  const [covered] = t.ctx.coveredDirs;
  if (covered === undefined) throw new Error('expected a place');
  const [upper, work] = [
    `${sessionDir}/overlay/9/u`,
    `${sessionDir}/overlay/9/w`,
  ] as (typeof covered.upper)[];
  if (upper === undefined || work === undefined) throw new Error('expected two directories');
  return { ...t.ctx, session: 's2', sessionDir, coveredDirs: [{ ...covered, upper, work }] };
}

async function otherWorks(t: TestSession, other: QuietSession, all: Interleavings): Promise<void> {
  const steps = `${other.sessionDir}/steps`;
  fs.writeFileSync(steps, `${JSON.stringify(all.other())}\n`);
  const began = Date.now();
  t.inOverlay(`${other.sessionDir}/overlay`, 9, `( ${all.program} ) < '${steps}' > /dev/null`);
  await recordBases(other, { earliestCall: began });
}

async function otherCommits(other: QuietSession, all: Interleavings): Promise<void> {
  const list = await scan(other);
  await commitAll(other, list, requestFor(list, { conflicts: 'keep-host', noUndo: true }));
  all.hostMoved();
  all.note('other commits');
}

test('nothing that the host has is overwritten unseen', { timeout: 3_600_000 }, async () => {
  const first = firstSeed(52_000);
  const fresh = Array.from({ length: Math.ceil(WANTED / A_SESSION) }, (_, i) => first + i);
  const runs = [...FOUND, ...fresh.map((seed): [number, number] => [seed, OPS.length])];
  const tally: Tally = {
    host: new Map(),
    inside: new Map(),
    calls: new Map(),
    changes: 0,
    conflicts: 0,
    gone: 0,
    needless: new Map(),
  };
  for (const [seed, ops] of runs) {
    expect(await run(seed, ops, tally), `TRAI_SEED=${seed} TRAI_RUNS=${A_SESSION}`).toEqual([]);
    s?.remove();
    s = undefined;
  }
  const { changes, conflicts, gone } = tally;
  const needless = [...tally.needless.values()].reduce((sum, one) => sum + one, 0);
  console.log(
    `${runs.length * A_SESSION} interleavings from seed ${first}: ${changes} changes, ${conflicts} conflicts, ${gone} of them with what the host has removed, ${needless} needless (${((100 * needless) / changes).toFixed(2)} % of the changes)`,
  );
  const reasons = [...tally.needless].sort((a, b) => b[1] - a[1]);
  console.log(`needless: ${reasons.map(([what, times]) => `${times} ${what}`).join(', ')}`);
  expect(conflicts).toBeGreaterThan(0);
  console.log([...tally.calls].map(([what, times]) => `${times} ${what}`).join(', '));
  console.log(`done on the host, in the sandbox: ${OPS.map((op) => shown(tally, op)).join(', ')}`);
  expect([...tally.host.keys()].sort()).toEqual([...OPS].sort());
});
