/** Faults of a commit of a selection, and of a cancelled one: at the n-th call, and by kill -9. */

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { BytePath } from '../../../shared/bytes.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import { builtFixture } from '../../../testing/built.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import {
  brief,
  commitNow,
  inPlainCopy,
  quickLook,
  requestFor,
  undoRequest,
} from '../../../testing/commit/commit.ts';
import { type Fault, FaultPort } from '../../../testing/commit/fault-port.ts';
import { someFaultPoints } from '../../../testing/runs.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';
import { newestTrash, undoDiscard } from '../discard/discard.ts';
import { undoCommit } from '../undo/undo.ts';
import { finishCommit } from './recover.ts';
import { repairOverlay } from './repair.ts';

/** Of the 600 calls of a commit, 100 of them changes, of which a fault at each takes minutes. */
const STRIDE = { death: 3, errors: 61 };
const ERRORS: Fault[] = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EBUSY', 'EXDEV'];

const BEFORE =
  'for i in 1 2 3 4; do echo old > f$i; done; mkdir -p d/e swap; echo b > d/e/b; echo s > swap/s; mkdir -p r/.git; echo h > r/.git/HEAD; echo m > m; mkdir locked; echo l > locked/l; chmod 555 locked';
const INSIDE =
  'for i in 1 2 3 4; do echo new > f$i; done; rm -r d swap; echo file > swap; mkdir -p n/m; for i in 1 2 3; do echo $i > n/m/$i; done; echo H > r/.git/HEAD; echo I > r/.git/index; chmod 600 m; chmod 755 locked; echo L > locked/l; chmod 555 locked; echo x > x; ln x y';
/** A part of it that takes something of each kind along. */
const PART = ['f2', 'd', 'swap', 'n/m/2', 'r/.git/index', 'locked/l', 'y'];

interface Scene {
  t: TestSession;
  before: Map<string, string>;
  after: Map<string, string>;
  paths: BytePath[];
}

async function scene(): Promise<Scene> {
  const t = testSession();
  t.onHost(BEFORE);
  const before = quickLook(t.host);
  t.inSandbox(INSIDE);
  await recordBases(t.ctx);
  const paths = PART.map((name) => Buffer.from(`${t.host}/${name}`).toString('latin1') as BytePath);
  return { t, before, after: inPlainCopy(t, INSIDE), paths };
}

type Kind = 'commit' | 'cancel';

async function run({ t, paths }: Scene, kind: Kind, port = nodePort, stopAt = 9): Promise<CommitReport> {
  const list = await scan(t.ctx);
  let asked = 0;
  const cancelled = () => kind === 'cancel' && ++asked >= stopAt;
  const request = requestFor(list, {
    conflicts: 'take-sandbox',
    exactly: kind === 'commit' ? new Set(paths) : undefined,
  });
  return await commitAll(t.ctx, list, request, { port, cancelled });
}

const isOurs = (path: string) => /(^|\/)\.trai-/.test(path);

/** Each entry is as it was or as it is to be; a part of it was not to be touched at all. */
function expectOldOrNew({ t, before, after }: Scene, kind: Kind, unfinished: boolean): void {
  const now = quickLook(t.host);
  const aside = [...now.keys()].some((path) => path.includes('.trai-old.'));
  for (const path of new Set([...before.keys(), ...after.keys(), ...now.keys()])) {
    if (isOurs(path)) continue;
    const state = now.get(path);
    const inGap = unfinished && ((aside && /^swap/.test(path)) || (path === 'locked' && state === '40755'));
    const untouched = kind === 'commit' && /^(f[134]|m|n\/m\/[13])$/.test(path);
    if (untouched) expect(state, path).toBe(before.get(path));
    else if (!inGap) expect([before.get(path), after.get(path)], path).toContain(state);
  }
}

/** What was interrupted is finished; then the rest is committed; then host and view are one. */
async function expectFinishable(s: Scene, kind: Kind): Promise<void> {
  await finishCommit(s.t.ctx);
  expectOldOrNew(s, kind, true);
  for (let round = 0; round < 4 && (await scan(s.t.ctx)).changes.length > 0; round++)
    await commitNow(s.t, { request: { conflicts: 'take-sandbox' } });
  expect(brief(await scan(s.t.ctx), s.t.host)).toEqual([]);
  expect(Object.fromEntries([...quickLook(s.t.host)].filter(([path]) => !isOurs(path)))).toEqual(
    Object.fromEntries(s.after),
  );
}

