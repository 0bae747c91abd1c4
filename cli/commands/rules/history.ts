/** `trai rules log`, `suggest` and `test --history`: what was decided about the calls of all sessions, and what that teaches. */
import { setFlagsFromString } from 'node:v8';
import { loadRules } from '../../../core/rules/files/rule-set.ts';
import { readCandidates, readDecisions } from '../../../core/rules/history/decisions.ts';
import { mayDecide, ruleHistory } from '../../../core/rules/history/history.ts';
import { fatesIn, suggestRules } from '../../../core/rules/manage/suggest.ts';
import { compileOne } from '../../../core/rules/model/model.ts';
import { sessionContext } from '../../../core/sandbox/context.ts';
import { endingOf, eventOf } from '../../../shared/model/call-outcome.ts';
import { type DecidedCall, fieldOf, RULE_LISTS, ruleOf } from '../../../shared/model/rule.ts';
import { oneLine, permissionText } from '../../../shared/terminal/calls.ts';
import { quoted } from '../../../shared/terminal/quoted.ts';
import { minuteText, type Style } from '../../../shared/terminal/text.ts';
import { type Args, badUsage, type Command } from '../../context/command.ts';
import type { Cli } from '../../context/world.ts';
import { RULES, USAGE } from '../../messages/errors.ts';
import { factsOf, patternOf, placeOf } from './place.ts';
import { sinceOf } from './since.ts';

export async function logDecisions(cli: Cli, args: Args, command: Command): Promise<number> {
  const since = sinceOf(command, args.options.get('since') ?? '7d');
  const tool = patternOf(command, args.options.get('tool'));
  const event = patternOf(command, args.options.get('event'));
  const decisions = await readDecisions({ stateDir: cli.state, since });
  const found = decisions
    .filter(
      (one) =>
        (tool === null || tool.test(one.tool)) &&
        (event === null || wordsOf(one).some((words) => event.test(words))),
    )
    .slice(-Number(args.options.get('tail') ?? '50'));
  const lines = found.map((one) => decisionLine(one, cli.style));
  cli.print(lines.length === 0 ? RULES.noDecisions : lines.join('\n'), {
    since,
    decisions: found.map((one) => ({ ...one, event: eventOf(one) })),
  });
  return 0;
}

export async function suggest(cli: Cli, args: Args, command: Command): Promise<number> {
  const place = placeOf(cli);
  const since = sinceOf(command, args.options.get('since') ?? '30d');
  const decisions = await readDecisions({ stateDir: cli.state, since });
  const about = { env: cli.env, home: place.request.home, projectRoot: place.projectRoot };
  const facts = factsOf(place, 'sandbox');
  const { JOBS } = await import('../../../core/jobs/jobs.ts');
  const fates = await fatesIn(decisions, async (session) => {
    return await JOBS.fates(await sessionContext(cli.state, session, cli.env), null);
  });
  const found = suggestRules({ decisions, set: loadRules(place.request), facts, place: about, fates });
  const lines = found.flatMap(({ rule, saved, failed, sessions, examples, exits, fate }) => [
    RULES.wouldHaveSaved(saved, sessions, failed),
    RULES.evidence(exits, fate),
    `  trai rules add user ${quoted(rule.tool ?? '')} ${Object.values(rule.match ?? {})
      .map(quoted)
      .join(' ')}`.trimEnd(),
    ...examples.map((one) => `    ${oneLine(one)}`),
  ]);
  cli.print(lines.length === 0 ? RULES.noSuggestions : lines.join('\n'), { since, suggestions: found });
  return 0;
}

/** Of its decision, answer and ending, each, and all: `ask_allowed_once failed failed: exit 2`. */
function wordsOf(call: DecidedCall): string[] {
  const words = [eventOf(call), call.outcome, endingOf(call)].filter((word) => word !== '');
  return [...words, words.join(' ')];
}

/** Of `ask_allowed_unknown`. */
const EVENT_COLUMNS = 19;

function decisionLine(call: DecidedCall, style: Style): string {
  const colour = { allow: style.green, ask: style.cyan, deny: style.red, pass: style.dim }[call.decision];
  const event = colour(eventOf(call).padEnd(EVENT_COLUMNS));
  const ending = endingOf(call);
  const ended = ending === '' ? '' : ` ${style.yellow(ending)}`;
  return `${style.dim(minuteText(call.at))} ${event} ${call.tool} ${oneLine(call.subject)}${ended} ${style.dim(`(${permissionText(call)})`)}`;
}

/**
 * Thousands of texts, each once, are over before what V8 optimises pays: a third of the processor time was its compiler's.
 * It begins later, so that a log of six times the length takes as long as before. Newer versions may not know the flag.
 */
function optimiseLate(): void {
  if (Number.parseInt(process.versions.node, 10) <= 24) setFlagsFromString('--interrupt-budget=1000000');
}

/** The calls of the past that a rule with this pattern, alone, decides. */
export async function testHistory(cli: Cli, args: Args, command: Command): Promise<number> {
  const place = placeOf(cli);
  const [, pattern, extra] = args.words;
  if (extra !== undefined) throw badUsage(command, USAGE.unexpected(extra));
  const lists = RULE_LISTS.filter((list) => args.flags.has(list));
  if (lists.length > 1) throw badUsage(command, USAGE.twoLists);
  const [list = 'allow'] = lists;
  const tool = args.options.get('tool') ?? 'Bash';
  const field = args.options.get('field') ?? fieldOf(tool);
  if (pattern !== undefined && field === null) throw badUsage(command, USAGE.noField(tool));
  patternOf(command, tool);
  patternOf(command, pattern);
  const match = pattern === undefined || field === null ? undefined : { [field]: pattern };
  const rule = compileOne(ruleOf(tool, match, ''), list);
  const since = sinceOf(command, args.options.get('since') ?? '90d');
  optimiseLate();
  const { decisions, others } = await readCandidates({ stateDir: cli.state, since }, mayDecide(rule));
  const found = ruleHistory(rule, decisions, loadRules(place.request), factsOf(place));
  found.looked += others;
  const { matched, looked, asked, denied, newest } = found;
  const lines = [RULES.matches(matched, looked, asked, denied), ...newest.map(historyLine)];
  cli.print(lines.join('\n'), { rule: rule.rule, list, ...found });
  return 0;
}

function historyLine({ at, outcome, tool, subject }: DecidedCall): string {
  return `  ${minuteText(at)}  ${outcome.padEnd(11)}  ${tool} ${oneLine(subject)}`;
}
