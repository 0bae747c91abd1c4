/** `trai rules log`: what was decided about the calls of all sessions. */
import { byTime, readDecisions } from '../../../core/rules/history/decisions.ts';
import type { DecidedCall } from '../../../shared/model/rule.ts';
import { oneLine, permissionText } from '../../../shared/terminal/calls.ts';
import { minuteText, type Style } from '../../../shared/terminal/text.ts';
import type { Args, Command } from '../../context/command.ts';
import type { Cli } from '../../context/world.ts';
import { RULES } from '../../messages/errors.ts';
import { patternOf } from './place.ts';
import { sinceOf } from './since.ts';

export async function logDecisions(cli: Cli, args: Args, command: Command): Promise<number> {
  const since = sinceOf(command, args.options.get('since') ?? '7d');
  const tool = patternOf(command, args.options.get('tool'));
  const event = patternOf(command, args.options.get('event'));
  const decisions = await readDecisions({ stateDir: cli.state, since });
  const found = decisions
    .filter((one) => (tool === null || tool.test(one.tool)) && (event === null || event.test(eventOf(one))))
    .sort(byTime)
    .slice(-Number(args.options.get('tail') ?? '50'));
  const lines = found.map((one) => decisionLine(one, cli.style));
  cli.print(lines.length === 0 ? RULES.noDecisions : lines.join('\n'), { since, decisions: found });
  return 0;
}

/** `allow`, `asked_denied` ...: the decision, and of a question what became of it. */
export function eventOf({ decision, outcome }: DecidedCall): string {
  return decision === 'ask' || decision === 'pass' ? `${decision}_${outcome}` : decision;
}

function decisionLine(call: DecidedCall, style: Style): string {
  const colour = { allow: style.green, ask: style.cyan, deny: style.red, pass: style.dim }[call.decision];
  const event = colour(eventOf(call).padEnd(16));
  return `${style.dim(minuteText(call.at))} ${event} ${call.tool} ${oneLine(call.subject)} ${style.dim(`(${permissionText(call)})`)}`;
}
