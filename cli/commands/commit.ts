import { previewMerge } from '../../core/content/merge-entry.ts';
import { JOBS } from '../../core/jobs/jobs.ts';
import { scanFor } from '../../core/jobs/reviewed-list.ts';
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
  summary: 'apply pending changes, or a part of them, to your files',
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
      // No list was reviewed: what is pending now is meant.
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

/** What could not be read may hold changes, and was not committed. */
function unreadTexts({ problems }: ChangeList, { failed }: CommitReport): string[] {
  const named = new Set(failed.map(({ path }) => toDisplay(path)));
  const others = problems.filter(({ path }) => !named.has(path));
  return others.map(
    ({ path, message }) => `Not committed, because it could not be read: ${path}: ${message}`,
  );
}

/** A merge is announced before it is applied; exactly that merge is applied, or none. */
function tellMerges(cli: Cli, ctx: SessionContext, list: ChangeList, order: Unseen<CommitOrder>): void {
  for (const change of list.changes) {
    if (order.choices[change.id]?.startsWith('merge') !== true) continue;
    const { etag, diff, conflicts } = previewMerge(ctx, change);
    // The commit refuses what cannot be merged, with the reason.
    if (diff === null) continue;
    order.merges = { ...order.merges, [change.id]: etag };
    const marks = conflicts === 0 ? '' : `, ${countText(conflicts, 'place')} in conflict`;
    cli.remark(`Merging ${toDisplay(change.path)}: +${diff.added} −${diff.removed} on the host${marks}.`);
  }
}

/** Before the commit: the selection closure is more than what was typed. */
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
      : `${headOf(report)}${timesText(report)}, ${sizeText(report.bytes)}, in ${durationText(report.ms)}.`,
  ];
  if (report.kept > 0)
    lines.push(
      `${countText(report.kept, 'conflict')} kept as on the host; the sandbox’s version stays pending.`,
    );
  if (report.ignored > 0)
    lines.push(
      `${countText(report.ignored, 'ignored entry', 'ignored entries')} left out (${asked ? 'sockets are never committed' : 'commit them with --include-ignored'}).`,
    );
  if (report.copies)
    lines.push('The session is live: the committed copies stay in its overlay until it is quiet.');
  lines.push(...markedLines(report.marked ?? []));
  for (const failure of report.failed.slice(0, NAMED))
    lines.push(`  not applied: ${toDisplay(failure.path)}: ${failure.message}`);
  if (report.failed.length > NAMED) lines.push(`  … and ${report.failed.length - NAMED} more`);
  const failed = new Set<BytePath>(report.failed.map((one) => one.path));
  const rest = report.notApplied.filter((path) => !failed.has(path));
  for (const path of rest.slice(0, NAMED)) lines.push(`  not applied: ${toDisplay(path)}`);
  if (rest.length > NAMED) lines.push(`  … and ${rest.length - NAMED} more`);
  const goOn =
    report.stopped === true || report.cancelled === true ? ' Run the commit again to continue.' : '';
  if (report.state === 'partial') lines.push(`What was not applied is still pending.${goOn}`);
  return lines.join('\n');
}

/** `Committed 12 changes`, or how many of them before it ended. */
function headOf({ state, cancelled, stopped, applied, failed, notApplied }: CommitReport): string {
  if (state === 'applied') return `Committed ${countText(applied, 'change')}`;
  const left = new Set([...failed.map(({ path }) => path), ...notApplied]).size;
  const done = `${applied} of ${countText(applied + left, 'change')}`;
  if (cancelled === true) return `Cancelled after ${done}`;
  return stopped === true ? `Stopped after ${done}` : `Committed ${done}`;
}
