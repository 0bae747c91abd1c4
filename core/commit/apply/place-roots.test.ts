import { chmodSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BytePath } from '../../../shared/bytes.ts';
import { asLive, asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, requestFor, undoRequest } from '../../../testing/commit/commit.ts';
import { recordRoots } from '../../overlay/base-of.ts';
import { recordBases } from '../../overlay/bases.ts';
import { reap } from '../../scan/reap.ts';
import { hasPending, scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';
import { discardAll, undoDiscard } from '../discard/discard.ts';
import { discardPart, lookAtDiscard } from '../discard/discard-part.ts';
import { redoCommit } from '../undo/redo.ts';
import { undoCommit } from '../undo/undo.ts';
import { dropCommitted } from './cleanup.ts';

let s: TestSession;
beforeEach(() => {
  s = testSession();
  chmodSync(s.host, 0o755);
  chmodSync(s.upper, 0o755);
  recordRoots(s.ctx, s.ctx.coveredDirs);
});
afterEach(() => s.remove());

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8);
const metaOf = async (): Promise<string[]> =>
  (await scan(s.ctx)).changes.map(({ path, kind }) => `${kind} ${path.slice(s.host.length)}`);

describe(`the directory of a place itself, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('is listed when a command changed its mode, committed, taken back and committed again', async () => {
    s.inSandbox('chmod 700 .; echo new > file');
    await recordBases(s.ctx);
    expect(await metaOf()).toEqual(['meta ', 'added /file']);
    expect((await commitNow(s)).failed).toEqual([]);
    expect([modeOf(s.host), await metaOf()]).toEqual(['700', []]);

    expect((await undoCommit(s.ctx, undoRequest())).failed).toEqual([]);
    expect([modeOf(s.host), modeOf(s.upper)]).toEqual(['755', '700']);
    await reap(s.ctx);
    expect(await metaOf()).toEqual(['meta ', 'added /file']);

    expect((await redoCommit(s.ctx, await scan(s.ctx))).failed).toEqual([]);
    expect([modeOf(s.host), await metaOf()]).toEqual(['700', []]);
  });

  it('is dropped with everything, and pending again when that is taken back', async () => {
    s.inSandbox('chmod 700 .; echo new > file');
    await recordBases(s.ctx);
    const { trash } = await discardAll(s.ctx, 1);
    expect([modeOf(s.upper), await metaOf()]).toEqual(['755', []]);
    // What it was made like is known of the fresh upper, too.
    s.inSandbox('chmod 711 .');
    expect(await metaOf()).toEqual(['meta ']);
    s.inSandbox('chmod 755 .');
    await undoDiscard(s.ctx, trash);
    expect([modeOf(s.upper), await metaOf()]).toEqual(['700', ['meta ', 'added /file']]);
  });

  it('is dropped alone, and pending again when that is taken back', async () => {
    s.inSandbox('chmod 711 .; echo new > file');
    await recordBases(s.ctx);
    const { plan } = await lookAtDiscard(s.ctx, await scan(s.ctx), new Set([s.host as BytePath]));
    expect(plan.going.map(({ path }) => path)).toEqual([s.host]);
    const { trash } = discardPart(s.ctx, plan);
    expect([modeOf(s.upper), await metaOf()]).toEqual(['755', ['added /file']]);
    await undoDiscard(s.ctx, trash);
    expect([modeOf(s.upper), await metaOf()]).toEqual(['711', ['meta ', 'added /file']]);
  });

  it('is committed while a process runs, and is no change afterwards', async () => {
    const live = await s.live('chmod 711 .; echo ready; read');
    expect((await commitAll(asLive(s.ctx), await scan(s.ctx), requestFor(await scan(s.ctx)))).failed).toEqual(
      [],
    );
    expect([modeOf(s.host), await metaOf()]).toEqual(['711', []]);
    chmodSync(s.host, 0o750);
    expect(await metaOf()).toEqual([]);
    await live.stop();
    await dropCommitted(s.ctx);
    expect([modeOf(s.upper), await metaOf()]).toEqual(['711', []]);
  });

  it('is no change of the sandbox when the host changed it, and a conflict when both did', async () => {
    chmodSync(s.host, 0o750);
    s.inSandbox('echo new > file; rm file');
    await recordBases(s.ctx);
    expect([await metaOf(), await hasPending(s.ctx)]).toEqual([[], false]);
    s.inSandbox('chmod 700 .');
    expect((await scan(s.ctx)).changes).toMatchObject([{ path: s.host, conflict: 'host-changed' }]);
    expect(await hasPending(s.ctx)).toBe(true);
  });
});
