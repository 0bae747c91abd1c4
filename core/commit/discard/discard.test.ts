import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, quickLook } from '../../../testing/commit/commit.ts';
import { readBaseFile } from '../../overlay/base-file.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { readHistory } from '../history/history.ts';
import { repairOverlay } from '../recover/repair.ts';
import { discardAll, newestTrash, undoDiscard } from './discard.ts';

let open: TestSession[] = [];
function session(): TestSession {
  const made = testSession();
  open.push(made);
  return made;
}
afterEach(() => {
  for (const one of open) one.remove();
  open = [];
});

const BEFORE = 'echo a > a; mkdir -p d/e; echo b > d/e/b; mkdir r; echo r > r/r; chmod 555 r';
const INSIDE =
  'echo A > a; rm -r d; chmod 755 r; echo R > r/r; chmod 555 r; mkdir -p n/m; echo n > n/m/n; chmod 555 n/m; ln -s x l';

describe(`discard and undo, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('drops everything, leaves the host alone, and the session goes on with a fresh overlay', async () => {
    const t = session();
    t.onHost(BEFORE);
    const host = quickLook(t.host);
    t.inSandbox(INSIDE);
    await recordBases(t.ctx);
    await discardAll(t.ctx, 1);
    expect(quickLook(t.host)).toEqual(host);
    expect(brief(await scan(t.ctx), t.host)).toEqual([]);
    t.inSandbox('[ "$(cat a d/e/b)" = "a\nb" ]; echo after > after');
    expect(brief(await scan(t.ctx), t.host)).toEqual(['added after']);
  });

  it('what the host changed between the last call and the next one is no conflict', async () => {
    const t = session();
    const startCall = () => {
      const [at, file] = [new Date().toISOString(), `${t.ctx.sessionDir}/calls.jsonl`];
      writeFileSync(file, `${JSON.stringify({ v: 1, t: 'call.started', at, mode: 'sandbox' })}\n`, {
        flag: 'a',
      });
      return Date.parse(at);
    };
    t.onHost('echo 1 > f');
    startCall();
    t.inSandbox('echo a > a');
    await recordBases(t.ctx);
    await discardAll(t.ctx, 1);
    t.onHost('sleep 0.1; echo 2 > f; sleep 0.1');
    const earliestCall = startCall();
    t.inSandbox('echo 3 >> f');
    await recordBases(t.ctx, { earliestCall });
    expect((await scan(t.ctx)).changes.map(({ kind, conflict }) => [kind, conflict])).toEqual([
      ['modified', null],
    ]);
  });

  it.each([4, 6])(
    'refuses one that a version with journals of format %i has made, and leaves it',
    async (v) => {
      const t = session();
      t.inSandbox('echo a > a');
      const { trash } = await discardAll(t.ctx, 1);
      const file = `${t.ctx.stateDir}/trash/${trash}/journal.jsonl`;
      const text = readFileSync(file, 'utf8').replace('"v":5', `"v":${v}`);
      writeFileSync(file, text);
      t.inSandbox('echo b > b');
      const refused = {
        code: 'unsupported',
        message: expect.stringContaining(`discard ${trash} (format ${v}`),
      };
      await expect(undoDiscard(t.ctx, trash)).rejects.toMatchObject(refused);
      await expect(discardAll(t.ctx, 1)).rejects.toMatchObject(refused);
      expect(readFileSync(file, 'utf8')).toBe(text);
      expect(brief(await scan(t.ctx), t.host)).toEqual(['added b']);
    },
  );

  it('makes the fresh place like a new one: mode of the host, link, number, base record', async () => {
    const t = session();
    const overlay = `${t.ctx.sessionDir}/overlay`;
    t.onHost('chmod 1751 .');
    t.inSandbox('chmod 700 .; echo a > a');
    await discardAll(t.ctx, 1);
    expect(statSync(t.upper).mode & 0o7777).toBe(0o1751);
    expect(readlinkSync(`${overlay}/9/l`)).toBe(t.host);
    expect(readFileSync(`${overlay}/places.json`, 'utf8')).toBe(
      JSON.stringify([[t.ctx.coveredDirs[0]?.path, 9]]),
    );
    expect(readBaseFile(t.ctx).records.size).toBe(1);
    expect(readdirSync(overlay).sort()).toEqual(['.base-pass', '9', 'base.jsonl', 'places.json']);
    expect(existsSync(`${t.ctx.stateDir}/trash/CACHEDIR.TAG`)).toBe(true);
    expect((await scan(t.ctx)).changes).toEqual([]);
  });

  it('undo brings every change back, with its conflicts known', async () => {
    const t = session();
    t.onHost(BEFORE);
    t.inSandbox(INSIDE);
    await recordBases(t.ctx);
    t.onHost('echo host > a');
    const before = (await scan(t.ctx)).changes;
    expect(before.find(({ path }) => path.endsWith('/a'))?.conflict).toBe('host-changed');
    const { trash, entries } = await discardAll(t.ctx, 1);
    expect(await newestTrash(t.ctx)).toMatchObject({ trash, entries });
    const stored = `${t.ctx.stateDir}/trash/${trash}/overlay/CACHEDIR.TAG`;
    expect(existsSync(stored)).toBe(true);
    expect(await undoDiscard(t.ctx, trash)).toEqual({ trash, entries });
    expect(existsSync(`${t.ctx.sessionDir}/overlay/CACHEDIR.TAG`)).toBe(false);
    expect((await scan(t.ctx)).changes).toEqual(before);
    expect(await newestTrash(t.ctx)).toBeNull();
    t.inSandbox('[ "$(cat a n/m/n)" = "A\nn" ]');
  });

  it('undo keeps the overlay that it replaces, and is in the history', async () => {
    const t = session();
    t.inSandbox('echo a > a');
    const { trash } = await discardAll(t.ctx, 1);
    await undoDiscard(t.ctx, trash);
    expect(readdirSync(`${t.ctx.stateDir}/trash/${trash}`).sort()).toEqual(['journal.jsonl', 'replaced-1']);
    expect(readHistory(t.ctx)).toMatchObject([{ kind: 'discard', state: 'undone', trash: null }]);
  });

  it('undo goes into an empty overlay only; what was only opened or made outside the list does not count', async () => {
    const t = session();
    t.onHost(BEFORE);
    t.inSandbox('echo A > a');
    const { trash } = await discardAll(t.ctx, 1);
    t.inSandbox('echo other > other');
    await expect(undoDiscard(t.ctx, trash)).rejects.toMatchObject({ code: 'not-empty' });
    const second = await discardAll(t.ctx, 1);
    t.inSandbox(': >> a');
    expect((await newestTrash(t.ctx))?.trash).toBe(second.trash);
    await undoDiscard(t.ctx, trash);
    expect(brief(await scan(t.ctx), t.host)).toEqual(['modified a']);
    expect((await newestTrash(t.ctx))?.trash).toBe(second.trash);
  });

  it.each([
    '',
    '..',
    's1',
    's1.',
    's1.20260101T000000000Z/../x',
    'other.20260101T000000000Z',
    '../s1.20260101T000000000Z',
  ])('takes no name but one of its own trash: %j', async (name) => {
    await expect(undoDiscard(session().ctx, name)).rejects.toMatchObject({ code: 'bad-input' });
  });

  it('says so when there is no such discard', async () => {
    await expect(undoDiscard(session().ctx, 's1.20260101T000000000Z')).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('completes a discard that died behind its rename', async () => {
    const t = session();
    t.inSandbox('echo a > a');
    const { trash } = await discardAll(t.ctx, 1);
    const journal = `${t.ctx.stateDir}/trash/${trash}/journal.jsonl`;
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('{"t":"discarded"}\n', ''));
    expect(repairOverlay(t.ctx)?.outcome).toBe('discarded');
    expect(lstatSync(t.upper).isDirectory()).toBe(true);
    expect(repairOverlay(t.ctx)).toBeNull();
    await undoDiscard(t.ctx, trash);
    expect(brief(await scan(t.ctx), t.host)).toEqual(['added a']);
  });
});
