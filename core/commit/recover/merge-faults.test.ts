/** A commit with a three-way merge and its undo, with a fault at each call: neither version is lost. */
import { describe, expect, it } from 'vitest';
import { TraiError } from '../../../shared/errors.ts';
import { asRoot } from '../../../testing/changes/changes.ts';
import { commitNow } from '../../../testing/commit/commit.ts';
import { Died, type Fault, FaultPort } from '../../../testing/commit/fault-port.ts';
import {
  expectUndone,
  expectWhole,
  HOST,
  MERGED,
  mergeRequest,
  ofF,
  scene,
  undo,
} from '../../../testing/commit/merges.ts';
import { eachFaultPoint, someFaultPoints } from '../../../testing/runs.ts';
import { undoCommit } from '../undo/undo.ts';

/** Of the 150 to 190 calls, of which an error at each takes a minute. */
const STRIDE = 13;
const ERRORS: Fault[] = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EBUSY', 'EXDEV'];

async function commitWith(n: number, fault: Fault): Promise<string | null> {
  const t = await scene();
  const faulty = FaultPort.at(n, fault);
  try {
    const tools = { port: faulty.port };
    const result = await commitNow(t, { request: await mergeRequest(t), tools }).catch(
      (error: unknown) => error,
    );
    faulty.dispose();
    if (faulty.hit === null) return null;
    if (fault === 'die') expect(result).toBeInstanceOf(Died);
    else if (result instanceof Error) expect(result).toBeInstanceOf(TraiError);
    expect([HOST, MERGED]).toContain(ofF(t));
    await expectWhole(t);
    return faulty.hit;
  } catch (error) {
    throw new Error(`${fault} at call ${n} (${faulty.hit})`, { cause: error });
  } finally {
    faulty.dispose();
    t.remove();
  }
}

async function undoWith(n: number, fault: Fault): Promise<string | null> {
  const t = await scene();
  const faulty = FaultPort.at(n, fault);
  try {
    expect(await commitNow(t, { request: await mergeRequest(t) })).toMatchObject({ n: 1, state: 'applied' });
    const result = await undoCommit(t.ctx, undo, { port: faulty.port }).catch((error: unknown) => error);
    faulty.dispose();
    if (faulty.hit === null) return null;
    if (fault === 'die') expect(result).toBeInstanceOf(Died);
    else if (result instanceof Error) expect(result).toBeInstanceOf(TraiError);
    expect([HOST, MERGED]).toContain(ofF(t));
    await expectUndone(t);
    return faulty.hit;
  } catch (error) {
    throw new Error(`${fault} at call ${n} (${faulty.hit}) of the undo`, { cause: error });
  } finally {
    faulty.dispose();
    t.remove();
  }
}

describe(`faults of a merge, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each([
    ['commit', commitWith],
    ['undo', undoWith],
  ] as const)(
    'a %s that dies or fails at any call loses neither side’s version',
    async (what, run) => {
      await eachFaultPoint(`${what} of a merge, death`, async (n) => await run(n, 'die'));
      const fails = async (n: number) => await run(n, ERRORS[n % ERRORS.length] ?? 'EIO');
      await someFaultPoints(`${what} of a merge, errors`, fails, STRIDE);
    },
    900_000,
  );
});
