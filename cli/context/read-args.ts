/** Arguments by each command's own table; anything unknown is bad usage, never ignored. */
import { parseArgs } from 'node:util';
import { TraiError } from '../../shared/errors.ts';
import type { Cli } from './world.ts';

export interface Args {
  json: boolean;
  session: string | null;
  help: boolean;
  /** The line came from a command file: the arguments are in the user's permit. */
  fromPrompt: boolean;
  flags: ReadonlySet<string>;
  options: ReadonlyMap<string, string>;
  words: readonly string[];
}

export interface Command {
  name: string;
  usage: string;
  summary: string;
  flags: readonly string[];
  options: readonly string[];
  /** The most words it takes. */
  words: number;
  run(cli: Cli, args: Args): Promise<number>;
}

export function readArgs(command: Command, argv: readonly string[]): Args {
  const shape: Record<string, { type: 'boolean' | 'string'; short?: string }> = {
    'json': { type: 'boolean' },
    'session': { type: 'string' },
    'help': { type: 'boolean', short: 'h' },
    'from-prompt': { type: 'boolean' },
    'answer': { type: 'boolean' },
  };
  for (const flag of command.flags) shape[flag] = { type: 'boolean' };
  for (const option of command.options) shape[option] = { type: 'string' };
  const { values, positionals } = parsed(command, argv, shape);
  if (positionals.length > command.words)
    throw badUsage(command, `unexpected ${JSON.stringify(positionals[command.words])}`);
  const flags = new Set(command.flags.filter((flag) => values[flag] === true));
  const options = new Map<string, string>();
  for (const option of command.options) {
    const value = values[option];
    if (typeof value === 'string') options.set(option, value);
  }
  const session = values['session'];
  return {
    json: values['json'] === true,
    session: typeof session === 'string' ? session : null,
    help: values['help'] === true,
    fromPrompt: values['from-prompt'] === true,
    flags,
    options,
    words: positionals,
  };
}

export function badUsage(command: Pick<Command, 'name' | 'usage'>, message: string): TraiError {
  return new TraiError('bad-usage', message, {
    hint: `Usage: trai ${command.usage}\nMore: trai ${command.name} --help`,
  });
}

function parsed(
  command: Command,
  argv: readonly string[],
  options: Record<string, { type: 'boolean' | 'string'; short?: string }>,
): { values: Record<string, unknown>; positionals: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options,
      allowPositionals: true,
      strict: true,
    });
    return { values: { ...values }, positionals };
  } catch (error) {
    throw badUsage(command, wordingOf(error));
  }
}

/** Node's errors in our words; what is none of these keeps Node's. */
const WORDINGS: readonly (readonly [RegExp, (option: string) => string])[] = [
  [/^Unknown option '(.+?)'(?:\.|$)/s, (option) => `unknown option ${JSON.stringify(option)}`],
  [/^Option '(\S+) <value>' argument missing/, (option) => `expected a value after ${option}`],
  [/^Option '(\S+)' argument is ambiguous/, (option) => `expected a value after ${option}`],
  [/^Option '(?:-h, )?(\S+)' does not take an argument/, (option) => `${option} takes no value`],
];

function wordingOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  for (const [pattern, say] of WORDINGS) {
    const option = pattern.exec(message)?.[1];
    if (option !== undefined) return say(option);
  }
  return message;
}
