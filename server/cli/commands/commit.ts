import { type BytePath, fromText, isWithin, toDisplay } from '../../../shared/bytes.ts';
import { scan } from '../../../shared/changes/node/scan.ts';
import type { CommitOrder, CommitReport, CommitRequest } from '../../../shared/commit/types.ts';
import { TraiError } from '../../../shared/errors.ts';
import { JOBS } from '../../sessions/jobs.ts';
import { countText, durationText, sizeText } from '../../text/style.ts';
import { withPermit } from '../permit.ts';
import { type Args, badUsage, type Command } from '../read-args.ts';
import { chosenSession } from '../which-session.ts';

const CHOICES = ['refuse', 'keep-host', 'take-sandbox'] as const;

export const commit: Command = {
  name: 'commit',
  usage:
    'commit [--yes] [--include-ignored] [--no-undo] [--conflicts keep-host|take-sandbox] [--keep-host PATH,…] [--take-sandbox PATH,…]',
  summary: 'applies what is pending to your files',
  flags: ['yes', 'include-ignored', 'no-undo'],
  options: ['conflicts', 'keep-host', 'take-sandbox'],
  words: 0,
  async run(cli, given) {
    const { ctx } = await chosenSession(cli);
    const args = await withPermit(cli, commit, given, ctx);
    const list = await scan(ctx);
    const order: CommitOrder = {
      scope: { kind: 'all' },
      revision: list.revision,
      includeIgnored: args.flags.has('include-ignored'),
      conflicts: conflictsOf(args),
      choices: {},
      yes: args.flags.has('yes'),
      typedCount: null,
      noUndo: args.flags.has('no-undo'),
    };
    for (const choice of ['keep-host', 'take-sandbox'] as const) {
      for (const path of (args.options.get(choice) ?? '').split(',').filter((word) => word !== '')) {
        const wanted = fromText(path.startsWith('/') ? path : `${cli.cwd}/${path}`);
        const matches = list.changes.filter(
          (change) => change.conflict !== null && isWithin(change.path, wanted),
        );
        if (matches.length === 0)
          throw new TraiError('not-found', `no conflict at ${toDisplay(wanted)}`, {
            hint: 'See: trai status',
          });
        for (const change of matches) order.choices[change.id] = choice;
      }
    }
    const report = await JOBS.commit(ctx, order, () => undefined);
    cli.print(reportText(report), report);
    return report.state === 'applied' ? 0 : 1;
  },
};

function conflictsOf(args: Args): CommitRequest['conflicts'] {
  const given = args.options.get('conflicts') ?? 'refuse';
  const choice = CHOICES.find((one) => one === given);
  if (choice === undefined)
    throw badUsage(commit, `expected ${CHOICES.join(', ')} for --conflicts, found ${JSON.stringify(given)}`);
  return choice;
}

export function reportText(report: CommitReport): string {
  const lines = [
    report.applied === 0 && report.state === 'applied'
      ? 'Nothing to commit.'
      : `${report.state === 'applied' ? 'Committed' : 'Stopped in the middle: committed'} ${countText(report.applied, 'change')}, ${sizeText(report.bytes)}, in ${durationText(report.ms)}.`,
  ];
  if (report.kept > 0)
    lines.push(
      `${countText(report.kept, 'conflict')} left as on the host; the sandbox’s version stays pending.`,
    );
  if (report.ignored > 0)
    lines.push(
      `${countText(report.ignored, 'ignored entry', 'ignored entries')} left out (--include-ignored takes them along).`,
    );
  if (report.copies)
    lines.push('The session is live: copies were committed; they leave the overlay when it is quiet.');
  for (const failure of report.failed)
    lines.push(`  not applied: ${toDisplay(failure.path)}: ${failure.message}`);
  const failed = new Set<BytePath>(report.failed.map((one) => one.path));
  const rest = report.notApplied.filter((path) => !failed.has(path));
  for (const path of rest.slice(0, 20)) lines.push(`  not applied: ${toDisplay(path)}`);
  if (rest.length > 20) lines.push(`  … and ${rest.length - 20} more`);
  if (report.state === 'partial')
    lines.push('What was not applied is still pending. Run the commit again to go on.');
  return lines.join('\n');
}
