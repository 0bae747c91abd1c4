/**
 * What commands and hooks print: pure functions from data to text, one subject a file. text.ts has `Style`
 * (colours), counts, times and shortened paths; visible.ts makes control characters visible; the others are
 * named after what they show.
 *
 * status.ts (here): the change list, as `trai status`, `/trai:status` and SessionStart print it:
 *
 *     head       counts and sizes, ignored entries
 *     warnings   sandbox off, unsandboxed calls, disk, risks, conflicts, overlaps, problems, processes
 *     changes    a line each: letter, path, detail, conflict
 */
import type { LowSpace } from '../api/types.ts';
import { type BytePath, toDisplay } from '../bytes.ts';
import { modeText, sizeText } from '../format.ts';
import {
  type Change,
  type ChangeList,
  CONFLICT_REASONS,
  hostMoved,
  type Roots,
  type RuledChange,
} from '../model/change.ts';
import type { LiveProcess } from '../model/commit.ts';
import type { SessionOverlap } from '../model/overlap-paths.ts';
import { countRisks, type HiddenFound, riskText, unreadText } from '../model/risk.ts';
import type { NamedEffect } from '../model/rule.ts';
import { countText, lowText, overlapText, type Style, shownPath } from './text.ts';

export interface StatusInput extends Roots {
  session: string;
  texts: HiddenFound;
  list: ChangeList & { changes: RuledChange[] };
  processes: readonly LiveProcess[];
  off: string | null;
  caught: boolean;
  unfinished: boolean;
  overlaps: readonly SessionOverlap[];
  /** What holds permission rules up. */
  rules: readonly string[];
  /** Null = there is enough space. */
  low: LowSpace | null;
}

/** The letter of a change in every text list; see docs/commands.md. */
export const MARKS = {
  'added': 'A',
  'modified': 'M',
  'deleted': 'D',
  'replaced': 'R',
  'dir-replaced': 'R',
  'meta': 'P',
} as const satisfies Record<Change['kind'], string>;

