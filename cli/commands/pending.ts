/** Commands for all pending changes or a part of them: commit, discard, export. */
import { unfinishedCommit } from '../../core/commit/journal/journal.ts';
import { planTakingSandbox } from '../../core/commit/plan/plan.ts';
import { previewMerge } from '../../core/content/merge-entry.ts';
import { type ExportReport, type ExportTarget, exportChanges } from '../../core/export/export-git.ts';
import { JOBS } from '../../core/jobs/jobs.ts';
import { chosenOf, scanFor } from '../../core/jobs/lists.ts';
import { unknownEffects, withNamedEffects } from '../../core/rules/effects/effects.ts';
import { liveProcesses } from '../../core/sandbox/live.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import type { CommitPreview } from '../../shared/api/types.ts';
import { type BytePath, fromText, isWithin, toDisplay } from '../../shared/bytes.ts';
import { durationText, sizeText } from '../../shared/format.ts';
import type { ChangeList } from '../../shared/model/change.ts';
import type { CommitReport, Scope, ScopedCommitRequest, Told, Unseen } from '../../shared/model/commit.ts';
import { quoted } from '../../shared/terminal/quoted.ts';
import { countsText, EFFECT_WORDS } from '../../shared/terminal/status.ts';
import { countText, firstLines, markedLines } from '../../shared/terminal/text.ts';
import { announceClient } from '../context/client-stays.ts';
import {
  type Args,
  type Argument,
  badUsage,
  type Command,
  choiceOf,
  pathAt,
  pathsOf,
} from '../context/command.ts';
import { stoppable } from '../context/output.ts';
import { aboutSession, always } from '../context/session.ts';
import type { Cli } from '../context/world.ts';
import { noConflictAt, notYetConfirmed, USAGE } from '../messages/errors.ts';

const SCOPE_USAGE = '[PATH… | --call ID | --up-to ID]';
const SCOPE: readonly Argument[] = [
  ['PATH…', 'only these paths, each with everything below it'],
  ['--call ID', 'only what that call alone wrote last (trai status --by-call has the ids)'],
  ['--up-to ID', 'only what that call and those before it wrote'],
];
const INCLUDE_IGNORED: Argument = ['--include-ignored', 'also ignored entries (caches, histories ...)'];

const MOST_REPORTED = 20;
const MOST_TOLD = 10;

const CHOICES = ['keep-host', 'take-sandbox', 'merge', 'merge-markers'] as const;

