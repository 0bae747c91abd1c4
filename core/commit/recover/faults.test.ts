import { describe, expect, it } from 'vitest';
import { TraiError } from '../../../shared/errors.ts';
import type { ChangeList } from '../../../shared/model/change.ts';
import type { CommitReport } from '../../../shared/model/commit.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, commitNow, inPlainCopy, quickLook, requestFor } from '../../../testing/commit/commit.ts';
import { Died, type Fault, FaultPort } from '../../../testing/commit/fault-port.ts';
import { eachFaultPoint, LARGE_STRIDE, someFaultPoints } from '../../../testing/runs.ts';
import { nodePort } from '../../kernel/fs/port.ts';
import { scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';
import { discardAll, newestTrash, undoDiscard } from '../discard/discard.ts';
import { readHistory } from '../history/history.ts';
import { finishCommit } from './recover.ts';
import { repairOverlay } from './repair.ts';

interface Lines {
  before: string;
  inside: string;
}

/** A file, a swap and a new tree: with an error at each call. */
const SMALL: Lines = {
  before: 'echo old > change; mkdir swap; echo s > swap/s',
  inside: 'echo new > change; rm -r swap; echo swapped > swap; mkdir fresh; echo y > fresh/y',
};

const LARGE: Lines = {
  before: `
echo keep > keep; echo old > change; echo gone > delete; echo m > mode; mkdir -p tree/deep; echo 1 > tree/1
echo 2 > tree/deep/2; mkdir -p swap/in; echo s > swap/in/s; echo f > file; mkdir again; echo a > again/a; echo b > again/b
mkdir ro; echo r > ro/r; chmod 555 ro; ln -s keep link; mkdir dmode`,
  inside: `
echo new > change; rm delete; chmod 755 mode; rm -r tree; rm -r swap; echo swapped > swap; rm file; mkdir -p file/d
echo x > file/d/x; rm -r again; mkdir again; echo A > again/a; chmod 755 ro; echo R > ro/r; echo n > ro/n; chmod 555 ro
mkdir locked; echo l > locked/l; chmod 555 locked
mkdir -p fresh/sub; echo y > fresh/sub/y; chmod 555 fresh/sub; echo z > fresh/z; ln -sfn change link; chmod 700 dmode; echo q > plain`,
};

const ERRORS: Fault[] = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EBUSY', 'EXDEV'];

interface Scene {
  t: TestSession;
  before: Map<string, string>;
  after: Map<string, string>;
  list: ChangeList;
}

async function scene(lines: Lines): Promise<Scene> {
  const t = testSession();
  t.onHost(lines.before);
  const before = quickLook(t.host);
  t.inSandbox(lines.inside);
  const list = await scan(t.ctx);
  return { t, before, after: inPlainCopy(t, lines.inside), list };
}

const isOurs = (path: string) => /(^|\/)\.trai-/.test(path);

/** Every host path is as it was or as it is to be; in the gap of a swap the old one waits aside. */
function expectOldOrNew({ t, before, after }: Scene, unfinished: boolean): Map<string, string> {
  const now = quickLook(t.host);
  const aside = [...now.keys()].some((path) => path.includes('.trai-old.'));
  for (const path of new Set([...before.keys(), ...after.keys(), ...now.keys()])) {
    if (isOurs(path)) continue;
    const state = now.get(path);
    // Until the next run, where the error was in giving the mode back.
    const loosened = unfinished && /^(ro|locked)$/.test(path) && state === '40755';
    const inGap = unfinished && aside && state === undefined && /^(swap|file)/.test(path);
    if (!loosened && !inGap) expect([before.get(path), after.get(path)], path).toContain(state);
  }
  return now;
}

/** The report's word for each entry is the truth. */
function expectTrue(s: Scene, now: Map<string, string>, report: CommitReport): void {
  const total = s.list.changes.length;
  const below = (path: string) => path.slice(s.t.host.length + 1);
  const notes = report.failed.filter(({ message }) =>
    /^what it replaced|^the commit stopped|^everything else/.test(message),
  );
  const failed = report.failed.filter((one) => !notes.includes(one));
  expect(report.applied + failed.length + report.notApplied.length).toBe(total);
  const not = new Set([...failed.map(({ path }) => path), ...report.notApplied].map((path) => below(path)));
  const partly = new Set(
    failed.filter(({ message }) => message.startsWith('it is in place')).map(({ path }) => path),
  );
  for (const change of s.list.changes) {
    if (partly.has(change.path)) continue;
    const path = below(change.path);
    const expected = (not.has(path) ? s.before : s.after).get(path);
    // A directory's children are entries of their own; a failed mode must not hide behind an equal one.
    expect(now.get(path), `${path} (${not.has(path) ? 'not applied' : 'applied'})`).toBe(expected);
  }
}

/** @param kept the report said that a replaced entry is kept aside, for the user to remove */
async function finishAll(s: Scene, kept: boolean, died: boolean): Promise<void> {
  const finished = await finishCommit(s.t.ctx);
  // What a run did before it died is recognised.
  if (died) expect(finished?.failed ?? []).toEqual([]);
  // An entry that was reported as "in place, but not finished" is finished by the next commit.
  expectOldOrNew(s, true);
  for (let round = 0; round < 3 && (await scan(s.t.ctx)).changes.length > 0; round++) {
    const report = await commitNow(s.t, { request: { conflicts: 'take-sandbox' } });
    expect(report.failed).toEqual([]);
  }
  const now = [...quickLook(s.t.host)];
  expect(now.some(([path]) => isOurs(path))).toBe(kept);
  expect(Object.fromEntries(now.filter(([path]) => !isOurs(path)))).toEqual(Object.fromEntries(s.after));
  expect(brief(await scan(s.t.ctx), s.t.host)).toEqual([]);
}

/** Runs one commit with a fault at call `n`. */
async function commitWith(lines: Lines, n: number, fault: Fault): Promise<string | null> {
  const s = await scene(lines);
  const faulty = FaultPort.at(n, fault);
  try {
    let report: CommitReport | null = null;
    let thrown: unknown = null;
    try {
      report = await commitAll(s.t.ctx, s.list, requestFor(s.list), {
        port: faulty.port,
      });
    } catch (error) {
      thrown = error;
    }
    faulty.dispose();
    if (faulty.hit === null) return null;
    const now = expectOldOrNew(s, true);
    // A swap's gap may outlive a crash, but no error that is reported.
    if (fault !== 'die')
      expect([...now.keys()].filter((path) => path.includes('.trai-old.') && !now.has('swap'))).toEqual([]);
    if (fault === 'die') expect(thrown).toBeInstanceOf(Died);
    else if (report === null) {
      expect(thrown).toBeInstanceOf(TraiError);
      expect(Object.fromEntries([...now].filter(([path]) => !isOurs(path)))).toEqual(
        Object.fromEntries(s.before),
      );
    } else expectTrue(s, now, report);
    const kept = report?.failed.some(({ message }) => message.startsWith('what it replaced')) ?? false;
    await finishAll(s, kept, fault === 'die');
    return faulty.hit;
  } catch (error) {
    throw new Error(`${fault} at call ${n} (${faulty.hit})`, { cause: error });
  } finally {
    faulty.dispose();
    s.t.remove();
  }
}

/** A discard or its undo with a fault at call `n`. */
async function discardWith(step: 'discard' | 'undo', n: number, fault: Fault): Promise<string | null> {
  const s = await scene(SMALL);
  const wanted = brief(s.list, s.t.host);
  const faulty = FaultPort.at(n, fault);
  try {
    if (step === 'undo') await discardAll(s.t.ctx, 1);
    const trash = (await newestTrash(s.t.ctx))?.trash ?? '';
    const run =
      step === 'discard' ? discardAll(s.t.ctx, 1, faulty.port) : undoDiscard(s.t.ctx, trash, faulty.port);
    await run.catch(() => null);
    faulty.dispose();
    if (faulty.hit === null) return null;
    expect(Object.fromEntries(quickLook(s.t.host))).toEqual(Object.fromEntries(s.before));
    // What moved nothing was no discard, and none was undone.
    const rows = readHistory(s.t.ctx).filter(({ kind }) => kind === 'discard');
    if (step === 'discard') expect(rows.map(({ state }) => state)).not.toContain('undone');
    if (step === 'discard') expect(repairOverlay(s.t.ctx)?.outcome).not.toBe('undone');
    await bringBack(s.t, nodePort.lstat);
    expect(brief(await scan(s.t.ctx), s.t.host)).toEqual(wanted);
    return faulty.hit;
  } catch (error) {
    throw new Error(`${fault} at call ${n} (${faulty.hit}) of ${step}`, { cause: error });
  } finally {
    faulty.dispose();
    s.t.remove();
  }
}

const errorAt = (n: number): Fault => ERRORS[n % ERRORS.length] ?? 'EIO';

describe(`faults, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('a commit that dies at any call leaves each entry old or new, and the next run finishes it', async () => {
    await eachFaultPoint('commit, death', async (n) => await commitWith(SMALL, n, 'die'));
    await someFaultPoints(
      'large commit, death',
      async (n) => await commitWith(LARGE, n, 'die'),
      LARGE_STRIDE.death,
    );
  }, 900_000);

  it('a commit whose call fails reports the truth about each entry, and the next run finishes it', async () => {
    await eachFaultPoint('commit, errors', async (n) => await commitWith(SMALL, n, errorAt(n)));
    await someFaultPoints(
      'large commit, errors',
      async (n) => await commitWith(LARGE, n, errorAt(n)),
      LARGE_STRIDE.errors,
    );
  }, 900_000);

  it.each(['die', 'EIO', 'ENOSPC'] as const)(
    'a discard and its undo lose nothing when any call meets %s',
    async (fault) => {
      for (const step of ['discard', 'undo'] as const)
        await eachFaultPoint(`${step}, ${fault}`, async (n) => await discardWith(step, n, fault));
    },
    900_000,
  );
});

/** Whatever happened: a discard (which repairs first) and an undo must give everything back. */
async function bringBack(t: TestSession, lstat: typeof nodePort.lstat): Promise<void> {
  const { repairOverlay } = await import('./repair.ts');
  repairOverlay(t.ctx);
  expect(lstat(t.ctx.coveredDirs[0]?.upper ?? t.ctx.projectRoot)).not.toBeNull();
  if ((await scan(t.ctx)).changes.length > 0) return;
  const newest = await newestTrash(t.ctx);
  await undoDiscard(t.ctx, newest?.trash ?? '');
}
