import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { beside, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { Died, FaultPort } from '../../../testing/commit/fault-port.ts';
import { discardAll, undoDiscard } from '../../commit/discard/discard.ts';
import { discardPart, lookAtDiscard } from '../../commit/discard/discard-part.ts';
import { readHistory } from '../../commit/history/history.ts';
import { needsRepair } from '../../commit/recover/repair.ts';
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

async function eachDeath(
  before: () => Promise<void>,
  work: (port: FsPort) => Promise<unknown>,
  check: (call: string) => Promise<boolean>,
): Promise<void> {
  const seen = new Set<boolean>();
  for (let n = 1, hit: string | null = ''; hit !== null; n++) {
    if (n > 1) t.remove();
    t = testSession();
    writeFileSync(`${t.ctx.sessionDir}/calls.jsonl`, '');
    t.inSandbox('echo a > a; echo b > b');
    await before();
    const faulty = FaultPort.at(n, 'die');
    await work(faulty.port).catch((error: unknown) => expect(error).toBeInstanceOf(Died));
    faulty.dispose();
    hit = faulty.hit;
    expect(existsSync(t.upper), `call ${n}`).toBe(true);
    await tidied();
    seen.add(await check(`${hit} at ${n}`));
    expect(needsRepair(t.ctx)).toBe(false);
    expect(
      readdirSync(`${t.ctx.stateDir}/overlays`).filter((name) => name.startsWith('s1')).length,
    ).toBeLessThan(4);
  }
  expect(seen).toEqual(new Set([true, false]));
}

it('the discard of everything, whichever call it dies at, has happened or left no trace', async () => {
  await eachDeath(
    async () => {},
    async (port) => await discardAll(t.ctx, 2, port),
    async (call) => {
      const history = readHistory(t.ctx);
      const happened = history.length > 0;
      expect((await scan(t.ctx)).changes, call).toHaveLength(happened ? 0 : 2);
      const row = { kind: 'discard', state: 'applied', can: 'undo', entries: 2 };
      expect(history, call).toMatchObject(happened ? [row] : []);
      for (const event of events())
        expect(event, call).toMatchObject(
          happened ? { t: 'discard', entries: 2 } : { t: 'notice', code: 'unfinished' },
        );
      return happened;
    },
  );
});

it('its undo, whichever call it dies at, has happened, or can be repeated', async () => {
  let trash = '';
  await eachDeath(
    async () => {
      ({ trash } = await discardAll(t.ctx, 2));
    },
    async (port) => await undoDiscard(t.ctx, trash, port),
    async (call) => {
      const happened = (await scan(t.ctx)).changes.length > 0;
      const row = {
        kind: 'discard',
        ...(happened ? { state: 'undone' } : { state: 'applied', can: 'undo' }),
      };
      expect(readHistory(t.ctx), call).toMatchObject([row]);
      for (const event of events())
        expect(event, call).toMatchObject(
          happened ? { t: 'undo', what: 'discard', trash } : { t: 'notice', code: 'unfinished' },
        );
      if (!happened) await undoDiscard(t.ctx, trash);
      expect((await scan(t.ctx)).changes, call).toHaveLength(2);
      return happened;
    },
  );
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
  const notice = { t: 'notice', code: 'unfinished', text: expect.stringContaining('rolled back') };
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
  const to = beside(t, 's2');
  expect(() => takeOverlay(t.ctx, to, 1, dyingRename(/\/overlay$/, 2))).toThrow(Died);
  await tidied();
  expect(events()).toMatchObject([{ t: 'discard', entries: 1 }]);
});
