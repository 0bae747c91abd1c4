import { JOBS } from '../../core/jobs/jobs.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { fromText, toDisplay } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import { sizeText } from '../../shared/format.ts';
import type {
  CommitReport,
  HistoryEntry,
  UndoConflictChoice,
  UndoRequest,
} from '../../shared/model/commit.ts';
import { markedLines } from '../../shared/terminal/marked.ts';
import { countText, localText } from '../../shared/terminal/style.ts';
import { withPermit } from '../context/permit.ts';
import { type Args, badUsage, type Command } from '../context/read-args.ts';
import { chosenSession } from '../context/which-session.ts';
import type { Cli } from '../context/world.ts';

const CHOICES = ['refuse', 'keep-host', 'take-back'] as const;
const KINDS = { commit: 'commit', undo: 'undo of', redo: 'redo of', discard: 'discard' } as const;

export const undo: Command = {
  name: 'undo',
  usage:
    'undo [--list] [--redo] [--yes] [--end-processes] [--conflicts keep-host|take-back] [--keep-host PATH,…] [--take-back PATH,…]',
  summary: 'undo the newest commit or discard',
  flags: ['list', 'redo', 'yes', 'end-processes'],
  options: ['conflicts', 'keep-host', 'take-back'],
  words: 0,
  async run(cli, given) {
    const { ctx } = await chosenSession(cli);
    // Looking needs no permit.
    if (given.flags.has('list')) return list(cli, ctx);
    const args = await withPermit(cli, undo, given, ctx);
    if (args.flags.has('list')) return list(cli, ctx);
    if (args.flags.has('redo')) {
      const report = await JOBS.redo(ctx, null, () => undefined);
      return answer(cli, report, 'Committed again');
    }
    const newest = (await JOBS.history(ctx, null, () => undefined)).find(({ can }) => can === 'undo');
    if (newest === undefined) throw await nothing(ctx);
    if (newest.trash !== null) return await undoDiscard(cli, ctx, newest.trash);
    const request = { ...requestOf(cli, args, newest.n), endProcesses: args.flags.has('end-processes') };
    return answer(cli, await JOBS.undoCommit(ctx, request, () => undefined), 'Undone');
  },
};

async function undoDiscard(cli: Cli, ctx: SessionContext, trash: string): Promise<number> {
  const report = await JOBS.undo(ctx, { trash }, () => undefined);
  cli.print(`${countText(report.entries, 'entry', 'entries')} pending again.`, report);
  return 0;
}

function requestOf(cli: Cli, args: Args, n: number): UndoRequest {
  const given = args.options.get('conflicts') ?? 'refuse';
  const conflicts = CHOICES.find((one) => one === given);
  if (conflicts === undefined)
    throw badUsage(undo, `expected ${CHOICES.join(', ')} for --conflicts, found ${JSON.stringify(given)}`);
  const choices: Record<string, UndoConflictChoice> = {};
  for (const choice of ['keep-host', 'take-back'] as const) {
    for (const path of (args.options.get(choice) ?? '').split(',').filter((word) => word !== ''))
      choices[fromText(path.startsWith('/') ? path : `${cli.cwd}/${path}`)] = choice;
  }
  return { n, revision: null, conflicts, choices, yes: args.flags.has('yes'), typedCount: null };
}

async function nothing(ctx: SessionContext): Promise<TraiError> {
  const newest = (await JOBS.history(ctx, null, () => undefined)).find(
    ({ kind, state }) => kind !== 'undo' && state !== 'undone',
  );
  const why = newest === undefined || newest.why === '' ? '' : ` (commit ${newest.n}: ${newest.why})`;
  return new TraiError('not-found', `there is nothing to undo in this session${why}`, {
    hint: 'See: trai undo --list',
  });
}

function answer(cli: Cli, report: CommitReport, what: string): number {
  const [they, them] = report.applied === 1 ? ['It is', 'it'] : ['They are', 'them'];
  const again = ` ${they} pending again. Commit ${them} again with: ${cli.own('undo')} --redo`;
  const lines = [
    `${what}: ${countText(report.applied, 'change')}.${what === 'Undone' && report.applied > 0 ? again : ''}`,
  ];
  if (report.kept > 0) lines.push(`${countText(report.kept, 'entry', 'entries')} kept as on the host.`);
  lines.push(...markedLines(report.marked ?? []));
  for (const { path, message } of report.failed) lines.push(`  not undone: ${toDisplay(path)}: ${message}`);
  cli.print(lines.join('\n'), report);
  return report.state === 'applied' && report.failed.length === 0 ? 0 : 1;
}

async function list(cli: Cli, ctx: SessionContext): Promise<number> {
  const history = await JOBS.history(ctx, null, () => undefined);
  cli.print(history.length === 0 ? 'No commits or discards yet.' : history.map(line).join('\n'), history);
  return 0;
}

function line(entry: HistoryEntry): string {
  const { kind, n, of, at, entries, bytes, state, can, why } = entry;
  const name = kind === 'discard' ? 'discard' : `${n}: ${KINDS[kind]}${of === null ? '' : ` ${of}`}`;
  const size = bytes > 0 ? `, ${sizeText(bytes)}` : '';
  const next = can === null ? '' : can === 'undo' ? '  ← trai undo' : '  ← trai undo --redo';
  const shown = state === 'applied' ? '' : ` (${state.replace('-', ' ')})`;
  return `${localText(at).slice(0, 19)}  ${name}, ${countText(entries, 'entry', 'entries')}${size}${shown}${why === '' ? '' : ` (${why})`}${next}`;
}
