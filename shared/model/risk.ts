/**
 * Flags for the reviewer: what may run by itself later, reach beyond the project, or impersonate something.
 * They derive from names, types, modes and the scan for hidden characters. A flag is a hint, never a
 * judgement.
 */
import { type BytePath, isWithin, joinPath, nameOf, parentOf, toDisplay } from '../bytes.ts';
import type { Change, Roots } from './change.ts';

export interface RiskPlace extends Roots {
  /** Ids of entries whose text gains hidden characters, as far as scanned (core/content/texts.ts). */
  hidden?: ReadonlySet<string>;
}

const HOME_STARTUP =
  /^\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|z(?:shrc|shenv|profile|login|logout)|inputrc|x(?:profile|initrc|sessionrc)|pam_environment|config\/(?:fish|autostart|systemd|environment\.d)\/.*)$/s;
/** Those with a slash are directories. */
const HOME_KEYS =
  '.ssh/ .gnupg/ .aws/ .kube/ .docker/ .azure/ .config/gcloud/ .config/gh/ .password-store/ .netrc .npmrc .pypirc .git-credentials .pgpass .my.cnf'.split(
    ' ',
  );
const ROOT_KEYS =
  '/etc/passwd /etc/shadow /etc/group /etc/gshadow /etc/sudoers /etc/sudoers.d/ /etc/ssh/ /etc/pam.d/'.split(
    ' ',
  );
const HOME_CREDENTIALS = atOrBelow(HOME_KEYS);
const ROOT_CREDENTIALS = atOrBelow(ROOT_KEYS);
const HOME_GIT = /^\.(?:gitconfig|config\/git\/.*)$/s;
const ROOT_STARTUP =
  /^\/(?:etc\/(?:cron[^/]*|init\.d|rc[^/]*|profile(?:\.d)?|systemd|xdg\/autostart|bash\.bashrc|zsh)(?:\/|$)|var\/spool\/cron\/|(?:usr\/)?lib\/systemd\/system\/)/s;
const GIT_RUNS = /\/\.git\/(?:hooks\/(?!.*\.sample$)|config(?:\.worktree)?$|info\/attributes$)/s;
const AGENT =
  /\/\.claude\/|\/(?:CLAUDE(?:\.local)?\.md|\.mcp\.json)$|\/trai\/(?:config|rules(?:\.imported)?)\.json$/s;
const SETS_ID = 0o6000;
const RUNS = 0o111;
const DOT = 46;

interface RiskRow {
  /** This and `many` follow a number. */
  one: string;
  many: string;
  why: string;
  test: (change: Change, place: RiskPlace) => boolean;
}

/** In display order. */
export const RISKS = {
  'flagged': {
    one: 'change named by a rule of yours',
    many: 'changes named by rules of yours',
    why: 'An effect rule names it: trai rules list.',
    test: ({ effect }) => effect !== undefined,
  },
  'setuid': {
    one: 'new setuid or setgid file',
    many: 'new setuid or setgid files',
    why: 'It runs with the rights of its owner or group.',
    test: ({ pending, host }) =>
      pending?.type === 'file' && (pending.mode & SETS_ID & ~(host?.mode ?? 0)) !== 0,
  },
  'git-hook': {
    one: 'Git hook',
    many: 'Git hooks',
    why: 'Git runs it, or what it names.',
    test: (change, { home }) => isWritten(change) && isAt(change, GIT_RUNS, home, HOME_GIT),
  },
  'startup': {
    one: 'start-up file',
    many: 'start-up files',
    why: 'It runs by itself: when a shell or a session starts, or at a set time.',
    test: (change, { home }) => isWritten(change) && isAt(change, ROOT_STARTUP, home, HOME_STARTUP),
  },
  'credentials': {
    one: 'file of keys or passwords',
    many: 'files of keys or passwords',
    why: 'It says who may log in, or holds what one logs in with.',
    test: (change, { home }) => holdsKeys(change.path, home),
  },
  'agent': {
    one: 'Claude Code setting',
    many: 'Claude Code settings',
    why: 'It changes what Claude may do, or what it runs by itself.',
    test: (change) => AGENT.test(change.path),
  },
  'link-out': {
    one: 'symlink outside the project',
    many: 'symlinks outside the project',
    why: 'What is written through it lands outside the project.',
    test: (change, { projectRoot }) => {
      const { path, pending } = change;
      if (pending?.type !== 'symlink' || pending.target === undefined || !isWithin(path, projectRoot))
        return false;
      return !isWithin(resolved(parentOf(path), pending.target), projectRoot);
    },
  },
  'odd-name': {
    one: 'name with hidden characters',
    many: 'names with hidden characters',
    why: 'It may impersonate another file.',
    test: ({ path, pending }) => pending !== null && hasHidden(nameOf(path)),
  },
  'hidden': {
    one: 'file with hidden characters',
    many: 'files with hidden characters',
    why: 'Its text may read otherwise than it works. The diff shows each of them by name.',
    test: ({ id }, { hidden }) => hidden?.has(id) === true,
  },
  'outside': {
    one: 'outside the project',
    many: 'outside the project',
    why: 'It lies outside the directory that the session works in.',
    test: ({ path }, { projectRoot }) => !isWithin(path, projectRoot),
  },
  'executable': {
    one: 'newly executable',
    many: 'newly executable',
    why: 'It could not be executed before.',
    test: ({ pending, host }) =>
      pending?.type === 'file' &&
      (pending.mode & RUNS) !== 0 &&
      (host?.type !== 'file' || (host.mode & RUNS) === 0),
  },
} as const satisfies Record<string, RiskRow>;
export type Risk = keyof typeof RISKS;
const ORDER = Object.keys(RISKS) as Risk[];

