/** Programs that run another command, given by their words or as a shell text, with their options. */
import type { Word } from '../../decide/shell/facts.ts';
import { type ReadOptions, readOptions } from '../../decide/shell/option-grammar.ts';
import { programOf, wordSet } from '../../decide/shell/words.ts';

/** `args`: what `$0`, `$1` ... stand for in the text. */
export type Inner =
  | { kind: 'words'; words: readonly Word[] }
  | { kind: 'text'; text: readonly Word[]; args?: readonly Word[] };

export interface Unwrapped {
  inner: readonly Inner[];
  /** Its name stays before the command in the spelling that an allow rule must match: it gives other rights. */
  privileged: boolean;
  /** It also does something itself, so a rule must allow the wrapper too. */
  also: boolean;
  /** It appends words that the text does not have, or puts them in place of `{}`. */
  fills: boolean;
  /** Variables that it sets: `NAME=VALUE`. */
  sets: readonly Word[];
  /** It changes the directory. */
  moves: boolean;
  /** False: an option is not known, so nothing may be allowed for what is inside. */
  sure: boolean;
}

interface Wrapper {
  /** In the notation of option-grammar.ts. */
  options: string;
  runs: 'words' | 'text';
  /** Operands before the command. */
  skip?: number;
  /** Options with which it runs nothing. */
  except?: readonly string[];
  /** `NAME=VALUE` operands come first. */
  sets?: true;
  /** Options that change the directory. */
  moves?: readonly string[];
  /** The option whose value is a shell text, instead of operands. */
  text?: readonly string[];
  /** No word of the command's place is an option. */
  any?: true;
  privileged?: true;
  also?: true;
  fills?: true;
}

const HELP = '--help --version --';

/**
 * Options with which they write a file (`time -o`), or run another program than they name (`sudo -R`, `su -s`), are not
 * among them.
 */
const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: {
    options: `-i0v -u= -C= -a= --ignore-environment --null --unset= --chdir= --argv0= --block-signal? --default-signal? --ignore-signal?
      --list-signal-handling --debug ${HELP}`,
    runs: 'words',
    sets: true,
    moves: ['-C', '--chdir'],
  },
  command: { options: '-pvV --', runs: 'words', except: ['-v', '-V'] },
  builtin: { options: '--', runs: 'words' },
  exec: { options: '-cl -a= --', runs: 'words' },
  nohup: { options: HELP, runs: 'words' },
  nice: { options: `-# -n= --adjustment= ${HELP}`, runs: 'words' },
  ionice: {
    options: `-t -c= -n= -p= -P= -u= --class= --classdata= --pid= --pgid= --uid= --ignore ${HELP}`,
    runs: 'words',
    except: ['-p', '-P', '-u', '--pid', '--pgid', '--uid'],
  },
  timeout: {
    options: `-vfp -s= -k= --signal= --kill-after= --foreground --preserve-status --verbose ${HELP}`,
    runs: 'words',
    skip: 1,
  },
  time: { options: `-pqv -f= --format= --portability --verbose --quiet ${HELP}`, runs: 'words' },
  stdbuf: { options: `-i= -o= -e= --input= --output= --error= ${HELP}`, runs: 'words' },
  setsid: { options: `-cfw --ctty --fork --wait ${HELP}`, runs: 'words' },
  noglob: { options: '', runs: 'words' },
  nocorrect: { options: '', runs: 'words' },
  '-': { options: '', runs: 'words' },
  '!': { options: '', runs: 'words' },
  eval: { options: '--', runs: 'text', any: true },
  watch: {
    options: `-bcegprtwxC -n= -q= -s= -d? --beep --color --no-color --differences? --errexit --chgexit --equexit= --interval=
      --precise --no-rerun --no-title --no-wrap --exec ${HELP}`,
    runs: 'text',
  },
  xargs: {
    options: `-0rtpxo -a= -d= -E= -e? -I= -i? -L= -l? -n= -P= -s= --null --arg-file= --delimiter= --eof? --replace? --max-lines?
      --max-args= --max-procs= --max-chars= --no-run-if-empty --verbose --interactive --open-tty --process-slot-var= --exit
      --show-limits ${HELP}`,
    runs: 'words',
    fills: true,
  },
  parallel: {
    options:
      '-kXmqu -j= -n= -N= -I= -a= --jobs= --keep-order --bar --eta --will-cite --dry-run --max-args= --arg-file= --colsep= --',
    runs: 'text',
    fills: true,
    also: true,
  },
  flock: {
    options: `-sxeunFov -w= -E= --shared --exclusive --unlock --nonblock --nb --timeout= --wait= --conflict-exit-code= --close
      --no-fork --fcntl --verbose ${HELP}`,
    runs: 'words',
    skip: 1,
    also: true,
  },
  script: {
    options: `-aefqT -c= -E= -I= -O= -B= -m= -o= -t? --append --command= --echo= --return --flush --force --log-in= --log-out=
      --log-io= --logging-format= --output-limit= --quiet --timing? --log-timing= ${HELP}`,
    runs: 'text',
    text: ['-c', '--command'],
    also: true,
  },
  sudo: {
    options: `-ABbEHiKklNnPSsVv -C= -D= -g= -p= -r= -T= -t= -U= -u= --askpass --background --bell --close-from=
      --preserve-env? --chdir= --group= --set-home --host= --login --remove-timestamp --reset-timestamp --list
      --non-interactive --preserve-groups --prompt= --role= --stdin --shell --type= --other-user= --command-timeout=
      --user= --validate ${HELP}`,
    runs: 'words',
    sets: true,
    moves: ['-D', '--chdir', '-i', '--login'],
    privileged: true,
  },
  doas: { options: '-Lns -a= -C= -u= --', runs: 'words', privileged: true },
  su: {
    options: `-lmpfP -c= -g= -G= -w= --command= --session-command= --login --preserve-environment --group=
      --supp-group= --fast --pty --whitelist-environment= ${HELP}`,
    runs: 'text',
    text: ['-c', '--command', '--session-command'],
    moves: ['-l', '--login', '-'],
    privileged: true,
  },
};

