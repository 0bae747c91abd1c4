/** Changes of the host between a crash of a commit or undo and the recovery: unseen by the sandbox. */
import { existsSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { asLive, asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { commitNow, quickLook, undoRequest } from '../../../testing/commit/commit.ts';
import { Died, FaultPort } from '../../../testing/commit/fault-port.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { readBaseFile } from '../../overlay/base-file.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { finishCommit } from '../recover/recover.ts';
import { previewUndo, undoCommit } from '../undo/undo.ts';
import { dropCommitted } from './cleanup.ts';

const open: TestSession[] = [];
afterEach(() => {
  for (const t of open.splice(0)) t.remove();
});

const BEFORE =
  'echo old > f; echo old > timed; echo old > same; echo old > put; echo gone > gone; echo m > mode; mkdir dm sub; echo 1 > sub/1; echo 2 > sub/2';
const INSIDE =
  'echo new > f; echo new > timed; echo new > same; echo new > put; rm gone; chmod 711 mode; chmod 711 dm; echo n > new; echo n > made; echo r > removed; mkdir md; echo m > md/in; rm -r sub; mkdir sub; echo b > sub/1';
/** Each another way in which what the commit left there is no longer that. */
const ON_HOST =
  'echo host > f; echo host > put.tmp; mv put.tmp put; echo host > gone; chmod 644 mode; chmod 755 dm; echo host > new; rm removed; echo host > sub/1; echo host > sub/2; touch -r timed t; echo hos > timed; touch -r t timed; touch -r made t; echo h > made; touch -r t made; touch -r md/in t; echo h > md/in; touch -r t md/in; rm t';
const EDITED = [
  'dm',
  'f',
  'gone',
  'made',
  'md/in',
  'mode',
  'new',
  'put',
  'removed',
  'sub/1',
  'sub/2',
  'timed',
];

function session(): TestSession {
  const t = testSession();
  open.push(t);
  t.onHost(BEFORE);
  return t;
}

/** Edits that keep size and modification time, of entries that came by a link, a rename, or a moved tree. */
const HIDDEN = ['made', 'md/in', 'timed']
  .map((file) => `touch -r ${file} t; printf h | dd of=${file} conv=notrunc status=none; touch -r t ${file}`)
  .join('; ');

/** Once the host is as it is to be `act` runs, and then the transaction goes on. */
function interrupted(act: () => void): FsPort {
  let syncs = 0;
  const syncFs: FsPort['syncFs'] = async (fd) => {
    if (++syncs === 2) act();
    await nodePort.syncFs(fd);
  };
  return { ...nodePort, syncFs };
}

/** Later than what was done before, by the kernel's coarse clock. */
const editHidden = (t: TestSession) => t.onHost(`sleep 0.05; ${HIDDEN}; rm t`);

/** Dies when the host is as it is to be, and nothing else is done. */
function dyingAtTheEnd(): { port: FsPort; dispose(): void } {
  const faults = new FaultPort();
  let syncs = 0;
  const syncFs: FsPort['syncFs'] = async (fd) => {
    if (++syncs > 1) throw new Died('syncFs');
    await faults.port.syncFs(fd);
  };
  return { port: { ...faults.port, syncFs }, dispose: () => faults.dispose() };
}

const conflicts = async (t: TestSession) => {
  const { changes } = await scan(t.ctx);
  const inConflict = changes.filter(({ conflict }) => conflict !== null);
  return inConflict.map(({ path }) => path.slice(t.host.length + 1)).sort();
};

const unknown = (t: TestSession) =>
  [...readBaseFile(t.ctx).records.values()]
    .filter(({ base }) => base.state === 'unknown')
    .map(({ path }) => path);

describe(`what the host changes after a death, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each([false, true])(
    'of a commit in a live session is a conflict, and stays when the session is quiet (without undo: %s)',
    async (noUndo) => {
      const t = session();
      const live = await t.live(`${INSIDE}; echo ready; cat > /dev/null`);
      await recordBases(t.ctx);
      const dies = dyingAtTheEnd();
      const request = { conflicts: 'take-sandbox', noUndo } as const;
      const tools = { port: dies.port };
      await expect(commitNow(t, { live: true, request, tools })).rejects.toThrow(Died);
      dies.dispose();
      t.onHost(ON_HOST);
      await finishCommit(asLive(t.ctx));
      const edited = quickLook(t.host);
      expect(await conflicts(t)).toEqual(EDITED);
      await expect(commitNow(t, { live: true })).rejects.toMatchObject({ code: 'conflicts' });
      await live.stop();
      await dropCommitted(t.ctx);
      await commitNow(t, { request: { conflicts: 'keep-host' } });
      expect(quickLook(t.host)).toEqual(edited);
    },
  );

  it.each([
    [false, false],
    [false, true],
    [true, false],
    [true, true],
  ])('is told from what it has not touched (without undo: %s, died: %s)', async (noUndo, died) => {
    const t = session();
    const more =
      'mkdir -p t/d t/closed; echo 1 > t/1; ln t/1 t/d/2; ln -s 1 t/l; mkfifo t/p; chmod 555 t/closed; ln f second';
    const live = await t.live(`${INSIDE}; ${more}; touch -d 1999-01-01 t t/1; echo ready; cat > /dev/null`);
    await recordBases(t.ctx);
    const dies = dyingAtTheEnd();
    const request = { conflicts: 'take-sandbox', noUndo } as const;
    const tools = { port: died ? dies.port : nodePort };
    await commitNow(t, { live: true, request, tools }).catch((thrown) => expect(thrown).toBeInstanceOf(Died));
    dies.dispose();
    expect(await finishCommit(asLive(t.ctx))).toEqual(died ? expect.objectContaining({ failed: [] }) : null);
    expect(unknown(t)).toEqual([]);
    expect((await scan(t.ctx)).changes).toEqual([]);
    await live.stop();
  });

  it('of an undo is a conflict of what is pending again', async () => {
    const t = session();
    t.inSandbox(INSIDE);
    await recordBases(t.ctx);
    const { n } = await commitNow(t, { request: { conflicts: 'take-sandbox' } });
    const dies = dyingAtTheEnd();
    const ask = undoRequest(n);
    await expect(undoCommit(t.ctx, ask, { port: dies.port })).rejects.toThrow(Died);
    dies.dispose();
    expect(readFileSync(`${t.host}/f`, 'utf8')).toBe('old\n');
    t.onHost(
      'echo host > f; echo host > put.tmp; mv put.tmp put; echo host > gone; chmod 600 mode; chmod 700 dm; echo host > new; echo host > sub/1; echo host > sub/2; touch -r timed t; echo hos > timed; touch -r t timed; rm t',
    );
    await finishCommit(t.ctx);
    expect(await conflicts(t)).toEqual(['dm', 'f', 'gone', 'mode', 'new', 'put', 'sub/1', 'sub/2', 'timed']);
  });
});

describe(`what the host changes while a commit runs, and hides, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('is not taken for the commit’s by an undo', async () => {
    const t = session();
    t.inSandbox(INSIDE);
    const port = interrupted(() => editHidden(t));
    const { n } = await commitNow(t, {
      request: { conflicts: 'take-sandbox' },
      tools: { port },
    });
    const edited = quickLook(t.host);
    const { conflicts: found } = await previewUndo(t.ctx, n);
    const paths = found.map(({ path }) => path.slice(t.host.length + 1));
    expect(paths.sort()).toEqual(['made', 'md/in', 'timed']);
    await undoCommit(t.ctx, { ...undoRequest(n), conflicts: 'keep-host' });
    for (const file of ['made', 'md/in', 'timed'])
      expect(quickLook(t.host).get(`${t.host}/${file}`)).toBe(edited.get(`${t.host}/${file}`));
  });

  it.each([false, true])('is a conflict in a live session (without undo: %s)', async (noUndo) => {
    const t = session();
    const live = await t.live(`${INSIDE}; echo ready; cat > /dev/null`);
    await recordBases(t.ctx);
    const port = interrupted(() => editHidden(t));
    await commitNow(t, {
      live: true,
      request: { conflicts: 'take-sandbox', noUndo },
      tools: { port },
    });
    expect(await conflicts(t)).toEqual(['made', 'md/in', 'timed']);
    await live.stop();
  });

  it.each([false, true])(
    'is found by whoever finishes it, however many die before (without undo: %s)',
    async (noUndo) => {
      for (let deaths = 1, at = 1; at > 0; deaths++) {
        const t = session();
        const live = await t.live(`${INSIDE}; echo ready; cat > /dev/null`);
        await recordBases(t.ctx);
        const dies = dyingAtTheEnd();
        const tools = { port: dies.port };
        await expect(
          commitNow(t, { live: true, request: { conflicts: 'take-sandbox', noUndo }, tools }),
        ).rejects.toThrow(Died);
        dies.dispose();
        editHidden(t);
        const again = new FaultPort(deaths, 'die', undefined, 'append');
        await finishCommit(asLive(t.ctx), { port: again.port }).catch(() => {});
        again.dispose();
        at = again.hit === null ? 0 : 1;
        await finishCommit(asLive(t.ctx));
        expect(await conflicts(t), `the second died at line ${deaths}`).toEqual(['made', 'md/in', 'timed']);
        await live.stop();
      }
    },
  );

  it.each(['link', 'unlink', 'append'] as const)(
    'is found where a run died between the name and its line, at each %s',
    async (call) => {
      for (let at = 1, hit = true; hit; at++) {
        const t = session();
        const live = await t.live('echo n > made; echo ready; cat > /dev/null');
        await recordBases(t.ctx);
        const dies = new FaultPort(at, 'die', undefined, call);
        await commitNow(t, { live: true, tools: { port: dies.port } }).catch(() => {});
        dies.dispose();
        hit = dies.hit !== null;
        const isThere = existsSync(`${t.host}/made`);
        if (isThere) t.onHost('sleep 1.2; touch -r made t; echo h > made; touch -r t made; rm t');
        await finishCommit(asLive(t.ctx));
        const ended = !hit;
        if (isThere && !ended) expect(await conflicts(t), `died at ${call} ${at}`).toEqual(['made']);
        await live.stop();
      }
    },
    60_000,
  );
});
