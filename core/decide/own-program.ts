/**
 * trai's own program. Written exactly, it runs on the host: reading subcommands always, others with the
 * user's permit. Other recognisable spellings are refused; the rest runs in the sandbox, where the state
 * directory is masked.
 */

import type { Facts } from '../../shared/model/decision.ts';
import { globMatches } from '../../shared/text/glob.ts';
import { allCommands, type Script, type SimpleCommand } from './shell/facts.ts';
import { parseShell } from './shell/parse.ts';
import { KnownValues } from './shell/values.ts';
import { squeeze } from './shell/where.ts';
import { programOf, wordSet } from './shell/words.ts';

const READING = wordSet('status diff log ps sessions doctor why why-host');
const ARGUMENTS = /^[ A-Za-z0-9_.,:=@%+/-]*$/;
const BARE_PATH = /^\/[A-Za-z0-9_.,:=@%+/-]+$/;

export type OwnUse =
  /** `reads`: no permit is needed. */
  | { kind: 'exact'; reads: boolean }
  /** Another spelling, or beside other commands. */
  | { kind: 'hidden' }
  | { kind: 'none' };

export function ownUse(command: string, script: Script, facts: Facts): OwnUse {
  for (const program of facts.ownPrograms) {
    const args = exactArguments(command, program);
    if (args !== null) return { kind: 'exact', reads: readsOnly(args) };
  }
  if (script.broken && script.commands.length === 0) {
    const named = facts.ownPrograms.some((program) => command.includes(program));
    return { kind: named ? 'hidden' : 'none' };
  }
  return new Search(facts).finds(script, 0) ? { kind: 'hidden' } : { kind: 'none' };
}

/** `ps` reads, but `ps --end` ends processes. */
function readsOnly(args: string): boolean {
  const [name = '', ...rest] = args.trim().split(/ +/);
  return READING.has(name) && !(name === 'ps' && rest.some((word) => word.startsWith('--end')));
}

/** Null unless exact. After the program only characters without a meaning to any shell may follow. */
function exactArguments(command: string, program: string): string | null {
  const spellings = [...(BARE_PATH.test(program) ? [program] : [])];
  // Slash commands quote the plugin's path, which may contain spaces.
  if (!/["'$`\\!\n]/.test(program)) spellings.push(`"${program}"`, `'${program}'`);
  for (const spelling of spellings) {
    if (!command.startsWith(spelling)) continue;
    const rest = command.slice(spelling.length);
    if (rest === '' || (rest.startsWith(' ') && ARGUMENTS.test(rest))) return rest;
  }
  return null;
}

/** Programs that run a shell text from an argument or from their input, as do those of RUNNERS. */
const SHELLS = wordSet('sh bash zsh dash ksh ash eval source . trap alias su script ssh docker podman');
/** Programs that run their arguments as a command. */
const RUNNERS =
  wordSet(`env command exec builtin nohup nice ionice timeout time stdbuf setsid sudo doas xargs flock watch strace chrt
   unbuffer parallel find coproc noglob nocorrect chronic runuser unshare nsenter chroot systemd-run entr`);
/** Programs that may name trai's file without running it. */
const HANDLES_FILES =
  /^(ls|cat|head|tail|wc|stat|file|grep|rg|which|type|echo|printf|test|\[|cd|readlink|realpath|basename|dirname|cp|ln|mv|rm|chmod|diff|cmp|sha256sum|md5sum|git|export|sed|awk|less|bat|tee|touch|:|strings)$/;
const MAX_NESTED_TEXTS = 4;

class Search {
  private readonly facts: Facts;
  private readonly names: Set<string>;
  /** Unknown parts are empty: only the end of a path has to be known. */
  private readonly values = new KnownValues((piece) =>
    piece.kind === 'script' ? (echoed(piece.script) ?? '') : '',
  );

  constructor(facts: Facts) {
    this.facts = facts;
    this.names = new Set(facts.ownPrograms.map((program) => program.slice(program.lastIndexOf('/') + 1)));
  }

  finds(script: Script, depth: number): boolean {
    const commands = allCommands(script);
    for (const command of commands) this.values.learn(command);
    return commands.some((command) => this.runsIt(command, depth));
  }

  private runsIt(command: SimpleCommand, depth: number): boolean {
    const words = command.words.map((word) => this.values.textsOf(word));
    const [first, ...rest] = words;
    if (first === undefined) return false;
    if (first.some((text) => this.isIt(text.split(/\s/)[0] ?? '') || this.matches(text))) return true;
    const program = programOf(command) ?? first[0]?.split('/').pop() ?? '';
    const args = rest.flat();
    if (RUNNERS.has(program) && args.some((text) => this.isIt(text))) return true;
    const bodies = command.redirects.flatMap(({ target, body }) => [
      ...(body === null ? [] : this.values.textsOf(body)),
      ...(target === null ? [] : this.values.textsOf(target)),
    ]);
    if (SHELLS.has(program) || RUNNERS.has(program)) {
      const texts = program === 'find' ? behindExec(args) : args;
      if ([...texts, texts.join(' '), ...bodies].some((text) => this.textRunsIt(text, depth))) return true;
    }
    if (program === 'git')
      return args.some((text) => /=?!/.test(text) && this.textRunsIt(text.replace(/^.*?!/, ''), depth));
    return !HANDLES_FILES.test(program) && [...args, ...bodies].some((text) => this.mentions(text));
  }

  private textRunsIt(text: string, depth: number): boolean {
    if (depth >= MAX_NESTED_TEXTS || text === '') return false;
    if (this.isIt(text)) return true;
    return this.finds(parseShell(text.replace(/^[A-Za-z_][\w-]*=/, '')), depth + 1);
  }

  /** The name alone, or a path that ends in `bin/` and the name. */
  private isIt(text: string): boolean {
    const at = text.lastIndexOf('/');
    return this.names.has(text.slice(at + 1)) && (at < 0 || this.isPath(text));
  }

  private isPath(text: string): boolean {
    const path = squeeze(text.startsWith('/') ? text : `${this.facts.cwd}/${text}`);
    return this.facts.ownPrograms.includes(path) || /(^|\/)bin\/[^/]+$/.test(path) || !text.startsWith('/');
  }

  /** A glob in command position. */
  private matches(text: string): boolean {
    if (!/[*?[]/.test(text)) return false;
    const pattern = text.slice(text.lastIndexOf('/') + 1);
    return [...this.names].some((name) => globMatches(pattern, name));
  }

  private mentions(text: string): boolean {
    return this.facts.ownPrograms.some((program) => text.includes(program));
  }
}

// Path patterns stand before `-exec` and run nothing.
function behindExec(args: readonly string[]): readonly string[] {
  const at = args.findIndex((text) => /^-(exec|ok)|^-.*[*?[{]/.test(text));
  return at < 0 ? [] : args.slice(at + 1);
}

/** The text of `$(echo …)`, `$(printf …)`, `$(which …)` and the like; null for others. */
function echoed(script: Script): string | null {
  const [only] = script.commands;
  if (only === undefined || script.commands.length !== 1) return null;
  const values = only.words.map((word) => word.value ?? '');
  if (!/^(echo|printf|which|command|type|realpath|readlink)$/.test(values[0] ?? '')) return null;
  return values
    .slice(1)
    .filter((value) => !value.startsWith('-'))
    .join(' ');
}
