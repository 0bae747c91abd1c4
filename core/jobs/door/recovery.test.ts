import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { Died, FaultPort } from '../../../testing/commit/fault-port.ts';
import { discardAll, newestTrash, undoDiscard } from '../../commit/discard/discard.ts';
import { discardPart, lookAtDiscard } from '../../commit/discard/discard-part.ts';
import { readHistory } from '../../commit/history/history.ts';
import { takeOverlay } from '../../commit/retention/adopt.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { scan } from '../../scan/scan.ts';
import { JOBS } from '../jobs.ts';
import { log } from './outcome.ts';

let t: TestSession;
afterEach(() => t.remove());

const died = (part: Partial<FsPort>): FsPort => ({ ...nodePort, ...part });
const events = (): unknown[] =>
  readFileSync(`${t.ctx.sessionDir}/calls.jsonl`, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const tidied = async () => await JOBS.tidy(t.ctx, { earliestCall: null }, () => undefined);

function dyingRename(target: RegExp, n: number): FsPort {
  let count = 0;
  return died({
    rename(from, to) {
      if (target.test(to) && ++count === n) throw new Died('rename');
      nodePort.rename(from, to);
    },
  });
}

it('the discard of everything', async () => {
  t = testSession();
  t.inSandbox('echo a > a; echo b > b');
  const port = dyingRename(/\/overlay$/, 2);
  await expect(discardAll(t.ctx, 2, port)).rejects.toThrow(Died);
  await tidied();
  const trash = (await newestTrash(t.ctx))?.trash;
  expect(events()).toMatchObject([{ t: 'discard', trash, entries: 2 }]);
  const undo = dyingRename(/\/overlay$/, 1);
  await expect(undoDiscard(t.ctx, trash ?? '', undo)).rejects.toThrow(Died);
  await tidied();
  expect(events()).toMatchObject([{ t: 'discard' }, { t: 'undo', what: 'discard', trash, entries: 2 }]);
  expect((await scan(t.ctx)).changes).toHaveLength(2);
});

it('the discard of everything, whichever call it dies at, has happened or left no trace', async () => {
  const seen = new Set<number>();
  for (let n = 1, hit: string | null = ''; hit !== null; n++) {
    if (n > 1) t.remove();
    t = testSession();
    writeFileSync(`${t.ctx.sessionDir}/calls.jsonl`, '');
    t.inSandbox('echo a > a; echo b > b');
    const faulty = FaultPort.at(n, 'die');
    await discardAll(t.ctx, 2, faulty.port).catch((error: unknown) => expect(error).toBeInstanceOf(Died));
    faulty.dispose();
    hit = faulty.hit;
    await tidied();
    const history = readHistory(t.ctx);
    seen.add(history.length);
    const happened = history.length > 0;
    expect((await scan(t.ctx)).changes, `call ${n}`).toHaveLength(happened ? 0 : 2);
    expect(history, `call ${n}`).toMatchObject(
      happened ? [{ kind: 'discard', state: 'applied', can: 'undo', entries: 2 }] : [],
    );
    if (hit === null) continue;
    const notice = { t: 'notice', code: 'unfinished', text: expect.stringContaining('taken back') };
    const [event, ...more] = events();
    expect(more).toEqual([]);
    if (happened) expect(event, `call ${n}`).toMatchObject({ t: 'discard', entries: 2 });
    else if (event !== undefined) expect(event, `call ${n}`).toMatchObject(notice);
  }
  expect([...seen].sort()).toEqual([0, 1]);
});

it('the discard of a part, which is taken back; and its undo', async () => {
  t = testSession();
  t.inSandbox('echo a > a; echo b > b');
  const discard = async (port: FsPort) => {
    const list = await scan(t.ctx);
    const { plan } = await lookAtDiscard(t.ctx, list, new Set(list.changes.map(({ path }) => path)));
    return discardPart(t.ctx, plan, { port, cancelled: () => false });
  };
  await expect(discard(dyingRename(/\/trash\/[^/]+\/overlay\/\d+$/, 2))).rejects.toThrow(Died);
  t.inSandbox('echo more >> b');
  await tidied();
  const notice = { t: 'notice', code: 'unfinished', text: expect.stringContaining('taken back') };
  expect(events()).toMatchObject([notice]);
  expect((await scan(t.ctx)).changes).toHaveLength(2);

  const { trash } = await discard(nodePort);
  const port = dyingRename(/\/[ab]$/, 2);
  await expect(undoDiscard(t.ctx, trash, port)).rejects.toThrow(Died);
  await tidied();
  expect(events()).toMatchObject([notice, { t: 'undo', what: 'discard', trash, entries: 2 }]);
  expect((await scan(t.ctx)).changes).toHaveLength(2);
});

it('an adoption that was killed is no discard, whatever was discarded before', async () => {
  t = testSession();
  t.inSandbox('echo a > a');
  log(t.ctx, { t: 'discard', ...(await discardAll(t.ctx, 1)), ended: [] });
  t.inSandbox('echo b > b');
  const to = { ...t.ctx, session: 's2', sessionDir: `${t.ctx.stateDir}/sessions/s2` };
  mkdirSync(to.sessionDir);
  expect(() => takeOverlay(t.ctx, to, 1, dyingRename(/\/overlay$/, 1))).toThrow(Died);
  await tidied();
  expect(events()).toMatchObject([{ t: 'discard', entries: 1 }]);
});
