/**
 * The start of a client that `bin/trai` starts, and waits for, in a session that the server or Node has made: what
 * hooks/lib/start-client.sh reads (docs/protocol.md).
 */
import { type BytePath, fromText } from '../../shared/bytes.ts';
import { entryWord } from '../box/entry-word.ts';
import { argsOf } from '../box/start-files.ts';
import { ENDS_WITH_PARENT, launchWords } from '../sandbox/launcher-files.ts';
import type { Env } from '../session/dirs.ts';
import type { MadeBox } from './box-start.ts';

/**
 * What changes bash, or what it would change before the client gets it. Functions may have the names of the script's own; those
 * of distributions (which, module ...) have not.
 */
const OF_BASH =
  /^(POSIXLY_CORRECT|SHELLOPTS|BASHOPTS|BASH_COMPAT|BASH_ENV|TRAI_ROOT|BASH_FUNC_(?!which|module|ml|scl|_).*)$/;

/** Other names bash hands on, whatever is exported. */
const OF_VARIABLE = /^([A-Za-z_]\w*|BASH_FUNC_.*%%)$/s;

/** Whether a bash that was started with these variables gives the client those that it should have. */
export function givesVariables(env: Env, isBox: boolean): boolean {
  const names = Object.keys(env);
  return (
    !names.some((name) => OF_BASH.test(name)) && (!isBox || names.every((name) => OF_VARIABLE.test(name)))
  );
}

export interface WaitedStart {
  stateDir: string;
  session: string;
  /** Whether it starts a server that was killed. */
  keepsServer: boolean;
  /** Whether what still runs at the end goes on. */
  keepsRunning: boolean;
  /** Of a box all that it has; else those beside the environment's. */
  variables: Record<string, string>;
  box: MadeBox | null;
  /** For the log. */
  text: string;
  command: readonly BytePath[];
}

/** Behind each word: no `entryWord` has it. */
const AFTER_WORD = '\x1f';

export function startText({ stateDir, session, variables, box, text, ...start }: WaitedStart): string {
  const pairs = Object.entries(variables).map((pair) => pair.join('='));
  const own = [
    ...pairs,
    box === null ? '' : argsOf(box.status),
    ...(box === null ? [] : ENDS_WITH_PARENT),
    ...launchWords(stateDir, 'client', session, text),
    ...(box?.entry ?? []),
  ];
  const head = [
    'started',
    session,
    start.keepsServer ? 'keep' : '-',
    start.keepsRunning ? 'keep-running' : '-',
    box === null ? 'more' : 'only',
    pairs.length,
    box?.signals.map((name) => name.slice('SIG'.length)).join(',') || '-',
  ];
  const words = [...own.map(fromText), ...start.command];
  return `${head.join(' ')}\n${words.map((word) => entryWord(word as BytePath) + AFTER_WORD).join('')}`;
}