export function countsText(counts: ChangeList['counts']): string {
  const kinds = (['added', 'modified', 'deleted', 'replaced', 'meta'] as const).filter(
    (kind) => counts[kind] > 0,
  );
  const parts = kinds.map((kind) => `${counts[kind]} ${kind === 'meta' ? 'mode or owner' : kind}`);
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

export function statusText(input: StatusInput, style: Style, most: number): string {
  const { list } = input;
  const shown = list.changes.filter((change) => change.ignored === null);
  const head =
    shown.length === 0
      ? `${list.problems.length > 0 ? 'Nothing readable' : 'Nothing'} is pending in session ${style.bold(input.session)}`
      : `${countText(shown.length, 'change')} pending in session ${style.bold(input.session)}: ${countsText(list.counts)}, ${sizeText(list.bytes)}`;
  const ignored =
    list.ignored.count === 0
      ? ''
      : style.dim(` (+ ${list.ignored.count} ignored, ${sizeText(list.ignored.bytes)})`);
  const times = list.times === undefined ? '' : style.dim(` (+ ${countText(list.times, 'time')})`);
  const lines = [head + ignored + times, ...warnings(input, style)];
  for (const change of shown.slice(0, most)) lines.push(changeLine(change, input.projectRoot, style));
  if (shown.length > most)
    lines.push(style.dim(`  … and ${shown.length - most} more: trai diff --list, or /trai:ui`));
  return lines.join('\n');
}

function warnings(input: StatusInput, style: Style): string[] {
  const lines: string[] = [];
  if (input.off !== null) lines.push(style.yellow(`The sandbox is off for this session: ${input.off}`));
  if (input.caught)
    lines.push(style.red('NOT SANDBOXED: a call of this session ran on the host, see trai log'));
  if (input.unfinished) lines.push(style.yellow('A commit was interrupted. The next commit completes it.'));
  for (const text of input.rules) lines.push(style.yellow(text));
  if (input.low !== null) lines.push(style.yellow(lowText(input.low)));
  const risks = countRisks(input.list.changes, { ...input, hidden: input.texts.hidden }).map(riskText);
  if (input.texts.unread > 0) risks.push(unreadText(input.texts.unread));
  if (risks.length > 0) lines.push(style.yellow(`Worth a look: ${risks.join(', ')}`));
  if (input.list.conflicts > 0) lines.push(style.red(conflictText(input.list)));
  for (const overlap of input.overlaps) {
    const text = overlapText(overlap.session, overlap, input.projectRoot);
    lines.push(style.yellow(`${text.charAt(0).toUpperCase()}${text.slice(1)}`));
  }
  for (const problem of input.list.problems)
    lines.push(style.red(`Could not be read: ${problem.path}: ${problem.message}`));
  if (input.processes.length > 0) {
    lines.push(`${countText(input.processes.length, 'running process', 'running processes')}:`);
    for (const one of input.processes.slice(0, 10)) lines.push(style.dim(`  ${one.pid}  ${one.command}`));
  }
  return lines;
}

function conflictText(list: ChangeList): string {
  const moved = hostMoved(list).length;
  const closed = list.conflicts - moved;
  const pending = list.changes.filter((change) => change.ignored === null).length;
  const parts =
    moved === 0 ? [] : [`The host changed ${moved} of ${countText(pending, 'pending path')} since`];
  if (closed > 0) parts.push(`${countText(closed, 'directory', 'directories')} cannot be read`);
  return parts.join('; ');
}

export function changeLine(change: RuledChange, projectRoot: BytePath, style: Style): string {
  const mark = MARKS[change.kind];
  const colour = mark === 'A' ? style.green : mark === 'D' ? style.red : style.yellow;
  const slash = (change.pending ?? change.host)?.type === 'dir' ? '/' : '';
  const conflict = conflictOf(change, style);
  return `  ${colour(mark)} ${shownPath(change.path, projectRoot)}${slash}${style.dim(detailOf(change, projectRoot))}${conflict}${effectsText(change, style)}`;
}

export function conflictOf({ conflict }: Change, style: Style): string {
  if (conflict === null) return '';
  return style.red(`  ${conflict === 'unreadable' ? '' : 'conflict: '}${CONFLICT_REASONS[conflict]}`);
}

/** What a commit does with it because of effect rules. */
export const EFFECT_WORDS: Readonly<Record<NamedEffect['do'], string>> = {
  flag: 'flagged',
  confirm: 'to be confirmed',
  never: 'not to be committed',
  auto: 'committed by itself',
};

function effectsText({ effects = [] }: RuledChange, style: Style): string {
  return effects.map((one) => style.yellow(`  ${EFFECT_WORDS[one.do]} (${one.text})`)).join('');
}

/** What its letter and path do not say: ` (mode 0644 to 0755)`. */
export function detailOf(change: Change, projectRoot: BytePath): string {
  const { pending, host } = change;
  if (pending?.type === 'symlink' && pending.target !== undefined) return ` -> ${toDisplay(pending.target)}`;
  if (change.renamedFrom !== undefined)
    return ` (renamed from ${shownPath(change.renamedFrom, projectRoot)})`;
  if (pending === null || host === null) return '';
  if (change.kind === 'dir-replaced') return ' (directory recreated)';
  if (pending.type !== host.type) return ` (${host.type} becomes ${pending.type})`;
  const parts: string[] = [];
  if (pending.mode !== host.mode) parts.push(`mode ${modeText(host.mode)} to ${modeText(pending.mode)}`);
  if (pending.uid !== host.uid || pending.gid !== host.gid)
    parts.push(`owner ${host.uid}:${host.gid} to ${pending.uid}:${pending.gid}`);
  if (change.xattrs === true) parts.push('extended attributes');
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
