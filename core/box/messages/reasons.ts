/** Why a row is in a box: the last column of the audit screen and of the dry run. */
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';

export const REASONS = {
  root: 'nothing else of this machine is there',
  tmp: 'temporary files, gone with the box',
  proc: 'its own processes only',
  dev: 'null, zero, random, tty and the like',
  home: 'nothing of your home but what follows',
  system: 'programs and libraries',
  etcDir: 'nothing of /etc but what follows',
  etc: 'settings that programs need',
  tool: 'a tool chain of yours',
  path: 'a directory of your PATH',
  cache: 'downloads, kept for boxes of this project',
  git: 'your name and settings for git',
  client: 'Claude Code itself',
  plugin: 'trai’s hooks',
  pending: 'the project: what is written there is pending',
  direct: 'the project: what is written there is yours at once (--write direct)',
  readOnly: 'the project, for reading (read-only)',
  gitDir: 'the repository of this project, with its objects and branches',
  settings: 'your settings, hooks, commands, skills and plugins of Claude Code; pending as any file',
  leads: 'an entry of ~/.claude leads there',
  own: 'what Claude Code keeps of its work, for boxes of this project',
  history: 'the prompts of this project',
  sharedHistory: 'your prompt history, of all projects (--history shared)',
  state: 'a copy of your ~/.claude.json; account and counters go back',
  mask: 'trai’s state, hidden',
  door: 'for trai’s hooks, with this session’s credential',
  hidden: 'hidden (--hide)',
  secret: 'passwords that git keeps, hidden',
  allowed: '--allow',
} as const;

/** What comes with a path that is allowed: a sentence, or nothing. */
export function givesAway(path: BytePath): string {
  const found = GIVES.find(([pattern]) => pattern.test(path));
  return found === undefined ? REASONS.allowed : `--allow: ${found[1]}`;
}

/** Of what is allowed by a link that lies in a directory of the box. */
export const byLink = (why: string, link: BytePath): string => `${why} (by the link ${toDisplay(link)})`;

const GIVES: readonly (readonly [RegExp, string])[] = [
  // `/proc/PID/root` leads to all files, also from a namespace of its own.
  [
    /^\/proc(\/|$)/,
    'your processes outside of the box: their memory, their variables, and by them every file of yours',
  ],
  [/docker\.sock$|podman\.sock$|containerd/, 'whoever can ask this daemon is root on this machine'],
  [
    /\/agent\.\d+$|ssh-[^/]*\/|S\.gpg-agent\.ssh$|keyring\/ssh$/,
    'it signs in to your servers with your keys',
  ],
  [/\/bus$|dbus/, 'it can start programs outside of the box, and read your keyring'],
  [/wayland-\d+$|\.X11-unix/, 'it sees your screen, keyboard and clipboard'],
  [/S\.gpg-agent|\/\.gnupg(\/|$)/, 'it decrypts and signs with your keys'],
  [/\/\.ssh(\/|$)/, 'your private keys and the servers that you use'],
  [/\/\.(aws|kube|azure|docker|config\/gcloud|netrc|npmrc|pypirc)(\/|$)/, 'your credentials for services'],
  [
    /^\/run(\/user(\/\d+)?)?$/,
    'the sockets of services: some start programs outside of the box, or have your keys',
  ],
  [/^\/dev(\/|$)/, 'the devices that you may use: terminals, cameras, microphones, some disks'],
  [/^\/sys(\/|$)/, 'what this machine consists of, and the settings of it that you may change'],
];