/** In the order of `RISKS`. Empty for what a commit leaves out. */
export function risksOf(change: Change, place: RiskPlace): Risk[] {
  if (change.ignored !== null) return [];
  const risks: Risk[] = [];
  for (const risk of ORDER) if (RISKS[risk].test(change, place)) risks.push(risk);
  return risks;
}

const PLAIN_TYPES: ReadonlySet<string | undefined> = new Set(['file', 'dir', 'symlink']);

/** Whether an effect rule with `auto` may commit it: nothing else is to be said about it. */
export function mayGoUnread(change: Change, place: RiskPlace): boolean {
  const { ignored, effect, conflict, pending, host } = change;
  if (ignored !== null || effect !== undefined || conflict !== null) return false;
  return PLAIN_TYPES.has((pending ?? host)?.type) && risksOf(change, place).length === 0;
}

/** A file of keys or passwords, or a directory of them. */
export function holdsKeys(path: BytePath, home: BytePath): boolean {
  const found = [path, `${path}/` as BytePath];
  return found.some((one) => isAt({ path: one }, ROOT_CREDENTIALS, home, HOME_CREDENTIALS));
}

/** The files of keys or passwords that are known, and the directories of them, each with a slash behind it. */
export function keyPaths(home: string): string[] {
  return [...HOME_KEYS.map((key) => `${home}/${key}`), ...ROOT_KEYS];
}

/** A removed hook runs no more. */
function isWritten({ pending }: Change): boolean {
  return pending !== null && pending.type !== 'dir';
}

function isAt({ path }: Pick<Change, 'path'>, anywhere: RegExp, home: BytePath, inHome: RegExp): boolean {
  const below = belowHome(path, home);
  return anywhere.test(path) || (below !== null && inHome.test(below));
}

/** Only for dot entries of the home directory: no pattern is about others. */
function belowHome(path: BytePath, home: BytePath): string | null {
  if (path.charCodeAt(home === '/' ? 1 : home.length + 1) !== DOT) return null;
  return path !== home && isWithin(path, home) ? path.slice(home === '/' ? 1 : home.length + 1) : null;
}

function atOrBelow(paths: readonly string[]): RegExp {
  const forms = paths.map((path) => path.replaceAll('.', '\\.') + (path.endsWith('/') ? '' : '$'));
  return new RegExp(`^(?:${forms.join('|')})`, 's');
}

const PLAIN = /^[ -~]*$/;

function hasHidden(name: BytePath): boolean {
  if (PLAIN.test(name)) return false;
  // `toDisplay` doubles a backslash, which is no hidden character.
  return toDisplay(name.replaceAll('\\', '') as BytePath).includes('\\');
}

/** By the text of the target alone; links on the way are not resolved. */
function resolved(dir: BytePath, target: BytePath): string {
  const parts: string[] = [];
  for (const part of (target.startsWith('/') ? target : joinPath(dir, target)).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

export interface RiskCount {
  risk: Risk;
  count: number;
}

export function countRisks(changes: readonly Change[], place: RiskPlace): RiskCount[] {
  return tallyRisks(changes.map((change) => risksOf(change, place)));
}

export function tallyRisks(found: Iterable<readonly Risk[]>): RiskCount[] {
  const counts = new Map<Risk, number>();
  for (const risks of found) for (const risk of risks) counts.set(risk, (counts.get(risk) ?? 0) + 1);
  return ORDER.flatMap((risk) => {
    const count = counts.get(risk) ?? 0;
    return count === 0 ? [] : [{ risk, count }];
  });
}

export function unreadText(files: number): string {
  const text = files === 1 ? 'file' : 'files';
  return `${files.toLocaleString('en')} ${text} not scanned for hidden characters`;
}

export function riskText({ risk, count }: RiskCount): string {
  return `${count.toLocaleString('en')} ${count === 1 ? RISKS[risk].one : RISKS[risk].many}`;
}

export interface HiddenFound {
  hidden: ReadonlySet<string>;
  unread: number;
}
