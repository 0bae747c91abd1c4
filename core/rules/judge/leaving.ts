/**
 * What is known to reach beyond the overlay: `"sandboxed": "allow"` lets everything else run without a prompt, since its
 * writes stay pending. The network is open to all of it; this is about programs whose purpose is to act elsewhere.
 */
import { fromText } from '../../../shared/bytes.ts';
import { holdsKeys, keyPaths } from '../../../shared/model/risk.ts';
import { globMatches } from '../../../shared/text/glob.ts';
import { REACHING } from '../../decide/host-reach.ts';
import { wordSet } from '../../decide/shell/words.ts';
import { LEAVING } from '../messages.ts';
import { absolutePath, resolvedPaths } from './built-in.ts';
import type { JudgeFacts } from './judge-facts.ts';
import type { CutText, Segment } from './segments.ts';
import { canonical, withoutUnknown } from './spellings.ts';

/** With any arguments. */
const ELSEWHERE =
  wordSet(`ssh scp sftp mosh telnet ftp lftp nc ncat netcat socat http https xh xhs mail mailx mutt sendmail msmtp
   dbus-send gdbus busctl qdbus loginctl machinectl systemctl
   kubectl oc helm k9s istioctl argocd flux aws gcloud gsutil bq az doctl linode-cli hcloud oci ibmcloud eb
   vercel netlify fly flyctl heroku wrangler firebase surge railway render now
   terraform tofu terragrunt pulumi cdk sls serverless sam copilot ansible ansible-playbook packer nomad vault
   twine goreleaser kill pkill killall skill xkill fuser`);

/** With these subcommands. */
const SUBCOMMANDS: Readonly<Record<string, RegExp>> = {
  npm: /^(publish|unpublish|deprecate|dist-tag|access|owner|token|login|adduser|team|star|unstar)$/,
  pnpm: /^(publish|deploy)$/,
  yarn: /^(publish|npm)$/,
  bun: /^publish$/,
  cargo: /^(publish|yank|owner|login)$/,
  gem: /^(push|yank|owner|signin)$/,
  poetry: /^publish$/,
  uv: /^publish$/,
  flit: /^publish$/,
  hatch: /^publish$/,
  mvn: /^(deploy|release:.*)$/,
  gradle: /^publish/,
  gradlew: /^publish/,
  // Its daemon runs on the host.
  docker: /./,
  podman: /^(push|login)$/,
  git: /^(push|send-email|svn|p4|alias\..*)$/i,
  gh: /./,
  glab: /./,
  openssl: /^s_client$/,
};

/** They run the program that they name, most after fetching it: always, or with these subcommands. */
const RUNNERS: Readonly<Record<string, RegExp | null>> = {
  npx: null,
  bunx: null,
  uvx: null,
  pnpx: null,
  pnpm: /^(dlx|exec)$/,
  yarn: /^(dlx|exec)$/,
  npm: /^(exec|x)$/,
  bun: /^x$/,
  pipx: /^run$/,
  uv: /^run$/,
  poetry: /^run$/,
  bundle: /^exec$/,
  python: /^-m$/,
  python3: /^-m$/,
};

