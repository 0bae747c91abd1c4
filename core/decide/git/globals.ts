/** The options of git in front of its subcommand. */

import type { Word } from '../shell/facts.ts';
import { isFixed, staysOneWord } from '../shell/words.ts';
import { isSafeOption } from './settings.ts';

export interface Globals {
  /** The words from the subcommand on. */
  rest: readonly Word[];
  /** The first option that may run a program, as it is written; null = none does. */
  runs: string | null;
  /** Values of `-C`, in order. */
  directories: readonly Word[];
  gitDir: Word | null;
  workTree: Word | null;
}

const ALONE = new Set(
  `--no-pager -P --no-optional-locks --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs
   --no-replace-objects --bare --version -v`.split(/\s+/),
);
const WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env']);

/** Null when it can't be told where the subcommand begins. */
export function readGlobals(args: readonly Word[]): Globals | null {
  const directories: Word[] = [];
  const named = new Map<string, Word>();
  let runs: string | null = null;
  let i = 0;
  for (; i < args.length; i++) {
    const word = args[i];
    if (word === undefined || !isFixed(word)) return null;
    const text = word.value ?? word.source;
    if (!text.startsWith('-')) break;
    if (ALONE.has(text)) continue;
    const joined = /^(--[a-z-]+)=/.exec(text)?.[1];
    const name = joined ?? text;
    const value = joined === undefined ? args[++i] : behindEquals(word);
    if (name === '--exec-path' && joined !== undefined) runs ??= name;
    else if (!WITH_VALUE.has(name) || value === undefined || !staysOneWord(value)) return null;
    else if (name === '-C') directories.push(value);
    else if (name === '--config-env') runs ??= name;
    else if (name === '-c') runs ??= isSafeOption(value) ? null : `-c ${value.source}`;
    else named.set(name, value);
  }
  return {
    rest: args.slice(i),
    runs,
    directories,
    gitDir: named.get('--git-dir') ?? null,
    workTree: named.get('--work-tree') ?? null,
  };
}

/** `VALUE` of a literal `--name=VALUE`. */
function behindEquals(word: Word): Word | undefined {
  if (word.value === null) return undefined;
  const value = word.value.slice(word.value.indexOf('=') + 1);
  return { source: value, value, pieces: [{ kind: 'text', text: value, quoted: true }] };
}
