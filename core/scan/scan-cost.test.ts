/** What a modified entry costs in a scan, without a clock: the calls that the scan makes for each more of them. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestSession, testSession } from '../../testing/changes/changes.ts';
import { recordBases } from '../overlay/bases.ts';
import { scan } from './scan.ts';

const COUNTED = ['lstatSync', 'openSync', 'fstatSync', 'readSync', 'closeSync', 'readlinkSync'] as const;
type Calls = Partial<Record<(typeof COUNTED)[number], number>>;

let s: TestSession;
beforeEach(() => {
  s = testSession();
});
afterEach(() => s.remove());

async function callsOf(work: () => Promise<unknown>): Promise<Calls> {
  const calls: Calls = {};
  const real = Object.fromEntries(COUNTED.map((name) => [name, fs[name]]));
  for (const name of COUNTED) {
    const call = fs[name] as (...args: unknown[]) => unknown;
    Object.assign(fs, {
      [name]: (...args: unknown[]) => {
        calls[name] = (calls[name] ?? 0) + 1;
        return call(...args);
      },
    });
  }
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(fs, real);
    syncBuiltinESMExports();
  }
  return calls;
}

/** Calls for each further entry, once all are pending that `edit` (of the files `f*`) makes so. */
async function costOfOne(edit: string): Promise<Calls> {
  const [few, many] = [20, 120];
  s.onHost(`umask 022; for i in $(seq ${many}); do echo text $i > f$i; done; sleep 0.05`);
  const pend = async (from: number, to: number): Promise<Calls> => {
    s.inSandbox(`for i in $(seq ${from} ${to}); do ${edit}; done`);
    await recordBases(s.ctx);
    expect((await scan(s.ctx)).changes).toHaveLength(to);
    return await callsOf(() => scan(s.ctx));
  };
  const before = await pend(1, few);
  const after = await pend(few + 1, many);
  const each = COUNTED.map(
    (name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / (many - few)] as const,
  );
  return Object.fromEntries(each.filter(([, calls]) => calls !== 0));
}

describe('each further entry of a list', () => {
  it('that is new, where the host has the directory, is looked for on both sides', async () => {
    expect(await costOfOne('echo new > n$i')).toEqual({ lstatSync: 2 });
  });

  it('that was modified is looked at on both sides', async () => {
    expect(await costOfOne('echo more >> f$i')).toEqual({ lstatSync: 2 });
  });

  it('that was modified and kept its size is read on both sides', async () => {
    const read = { lstatSync: 2, openSync: 2, fstatSync: 2, readSync: 2, closeSync: 2 };
    expect(await costOfOne('t=$(sed s/text/TEXT/ f$i); echo "$t" > f$i')).toEqual(read);
  });
});
