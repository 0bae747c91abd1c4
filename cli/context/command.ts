/** A command: its name, arguments and effect. Arguments outside of its table are bad usage. */
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { homeOf } from '../../core/sandbox/context.ts';
import { homeDir } from '../../core/session/dirs.ts';
import { type BytePath, fromText, isWithin } from '../../shared/bytes.ts';
import { messageOf, type TraiError } from '../../shared/errors.ts';
import { badUsageOf, USAGE } from '../messages/errors.ts';
import type { Cli } from './world.ts';

/** `--flag` (or `-f, --flag`), `--option VALUE` (`N` = a number, `NAME…` = may be repeated, `NAME,…` = a list), or a word; and its help line. */
export type Argument = readonly [spelling: string, meaning: string];

export interface Command {
  name: string;
  summary: string;
  arguments: readonly Argument[];
  /** After the name; default: each argument in brackets. */
  usage?: string;
  /** The most words; default 0. */
  words?: number;
  /** All words from the first that is none of its options on belong to another program. */
  handsOn?: true;
  /** What `--session` names; null = the command is about no session. */
  session?: string | null;
  /** False: there is no --json. */
  json?: false;
  run(cli: Cli, args: Args): Promise<number>;
}

export interface Args {
  json: boolean;
  session: string | null;
  help: boolean;
  /** From a slash command: the arguments are in the user's permit. */
  fromPrompt: boolean;
  flags: ReadonlySet<string>;
  options: ReadonlyMap<string, string>;
  /** Of options that may be repeated. */
  lists: ReadonlyMap<string, readonly string[]>;
  words: readonly string[];
}

type Shape = Record<string, { type: 'boolean' | 'string'; short?: string; multiple?: boolean }>;

const COMMON: Shape = {
  'json': { type: 'boolean' },
  'session': { type: 'string' },
  'help': { type: 'boolean', short: 'h' },
  'from-prompt': { type: 'boolean' },
  'answer': { type: 'boolean' },
};

export function readArgs(command: Command, argv: readonly string[]): Args {
  const { words = 0 } = command;
  const own: Shape = {};
  for (const [spelling] of command.arguments) {
    const [, short, name, value] = /^(?:-([a-z]), )?--([a-z-]+)( [A-Z])?/.exec(spelling) ?? [];
    if (name === undefined) continue;
    const type = value === undefined ? 'boolean' : 'string';
    own[name] = { type, ...(short === undefined ? {} : { short }), multiple: /[A-Z]…$/.test(spelling) };
  }
  const shape = { ...COMMON, ...own };
  const at = command.handsOn === true ? ownWords(argv, shape) : argv.length;
  const { values, positionals } = parsed(command, argv.slice(0, at), shape);
  const handedOn = argv.slice(argv[at] === '--' ? at + 1 : at);
  for (const [spelling] of command.arguments) {
    const name = /^--(\S+) N$/.exec(spelling)?.[1] ?? '';
    const value = values[name];
    if (value !== undefined && !/^[1-9]\d{0,6}$/.test(String(value)))
      throw badUsage(command, USAGE.noNumber(name, String(value)));
  }
  const extra = positionals[words];
  if (extra !== undefined) throw badUsage(command, USAGE.unexpected(extra));
  const given = Object.keys(own).map((name) => [name, values[name]] as const);
  const session = values['session'];
  return {
    // `--format json` is what the passthru plugin has.
    json: values['json'] === true || values['format'] === 'json',
    session: typeof session === 'string' ? session : null,
    help: values['help'] === true,
    fromPrompt: values['from-prompt'] === true,
    flags: new Set(given.flatMap(([name, value]) => (value === true ? [name] : []))),
    options: new Map(
      given.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
    ),
    lists: new Map(
      given.flatMap(([name, value]) => (Array.isArray(value) ? [[name, value.map(String)] as const] : [])),
    ),
    words: [...positionals, ...handedOn],
  };
}

/** How many words at the start are options of `shape`, with their values. */
function ownWords(argv: readonly string[], shape: Shape): number {
  let at = 0;
  for (let word = argv[0]; word !== undefined; word = argv[at]) {
    const short = Object.entries(shape).find(([, one]) => `-${one.short}` === word)?.[0];
    const [name = '', value] =
      short !== undefined ? [short] : word.startsWith('--') ? word.slice(2).split('=', 2) : [''];
    const option = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (option === undefined) break;
    at += option.type === 'string' && value === undefined ? 2 : 1;
  }
  return Math.min(at, argv.length);
}

function parsed(
  command: Command,
  argv: readonly string[],
  options: Shape,
): { values: Record<string, unknown>; positionals: string[] } {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw badUsage(command, wordingOf(error));
  }
}

const WORDINGS: readonly (readonly [RegExp, (option: string) => string])[] = [
  [/^Unknown option '(.+?)'(?:\.|$)/s, USAGE.unknownOption],
  [/^Option '(\S+) <value>' argument missing/, USAGE.noValue],
  [/^Option '(\S+)' argument is ambiguous/, USAGE.noValue],
  [/^Option '(?:-\w, )?(\S+)' does not take an argument/, USAGE.takesNoValue],
];

function wordingOf(error: unknown): string {
  const message = messageOf(error);
  for (const [pattern, say] of WORDINGS) {
    const option = pattern.exec(message)?.[1];
    if (option !== undefined) return say(option);
  }
  return message;
}

export function badUsage(command: Command, message: string): TraiError {
  return badUsageOf(command.name, usageOf(command), message);
}

/** The first choice is the default. Errors: `bad-usage`. */
export function choiceOf<T extends string>(
  command: Command,
  args: Args,
  option: string,
  choices: readonly [T, ...T[]],
): T {
  const given = args.options.get(option) ?? choices[0];
  const choice = choices.find((one) => one === given);
  if (choice !== undefined) return choice;
  throw badUsage(command, USAGE.noChoice(option, choices, given));
}

export function pathsOf(cli: Cli, { options }: Args, option: string): BytePath[] {
  const words = (options.get(option) ?? '').split(',').filter((word) => word !== '');
  return words.map((word) => pathAt(cli, word));
}

/** The absolute path that a word of the command line names; below HOME as lists have it, without the links that lead there. */
export function pathAt({ dir, env }: Cli, word: string): BytePath {
  const path = resolve(dir, fromText(word)) as BytePath;
  const home = resolve(fromText(homeDir(env)));
  return isWithin(path, home) ? (resolve(homeOf(env), relative(home, path)) as BytePath) : path;
}

export function usageOf({ name, usage, arguments: own }: Command): string {
  return `${name} ${usage ?? own.map(([spelling]) => `[${spelling}]`).join(' ')}`.trimEnd();
}

export function commandHelp(command: Command): string {
  const { summary, arguments: own, session = 'the session (default: this project’s newest)', json } = command;
  const lines: Argument[] = [...own];
  if (session !== null) lines.push(['--session ID', session]);
  if (json !== false) lines.push(['--json', 'prints JSON']);
  const width = Math.max(...lines.map(([word]) => word.length));
  const indent = `\n  ${' '.repeat(width)}  `;
  const shown = lines.map(([word, text]) => `  ${word.padEnd(width)}  ${text.replaceAll('\n', indent)}`);
  return [`trai ${usageOf(command)}`, summary, '', ...shown].join('\n');
}
