import { scan } from '../../../shared/changes/node/scan.ts';
import { TraiError } from '../../../shared/errors.ts';
import { JOBS } from '../../sessions/jobs.ts';
import { countsText } from '../../text/status.ts';
import { countText } from '../../text/style.ts';
import { withPermit } from '../permit.ts';
import type { Command } from '../read-args.ts';
import { chosenSession } from '../which-session.ts';

export const discard: Command = {
  name: 'discard',
  usage: 'discard --yes [--end-processes]',
  summary: 'drops what is pending (undo brings it back)',
  flags: ['yes', 'end-processes'],
  options: [],
  words: 0,
  async run(cli, given) {
    const { ctx } = await chosenSession(cli);
    const args = await withPermit(cli, discard, given, ctx);
    const list = await scan(ctx);
    if (!args.flags.has('yes')) {
      throw new TraiError('bad-usage', `this drops what is pending: ${countsText(list.counts)}`, {
        hint: 'Say so with --yes. `trai undo` brings it back.',
      });
    }
    const report = await JOBS.discard(
      ctx,
      { scope: { kind: 'all' }, revision: list.revision, endProcesses: args.flags.has('end-processes') },
      () => undefined,
    );
    cli.print(
      `Discarded ${countText(report.entries, 'entry', 'entries')}. Bring it back with: trai undo`,
      report,
    );
    return 0;
  },
};
