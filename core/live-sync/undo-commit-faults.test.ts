/**
 * The undo of a commit while a process of the session runs, which dies at each call that changes something: it has happened or
 * not, and the view is the same.
 */
import { it as each, expect } from 'vitest';
import { diesAtEach, LARGE, SMALL } from '../../testing/sandbox/live-faults.ts';
import { JOBS } from '../jobs/jobs.ts';

const request = { revision: null, choices: {}, yes: true, typedCount: null };

each.for([
  ['of a few entries', SMALL],
  ['of many', LARGE],
] as const)('the undo of a commit %s has happened or not', { timeout: 3_600_000 }, async ([, setting]) => {
  await diesAtEach('undo of a commit in a live session', setting, async ({ scene, what, die, endInTurn }) => {
    await scene.end();
    const { ctx } = scene.s;
    const { n } = await JOBS.commit(ctx, {
      ...request,
      scope: { kind: 'paths', paths: [ctx.projectRoot] },
      includeIgnored: true,
      conflicts: 'take-sandbox',
    });
    expect(scene.hostView()).toBe(scene.changed);
    await scene.goOn();
    const undo = async () =>
      await JOBS.undoCommit(ctx, { ...request, n, conflicts: 'refuse', endProcesses: false });
    await die(undo);
    expect(await scene.viewBesideLeft(), what()).toBe(scene.changed);
    await endInTurn();
    await scene.recover();
    expect(await scene.view(), what()).toBe(scene.changed);
    if (scene.hostView() === scene.changed) {
      expect(await scene.pending(), what()).toEqual([]);
      await undo();
    }
    await scene.expectAsAtFirst(what());
  });
});
