/**
 * Random interleavings with host changes replayed into a live overlay, and commits meanwhile: no replay loses
 * a write of the sandbox, no commit overwrites what the sandbox never saw. `TRAI_RUNS` = how many (default
 * 40), `TRAI_SEED` = the first seed.
 */

import fs from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { type BytePath, fromText } from '../../shared/bytes.ts';
import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import { asLive } from '../../testing/changes/changes.ts';
import { HELD_OPS, OPS, treeOf } from '../../testing/changes/interleavings.fixture.ts';
import { Interleavings, randomOf } from '../../testing/changes/interleavings.testing.ts';
import { requestFor } from '../../testing/commit/commit.ts';
import { firstSeed, runsOf } from '../../testing/runs.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { commitAll } from '../commit/commit.ts';
import { look } from '../jobs/look.ts';
import { replay } from '../jobs/replay.ts';
import { recordBases } from '../overlay/bases.ts';
import { isQuiet } from '../sandbox/live.ts';
import { withLock } from '../sandbox/lock.ts';
import { replayDirs } from '../sandbox/replay-dirs.ts';
import { reap } from '../scan/reap.ts';
import { scan } from '../scan/scan.ts';
import { logTo } from '../session/log/append.ts';
import { clearQuiet } from './kept-entries.ts';

const WANTED = runsOf(40);
/** The part of the host's changes that is replayed. */
const WATCHED = 0.6;
const A_SESSION = Math.min(100, WANTED);

let s: TestSession | undefined;
afterEach(async () => await s?.close());

interface Tally {
  replayed: number;
  left: number;
  committed: number;
}

async function run(seed: number, tally: Tally): Promise<string[]> {
  const t = await testSession();
  s = t;
  t.ctx.excluded.push(...replayDirs(t.ctx.projectRoot));
  const random = randomOf(seed ^ 0x5bd1e995);
  const chance = (part: number) => random() < part;
  const worked = {
    host: t.project,
    start: (line: string) => t.start(`cd '${t.project}' && ${line}`),
  };
  const all = new Interleavings(worked, seed, {
    count: A_SESSION,
    aside: t.base,
    ops: OPS,
    inside: HELD_OPS,
  });
  const problems: string[] = [];

  const commit = async (live: boolean): Promise<void> => {
    const list = await scan(t.ctx);
    const inside = list.changes.filter(({ path }) => path.startsWith(`${t.project}/`));
    if (inside.length === 0) return;
    // As root everything is covered, and other programs change files elsewhere.
    const only = new Set([t.ctx.projectRoot]);
    const request = requestFor(list, { conflicts: 'keep-host', noUndo: true, only });
    const report = await commitAll(live ? asLive(t.ctx) : t.ctx, list, request);
    tally.committed += report.applied;
    problems.push(...all.lost(inside));
    problems.push(...report.failed.map(({ path, message }) => `${path}: ${message}`));
    all.ownMoved();
    all.note(live ? 'committed live' : 'committed');
  };
  const locked = async (work: () => Promise<unknown>) => await withLock(t, work, 60);

  for (let call = 0; call < 3; call++) {
    if (chance(0.5)) all.onHost();
    const replayed = chance(0.8) || call === 0;
    all.note(replayed ? 'live call' : 'call');
    await all.call({
      hostToo: true,
      ...(replayed
        ? {
            between: async (dirs) => {
              const paths = dirs.flatMap((dir) => changed(all, dir));
              if (paths.length === 0) return;
              // Some change where nobody watches.
              const watched = paths.filter(() => chance(WATCHED));
              const report = await replay(t.ctx, { paths: watched, everything: chance(0.2) });
              tally.replayed += report.replayed.length;
              tally.left += report.left.length;
              // Later than what the host has just changed, as the kernel's clock tells it.
              if (chance(0.7)) await pause(2 * CLOCK_TICK_MS);
              if (chance(0.5)) await look(t.ctx);
              if (chance(0.5)) await pause(2 * CLOCK_TICK_MS);
              // As of a client in the session, whose calls see what it sees.
              logTo(t.sessionDir, {
                t: 'call.started',
                call: 'in',
                pid: 1,
                mode: 'sandbox',
                overlay: 'inside',
              });
            },
          }
        : {}),
      end: async () => {
        if (!chance(0.4)) return;
        await locked(async () => {
          // As the job does (core/jobs/jobs.ts).
          await recordBases(t.ctx);
          await commit(true);
        });
      },
    });
    all.note('over');
    if (chance(0.5)) all.onHost();
    await locked(async () => {
      expect(await isQuiet(t.ctx)).toBe(true);
      clearQuiet(t.ctx);
      await recordBases(t.ctx);
      if (chance(0.7)) await reap(t.ctx);
    });
    all.note('recorded');
    if (chance(0.5)) all.onHost();
  }
  await locked(async () => await commit(false));
  return [...all.vanished, ...problems].slice(0, 5).map((one) => {
    const dir = all.dirs.find((name) => one.startsWith(`${name}/`)) ?? '';
    return `${one}\n      ${(all.history.get(dir) ?? []).join(', ')}`;
  });
}

function changed(all: Interleavings, dir: string): BytePath[] {
  return [...new Set([...treeOf(fs, dir), ...all.known(dir)])].map((path) => fromText(path));
}

test('replays lose nothing, and commits overwrite nothing unseen, with a live process', {
  timeout: 3_600_000,
}, async () => {
  const first = firstSeed(1);
  const tally: Tally = { replayed: 0, left: 0, committed: 0 };
  for (let i = 0; i < Math.ceil(WANTED / A_SESSION); i++) {
    const seed = first + i;
    expect(await run(seed, tally), `TRAI_SEED=${seed} TRAI_RUNS=${A_SESSION}`).toEqual([]);
    await s?.close();
    s = undefined;
  }
  const { replayed, left, committed } = tally;
  console.log(`from seed ${first}: ${replayed} entries replayed, ${left} left, ${committed} committed`);
  expect(replayed).toBeGreaterThan(0);
  expect(committed).toBeGreaterThan(0);
});