export const commit = aboutSession({
  name: 'commit',
  usage: `${SCOPE_USAGE} [--yes] [--include-ignored] [--no-undo] [--conflicts WAY] [--keep-host PATH,…] [--take-sandbox PATH,…] [--merge PATH,…] [--merge-markers PATH,…]`,
  summary: 'apply pending changes, or a part of them, to your files',
  arguments: [
    ...SCOPE,
    ['--yes', 'confirms that very many entries are deleted'],
    INCLUDE_IGNORED,
    ['--no-undo', 'keeps no before-images: the commit cannot be undone'],
    [
      '--conflicts WAY',
      'for all conflicts: refuse (the default), keep-host, take-sandbox,\nmerge, merge-markers',
    ],
    ['--keep-host PATH,…', 'conflict: keeps your file; the sandbox’s version stays pending'],
    ['--take-sandbox PATH,…', 'conflict: replaces your file'],
    ['--merge PATH,…', 'conflict: merges both changes of a text, or refuses'],
    ['--merge-markers PATH,…', 'the same, with markers where both changed the same lines'],
  ],
  words: Number.POSITIVE_INFINITY,
  acts: always,
  async run({ cli, ctx, args }) {
    const scope = scopeOf(cli, commit, args);
    const list = await scanFor(ctx, scope);
    const request = requestOf(cli, args, scope, list);
    announceMerges(cli, ctx, list, request);
    for (const text of unknownEffects(ctx)) cli.remark(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
    if (scope.kind !== 'all') {
      const { includeIgnored } = request;
      const order = { scope, action: 'commit' as const, includeIgnored };
      announceSelection(cli, await JOBS.preview(ctx, { list, order, texts: null }));
    }
    const report = await stoppable(cli, (signal) => JOBS.commit(ctx, request, undefined, signal));
    cli.print(
      [...reportLines(report, request.includeIgnored), ...unreadLines(list, report)].join('\n'),
      report,
    );
    return report.state === 'applied' && (report.applied > 0 || list.problems.length === 0) ? 0 : 1;
  },
});

function requestOf(cli: Cli, args: Args, scope: Scope, { changes }: ChangeList): Unseen<ScopedCommitRequest> {
  const conflicts = choiceOf(commit, args, 'conflicts', ['refuse', ...CHOICES]);
  const request: Unseen<ScopedCommitRequest> = {
    scope,
    // The user reviewed no list: commit what is pending now.
    revision: null,
    includeIgnored: args.flags.has('include-ignored'),
    conflicts: 'refuse',
    choices: {},
    yes: args.flags.has('yes'),
    typedCount: null,
    noUndo: args.flags.has('no-undo'),
  };
  if (conflicts === 'merge' || conflicts === 'merge-markers') {
    for (const { id, conflict } of changes) if (conflict !== null) request.choices[id] = conflicts;
  } else request.conflicts = conflicts;
  for (const choice of CHOICES) {
    for (const wanted of pathsOf(cli, args, choice)) {
      const matches = changes.filter(({ conflict, path }) => conflict !== null && isWithin(path, wanted));
      if (matches.length === 0) throw noConflictAt(wanted);
      for (const { id } of matches) request.choices[id] = choice;
    }
  }
  return request;
}

/** The commit then applies exactly this merge, or none. */
function announceMerges(
  cli: Cli,
  ctx: SessionContext,
  list: ChangeList,
  request: Unseen<ScopedCommitRequest>,
): void {
  for (const change of list.changes) {
    if (request.choices[change.id]?.startsWith('merge') !== true) continue;
    const { etag, diff, conflicts } = previewMerge(ctx, change);
    if (diff === null) continue;
    request.merges = { ...request.merges, [change.id]: etag };
    const marks = conflicts === 0 ? '' : `, ${countText(conflicts, 'place')} in conflict`;
    cli.remark(`Merging ${toDisplay(change.path)}: +${diff.added} −${diff.removed} on the host${marks}.`);
  }
}

function reportLines(report: CommitReport, asked: boolean): string[] {
  const { applied, times, state, bytes, ms, kept, ignored, failed, notApplied, stopped, cancelled } = report;
  const timesText = times === undefined ? '' : ` (+ ${countText(times, 'time')})`;
  const lines = [
    applied === 0 && times === undefined && state === 'applied'
      ? 'Nothing to commit.'
      : `${headOf(report)}${timesText}, ${sizeText(bytes)}, in ${durationText(ms)}.`,
  ];
  if (kept > 0)
    lines.push(`${countText(kept, 'conflict')} kept as on the host; the sandbox’s version stays pending.`);
  if (ignored > 0)
    lines.push(
      `${countText(ignored, 'ignored entry', 'ignored entries')} left out (${asked ? 'sockets are never committed' : 'commit them with --include-ignored'}).`,
    );
  if (report.copies)
    lines.push('The session is live: the committed copies stay in its overlay until it is quiet.');
  lines.push(...markedLines(report.marked ?? []));
  lines.push(
    ...firstLines(
      failed,
      MOST_REPORTED,
      ({ path, message }) => `  not applied: ${toDisplay(path)}: ${message}`,
    ),
  );
  const named = new Set(failed.map(({ path }) => path));
  const rest = notApplied.filter((path) => !named.has(path));
  lines.push(...firstLines(rest, MOST_REPORTED, (path) => `  not applied: ${toDisplay(path)}`));
  const goOn = stopped === true || cancelled === true ? ' Run the commit again to continue.' : '';
  if (state === 'partial') lines.push(`What was not applied is still pending.${goOn}`);
  return lines;
}

function headOf({ state, cancelled, stopped, applied, failed, notApplied }: CommitReport): string {
  if (state === 'applied') return `Committed ${countText(applied, 'change')}`;
  const left = new Set([...failed.map(({ path }) => path), ...notApplied]).size;
  const done = `${applied} of ${countText(applied + left, 'change')}`;
  if (cancelled === true) return `Cancelled after ${done}`;
  return stopped === true ? `Stopped after ${done}` : `Committed ${done}`;
}

/** What could not be read may hold changes. */
function unreadLines({ problems }: ChangeList, { failed }: CommitReport): string[] {
  const named = new Set(failed.map(({ path }) => toDisplay(path)));
  const others = problems.filter(({ path }) => !named.has(path));
  return others.map(
    ({ path, message }) => `Not committed, because it could not be read: ${path}: ${message}`,
  );
}

export const discard = aboutSession({
  name: 'discard',
  usage: `${SCOPE_USAGE} --yes [--end-processes]`,
  summary: 'drop pending changes, or a part of them (undo restores them)',
  arguments: [
    ...SCOPE,
    ['--yes', 'confirms; without it, the command only says what would be discarded'],
    [
      '--end-processes',
      'ends the processes of the session first, all but Claude Code\nitself; without it, what one has open for writing stays pending',
    ],
  ],
  words: Number.POSITIVE_INFINITY,
  acts: always,
  async run({ cli, ctx, args }) {
    const scope = scopeOf(cli, discard, args);
    const list = await scanFor(ctx, scope);
    // Else `trai undo` would undo this empty discard instead of the commit before.
    if (scope.kind === 'all' && (await isEmpty(ctx, list))) {
      cli.print('Nothing to discard.', { trash: '', entries: 0 });
      return 0;
    }
    const order = { scope, action: 'discard' as const, includeIgnored: true };
    const preview = await JOBS.preview(ctx, { list, order, texts: null });
    announceSelection(cli, preview);
    announceUsers(cli, preview);
    if (!args.flags.has('yes')) throw notYetConfirmed(countsText(preview.counts), cli.own('undo'));
    const endProcesses = args.flags.has('end-processes');
    if (endProcesses) await announceClient(cli, ctx);
    const request = { scope, revision: null, endProcesses };
    const report = await stoppable(cli, (signal) => JOBS.discard(ctx, request, undefined, signal));
    const what = countText(report.entries, 'entry', 'entries');
    const left = report.left ?? [];
    const lines = [
      `Discarded ${what}. Undo with: ${cli.own('undo')}`,
      ...titled('Stays pending', left, left.length),
    ];
    cli.print(lines.join('\n'), report);
    return left.length === 0 ? 0 : 1;
  },
});

/** A live session is never empty: its processes may write at any moment. */
async function isEmpty(ctx: SessionContext, list: ChangeList): Promise<boolean> {
  if (list.changes.length > 0 || list.problems.length > 0) return false;
  return unfinishedCommit(ctx) === null && (await liveProcesses(ctx.source)).length === 0;
}

export const exportCommand = aboutSession({
  name: 'export',
  usage: `--patch FILE | --branch NAME [--message TEXT] ${SCOPE_USAGE} [--include-ignored]`,
  summary: 'write the pending changes of a repository as a patch, or as a commit on a new branch',
  arguments: [
    ['--patch FILE', 'writes a new file, for: git apply FILE'],
    ['--branch NAME', 'creates a branch with one commit on top of HEAD'],
    ['--message TEXT', 'the message of that commit'],
    ...SCOPE,
    INCLUDE_IGNORED,
  ],
  words: Number.POSITIVE_INFINITY,
  acts: always,
  async run({ cli, ctx, args }) {
    const target = targetOf(cli, args, ctx.session);
    const scope = scopeOf(cli, exportCommand, args);
    // A patch has no times.
    const list = { ...(await scanFor(ctx, scope)), timed: undefined };
    const { paths } = await chosenOf(ctx, list, scope);
    const plan = planTakingSandbox(list, args.flags.has('include-ignored'), paths);
    const going = [...plan.steps.flatMap(({ members, below }) => [...members, ...below]), ...plan.closed];
    const report = await exportChanges(ctx, list, going, '.', target);
    const effects = withNamedEffects(ctx, going).flatMap(({ path, effects: named = [] }) =>
      named.map((one) => ({ path, ...one })),
    );
    const lines = firstLines(
      effects,
      MOST_TOLD,
      (one) => `  ${toDisplay(one.path)}: ${EFFECT_WORDS[one.do]} (${one.text})`,
    );
    const about = lines.length === 0 ? [] : ['Your rules are about:', ...lines];
    cli.print([exportText(report, target), ...about].join('\n'), { ...report, effects });
    return 0;
  },
});

function targetOf(cli: Cli, { options }: Args, session: string): ExportTarget {
  const [patch, branch] = [options.get('patch'), options.get('branch')];
  if ((patch ?? '') === '' && (branch ?? '') === '') throw badUsage(exportCommand, USAGE.noTarget);
  if (patch !== undefined && branch !== undefined) throw badUsage(exportCommand, USAGE.twoTargets);
  if (patch !== undefined) return { kind: 'patch', file: pathAt(cli, patch) };
  const message = options.get('message') ?? `Pending changes of the trai session ${session}`;
  return { kind: 'branch', name: branch ?? '', message };
}

function exportText({ entries, left, commit: made, repository }: ExportReport, target: ExportTarget): string {
  const what = countText(entries, 'entry', 'entries');
  const lines = [
    target.kind === 'patch'
      ? `Wrote ${what} of ${toDisplay(repository)} to ${toDisplay(target.file)}. Apply it to HEAD with: git apply ${typed(target.file)}`
      : `Put ${what} of ${toDisplay(repository)} on the new branch ${target.name} (${made?.slice(0, 12)}).`,
    'They are still pending; your files, HEAD and index are unchanged.',
  ];
  if (left.length > 0) lines.push(`Left out: ${countText(left.length, 'entry', 'entries')}`);
  return [...lines, ...firstLines(left, MOST_TOLD, toldLine)].join('\n');
}

/** Errors: `bad-usage` for two kinds of selection. */
function scopeOf(cli: Cli, command: Command, { options, words }: Args): Scope {
  const [call, upTo] = [options.get('call'), options.get('up-to')];
  const given = [words.length > 0, call !== undefined, upTo !== undefined].filter(Boolean).length;
  if (given > 1) throw badUsage(command, USAGE.twoScopes);
  if (words.includes('') || call === '' || upTo === '') throw badUsage(command, USAGE.emptyWord);
  if (call !== undefined) return { kind: 'call', call };
  if (upTo !== undefined) return { kind: 'up-to', call: upTo };
  if (words.length === 0) return { kind: 'all' };
  return { kind: 'paths', paths: words.map((word) => pathAt(cli, word)) };
}

/** Where its shown form is another name, it is not for a shell. */
function typed(file: BytePath): string {
  const shown = toDisplay(file);
  return fromText(shown) === file ? quoted(shown) : 'FILE';
}

/** What the selection closure adds, and what of the selection stays pending. */
function announceSelection(cli: Cli, { along, cannot, totals }: CommitPreview): void {
  const lines = [
    ...titled('Also included', along, totals.along),
    ...titled('Stays pending', cannot, totals.cannot),
  ];
  if (lines.length > 0) cli.remark(lines.join('\n'));
}

/** What one of them has open for writing stays pending. */
function announceUsers(cli: Cli, { writers, totals }: CommitPreview): void {
  const used = writers.map(({ path, pid, command }) => ({ path, why: `${command} (process ${pid})` }));
  const lines = titled('In use by processes of the session', used, totals.writers);
  if (lines.length > 0) cli.remark(lines.join('\n'));
}

function titled(title: string, entries: readonly Told[], total: number): string[] {
  return total === 0 ? [] : [`${title}:`, ...firstLines(entries, MOST_TOLD, toldLine, total)];
}

function toldLine({ path, why }: Told): string {
  return `  ${toDisplay(path)}: ${why}`;
}
