import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { DirectRunner } from '../../../testing/server/direct-runner.ts';
import { EventHub } from '../../events/hub.ts';
import { LiveScan } from './manager.ts';
import { WatchedSession } from './watched-session.ts';

let s: TestSession;
beforeEach(() => {
  s = testSession();
  // Concurrent tests have sessions of the same name.
  s.ctx.source = `trai:${randomBytes(4).toString('hex')}:s1`;
});
afterEach(() => s.remove());

it('who asks for the sessions does not wait for the scan of a live one; that it is live is told before it', async () => {
  const hub = new EventHub();
  const tab = hub.subscribe(null);
  const live = await s.live('echo ready; read');
  try {
    const context = async () => s.ctx;
    const parts = { runner: new DirectRunner(), context, now: () => performance.now() };
    const session = new WatchedSession({ id: 's1', dir: s.ctx.sessionDir, ...parts });
    const scans = new LiveScan({ hub, context, report: (thrown) => expect.fail(String(thrown)) });
    const asked: string[] = [];
    let end = (): void => {};
    const refresh = async ({ id, list: { dirty } }: WatchedSession): Promise<void> => {
      asked.push(`${id} ${dirty}`);
      await new Promise<void>((resolve) => {
        end = resolve;
      });
    };
    scans.begin([session], refresh);
    expect(await tab?.next(10_000)).toMatchObject({ event: { type: 'sessions' } });
    await expect.poll(() => asked).toEqual(['s1 true']);
    scans.begin([session], refresh);
    end();
    await scans.settled();
    expect(asked).toEqual(['s1 true']);
  } finally {
    await live.stop();
  }
});
