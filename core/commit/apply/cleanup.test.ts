import { existsSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, commitNow } from '../../../testing/commit/commit.ts';
import { recordBases } from '../../overlay/bases.ts';
import { reap } from '../../scan/reap.ts';
import { scan } from '../../scan/scan.ts';
import { dropCommitted } from './cleanup.ts';

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

describe(`what leaves the uppers after a commit, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('keeps a deletion that came after the commits of an earlier one and of the file made again', async () => {
    const t = session();
    t.onHost('echo 1 > f; mkdir d; echo 1 > d/f; echo 1 > plain');
    const gate = `${t.host}/../gate`;
    // Outside the covered directory, both sides see the gates.
    const wait = (n: number) => `until [ -e '${gate}${n}' ]; do sleep 0.02; done`;
    const live = await t.live(
      `rm f d/f plain; echo ready; ${wait(1)}; echo 2 > f; echo 2 > d/f; touch '${gate}1.done'; ${wait(2)}; rm f; rm -r d; touch '${gate}2.done'; read _ || true`,
    );
    const step = async (n: number) => {
      t.onHost(`touch '${gate}${n}'`);
      await expect.poll(() => existsSync(`${gate}${n}.done`)).toBe(true);
    };
    expect(await commitNow(t, { live: true })).toMatchObject({ state: 'applied', applied: 3 });
    await recordBases(t.ctx);
    await step(1);
    expect(await commitNow(t, { live: true })).toMatchObject({ state: 'applied', applied: 2 });
    await recordBases(t.ctx);
    await step(2);
    const wanted = ['deleted d', 'deleted d/f', 'deleted f'];
    expect(brief(await scan(t.ctx), t.host)).toEqual(wanted);
    await live.stop();
    await recordBases(t.ctx);
    await dropCommitted(t.ctx);
    await reap(t.ctx);
    expect(brief(await scan(t.ctx), t.host)).toEqual(wanted);
    expect(readdirSync(t.upper).sort()).toEqual(['d', 'f']);
    // The second commit and this deletion lie in one call: which came first is not known for all of them.
    const report = await commitNow(t, { request: { conflicts: 'take-sandbox' } });
    expect(report.state).toBe('applied');
    expect(readdirSync(t.host)).toEqual([]);
  });
});
