import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { bytePath } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { asRoot, beside, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, quickLook } from '../../../testing/commit/commit.ts';
import { Died, type Fault, FaultPort } from '../../../testing/commit/fault-port.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { recordBases } from '../../overlay/bases.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import { discardAll, newestTrash, undoDiscard } from '../discard/discard.ts';
import { readHistory } from '../history/history.ts';
import { needsRepair, repairOverlay } from '../recover/repair.ts';
import { type AdoptNote, adoptionWaits, logAdoption, takeOverlay } from './adopt.ts';

let open: TestSession[] = [];
afterEach(() => {
  for (const one of open) one.remove();
  open = [];
});

const BEFORE = 'echo a > a; mkdir -p d/e; echo b > d/e/b; mkdir r; echo r > r/r; chmod 555 r';
const INSIDE =
  'echo A > a; rm -r d; chmod 755 r; echo R > r/r; chmod 555 r; mkdir -p n/m; echo n > n/m/n; chmod 555 n/m; ln -s x l';

interface Scene {
  t: TestSession;
  /** The adopting session: its own plan gives the covered directory another number. */
  to: QuietSession;
  /** What it is after the adoption. */
  after: QuietSession;
  wanted: string[];
  told: AdoptNote[];
}

async function scene(): Promise<Scene> {
  const t = testSession();
  open.push(t);
  t.onHost(BEFORE);
  t.inSandbox(INSIDE);
  await recordBases(t.ctx);
  t.onHost('echo host > a');
  const to = beside(t, 's2', 4);
  const overlay = `${to.sessionDir}/overlay`;
  writeFileSync(`${overlay}/places.json`, JSON.stringify([[t.host, 4]]));
  writeFileSync(`${t.ctx.sessionDir}/overlay/places.json`, JSON.stringify([[t.host, 9]]));
  const coveredDirs = t.ctx.coveredDirs.map((covered) => ({
    ...covered,
    upper: bytePath(`${overlay}/9/u`),
    work: bytePath(`${overlay}/9/w`),
  }));
  return { t, to, after: { ...to, coveredDirs }, wanted: conflicts(await scan(t.ctx), t.host), told: [] };
}

const conflicts = (list: Awaited<ReturnType<typeof scan>>, host: string): string[] =>
  list.changes.map(({ kind, path, conflict }) => `${kind} ${path.slice(host.length + 1)} ${conflict}`);

async function finish({ to, told }: Scene, port: FsPort = nodePort): Promise<void> {
  await logAdoption(to, async (_, note) => void told.push(note), port);
}

async function adopt(s: Scene, port: FsPort = nodePort): Promise<void> {
  takeOverlay(s.t.ctx, s.to, s.wanted.length, port);
  await finish(s, port);
}

describe(`adopting an overlay, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('moves every change with its base record, and leaves the earlier session empty and usable', async () => {
    const s = await scene();
    const host = quickLook(s.t.host);
    await adopt(s);
    expect(conflicts(await scan(s.after), s.t.host)).toEqual(s.wanted);
    expect(s.wanted).toContain('modified a host-changed');
    expect(brief(await scan(s.t.ctx), s.t.host)).toEqual([]);
    expect(quickLook(s.t.host)).toEqual(host);
    expect(s.told).toMatchObject([{ from: 's1', to: 's2', entries: s.wanted.length }]);
    s.t.inSandbox('[ "$(cat a d/e/b)" = "host\nb" ]; echo later > later');
    expect(brief(await scan(s.t.ctx), s.t.host)).toEqual(['added later']);
  });

  it('what the session had ignored itself is kept in the trash, and is nothing that undo would bring back', async () => {
    const s = await scene();
    writeFileSync(`${s.to.sessionDir}/overlay/4/u/mine`, 'mine');
    s.to = { ...s.to, ignore: ['/**/mine'] };
    await adopt(s);
    const [trash] = readdirSync(`${s.to.stateDir}/trash`).filter((name) => name.startsWith('s2.'));
    expect(existsSync(`${s.to.stateDir}/trash/${trash}/replaced/4/u/mine`)).toBe(true);
    expect(await newestTrash(s.after)).toBeNull();
    expect(readHistory(s.after)).toEqual([]);
  });

  it('leaves both discards undoable, also where the overlays number their directories differently', async () => {
    const s = await scene();
    const { trash } = await discardAll(s.t.ctx, 1);
    s.t.inSandbox('echo again > again');
    writeFileSync(`${s.to.sessionDir}/overlay/4/u/own`, 'own');
    const own = await discardAll(s.to, 1);
    await adopt(s);
    expect(brief(await scan(s.after), s.t.host)).toEqual(['added again']);
    await undoDiscard(s.t.ctx, trash);
    expect(conflicts(await scan(s.t.ctx), s.t.host)).toEqual(s.wanted);
    await discardAll(s.after, 1);
    await undoDiscard(s.after, own.trash);
    expect(brief(await scan(s.to), s.t.host)).toEqual(['added own']);
  });

  it.each<Fault>(['die', 'EIO', 'EXDEV'])(
    'loses nothing when any call meets %s: one of both has the overlay, and the next run finishes',
    async (fault) => {
      const hit = new Map<string, number>();
      for (let n = 1; ; n++) {
        const s = await scene();
        const faulty = new FaultPort(n, fault);
        try {
          const thrown = await adopt(s, faulty.port).then(
            () => null,
            (error: unknown) => error,
          );
          faulty.dispose();
          if (faulty.hit === null) break;
          hit.set(faulty.hit, (hit.get(faulty.hit) ?? 0) + 1);
          // An error of the first half that says "nothing was moved" tells the truth.
          if (thrown instanceof TraiError && thrown.hint === 'Nothing was moved.')
            expect(conflicts(await scan(s.t.ctx), s.t.host)).toEqual(s.wanted);
          else if (fault === 'die') expect(thrown).toBeInstanceOf(Died);
          await expectOne(s);
        } catch (error) {
          throw new Error(`${fault} at call ${n} (${faulty.hit})`, { cause: error });
        } finally {
          faulty.dispose();
        }
      }
      expect([...hit.values()].reduce((a, b) => a + b, 0)).toBeGreaterThan(30);
    },
    300_000,
  );
});

/** The next runs of both sessions; then exactly one of them has all changes, the other an empty overlay. */
async function expectOne(s: Scene): Promise<void> {
  const moved = adoptionWaits(s.to.sessionDir) || existsSync(`${s.to.sessionDir}/overlay/9`);
  for (const ctx of [s.t.ctx, s.to]) if (needsRepair(ctx)) repairOverlay(ctx);
  await finish(s);
  const [has, other] = moved ? [s.after, s.t.ctx] : [s.t.ctx, s.to];
  expect(conflicts(await scan(has), s.t.host)).toEqual(s.wanted);
  expect(brief(await scan(other), s.t.host)).toEqual([]);
  expect(s.told.length > 0).toBe(moved);
  expect(needsRepair(s.t.ctx) || needsRepair(s.to)).toBe(false);
  // Both overlays can be mounted, and take writes.
  s.t.inSandbox('echo ok > after');
  expect(existsSync(`${other.sessionDir}/overlay/${other.coveredDirs[0]?.n}/u`)).toBe(true);
}
