/** A discard of a live session that dies at each call that changes something: it has happened, and can be undone, or not. */
import { it as each, expect } from 'vitest';
import { diesAtEach, HELD, LARGE, SMALL } from '../../testing/sandbox/live-faults.ts';
import { readHistory } from '../commit/history/history.ts';
import { JOBS } from '../jobs/jobs.ts';

each.for([
  ['of a few entries', SMALL, ':'],
  // So that `used` goes entry by entry, and `new` by one rename.
  ['of many', LARGE, 'exec 7<used/u'],
] as const)('a discard %s has happened or not', { timeout: 3_600_000 }, async ([, setting, lines]) => {
  await diesAtEach('live discard', setting, async ({ scene, what, die, endInTurn }) => {
    await scene.goOn(lines);
    await die(async () => await scene.discard());
    await endInTurn();
    await scene.recover();
    const now = await scene.pending();
    const [entry] = readHistory(scene.s.ctx);
    if (now.length > 0) {
      if (entry?.state === 'applied') throw new Error(`${what()}: pending and in the trash`);
      return await scene.expectAsAtFirst(what());
    }
    expect(scene.hostView(), what()).toBe(scene.host);
    expect(await scene.view(), what()).toBe(scene.host);
    expect(entry, what()).toMatchObject({ kind: 'discard', state: 'applied', can: 'undo' });
    await JOBS.undo(scene.s.ctx, { trash: entry?.trash ?? '' });
    await scene.expectAsAtFirst(what());
  });
});

each('a discard that has to leave whiteouts has happened or not', { timeout: 3_600_000 }, async () => {
  await diesAtEach('live discard beside what is held', HELD, async ({ scene, what, die, endInTurn }) => {
    const earlier = await scene.holdAgain();
    await die(async () => await scene.discard());
    await endInTurn();
    await scene.recover();
    expect(scene.hostView(), what()).toBe(scene.host);
    const [entry] = readHistory(scene.s.ctx);
    if (entry?.trash !== earlier) {
      const now = await scene.pending();
      expect(
        now.filter((one) => !one.startsWith('deleted ')),
        what(),
      ).toEqual([]);
      if (now.length === 0) expect(await scene.view(), what()).toBe(scene.host);
      expect(entry, what()).toMatchObject({ kind: 'discard', state: 'applied', can: 'undo' });
      await JOBS.undo(scene.s.ctx, { trash: entry?.trash ?? '' });
    }
    await scene.expectAsAtFirst(what());
  });
});
