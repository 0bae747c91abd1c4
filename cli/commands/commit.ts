import { previewMerge } from '../../core/content/merge-entry.ts';
import { JOBS } from '../../core/jobs/jobs.ts';
import { scanFor } from '../../core/jobs/scope-list.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { type BytePath, fromText, isWithin, toDisplay } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { durationText, sizeText } from '../../shared/format.ts';
import type { ChangeList } from '../../shared/model/change.ts';
import type { CommitOrder, CommitReport, Unseen } from '../../shared/model/commit.ts';
import { markedLines } from '../../shared/terminal/marked.ts';
import { countText } from '../../shared/terminal/style.ts';
import { withPermit } from '../context/permit.ts';
import { type Args, badUsage, type Command } from '../context/read-args.ts';
import { SCOPE_OPTIONS, scopeOf, selectionText } from '../context/scope-args.ts';
import { stoppable } from '../context/stoppable.ts';
import { chosenSession } from '../context/which-session.ts';
import type { Cli } from '../context/world.ts';

/** For a path, each an option of that name; all conflicts may be refused, too. */
const CHOICES = ['keep-host', 'take-sandbox', 'merge', 'merge-markers'] as const;
const FOR_ALL = ['refuse', ...CHOICES] as const;

/** Most paths of a kind that a report names. */
const NAMED = 20;

export const commit: Command = {
  name: 'commit',
  usage:
    'commit [PATH… | --call ID | --up-to ID] [--yes] [--include-ignored] [--no-undo] [--conflicts keep-host|take-sandbox|merge|merge-markers] [--keep-host PATH,…] [--take-sandbox PATH,…] [--merge PATH,…] [--merge-markers PATH,…]',
  summary: 'applies what is pending, or a part of it, to your files',
  flags: ['yes', 'include-ignored', 'no-undo'],
  options: ['conflicts', ...CHOICES, ...SCOPE_OPTIONS],
  words: Number.POSITIVE_INFINITY,
  async run(cli, given) {
    const { ctx } = await chosenSession(cli);
    const args = await withPermit(cli, commit, given, ctx);
    const scope = scopeOf(cli, commit, args);
    const list = await scanFor(ctx, scope);
    const order: Unseen<CommitOrder> = {
      scope,
      // What is pending now is meant: of the list that this was made of nobody has seen more than what is told below.
      revision: null,
      includeIgnored: args.flags.has('include-ignored'),
      conflicts: 'refuse',
      choices: {},
      yes: args.flags.has('yes'),
      typedCount: null,
      noUndo: args.flags.has('no-undo'),
    };
    const forAll = conflictsOf(args);
    if (forAll === 'merge' || forAll === 'merge-markers') {
      for (const { id, conflict } of list.changes) if (conflict !== null) order.choices[id] = forAll;
    } else order.conflicts = forAll;
    for (const choice of CHOICES) {
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
    tellMerges(cli, ctx, list, order);
    if (scope.kind !== 'all') await tellSelection(cli, ctx, list, order);
    const report = await stoppable(cli, (signal) => JOBS.commit(ctx, order, () => undefined, signal));
    cli.print([reportText(report, order.includeIgnored), ...unreadTexts(list, report)].join('\n'), report);
    return report.state === 'applied' && (report.applied > 0 || list.problems.length === 0) ? 0 : 1;
  },
};

/** What nobody could look into may hold changes, and is not among those that were committed. */
function unreadTexts({ problems }: ChangeList, { failed }: CommitReport): string[] {
  const named = new Set(failed.map(({ path }) => toDisplay(path)));
  const others = problems.filter(({ path }) => !named.has(path));
  return others.map(({ path, message }) => `Stays as it is, and may be pending: ${path}: ${message}`);
}

/** What is merged is said before it is done, and is that or nothing. */
function tellMerges(cli: Cli, ctx: SessionContext, list: ChangeList, order: Unseen<CommitOrder>): void {
  for (const change of list.changes) {
    if (order.choices[change.id]?.startsWith('merge') !== true) continue;
    const { etag, diff, conflicts } = previewMerge(ctx, change);
    // What can't be merged is refused by the commit, with the reason.
    if (diff === null) continue;
    order.merges = { ...order.merges, [change.id]: etag };
    const marks = conflicts === 0 ? '' : `, ${countText(conflicts, 'place')} in conflict`;
    cli.remark(`Merging ${toDisplay(change.path)}: +${diff.added} −${diff.removed} on the host${marks}.`);
  }
}

/** Before it is done: what goes along is not what was typed. */
async function tellSelection(
  cli: Cli,
  ctx: SessionContext,
  list: ChangeList,
  { scope, includeIgnored }: Unseen<CommitOrder>,
): Promise<void> {
  const preview = await JOBS.preview(
    ctx,
    { list, order: { scope, action: 'commit', includeIgnored }, texts: null },
    ignore,
  );
  const text = selectionText(preview);
  if (text !== '') cli.remark(text);
}

const ignore = () => undefined;

function conflictsOf(args: Args): (typeof FOR_ALL)[number] {
  const given = args.options.get('conflicts') ?? 'refuse';
  const choice = FOR_ALL.find((one) => one === given);
  if (choice === undefined)
    throw badUsage(commit, `expected ${FOR_ALL.join(', ')} for --conflicts, found ${JSON.stringify(given)}`);
  return choice;
}

/** Files of which only the time was committed. */
function timesText({ times }: CommitReport): string {
  return times === undefined ? '' : ` (+ ${countText(times, 'time')})`;
}

function reportText(report: CommitReport, asked: boolean): string {
  const lines = [
    report.applied === 0 && report.times === undefined && report.state === 'applied'
      ? 'Nothing to commit.'
      : `${verbOf(report)} ${countText(report.applied, 'change')}${timesText(report)}, ${sizeText(report.bytes)}, in ${durationText(report.ms)}.`,
  ];
  if (report.kept > 0)
    lines.push(
      `${countText(report.kept, 'conflict')} left as on the host; the sandbox’s version stays pending.`,
    );
  if (report.ignored > 0)
    lines.push(
      `${countText(report.ignored, 'ignored entry', 'ignored entries')} left out (${asked ? 'sockets are never committed' : '--include-ignored takes them along'}).`,
    );
  if (report.copies)
    lines.push('The session is live: copies were committed; they leave the overlay when it is quiet.');
  lines.push(...markedLines(report.marked ?? []));
  for (const failure of report.failed.slice(0, NAMED))
    lines.push(`  not applied: ${toDisplay(failure.path)}: ${failure.message}`);
  if (report.failed.length > NAMED) lines.push(`  … and ${report.failed.length - NAMED} more`);
  const failed = new Set<BytePath>(report.failed.map((one) => one.path));
  const rest = report.notApplied.filter((path) => !failed.has(path));
  for (const path of rest.slice(0, NAMED)) lines.push(`  not applied: ${toDisplay(path)}`);
  if (rest.length > NAMED) lines.push(`  … and ${rest.length - NAMED} more`);
  const goOn = report.stopped === true || report.cancelled === true ? ' Run the commit again to go on.' : '';
  if (report.state === 'partial') lines.push(`What was not applied is still pending.${goOn}`);
  return lines.join('\n');
}

function verbOf({ state, cancelled, stopped }: CommitReport): string {
  if (cancelled === true) return 'Stopped, as you wished: committed';
  if (stopped === true) return 'Stopped in the middle: committed';
  return state === 'applied' ? 'Committed' : 'Committed all but what is named below:';
}