async function withFault(kind: Kind, n: number, fault: Fault): Promise<string | null> {
  const s = await scene();
  const faulty = FaultPort.at(n, fault);
  try {
    await run(s, kind, faulty.port).catch(() => null);
    faulty.dispose();
    if (faulty.hit === null) return null;
    expectOldOrNew(s, kind, true);
    await expectFinishable(s, kind);
    return faulty.hit;
  } catch (error) {
    throw new Error(`${fault} at call ${n} (${faulty.hit}) of ${kind}`, { cause: error });
  } finally {
    faulty.dispose();
    s.t.remove();
  }
}

describe(`a commit that is stopped, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('says what is applied and what is not, at whichever entry; the next commit goes on, and both undos take it back', async () => {
    const seen = { nothing: 0, part: 0 };
    for (let stopAt = 1; stopAt < 40; stopAt += stopAt < 8 ? 3 : 4) {
      const s = await scene();
      try {
        const total = (await scan(s.t.ctx)).changes.length;
        const report = await run(s, 'cancel', nodePort, stopAt);
        if (report.cancelled !== true) break;
        seen[report.applied === 0 ? 'nothing' : 'part']++;
        expect(report).toMatchObject({ state: 'partial', failed: [] });
        expect(report.applied + report.notApplied.length).toBe(total);
        const not = new Set(report.notApplied.map((path) => path.slice(s.t.host.length + 1)));
        const now = quickLook(s.t.host);
        for (const path of new Set([...s.before.keys(), ...s.after.keys()]))
          expect(now.get(path), `${path}, stopped at ${stopAt}`).toBe(
            (not.has(path) ? s.before : s.after).get(path),
          );
        expect([...now.keys()].filter(isOurs)).toEqual([]);
        expect(not.has('r/.git/HEAD')).toBe(not.has('r/.git/index'));
        const rest = await scan(s.t.ctx);
        expect(rest.changes.map(({ path }) => path)).toEqual([...report.notApplied].sort());
        const second = await commitNow(s.t, { request: { conflicts: 'take-sandbox' } });
        expect(second).toMatchObject({ state: 'applied', applied: report.notApplied.length });
        expect(quickLook(s.t.host)).toEqual(s.after);
        await undoCommit(s.t.ctx, undoRequest(second.n));
        expect(quickLook(s.t.host)).toEqual(now);
        if (report.applied > 0) await undoCommit(s.t.ctx, undoRequest(report.n));
        expect(quickLook(s.t.host)).toEqual(s.before);
      } finally {
        s.t.remove();
      }
    }
    console.log('stopped with:', seen);
    expect(Math.min(seen.nothing, seen.part)).toBeGreaterThan(0);
  }, 300_000);
});

describe(`faults of a part, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each(['commit', 'cancel'] as const)(
    'of a %s at a call leave each entry old or new',
    async (kind) => {
      const dies = async (n: number) => await withFault(kind, n, 'die');
      await someFaultPoints(`${kind} of a part, death`, dies, STRIDE.death);
      const fails = async (n: number) => await withFault(kind, n, ERRORS[n % ERRORS.length] ?? 'EIO');
      await someFaultPoints(`${kind} of a part, errors`, fails, STRIDE.errors);
    },
    3_600_000,
  );
});

describe(`kill -9 of a part, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each(['commit', 'cancel', 'discard'] as const)(
    'of a %s leaves nothing that the next run can not finish',
    async (kind) => {
      const script = await builtFixture(`${import.meta.dirname}/killed-part.fixture.ts`);
      const at = async (n: number): Promise<number> => {
        const s = await scene();
        try {
          const all = brief(await scan(s.t.ctx), s.t.host);
          const task = JSON.stringify({ ctx: s.t.ctx, kind, paths: s.paths, n });
          const { stdout, signal } = spawnSync(process.execPath, [script, task], { encoding: 'utf8' });
          expect(signal).toBe(n === 0 ? null : 'SIGKILL');
          if (kind !== 'discard') await expectFinishable(s, kind);
          else {
            expect(quickLook(s.t.host)).toEqual(s.before);
            repairOverlay(s.t.ctx);
            const newest = await newestTrash(s.t.ctx);
            if (newest !== null) await undoDiscard(s.t.ctx, newest.trash);
            expect(brief(await scan(s.t.ctx), s.t.host)).toEqual(all);
          }
          return Number(stdout);
        } finally {
          s.t.remove();
        }
      };
      const total = await at(0);
      const moments = [0.5, 0.75, 0.95].map((part) => Math.ceil(total * part));
      for (const n of moments) await at(n);
      console.log(`kill -9 of a ${kind}: at calls ${moments.join(', ')} of ${total}`);
    },
    300_000,
  );
});
