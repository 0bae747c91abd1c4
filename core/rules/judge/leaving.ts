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
import { resolvedPaths } from './built-in.ts';
import type { JudgeFacts } from './judge-facts.ts';
import type { Segment } from './segments.ts';

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

/** Why a segment is known to act elsewhere, or reads keys; null = it is not known. */
export function leavingWhy(segment: Segment, facts: JudgeFacts): string | null {
  for (const [, text] of segment.spellings) {
    const [first = '', ...args] = text.split(/\s+/);
    const name = first.slice(first.lastIndexOf('/') + 1);
    if (acts(name, args)) return LEAVING.program(name);
    const key = keyIn([first, ...args], segment, facts);
    if (key !== undefined) return LEAVING.keys(key);
  }
  // Sockets of the shell.
  if (segment.files.some((one) => /\/dev\/(tcp|udp)\//.test(one))) return LEAVING.program('/dev/tcp');
  const key = keyIn(segment.files, segment, facts);
  return key === undefined ? null : LEAVING.keys(key);
}

function keyIn(words: readonly string[], { where }: Segment, facts: JudgeFacts): string | undefined {
  const { home } = facts;
  const paths = words.flatMap(pathsIn);
  const named = paths.map((path) => path.replace(HOME_NAMES, home));
  // `tar c -C ~ .ssh`
  const dirs = [...(where.dirs ?? [home]), ...(named.includes(home) ? [home] : [])];
  return paths.find((_, i) => dirs.some((dir) => isKey(named[i] ?? '', dir, facts)));
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

/** Whose home `~name` is, is not known. */
const HOME_NAMES = /^(?:~[^/]*|\$\{?HOME\}?)(?=\/|$)/;

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
  const parts = glob.split('/').filter((part) => part !== '');
  return keyPaths(home).some((key) => {
    const names = key.split('/').filter((name) => name !== '');
    const fits = key.endsWith('/') ? parts.length >= names.length : parts.length === names.length;
    return fits && names.every((name, i) => mayBe(parts[i] ?? '', name));
  });
}

/** A dot at the start is matched by a dot alone. */
function mayBe(glob: string, name: string): boolean {
  return (!name.startsWith('.') || glob.startsWith('.')) && globMatches(glob, name);
}
