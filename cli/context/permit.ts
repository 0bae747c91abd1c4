/** Who may commit: a user at a terminal. Below a Claude client the command needs a permit. */

import { callerOf } from '../../core/kernel/proc/caller.ts';
import { permitText, takeGrant, wordsOf } from '../../core/session/grants.ts';
import { logTo } from '../../core/session/log/append.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { quoted } from '../../shared/terminal/quoted.ts';
import { needsPermit, typedForOther, USAGE } from '../messages/errors.ts';
import { type Args, badUsage, type Command, readArgs } from './command.ts';
import type { Cli } from './world.ts';

/**
 * The arguments as given, or those of the permit (from the UserPromptExpansion hook), which is used up.
 * @throws TraiError `needs-permit`; `bad-usage` when the typed text names another session
 */
export async function withPermit(
  cli: Cli,
  command: Command,
  given: Args,
  ctx: SessionContext,
): Promise<Args> {
  const caller = callerOf(process.pid, cli.state);
  if (caller.kind === 'user' && !given.fromPrompt) return given;
  const text = await permitText(ctx.sessionDir, command.name);
  if (text === null || !(await takeGrant(ctx.sessionDir, 'permit', text)))
    throw needsPermit(command.name, caller);
  logTo(ctx.sessionDir, { t: 'grant', kind: 'permit', what: text, state: 'used' });
  const args = { ...readArgs(command, wordsOf(text).slice(1)), json: given.json };
  if (args.help) throw badUsage(command, USAGE.helpTyped);
  if (args.session === null || args.session === ctx.session || command.name === 'adopt') return args;
  throw typedForOther(command.name, ctx.session, args.session, lineOf(command, args));
}

/** Complete, because a shortened command could mean everything. */
function lineOf(command: Command, { flags, options, session, words }: Args): string {
  const line = [
    command.name,
    ...[...flags].map((flag) => `--${flag}`),
    ...[...options, ['session', session ?? '']].flatMap(([name, value = '']) => [`--${name}`, quoted(value)]),
    ...(words.some((word) => word.startsWith('-')) ? ['--'] : []),
    ...words.map(quoted),
  ];
  return line.join(' ');
}
