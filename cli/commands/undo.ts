/** Undoing the newest commit or discard, redo, and the list of both. */
import { JOBS } from '../../core/jobs/jobs.ts';
import { toDisplay } from '../../shared/bytes.ts';
import { localText, sizeText } from '../../shared/format.ts';
import type {
  CommitReport,
  HistoryEntry,
  UndoConflictChoice,
  UndoRequest,
} from '../../shared/model/commit.ts';
import { besideLines, countText, markedLines } from '../../shared/terminal/text.ts';
import { announceClient } from '../context/client-stays.ts';
import { type Args, choiceOf, pathsOf } from '../context/command.ts';
import { aboutSession } from '../context/session.ts';
import type { Cli } from '../context/world.ts';
import { nothingToUndo } from '../messages/errors.ts';

const CHOICES = ['keep-host', 'take-back'] as const;
const KINDS = { commit: 'commit', undo: 'undo of', redo: 'redo of', discard: 'discard' } as const;

export const undo = aboutSession({
  name: 'undo',
  summary: 'undo the newest commit or discard',
  arguments: [
    ['--list', 'lists commits and discards, and which can be undone'],
    ['--redo', 'commits again what the last undo made pending'],
    ['--yes', 'confirms that very many entries are deleted'],
    ['--end-processes', 'ends the processes of the session first, all but Claude Code itself'],
    ['--conflicts WAY', 'for files that changed since: refuse (the default), keep-host, take-back'],
    ['--keep-host PATH,…', 'changed since: leaves them as they are now'],
    ['--take-back PATH,…', 'changed since: restores what was there before the commit'],
  ],
  acts: ({ flags }) => !flags.has('list'),
  async run({ cli, ctx, args }) {
    if (args.flags.has('redo') && !args.flags.has('list'))
      return printReport(cli, await JOBS.redo(ctx, null), 'Committed again');
    const history = await JOBS.history(ctx, null);
    if (args.flags.has('list')) {
      cli.print(history.length === 0 ? 'No commits or discards yet.' : history.map(line).join('\n'), history);
      return 0;
    }
    const newest = history.find(({ can }) => can === 'undo');
    if (newest === undefined)
      throw nothingToUndo(history.find(({ kind, state }) => kind !== 'undo' && state !== 'undone'));
    const endProcesses = args.flags.has('end-processes');
    if (endProcesses) await announceClient(cli, ctx);
    if (newest.trash !== null) {
      const report = await JOBS.undo(ctx, { trash: newest.trash, endProcesses });
      cli.print(`${countText(report.entries, 'entry', 'entries')} pending again.`, report);
      return 0;
    }
    const request = { ...requestOf(cli, args, newest.n), endProcesses };
    return printReport(cli, await JOBS.undoCommit(ctx, request), 'Undone');
  },
});

function requestOf(cli: Cli, args: Args, n: number): UndoRequest {
  const conflicts = choiceOf(undo, args, 'conflicts', ['refuse', ...CHOICES]);
  const choices: Record<string, UndoConflictChoice> = {};
  for (const choice of CHOICES) for (const path of pathsOf(cli, args, choice)) choices[path] = choice;
  return { n, revision: null, conflicts, choices, yes: args.flags.has('yes'), typedCount: null };
}

function printReport(cli: Cli, report: CommitReport, done: string): number {
  const [they, them] = report.applied === 1 ? ['It is', 'it'] : ['They are', 'them'];
  const beside = report.beside ?? [];
  const what =
    beside.length === 0
      ? `${they} pending again. Commit ${them}`
      : `What no later call had changed is pending again. Commit it`;
  const again = ` ${what} again with: ${cli.own('undo')} --redo`;
  const lines = [
    `${done}: ${countText(report.applied, 'change')}.${done === 'Undone' && report.applied > 0 ? again : ''}`,
  ];
  if (report.kept > 0) lines.push(`${countText(report.kept, 'entry', 'entries')} kept as on the host.`);
  lines.push(...markedLines(report.marked ?? []));
  lines.push(...besideLines(beside));
  for (const { path, message } of report.failed) lines.push(`  not undone: ${toDisplay(path)}: ${message}`);
  cli.print(lines.join('\n'), report);
  return report.state === 'applied' && report.failed.length === 0 ? 0 : 1;
}

function line({ kind, n, of, at, entries, bytes, state, auto, can, why }: HistoryEntry): string {
  const name = kind === 'discard' ? 'discard' : `${n}: ${KINDS[kind]}${of === null ? '' : ` ${of}`}`;
  const size = bytes > 0 ? `, ${sizeText(bytes)}` : '';
  const next = can === null ? '' : can === 'undo' ? '  ← trai undo' : '  ← trai undo --redo';
  const shown = state === 'applied' ? '' : ` (${state.replace('-', ' ')})`;
  const by = auto === '' ? '' : `, by ${auto}`;
  return `${localText(at).slice(0, 19)}  ${name}, ${countText(entries, 'entry', 'entries')}${size}${by}${shown}${why === '' ? '' : ` (${why})`}${next}`;
}
