/** Commands that show what is pending, what ran, and why. */
import { whyPath } from '../../core/attribution/why.ts';
import { diffEntry } from '../../core/content/diff.ts';
import { hiddenAmong } from '../../core/content/texts.ts';
import { whyCall } from '../../core/jobs/calls.ts';
import { countWritten, scanWritten } from '../../core/jobs/lists.ts';
import { statusFacts } from '../../core/jobs/status.ts';
import { withNamedEffects } from '../../core/rules/effects/effects.ts';
import { scan } from '../../core/scan/scan.ts';
import { readFold, readLog } from '../../core/session/log/read.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { type BytePath, isWithin } from '../../shared/bytes.ts';
import { HIDDEN_MS } from '../../shared/limits.ts';
import { foldLog } from '../../shared/log/fold.ts';
import type { Change } from '../../shared/model/change.ts';
import type { DiffModel } from '../../shared/model/diff.ts';
import { byCallText, groupByCall, logText } from '../../shared/terminal/calls.ts';
import { diffText } from '../../shared/terminal/diff.ts';
import { changeLine, statusText } from '../../shared/terminal/status.ts';
import { countText } from '../../shared/terminal/text.ts';
import { whyCallText, whyText } from '../../shared/terminal/why.ts';
import { badUsage, pathAt } from '../context/command.ts';
import { aboutSession, never } from '../context/session.ts';
import { nothingPendingAt, USAGE } from '../messages/errors.ts';

const MOST_NAMED = 50;
const MOST_DIFFS = 200;

/** Diffs with more changed lines are shown only when named. */
const MOST_CHANGED = 1_000;

export const status = aboutSession({
  name: 'status',
  summary: 'show what is pending, in conflict and running; --by-call: which call wrote what',
  arguments: [['--by-call', 'group the changes by the call that wrote them']],
  acts: never,
  async run({ cli, meta, ctx, args }) {
    const isByCall = args.flags.has('by-call');
    const scanned = isByCall ? await scanWritten(ctx) : await scan(ctx);
    const list = { ...scanned, changes: withNamedEffects(ctx, scanned.changes) };
    const { changes, ...summary } = list;
    const { off } = meta;
    const found = await statusFacts(ctx, cli.env);
    const projectRoot = meta.projectRoot as BytePath;
    const ruled = changes.flatMap(({ path, effects = [] }) => effects.map((one) => ({ path, ...one })));
    const json = { ...summary, projectRoot, off, caught: meta.caught, ...found, effects: ruled };
    if (isByCall) {
      const byCall = groupByCall(changes, (await readFold(ctx.sessionDir)).views());
      cli.print(byCallText(byCall, projectRoot, cli.style), { ...json, byCall });
      return 0;
    }
    const about = { session: meta.id, projectRoot, home: ctx.home, off, caught: meta.caught !== null };
    const texts = await hiddenAmong(ctx, changes, HIDDEN_MS.status);
    cli.print(statusText({ ...about, ...found, list, texts }, cli.style, MOST_NAMED), json);
    return 0;
  },
});

export const diff = aboutSession({
  name: 'diff',
  summary: 'show the pending changes as diffs; PATH = a file or directory',
  arguments: [
    ['PATH', 'only this file or directory'],
    ['--list', 'one line a change, without its content'],
    ['--include-ignored', 'also ignored entries (caches, histories ...)'],
  ],
  words: 1,
  acts: never,
  async run({ cli, ctx, args }) {
    const list = await scan(ctx);
    const [word] = args.words;
    const wanted = word === undefined ? null : pathAt(cli, word);
    const matches = list.changes.filter((change) =>
      wanted === null
        ? args.flags.has('include-ignored') || change.ignored === null
        : isWithin(change.path, wanted),
    );
    if (wanted !== null && matches.length === 0) throw nothingPendingAt(wanted);
    if (args.flags.has('list')) {
      const named = withNamedEffects(ctx, matches);
      cli.print(named.map((change) => changeLine(change, ctx.projectRoot, cli.style)).join('\n'), named);
      return 0;
    }
    const diffs: { change: Change; diff: DiffModel }[] = [];
    for (const change of matches.slice(0, MOST_DIFFS))
      diffs.push({ change, diff: await diffOf(ctx, change, wanted === change.path) });
    const left = Math.max(0, matches.length - MOST_DIFFS);
    const texts = diffs.map((one) => diffText(one.change, one.diff, cli.style));
    if (left > 0) texts.push(`… and ${left} more: ${cli.own('diff')} --list`);
    for (const { path, message } of list.problems) cli.remark(`Could not be read: ${path}: ${message}`);
    const nothing = list.problems.length > 0 ? 'No readable changes are pending.' : 'Nothing is pending.';
    cli.print(texts.length === 0 ? nothing : texts.join('\n\n'), { diffs, left });
    return 0;
  },
});

/** The number of changed lines decides, not the length of the file. */
async function diffOf(ctx: SessionContext, change: Change, named: boolean): Promise<DiffModel> {
  const whole = await diffEntry(ctx, change, { load: true });
  if (named || whole.kind !== 'text' || whole.added + whole.removed <= MOST_CHANGED) return whole;
  return await diffEntry(ctx, change);
}

export const log = aboutSession({
  name: 'log',
  summary: 'list the calls of the session: where each ran, how it ended',
  arguments: [['--last N', 'the newest N calls (default: 50)']],
  acts: never,
  async run({ cli, ctx, args }) {
    const last = Number(args.options.get('last') ?? '50');
    const { events, raw } = await readLog(ctx.sessionDir);
    const fold = foldLog(events);
    const [calls, tools] = [fold.views(), fold.tools()];
    const torn =
      raw.length === 0
        ? ''
        : `\n${countText(raw.length, 'line')} of the log ${raw.length === 1 ? 'is' : 'are'} damaged: trai log --json`;
    const wrote = countWritten((await scanWritten(ctx)).changes);
    cli.print(logText({ calls, tools, wrote }, cli.style, last) + torn, {
      calls: calls.slice(-last).map((call) => ({ ...call, wrote: wrote.get(call.id) ?? 0 })),
      tools,
      raw,
    });
    return 0;
  },
});

export const why = aboutSession({
  name: 'why',
  usage: 'PATH',
  summary: 'show which call wrote PATH, and why it is pending, in conflict, ignored or not pending',
  arguments: [['PATH', 'a file or a directory']],
  words: 1,
  acts: never,
  async run({ cli, ctx, args }) {
    const [word] = args.words;
    if (word === undefined) throw badUsage(why, USAGE.noPath);
    const found = await whyPath(ctx, await scanWritten(ctx), pathAt(cli, word));
    cli.print(whyText(found, cli.style), found);
    return 0;
  },
});

export const whyHost = aboutSession({
  name: 'why-host',
  summary: 'show why a call ran where it ran (default: the newest; 2 = the one before it)',
  arguments: [['CALL', 'an id, or a number: 1 = the newest (the default), 2 = the one before it']],
  words: 1,
  acts: never,
  async run({ cli, meta, ctx, args }) {
    const found = await whyCall({ id: meta.id, dir: ctx.sessionDir }, args.words[0] ?? '1', cli.env);
    cli.print(whyCallText(found, cli.style), found);
    return 0;
  },
});