/** Without those that name a file to be run first, as `--rcfile`. */
const SHELL = `-abCefhmnuvxilcrsDEHkpPtTB -o= -O= --norc --noprofile --login --posix --restricted --verbose --noediting --`;
export const SHELLS = wordSet('sh bash zsh dash ksh ash mksh');
/** They run a program that they read from their input. */
export const INTERPRETERS =
  /^(python|python\d(\.\d+)?|perl|ruby|node|nodejs|php|lua|deno|bun|tclsh|Rscript|osascript|psql|mysql|sqlite3)$/;

/** Programs that run some of their words, in ways that are not worth a grammar: known to deny and ask only. */
const OTHER_RUNNERS =
  wordSet(`strace ltrace chrt taskset setarch unbuffer chronic runuser unshare nsenter chroot systemd-run entr busybox toybox
   ssh-agent dbus-run-session xvfb-run firejail bwrap fakeroot proxychains torsocks catchsegv valgrind gdb rlwrap
   setpriv capsh pkexec run0 sg newgrp at batch coproc prlimit choom numactl cpulimit gosu su-exec linux32 linux64 i386 x86_64
   eatmydata faketime fakechroot proot trickle dtach emulate repeat fish csh tcsh pwsh nu elvish xonsh`);

const OTHER_KNOWN: ReadonlySet<string> = new Set([...SHELLS, 'find', 'trap', 'git', ...OTHER_RUNNERS]);

/** Of wrappers in wrappers: more are not followed. */
export const MAX_WRAPPERS = 12;

/** The last part of the name, whatever the directory: a deny rule is about any `rm`. */
export function nameOfProgram(word: Word | undefined): string {
  const value = word?.value ?? '';
  return value.slice(value.lastIndexOf('/') + 1);
}

/** Null when the command runs no other, as far as is known. */
export function unwrap(words: readonly Word[]): Unwrapped | null {
  const name = nameOfProgram(words[0]);
  // Nearly always.
  if (!Object.hasOwn(WRAPPERS, name) && !OTHER_KNOWN.has(name)) return null;
  const found = unwrapAs(name, words.slice(1));
  // A program of the project is not the one in the table.
  const isOther = found !== null && programOf({ words: words.slice(0, 1) }) === null;
  return isOther ? { ...found, sure: false } : found;
}