const CURL_SENDS =
  /^(-[A-Za-z#:0-9]*[dFTK]|-[A-Za-z#:0-9]*X(?=.)(?!GET$|HEAD$)|--(da|fo|up|js|conf|request(?!=(GET|HEAD)$)|url-query|mail))/;
const WGET_SENDS = /^--(post|body|method|config|input-file|execute)|^-[A-Za-z]*[ei]/;

/** From a program's arguments, the paths of which it reads everything below. `isTaken`: another program takes the names. */
type Reads = (args: readonly string[], isTaken: boolean) => readonly string[];
type Choice = (operands: readonly string[], args: readonly string[]) => readonly string[];

/** With an option, or a first word as tar has it, that matches. */
const reads = (when: RegExp, choose: Choice): Reads => {
  return (args) => {
    const isOne = (one: string, i: number) => (i === 0 || one.startsWith('-')) && when.test(one);
    return args.some(isOne) ? choose(operandsOf(args), args) : [];
  };
};

const ENTERS = /^(-C|--directory)$/;

/** Without what `-C` names: what is read there has a path of its own. */
function operandsOf(args: readonly string[]): string[] {
  return args.filter((one, i) => !one.startsWith('-') && !ENTERS.test(args[i - 1] ?? ''));
}

function enteredBy(args: readonly string[]): string[] {
  return args.flatMap((one, i) => {
    const [, attached] = /^(?:-C|--directory=)(.+)$/.exec(one) ?? [];
    return ENTERS.test(args[i - 1] ?? '') ? [one] : attached === undefined ? [] : [attached];
  });
}

const all: Choice = (operands) => operands;
const allButLast: Choice = (operands) => operands.slice(0, -1);
const TARGET = /^(?:-[A-Za-z]*?t|--target-directory(?:=|$))(.*)$/s;
const allButTarget: Choice = (operands, args) => {
  const at = args.findIndex((one) => TARGET.test(one));
  if (at < 0) return allButLast(operands, args);
  const isApart = TARGET.exec(args[at] ?? '')?.[1] === '';
  return operands.filter((one) => !isApart || one !== args[at + 1]);
};
/** `-ex`, `--regexp=x` */
const PATTERN = /^(-[A-Za-z0-9]*?[ef].|--(regexp|file)=)/s;
const behindPattern: Choice = (operands, args) => {
  const paths = args.some((one) => PATTERN.test(one)) ? operands : operands.slice(1);
  return paths.length === 0 ? ['.'] : paths;
};
const beforeTests: Choice = (_, args) => {
  const paths = args.filter((one) => !/^-([HLP]$|O)/.test(one));
  const end = paths.findIndex((one) => /^[-(!]/.test(one));
  return end === 0 || paths.length === 0 ? ['.'] : end < 0 ? paths : paths.slice(0, end);
};

const ALWAYS = /^/;
const EXEC = /^-(exec|ok)(dir)?$/;
const FD_EXEC = /^(-[A-Za-z]*[xX]|--exec(-batch)?)/;
const ARCHIVES = /^-?[A-Za-z]*[cru]|^--(create|append|update)/;
const COPIES = /^-[A-Za-z]*[rRa]|^--(recursive|archive)/;
const RECURSIVE = /^-[A-Za-z]*[rR]|^--(dereference-)?recursive/;

/** `-d recurse` */
const GREP_RECURSIVE = /^-[A-Za-ce-z]*([rR]|d=?rec)|^--(dereference-)?recursive|^--directories=rec/;
const greps: Reads = (args, isTaken) => {
  const joined = args.flatMap((one, i) => {
    if (GREP_DIRECTORIES.test(one)) return [`${one}=${args[i + 1] ?? ''}`];
    return GREP_DIRECTORIES.test(args[i - 1] ?? '') ? [] : [one];
  });
  return reads(GREP_RECURSIVE, behindPattern)(joined, isTaken);
};
const GREP_DIRECTORIES = /^(-[A-Za-ce-z]*d|--directories)$/;

/** It lists what is there, and may run a program on it. */
const lists = (when: RegExp, choose: Choice): Reads => {
  return (args, isTaken) => (isTaken ? choose(operandsOf(args), args) : reads(when, choose)(args, isTaken));
};

const READS_BELOW: Readonly<Record<string, Reads>> = {
  tar: reads(ARCHIVES, all),
  bsdtar: reads(ARCHIVES, all),
  zip: reads(/^-[A-Za-z]*r|^--recurse/, all),
  '7z': reads(/^[au]$/, all),
  cp: reads(COPIES, allButTarget),
  rsync: reads(COPIES, allButLast),
  diff: reads(RECURSIVE, all),
  grep: greps,
  egrep: greps,
  fgrep: greps,
  rgrep: reads(ALWAYS, behindPattern),
  rg: reads(ALWAYS, behindPattern),
  ag: reads(ALWAYS, behindPattern),
  ack: reads(ALWAYS, behindPattern),
  find: lists(EXEC, beforeTests),
  fd: lists(FD_EXEC, behindPattern),
  fdfind: lists(FD_EXEC, behindPattern),
};

const TAKES_NAMES = wordSet('xargs parallel read mapfile readarray');
const SUBSTITUTES = /\$\(|`|<\(/;

/** Whether some command may take names that another one lists. */
export function takesNames({ segments, whole }: CutText): boolean {
  const isOne = ([, text]: Segment['spellings'][number]) => TAKES_NAMES.has(nameIn(text.split(/\s/, 1)[0]));
  return SUBSTITUTES.test(whole) || segments.some(({ spellings }) => spellings.some(isOne));
}

function nameIn(word = ''): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/**
 * Why a segment is known to act elsewhere, or reads keys; null = it is not known.
 * @param isTaken other commands of the text may take names that this one lists
 */
export function leavingWhy(segment: Segment, isTaken: boolean, facts: JudgeFacts): string | null {
  for (const [, text] of segment.spellings) {
    const [first = '', ...args] = text.split(/\s+/);
    const name = nameIn(first);
    if (acts(name, args)) return LEAVING.program(name);
    const key = keyIn([first, ...args], segment, facts);
    if (key !== undefined) return LEAVING.keys(key);
  }
  for (const [name, args] of argumentsOf(segment)) {
    const paths = Object.hasOwn(READS_BELOW, name) ? (READS_BELOW[name]?.(args, isTaken) ?? []) : [];
    const dir = keysBelow(paths, args, segment, facts);
    if (dir !== undefined) return LEAVING.keysBelow(name, dir);
  }
  // Sockets of the shell.
  if (segment.files.some((one) => /\/dev\/(tcp|udp)\//.test(one))) return LEAVING.program('/dev/tcp');
  const key = keyIn(segment.files, segment, facts);
  return key === undefined ? null : LEAVING.keys(key);
}

function keyIn(words: readonly string[], { where }: Segment, facts: JudgeFacts): string | undefined {
  const paths = words.flatMap(pathsIn);
  // `tar c -C ~ .ssh`
  const isHome = (path: string) => named(path, facts).replace(/\/+$/, '') === facts.home;
  const now = dirsOf(words, where.dirs ?? [facts.home], facts);
  const dirs = [...now, ...(paths.some(isHome) ? [facts.home] : [])];
  return paths.find((path) => dirs.some((dir) => isKey(named(path, facts), dir, facts)));
}

/** By the words, and by the texts with the values, aliases and functions of the text. */
function argumentsOf({ command, spellings }: Segment): [name: string, args: string[]][] {
  const words = command?.words.map((word) => canonical([word])) ?? [];
  // In a text a quoted word would be several.
  const spaced = words.filter((word) => /\S\s|\s\S/.test(word));
  const whole = (text: string) =>
    spaced.reduce((all, word) => all.replaceAll(word, () => word.replace(/\s/g, '\0')), text);
  // `cp -r "$X"/ y` does not read the root.
  const isOpen = command?.words.some(({ pieces }) => pieces.some((one) => one.kind !== 'text')) === true;
  const emptied = isOpen ? withoutUnknown(command?.words ?? []) : '';
  const texts = spellings.filter(
    ([spelling, text]) => (command === null || spelling !== 'written') && text !== emptied,
  );
  const forms = [words, ...texts.map(([, text]) => whole(text).split(/\s+/))];
  return forms.map(([first, ...args]) => [nameIn(first), args]);
}

/** Where a program may be: each `-C` is relative to the one before. */
function dirsOf(args: readonly string[], start: readonly string[], facts: JudgeFacts): string[] {
  const found = [...start];
  let now = start;
  for (const path of enteredBy(args)) {
    now = now.map((dir) => absolutePath(named(path, facts), dir, facts.home));
    found.push(...now);
  }
  return found;
}

/** Of the paths below which a program reads everything, one below which keys are known to be. */
function keysBelow(
  paths: readonly string[],
  args: readonly string[],
  { where }: Segment,
  facts: JudgeFacts,
): string | undefined {
  // What is below a directory that is not known is not known either.
  const dirs = dirsOf(args, where.dirs ?? [UNKNOWN], facts);
  const isAbove = (path: string, dir: string) =>
    resolvedPaths(named(path, facts), dir, facts).some((one) => mayBeAboveKeys(one, facts.home));
  return paths.find((path) => dirs.some((dir) => isAbove(path, dir)));
}

function acts(name: string, args: readonly string[]): boolean {
  if (ELSEWHERE.has(name) || REACHING.has(name)) return true;
  // A variable may be an option.
  const isUnknown = args.some((one) => one.startsWith('$'));
  if (name === 'curl') return isUnknown || args.some((one) => CURL_SENDS.test(one)) || sendsByMethod(args);
  if (name === 'wget') return isUnknown || args.some((one) => WGET_SENDS.test(one));
  if (name === 'rsync') return isUnknown || args.some((one) => /^[^/-][^/]*:|^rsync:/.test(one));
  const verbs = args.filter((one) => !one.startsWith('-'));
  const subcommands = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  // Each option may have a value that stands before the subcommand.
  const most = 3 + args.length - verbs.length;
  if (subcommands !== undefined && verbs.slice(0, most).some((one) => subcommands.test(one))) return true;
  const runs = Object.hasOwn(RUNNERS, name) ? RUNNERS[name] : undefined;
  if (runs === undefined) return false;
  const at = runs === null ? -1 : args.findIndex((one) => runs.test(one));
  if (runs !== null && at < 0) return false;
  const behind = args.slice(at + 1);
  const program = behind.findIndex((one) => !one.startsWith('-'));
  return program >= 0 && acts((behind[program] ?? '').replace(/(.)@.*$/, '$1'), behind.slice(program + 1));
}

/** `-X POST` in two words. */
function sendsByMethod(args: readonly string[]): boolean {
  return args.some(
    (one, i) => /^(-[A-Za-z]*X|--request)$/.test(one) && !/^(GET|HEAD)$/.test(args[i + 1] ?? ''),
  );
}

const UNKNOWN = '/?';

/** Whose home `~name` is, is not known. */
const HOME_NAMES = /^(?:~[^/]*|\$\{?HOME\}?)(?=\/|$)/;

function named(path: string, { home }: JudgeFacts): string {
  return path.replace(HOME_NAMES, home);
}

function pathsIn(word: string): string[] {
  const parts = word.replace(/^-[A-Za-z0-9]+(?=[/~.$])/, '').split(/['"=:,;@<>|]+/);
  return parts.filter((one) => /[/~.]|^\$\{?HOME/.test(one));
}

function isKey(path: string, dir: string, facts: JudgeFacts): boolean {
  const { home } = facts;
  return resolvedPaths(path, dir, facts).some((one) => {
    return /[*?[]/.test(one) ? mayHoldKeys(one, home) : holdsKeys(fromText(one), fromText(home));
  });
}

/** Whether a glob, an absolute path, may match a file of keys or a directory of them. */
function mayHoldKeys(glob: string, home: string): boolean {
  const parts = namesIn(glob);
  return keyPaths(home).some((key) => {
    const names = namesIn(key);
    const fits = key.endsWith('/') ? parts.length >= names.length : parts.length === names.length;
    return fits && names.every((name, i) => mayBe(parts[i] ?? '', name));
  });
}

/** Whether a path or a glob, absolute, is or may match a directory above those. */
function mayBeAboveKeys(glob: string, home: string): boolean {
  const parts = namesIn(glob);
  return keyPaths(home).some((key) => {
    const names = namesIn(key);
    return parts.length < names.length && parts.every((part, i) => mayBe(part, names[i] ?? ''));
  });
}

const namesIn = (path: string): string[] => path.split('/').filter((part) => part !== '');

/** A dot at the start is matched by a dot alone. */
function mayBe(glob: string, name: string): boolean {
  return (!name.startsWith('.') || glob.startsWith('.')) && globMatches(glob, name);
}
