import { resolve } from 'node:path';
import { diffEntry } from '../../core/content/diff.ts';
import { scan } from '../../core/scan/scan.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { fromText, isWithin, toDisplay } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';
import type { Change } from '../../shared/model/change.ts';
import type { DiffModel } from '../../shared/model/diff.ts';
import { diffText } from '../../shared/terminal/diff.ts';
import { changeLine } from '../../shared/terminal/status.ts';
import { typedArgs } from '../context/permit.ts';
import type { Command } from '../context/read-args.ts';
import { chosenSession } from '../context/which-session.ts';

/** Without a path so many diffs are printed; the rest is named. */
const MOST = 200;

/** A text with more changed lines than this is shown only when it is named. */
const MOST_CHANGED = 1_000;

/** However long a file is, what counts is how much of it changed. */
async function diffOf(ctx: SessionContext, change: Change, named: boolean): Promise<DiffModel> {
  const whole = await diffEntry(ctx, change, { load: true });
  if (named || whole.kind !== 'text' || whole.added + whole.removed <= MOST_CHANGED) return whole;
  return await diffEntry(ctx, change);
}

export const diff: Command = {
  name: 'diff',
  usage: 'diff [PATH] [--list] [--include-ignored]',
  summary: 'show the pending changes as diffs; PATH = a file or directory',
  flags: ['list', 'include-ignored'],
  options: [],
  words: 1,
  async run(cli, given) {
    const { ctx } = await chosenSession(cli);
    const args = await typedArgs(cli, diff, given, ctx);
    const list = await scan(ctx);
    const [word] = args.words;
    const wanted = word === undefined ? null : fromText(resolve(cli.cwd, word));
    const matches = list.changes.filter((change) =>
      wanted === null
        ? args.flags.has('include-ignored') || change.ignored === null
        : isWithin(change.path, wanted),
    );
    if (wanted !== null && matches.length === 0) {
      throw new TraiError('not-found', `nothing is pending at ${toDisplay(wanted)}`, {
        hint: 'See: trai status',
      });
    }
    if (args.flags.has('list')) {
      cli.print(matches.map((change) => changeLine(change, ctx.projectRoot, cli.style)).join('\n'), matches);
      return 0;
    }
    const shown: { change: Change; diff: Awaited<ReturnType<typeof diffEntry>> }[] = [];
    for (const change of matches.slice(0, MOST))
      shown.push({ change, diff: await diffOf(ctx, change, wanted === change.path) });
    const texts = shown.map((one) => diffText(one.change, one.diff, cli.style));
    if (matches.length > MOST) texts.push(`… and ${matches.length - MOST} more: ${cli.own('diff')} --list`);
    for (const { path, message } of list.problems) cli.remark(`Could not be read: ${path}: ${message}`);
    const nothing = list.problems.length > 0 ? 'No readable changes are pending.' : 'Nothing is pending.';
    cli.print(texts.length === 0 ? nothing : texts.join('\n\n'), {
      diffs: shown,
      left: Math.max(0, matches.length - MOST),
    });
    return 0;
  },
};
