/**
 * Who may commit: whoever types in a terminal of the user's. Below a Claude client only with a permit, which the
 * UserPromptExpansion hook leaves for what the user typed, and which is used up here.
 */

import { log } from '../../core/jobs/door/outcome.ts';
import { type Caller, callerOf } from '../../core/kernel/proc/caller.ts';
import { permitText, takeGrant } from '../../core/session/grants.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import { TraiError } from '../../shared/errors.ts';
import { type Args, badUsage, type Command, readArgs } from './command.ts';
import type { Cli } from './world.ts';

/**
 * The arguments to go by, for a command that acts on the session `ctx`; those of the permit, which is used up, when the line
 * came from a command file.
 *
 * @throws TraiError `needs-permit`; `bad-usage` when what was typed names another session: a slash command is about the
 *   session that it is typed in, and must not do to that one what was meant for the other
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
    throw refusal(command.name, caller);
  log(ctx, { t: 'grant', kind: 'permit', what: text, state: 'used' });
  const args = { ...readArgs(command, wordsOf(text).slice(1)), json: given.json };
  if (args.help) throw badUsage(command, 'nothing was done');
  // `adopt` may name the session that continues.
  if (args.session === null || args.session === ctx.session || command.name === 'adopt') return args;
  throw new TraiError(
    'bad-usage',
    `/trai:${command.name} is about the session that it is typed in, ${ctx.session}`,
    {
      hint: `Nothing was done. For session ${args.session}, type it there, or run in a terminal: trai ${lineOf(command, args)}`,
    },
  );
}

/** The same request for a terminal, whole: a part of it could mean everything. */
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

/** What a command does that is not in its name. */
const DOES: Readonly<Record<string, string>> = { ps: 'end processes' };

export function refusal(name: string, { kind, found }: Caller): TraiError {
  const by = kind === 'unknown' ? `asked by ${found}` : 'started by Claude';
  return new TraiError(
    'needs-permit',
    `only the user may ${DOES[name] ?? name}: this was ${by}, and the user has not typed it`,
    {
      hint: `Ask the user to type /trai:${name}, or to run \`trai ${name}\` in a terminal of their own.`,
    },
  );
}

/** Splits what was typed behind a slash command at blanks; quotes keep blanks together. */
export function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
}

/** A word as a shell would want it written; for the log and for lines to copy. */
export function quoted(word: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(word)) return word;
  // Quotes inside quotes can't be read: `'it'\''s'`. Within double ones these characters would mean something.
  if (word.includes("'") && !/["$`\\!]/.test(word)) return `"${word}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