function unwrapAs(name: string, args: readonly Word[]): Unwrapped | null {
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (SHELLS.has(name)) return ofShell(args);
  if (name === 'find') return ofFind(args);
  if (name === 'trap') return ofTrap(args);
  if (name === 'git') return ofGit(args);
  return wrapper === undefined ? guessed(args) : ofWrapper(wrapper, args);
}

/** Written whole: a literal with a spread is a slow object. */
function made(inner: readonly Inner[], changed: Partial<Unwrapped> = {}): Unwrapped {
  const { privileged = false, also = false, fills = false, sets = [], moves = false, sure = true } = changed;
  return { inner, privileged, also, fills, sets, moves, sure };
}

/** As env and sudo see it: any word with a `=`, whatever its quotes. */
function setsVariable({ value, pieces }: Word): boolean {
  if (value !== null) return value.includes('=');
  return pieces.some((piece) => piece.kind === 'text' && piece.text.includes('='));
}

function ofWrapper(wrapper: Wrapper, args: readonly Word[]): Unwrapped | null {
  const { privileged = false, also = false, fills = false } = wrapper;
  const stop = wrapper.text === undefined;
  const unknown = () => wrapper.any === true;
  const read = readOptions(args, wrapper.options, { stop, unknown, anyValue: true });
  const moves = hasAny(read, wrapper.moves);
  const about = { privileged, also, fills, moves };
  if (read.bad !== null) return { ...guessed(args), ...about, sure: false };
  if (hasAny(read, wrapper.except)) return null;
  if (wrapper.text !== undefined) return ofTextOption(wrapper.text, read, args, about);
  const operands = read.operands.slice(wrapper.skip ?? 0);
  const isSet = (word: Word) => wrapper.sets === true && setsVariable(word);
  const first = operands.findIndex((word) => !isSet(word));
  const sets = first < 0 ? operands : operands.slice(0, first);
  const rest = operands.slice(sets.length);
  if (wrapper.skip !== undefined && /^(-c|--command)$/.test(rest[0]?.value ?? ''))
    return made([{ kind: 'text', text: rest.slice(1, 2) }], about);
  if (rest.length === 0) return null;
  // After `:::` parallel has arguments.
  const end = fills ? rest.findIndex(({ value }) => /^:::/.test(value ?? '')) : -1;
  const command = end < 0 ? rest : rest.slice(0, end);
  const asWords = wrapper.runs === 'words' || hasAny(read, ['-x', '--exec']);
  const inner: Inner = asWords ? { kind: 'words', words: command } : { kind: 'text', text: command };
  return made([inner], { privileged, also, fills, moves, sets });
}

function ofTextOption(
  names: readonly string[],
  { named }: ReadOptions,
  args: readonly Word[],
  about: Partial<Unwrapped>,
): Unwrapped | null {
  const name = names.find((one) => named.has(one));
  if (name === undefined) return null;
  const value = named.get(name) ?? null;
  if (value === null) return { ...guessed(args), ...about, sure: false };
  return made([{ kind: 'text', text: [value] }], about);
}

function hasAny({ named }: ReadOptions, names: readonly string[] = []): boolean {
  return names.some((name) => named.has(name));
}

/** Without `-c` it runs a file, or what it reads: no other command of the text. */
function ofShell(args: readonly Word[]): Unwrapped | null {
  const plain = args.filter(({ value }) => value === null || !/^\+[A-Za-z]+$/.test(value));
  const read = readOptions(plain, SHELL, { stop: true, anyValue: true });
  if (read.bad !== null) {
    const at = plain.findIndex(({ value }) => /^-[A-Za-z]*c[A-Za-z]*$/.test(value ?? ''));
    return at < 0 ? null : made([{ kind: 'text', text: plain.slice(at + 1, at + 2) }], { sure: false });
  }
  if (!read.named.has('-c')) return null;
  const [text, ...rest] = read.operands;
  return made([{ kind: 'text', text: text === undefined ? [] : [text], args: rest }]);
}

/** A shell that runs a file that it is given. */
export function runsFile(name: string): boolean {
  return SHELLS.has(name) || name === 'source' || name === '.';
}

