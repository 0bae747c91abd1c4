import { randomBytes } from 'node:crypto';
import { chmodSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChangeList } from '../../shared/model/change.ts';
import { asRoot, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { commitNow } from '../../testing/commit/commit.ts';
import { firstSeed } from '../../testing/runs.ts';
import { recordBases } from '../overlay/bases.ts';
import type { ScanMark } from '../scan/cache/unchanged.ts';
import { reap } from '../scan/reap.ts';
import { scan } from '../scan/scan.ts';
import { scanJob } from './lists.ts';

let s: TestSession;
beforeEach(() => {
  s = testSession();
  // Parallel tests have sessions of the same name.
  s.ctx.source = `trai:${randomBytes(4).toString('hex')}:s1`;
});
afterEach(() => s.remove());

/** Scans until the last change is old enough for its time to be trusted. */
async function settled(): Promise<ScanMark> {
  for (;;) {
    const answer = await scanJob(s.ctx, null);
    if (!answer.same && answer.mark !== null) return answer.mark;
    await sleep(20);
  }
}
const same = async (mark: ScanMark): Promise<boolean> => (await scanJob(s.ctx, mark)).same;

const HOST =
  'mkdir -p d/e r w; for f in a b d/x d/e/y r/1 r/2 w/f; do echo one > $f; done; ln -s a l; echo alone > alone';
const INSIDE =
  'echo two > a; rm b; rm -rf r; mkdir r; echo one > r/1; echo new > d/new; mkdir -p n/m; echo n > n/m/f; ln -sfn b l; : >> w/f';

describe(`a scan that nothing has changed since, as ${asRoot ? 'root' : 'an ordinary user'}`, {
  timeout: 600_000,
}, () => {
  const changes: [name: string, change: () => unknown][] = [
    ['the host writes a file in place', () => writeFileSync(`${s.host}/a`, 'six\n')],
    [
      'the host writes a file and sets its time back',
      () => {
        const { atime, mtime } = statSync(`${s.host}/a`);
        writeFileSync(`${s.host}/a`, 'two\n');
        utimesSync(`${s.host}/a`, atime, mtime);
      },
    ],
    ['the host makes what the sandbox made', () => writeFileSync(`${s.host}/d/new`, 'host')],
    ['the host makes something below what the sandbox replaced', () => writeFileSync(`${s.host}/r/3`, '')],
    ['the host removes a directory', () => rmSync(`${s.host}/d`, { recursive: true })],
    ['the host renames another over it', () => renameSync(`${s.host}/alone`, `${s.host}/a`)],
    ['the host changes a mode', () => chmodSync(`${s.host}/d`, 0o700)],
    ['the sandbox writes a file in place', () => s.inSandbox("printf 'six\\n' > n/m/f")],
    ['the sandbox makes a mode', () => s.inSandbox('chmod 700 n')],
    ['a call does nothing but mount', () => s.inSandbox('true')],
    ['base records are taken', () => recordBases(s.ctx)],
    ['the reaper takes a copy', () => reap(s.ctx)],
    ['it is committed', () => commitNow(s, { request: { conflicts: 'take-sandbox' } })],
    ['a rule ignores something', () => Object.assign(s.ctx, { ignore: ['d/'] })],
  ];
  it.each(changes)('is not repeated, until %s', async (_, change) => {
    s.onHost(`${HOST}; sleep 0.05`);
    s.inSandbox(INSIDE);
    const mark = await settled();
    expect(await same(mark)).toBe(true);
    expect(await same(structuredClone(mark))).toBe(true);
    await change();
    expect(await same(mark)).toBe(false);
  });

  it('is repeated while a process of the session runs, which may write without a trace', async () => {
    s.onHost(`${HOST}; sleep 0.05`);
    s.inSandbox(INSIDE);
    const mark = await settled();
    const live = await s.live('echo ready; read');
    try {
      expect(await same(mark)).toBe(false);
      const answer = await scanJob(s.ctx, null);
      expect(answer.same ? null : answer.mark).toBe(null);
    } finally {
      await live.stop();
    }
    // The mount itself leaves a trace.
    expect(await same(mark)).toBe(false);
  });

  it('gives what a whole scan gives, whatever happens on either side, within one tick of the clock too', async () => {
    const seed = firstSeed();
    const pick = numbers(seed);
    s.onHost(`${HOST}; sleep 0.05`);
    s.inSandbox(INSIDE);
    let mark: ScanMark | null = null;
    let list: ChangeList | null = null;
    for (let step = 0; step < 40; step++) {
      const what = await operate(pick);
      const answer = await scanJob(s.ctx, mark);
      if (!answer.same) [list, mark] = [answer.timed.list, answer.mark];
      const whole = await scan(s.ctx);
      expect({ ...list, at: '' }, `seed ${seed}, step ${step}: ${what}`).toEqual({ ...whole, at: '' });
    }
  });
});

async function operate(pick: (below: number) => number): Promise<string> {
  const path =
    ['a', 'b', 'd', 'd/x', 'd/new', 'd/e/y', 'r/1', 'r/2', 'r', 'n/m/f', 'l', 'w/f'][pick(12)] ?? 'a';
  const content = ['one', 'two', 'six'][pick(3)] ?? 'one';
  const lines = [
    `echo ${content} > ${path}`,
    `echo ${content} > ${path}; touch -d @1000000000 ${path}`,
    `rm -rf ${path}`,
    `rm -rf ${path}; mkdir ${path}`,
    `echo ${content} > z; mv -fT z ${path}`,
    `chmod 7${pick(2)}5 ${path}`,
  ];
  const line = lines[pick(lines.length)] ?? 'true';
  switch (pick(4)) {
    case 0:
      s.inSandbox(`( ${line} ) 2>/dev/null || true`);
      if (pick(2) === 0) await recordBases(s.ctx);
      return `sandbox: ${line}`;
    case 1:
      // So that the next scan may find nothing changed.
      await sleep(60);
      return 'nothing';
    default:
      s.onHost(`( ${line} ) 2>/dev/null || true`);
      return `host: ${line}`;
  }
}

/** mulberry32. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
