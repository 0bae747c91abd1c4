import { describe, expect, it } from 'vitest';
import { TraiError } from '../../../shared/errors.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { falseBases } from '../../../testing/commit/base-records.ts';
import { brief, commitNow, quickLook, undoRequest } from '../../../testing/commit/commit.ts';
import { Died, type Fault, FaultPort } from '../../../testing/commit/fault-port.ts';
import { eachFaultPoint, LARGE_STRIDE, someFaultPoints } from '../../../testing/runs.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { undoCommit } from '../undo/undo.ts';
import { finishCommit } from './recover.ts';

interface Lines {
  before: string;
  inside: string;
}

/** A file, a swap and a new tree: with an error at each call of their undo. */
const SMALL: Lines = {
  before: 'echo old > change; mkdir swap; echo s > swap/s',
  inside: 'echo new > change; rm -r swap; echo swapped > swap; mkdir fresh; echo y > fresh/y',
};

const LARGE: Lines = {
  before: `
echo keep > keep; echo old > change; echo gone > delete; echo m > mode; mkdir -p tree/deep; echo 1 > tree/1
echo 2 > tree/deep/2; chmod 555 tree/deep; mkdir -p swap/in; echo s > swap/in/s; echo f > file; mkdir again; echo b > again/b
mkdir ro; echo r > ro/r; chmod 555 ro; mkdir dmode`,
  inside: `
echo new > change; rm delete; chmod 755 mode; chmod 755 tree/deep; rm -r tree; rm -r swap; echo swapped > swap; rm file
mkdir -p file/d; echo x > file/d/x; rm -r again; mkdir again; echo A > again/a; chmod 755 ro; echo n > ro/n; chmod 555 ro
mkdir -p fresh/sub; echo y > fresh/sub/y; chmod 555 fresh/sub; chmod 700 dmode`,
};
const ERRORS: Fault[] = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EBUSY', 'EXDEV'];

interface Scene {
  t: TestSession;
  before: Map<string, string>;
  after: Map<string, string>;
  pending: string[];
}

async function scene(lines: Lines): Promise<Scene> {
  const t = testSession();
  t.onHost(`${lines.before}; sleep 0.05`);
  const before = quickLook(t.host);
  const earliestCall = Date.now();
  t.inSandbox(lines.inside);
  // With base records, whose hashes the undo takes from the journal.
  await recordBases(t.ctx, { earliestCall });
  const pending = brief(await scan(t.ctx), t.host).filter((line) => !line.startsWith('dir-replaced'));
  expect((await commitNow(t, { request: { conflicts: 'take-sandbox' } })).failed).toEqual([]);
  return { t, before, after: quickLook(t.host), pending };
}

const ask = undoRequest(1, { conflicts: 'take-back', yes: false });
const isOurs = (path: string) => /(^|\/)\.trai-/.test(path);

/** Each host path is as the commit left it or as before; in the gap of a swap the old one is aside. */
function expectOldOrNew({ t, before, after }: Scene): void {
  const now = quickLook(t.host);
  const aside = [...now.keys()].some((path) => path.includes('.trai-old.'));
  for (const path of new Set([...before.keys(), ...after.keys(), ...now.keys()])) {
    if (isOurs(path)) continue;
    const state = now.get(path);
    // Until the next run, where the error was in giving the mode back.
    const loosened = /^(ro|fresh\/sub|tree\/deep)$/.test(path) && state === '40755';
    const inGap = aside && state === undefined && /^(swap|file)/.test(path);
    if (!loosened && !inGap) expect([before.get(path), after.get(path)], path).toContain(state);
  }
}

/** Runs one undo with a fault at call `n`. */
async function undoWith(lines: Lines, n: number, fault: Fault): Promise<string | null> {
  const s = await scene(lines);
  const faulty = FaultPort.at(n, fault);
  try {
    const result = await undoCommit(s.t.ctx, ask, { port: faulty.port }).catch((error: unknown) => error);
    faulty.dispose();
    if (faulty.hit === null) return null;
    expectOldOrNew(s);
    if (fault === 'die') expect(result).toBeInstanceOf(Died);
    else if (result instanceof Error) expect(result).toBeInstanceOf(TraiError);
    await finishCommit(s.t.ctx);
    expectOldOrNew(s);
    for (let round = 0; round < 3; round++) {
      const again = await undoCommit(s.t.ctx, ask).catch((error: unknown) => error);
      if (!(again instanceof Error)) expect(again).toMatchObject({ failed: [] });
      else if (again instanceof TraiError && again.code === 'not-found') break;
      else throw again;
    }
    const now = [...quickLook(s.t.host)].filter(([path]) => !path.includes('.trai-old.'));
    expect(Object.fromEntries(now)).toEqual(Object.fromEntries(s.before));
    const list = await scan(s.t.ctx);
    expect(brief(list, s.t.host)).toEqual(s.pending);
    expect(falseBases(s.t.ctx)).toEqual([]);
    return faulty.hit;
  } catch (error) {
    throw new Error(`${fault} at call ${n} (${faulty.hit})`, { cause: error });
  } finally {
    faulty.dispose();
    s.t.remove();
  }
}

const errorAt = (n: number): Fault => ERRORS[n % ERRORS.length] ?? 'EIO';

describe(`faults of an undo, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('an undo that dies at any call leaves each entry old or new, and the next run finishes it', async () => {
    await eachFaultPoint('undo, death', async (n) => await undoWith(SMALL, n, 'die'));
    await someFaultPoints(
      'large undo, death',
      async (n) => await undoWith(LARGE, n, 'die'),
      LARGE_STRIDE.death,
    );
  }, 900_000);

  it('an undo whose call fails loses nothing, and the next one takes the rest back', async () => {
    await eachFaultPoint('undo, errors', async (n) => await undoWith(SMALL, n, errorAt(n)));
    await someFaultPoints(
      'large undo, errors',
      async (n) => await undoWith(LARGE, n, errorAt(n)),
      LARGE_STRIDE.errors,
    );
  }, 900_000);
});
