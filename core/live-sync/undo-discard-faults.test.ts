/**
 * The undo of a discard of a live session that dies at each call that changes something: it has happened, or what it has not
 * brought back is in the trash.
 */
import { it as each } from 'vitest';
import { diesAtEach, HELD, LARGE, SMALL } from '../../testing/sandbox/live-faults.ts';
import { readHistory } from '../commit/history/history.ts';
import { JOBS } from '../jobs/jobs.ts';

each.for([
  ['of a few entries', SMALL, 'live'],
  ['of a few entries, when the session is quiet,', SMALL, 'quiet'],
  ['of many', LARGE, 'live'],
  ['that has left whiteouts', HELD, 'live'],
] as const)(
  'the undo of a discard %s has happened, or can be completed',
  { timeout: 3_600_000 },
  async ([, setting, as]) => {
    await diesAtEach('undo of a live discard', setting, async ({ scene, what, die, endInTurn }) => {
      const { ctx } = scene.s;
      await (setting === HELD ? scene.holdAgain() : scene.goOn());
      const { trash } = await scene.discard();
      if (as === 'quiet') await scene.end();
      await die(async () => await JOBS.undo(ctx, { trash }));
      await endInTurn();
      await scene.recover();
      if (readHistory(ctx)[0]?.state === 'applied') await JOBS.undo(ctx, { trash });
      await scene.expectAsAtFirst(what());
    });
  },
);
