import { unfinishedCommit } from '../../core/commit/recover/recover.ts';
import { JOBS } from '../../core/jobs/jobs.ts';
import { scanFor } from '../../core/jobs/reviewed-list.ts';
import { liveProcesses } from '../../core/sandbox/live.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { TraiError } from '../../shared/errors.ts';
import type { ChangeList } from '../../shared/model/change.ts';
import { countsText } from '../../shared/terminal/status.ts';
import { countText } from '../../shared/terminal/style.ts';
import { withPermit } from '../context/permit.ts';
import type { Command } from '../context/read-args.ts';
import { SCOPE_OPTIONS, SCOPE_USAGE, scopeOf, selectionText } from '../context/scope-args.ts';
import { stoppable } from '../context/stoppable.ts';
import { chosenSession } from '../context/which-session.ts';

export const discard: Command = {
  name: 'discard',
  usage: `discard ${SCOPE_USAGE} --yes [--end-processes]`,
  summary: 'drop pending changes, or a part of them (undo restores them)',
  flags: ['yes', 'end-processes'],
  options: SCOPE_OPTIONS,
  words: Number.POSITIVE_INFINITY,
  async run(cli, given) {
    const { ctx } = await chosenSession(cli);
    const args = await withPermit(cli, discard, given, ctx);
    const scope = scopeOf(cli, discard, args);
    const list = await scanFor(ctx, scope);
    // A discard of nothing would be the newest that `trai undo` finds, in front of the commit that is meant.
    if (scope.kind === 'all' && (await isEmpty(ctx, list))) {
      cli.print('Nothing to discard.', { trash: '', entries: 0 });
      return 0;
    }
    const order = { scope, action: 'discard' as const, includeIgnored: true };
    const preview = await JOBS.preview(ctx, { list, order, texts: null }, () => undefined);
    const along = selectionText(preview);
    if (along !== '') cli.remark(along);
    if (!args.flags.has('yes')) {
      throw new TraiError('bad-usage', `this discards ${countsText(preview.counts)}`, {
        hint: `Confirm with --yes. You can undo it with: ${cli.own('undo')}`,
      });
    }
    const asked = { scope, revision: null, endProcesses: args.flags.has('end-processes') };
    const report = await stoppable(cli, (signal) => JOBS.discard(ctx, asked, () => undefined, signal));
    cli.print(
      `Discarded ${countText(report.entries, 'entry', 'entries')}. Undo with: ${cli.own('undo')}`,
      report,
    );
    return 0;
  },
};

/** A process may write at any moment: a session in which one runs is never empty. */
async function isEmpty(ctx: SessionContext, list: ChangeList): Promise<boolean> {
  if (list.changes.length > 0 || list.problems.length > 0) return false;
  return (await unfinishedCommit(ctx)) === null && (await liveProcesses(ctx.source)).length === 0;
}
