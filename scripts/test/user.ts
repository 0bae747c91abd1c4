import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../lib/exec.ts';
import { ROOT } from '../lib/root.ts';

export interface OrdinaryUser {
  name: string;
  uid: number;
  gid: number;
  home: string;
}

function lookUp(name: string): OrdinaryUser | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid, , home] = line?.split(':') ?? [];
  return home === undefined ? null : { name, uid: Number(uid), gid: Number(gid), home };
}

/**
 * The user whose run counts, made when missing. Needs root.
 * @throws when useradd fails, or when the name belongs to root.
 */
export async function ordinaryUser(name: string): Promise<OrdinaryUser> {
  if (lookUp(name) === null) {
    const args = ['--create-home', '--shell', '/bin/bash', name];
    const { status, text } = await run('useradd', args, { cwd: '/', output: 'collect' });
    if (status !== 0) throw new Error(`useradd ${name}: exit status ${status}\n${text}`);
  }
  const user = lookUp(name);
  if (user === null || user.uid === 0) throw new Error(`expected an ordinary user ${name}, found none`);
  return user;
}

/** A new directory that belongs to the user and that nobody else may enter. */
export function directoryOf(user: OrdinaryUser, prefix: string): string {
  const dir = mkdtempSync(prefix);
  chmodSync(dir, 0o700);
  chownSync(dir, user.uid, user.gid);
  return dir;
}

/** Not copied: `npm test` fetches what package-lock.json names, as on any fresh clone. */
const NOT_COPIED = ['node_modules', 'test-results'];

/** Copies the work tree, without its packages, to a directory below the user's home and returns it. */
export async function copyTreeFor(user: OrdinaryUser): Promise<string> {
  const target = directoryOf(user, path.join(user.home, 'trai-test-'));
  const names = readdirSync(ROOT).filter((name) => !NOT_COPIED.includes(name));
  await must('cp', ['-a', '--reflink=auto', ...names.map((name) => path.join(ROOT, name)), target]);
  await giveTo(user, target);
  return target;
}

/** Makes a directory the user's, with all that is in it. */
export async function giveTo(user: OrdinaryUser, dir: string): Promise<void> {
  await must('chown', ['-R', `${user.uid}:${user.gid}`, dir]);
}

async function must(program: string, args: string[]): Promise<void> {
  const { status, text } = await run(program, args, { cwd: '/', output: 'collect' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: exit status ${status}\n${text}`);
}

/** Passed on from the caller's environment: how this machine reaches the network. Everything else starts empty. */
const PASSED_ON = /^(https?_proxy|no_proxy|all_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|TRAI_CHROMIUM)$/i;

/** A clean environment of the user's own. */
export function environmentOf(user: OrdinaryUser, extra: Record<string, string>): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  const node = path.dirname(process.execPath);
  return {
    ...Object.fromEntries(passed),
    HOME: user.home,
    USER: user.name,
    LOGNAME: user.name,
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    PATH: [...new Set(['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin', node])].join(':'),
    ...extra,
  };
}

/** The words that put a command under the user's identity, with no privilege left. */
export function asUser(user: OrdinaryUser): string[] {
  const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--init-groups'];
  return ['setpriv', ...ids, '--inh-caps=-all'];
}
