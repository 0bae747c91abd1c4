import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { bytePath } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, quickLook } from '../../../testing/commit/commit.ts';
import { Died, type Fault, FaultPort } from '../../../testing/commit/fault-port.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { recordBases } from '../../overlay/bases.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import { discardAll, newestTrash, undoDiscard } from '../discard/discard.ts';
import { readHistory } from '../history/history.ts';
import { needsRepair, repairOverlay } from '../recover/repair.ts';
import { type AdoptNote, adoptionWaits, finishAdoption, takeOverlay } from './adopt.ts';

let open: TestSession[] = [];
afterEach(() => {
  for (const one of open) one.remove();
  open = [];
});

const BEFORE = 'echo a > a; mkdir -p d/e; echo b > d/e/b; mkdir r; echo r > r/r; chmod 555 r';
const INSIDE =
  'echo A > a; rm -r d; chmod 755 r; echo R > r/r; chmod 555 r; mkdir -p n/m; echo n > n/m/n; chmod 555 n/m; ln -s x l';

/** The same context with its covered directory under number `n`. */
function numbered(ctx: QuietSession, n: number): QuietSession {
  const overlay = `${ctx.sessionDir}/overlay/${n}`;
  const places = ctx.coveredDirs.map((covered) => {
    return { ...covered, n, upper: bytePath(`${overlay}/u`), work: bytePath(`${overlay}/w`) };
  });
  return { ...ctx, coveredDirs: places };
}

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
  const base = { ...t.ctx, session: 's2', sessionDir: `${t.ctx.stateDir}/sessions/s2`, source: 'trai:0:s2' };
  const to = numbered(base, 4);
  const overlay = `${to.sessionDir}/overlay`;
  for (const dir of ['overlay/4/u', 'overlay/4/w', 'plan/old'])
    mkdirSync(`${to.sessionDir}/${dir}`, { recursive: true });
  symlinkSync(t.host, `${overlay}/4/l`);
  writeFileSync(`${overlay}/places.json`, JSON.stringify([[t.host, 4]]));
  writeFileSync(`${t.ctx.sessionDir}/overlay/places.json`, JSON.stringify([[t.host, 9]]));
  symlinkSync('old', `${to.sessionDir}/plan/current`);
  writeFileSync(`${to.sessionDir}/plan/old/fstab`, 'names 4/l');
  return { t, to, after: numbered(base, 9), wanted: conflicts(await scan(t.ctx), t.host), told: [] };
}

const conflicts = (list: Awaited<ReturnType<typeof scan>>, host: string): string[] =>
  list.changes.map(({ kind, path, conflict }) => `${kind} ${path.slice(host.length + 1)} ${conflict}`);

async function finish({ to, told }: Scene, port: FsPort = nodePort): Promise<AdoptNote | null> {
  return await finishAdoption(to, {
    port,
    record: async (note) => void told.push(note),
  });
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

  it('takes the plans of the other overlay away: they name its places by other numbers', async () => {
    const s = await scene();
    await adopt(s);
    expect(readdirSync(`${s.to.sessionDir}/plan`)).toEqual([]);
    expect(readdirSync(`${s.to.sessionDir}/overlay`)).toContain('9');
    expect(readdirSync(`${s.to.sessionDir}/overlay`)).not.toContain('4');
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

  it('what a call wrote before an interrupted adoption was finished can be brought back', async () => {
    const s = await scene();
    takeOverlay(s.t.ctx, s.to, 1);
    writeFileSync(`${s.to.sessionDir}/overlay/4/u/late`, 'late');
    await finish(s);
    expect(conflicts(await scan(s.after), s.t.host)).toEqual(s.wanted);
    const newest = await newestTrash(s.after);
    expect(existsSync(`${s.to.stateDir}/trash/${newest?.trash}/overlay/4/u/late`)).toBe(true);
  });

  it('leaves both discards undoable, and refuses where one would not be any more', async () => {
    const s = await scene();
    const { trash } = await discardAll(s.t.ctx, 1);
    s.t.inSandbox('echo again > again');
    await adopt(s);
    expect(brief(await scan(s.after), s.t.host)).toEqual(['added again']);
    await undoDiscard(s.t.ctx, trash);
    expect(conflicts(await scan(s.t.ctx), s.t.host)).toEqual(s.wanted);

    const other = await scene();
    await discardAll(other.to, 1);
    expect(() => takeOverlay(other.t.ctx, other.to, 1)).toThrow(
      expect.objectContaining({ code: 'unsupported' }),
    );
    expect(conflicts(await scan(other.t.ctx), other.t.host)).toEqual(other.wanted);
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
