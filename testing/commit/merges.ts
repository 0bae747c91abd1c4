/** A three-way merge about to be committed, and what must hold after any interruption. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { finishCommit } from '../../core/commit/recover/recover.ts';
import { undoCommit } from '../../core/commit/undo/undo.ts';
import { recordBases } from '../../core/overlay/bases.ts';
import { scan } from '../../core/scan/scan.ts';
import { TraiError } from '../../shared/errors.ts';
import { type TestSession, testSession } from '../changes/changes.ts';
import { brief, commitNow, quickLook, undoRequest } from './commit.ts';

const BOX = '1\n2\n3\nfour\n';
export const [HOST, MERGED] = ['one\n2\n3\n4\n', 'one\n2\n3\nfour\n'];
const PENDING = ['modified f host-changed', 'added n null'];

/** Both sides have changed f; n is the sandbox's alone. */
export async function scene(): Promise<TestSession> {
  const t = testSession();
  t.onHost('seq 4 > f');
  // Later than one tick of the clock.
  await sleep(30);
  t.inSandbox('sed -i s/4/four/ f; echo n > n');
  await recordBases(t.ctx, { earliestCall: Date.now() });
  t.onHost('sed -i s/1/one/ f');
  return t;
}

const merging = { conflicts: 'keep-host' } as const;
export async function mergeRequest(t: TestSession) {
  const { changes } = await scan(t.ctx);
  const conflicts = changes.filter(({ conflict }) => conflict !== null);
  return { ...merging, choices: Object.fromEntries(conflicts.map(({ id }) => [id, 'merge' as const])) };
}

export const undo = undoRequest();

const pendingOf = async (t: TestSession): Promise<string[]> => {
  const list = await scan(t.ctx);
  return brief(list, t.host).map((line, i) => `${line} ${list.changes[i]?.conflict}`);
};
export const ofF = (t: TestSession): string => quickLook(t.host).get('f')?.replace(/^\d+ /, '') ?? 'absent';

/** What the session sees in f. */
function seen(t: TestSession): string {
  t.inSandbox(`cp f '${t.ctx.stateDir}/seen'`);
  return readFileSync(`${t.ctx.stateDir}/seen`, 'utf8');
}

/** After any interruption: the merge lands, an undo restores both versions, and no file of trai is left. */
export async function expectWhole(t: TestSession): Promise<void> {
  await finishCommit(t.ctx);
  expect([HOST, MERGED]).toContain(ofF(t));
  if (ofF(t) === HOST) {
    expect(seen(t)).toBe(BOX);
    expect(await pendingOf(t)).toContain('modified f host-changed');
  }
  for (let round = 0; round < 3 && (await scan(t.ctx)).changes.length > 0; round++)
    expect(await commitNow(t, { request: await mergeRequest(t) })).toMatchObject({ failed: [] });
  expect([ofF(t), seen(t), await pendingOf(t)]).toEqual([MERGED, MERGED, []]);
  expect([...quickLook(t.host).keys()].sort()).toEqual(['f', 'n']);
}

/** After any interruption of an undo: both versions are back, in conflict, and can be merged again. */
export async function expectUndone(t: TestSession): Promise<void> {
  await finishCommit(t.ctx);
  for (let round = 0; round < 3; round++) {
    const again = await undoCommit(t.ctx, undo).catch((error: unknown) => error);
    if (!(again instanceof Error)) expect(again).toMatchObject({ failed: [] });
    else if (again instanceof TraiError && again.code === 'not-found') break;
    else throw again;
  }
  expect([ofF(t), seen(t), await pendingOf(t)]).toEqual([HOST, BOX, PENDING]);
  await expectWhole(t);
}