/** Of the words of such a shell: the file, or all where it is not known which it is. */
export function filesRunBy([shell, ...args]: readonly Word[]): readonly Word[] {
  if (!SHELLS.has(nameOfProgram(shell))) return args.slice(0, 1);
  const read = readOptions(args, SHELL, { stop: true, anyValue: true });
  return read.bad === null ? read.operands.slice(0, 1) : args;
}

function mayReadProgram(name: string): boolean {
  return runsFile(name) || INTERPRETERS.test(name);
}

/** Whether a shell or an interpreter runs what it reads from its input. */
export function readsProgram(words: readonly Word[]): 'shell' | 'interpreter' | null {
  const name = nameOfProgram(words[0]);
  const args = words.slice(1);
  if (SHELLS.has(name)) {
    const read = readOptions(args, SHELL, { stop: true, anyValue: true });
    const fromInput = read.bad !== null || read.named.has('-s') || read.operands.every(isInput);
    return fromInput && !read.named.has('-c') ? 'shell' : null;
  }
  if (name === 'source' || name === '.') return isInput(args[0]) ? 'shell' : null;
  if (!INTERPRETERS.test(name)) return null;
  return args.every((word) => isInput(word) || (word.value ?? '').startsWith('-')) ? 'interpreter' : null;
}

/** Without the wrappers that run their words. */
export function innermost(words: readonly Word[]): readonly Word[] {
  let inner = words;
  for (let i = 0; i < MAX_WRAPPERS; i++) {
    const [only] = unwrap(inner)?.inner ?? [];
    if (only?.kind !== 'words') return inner;
    inner = only.words;
  }
  return inner;
}

/** Whether what is run in the end runs what it reads from its input. */
export function innermostReads(words: readonly Word[]): 'shell' | 'interpreter' | null {
  // Most commands name no shell at all.
  if (!words.some((word) => mayReadProgram(nameOfProgram(word)))) return null;
  return readsProgram(innermost(words));
}

function isInput(word: Word | undefined): boolean {
  return /^(-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(word?.value ?? '');
}

function ofFind(args: readonly Word[]): Unwrapped | null {
  const inner: Inner[] = [];
  for (let at = 0; at < args.length; at++) {
    if (!/^-(exec|ok)(dir)?$/.test(args[at]?.value ?? '')) continue;
    const words: Word[] = [];
    for (at++; at < args.length && !/^[;+]$/.test(args[at]?.value ?? ''); at++)
      words.push(...args.slice(at, at + 1));
    inner.push({ kind: 'words', words });
  }
  return inner.length === 0 ? null : made(inner, { also: true, fills: true });
}

function ofTrap(args: readonly Word[]): Unwrapped | null {
  const rest = args[0]?.value === '--' ? args.slice(1) : args;
  const value = rest[0]?.value ?? null;
  if (rest.length < 2 || value === '' || value?.startsWith('-') === true) return null;
  return made([{ kind: 'text', text: rest.slice(0, 1) }]);
}

/** `git -c alias.x='!…' x`, and other keys whose value is a command. */
function ofGit(args: readonly Word[]): Unwrapped | null {
  const inner = args.flatMap((word): Inner[] => {
    const text = /=\s*!(.*)$/s.exec(word.value ?? '')?.[1];
    return text === undefined ? [] : [{ kind: 'text', text: [literalWord(text)] }];
  });
  return inner.length === 0 ? null : made(inner, { also: true, fills: true });
}

export function literalWord(text: string): Word {
  return { source: text, value: text, pieces: [{ kind: 'text', text, quoted: true }] };
}

const MAX_GUESSES = 12;

/** Any word may be the command, or a text. */
function guessed(args: readonly Word[]): Unwrapped {
  const inner: Inner[] = [];
  for (const [at, { value }] of args.slice(0, MAX_GUESSES).entries()) {
    const attached = /^(?:-[A-Za-z]|--[\w-]+=)(.+)$/s.exec(value ?? '')?.[1];
    if (value !== null && /\s/.test(value))
      inner.push({ kind: 'text', text: [literalWord(attached ?? value)] });
    else if (attached === undefined && !(value ?? '').startsWith('-'))
      inner.push({ kind: 'words', words: args.slice(at) });
  }
  return made(inner, { also: true, fills: true, sure: false });
}
