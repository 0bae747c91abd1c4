/**
 * What the user has allowed once: a permit for one command of bin/trai, or that the next call runs on the
 * host. A grant is a file in sessions/<id>/grants/. Its name has all that decides; its content is the allowed
 * arguments. Removing the file, which succeeds for one process only, uses it up.
 */

import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { GRANT_MS } from '../../shared/limits.ts';
import { errorCode } from '../kernel/fs/port.ts';
import { noSuchSession, permitNotUsedUp, permitNotWritten, permitsUnreadable } from './messages/errors.ts';

/** `what` of a permit: the exact arguments, such as `commit --yes`. */
type Grant = { kind: 'permit'; what: string } | { kind: 'passthrough'; what?: '' };
type GrantKind = Grant['kind'];

/** Which boot, and milliseconds since: independent of the clock's setting. */
const bootId = (): string => digest(readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
const sinceBoot = (): number => Math.round(uptime() * 1000);

/** Valid for GRANT_MS. Errors: `no-session`, `io`. */
export async function openGrant(sessionDir: string, { kind, what = '' }: Grant): Promise<void> {
  const dir = grantsDir(sessionDir);
  const random = randomBytes(6).toString('hex');
  const name = [kind, digest(what), bootId(), sinceBoot(), random].join('.');
  try {
    await mkdir(dir, { mode: 0o700 }).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
    await writeFile(join(dir, `.${random}`), what, { flag: 'wx', mode: 0o600 });
    await rename(join(dir, `.${random}`), join(dir, name));
  } catch (error) {
    throw errorCode(error) === 'ENOENT' ? noSuchSession(sessionDir, error) : permitNotWritten(dir, error);
  }
}

/** True at most once per grant, and never after GRANT_MS or a reboot. Errors: `io`. */
export async function takeGrant(sessionDir: string, kind: GrantKind, what = ''): Promise<boolean> {
  for (const grant of await grantsOf(sessionDir, kind)) {
    if (grant.what !== digest(what)) continue;
    const valid = isValid(grant);
    if ((await remove(sessionDir, grant)) && valid) return true;
  }
  return false;
}

/** True if takeGrant would succeed; uses nothing up. Errors: `io`. */
export async function hasGrant(sessionDir: string, kind: GrantKind, what = ''): Promise<boolean> {
  const grants = await grantsOf(sessionDir, kind);
  return grants.some((grant) => grant.what === digest(what) && isValid(grant));
}

/**
 * The newest valid permit's arguments (`commit` finds `commit --yes`), or null. A command file's line is
 * fixed text, so that nothing the user typed reaches a shell. Errors: `io`.
 */
export async function permitText(sessionDir: string, command: string): Promise<string | null> {
  const open = (await grantsOf(sessionDir, 'permit')).filter(isValid);
  for (const grant of open.reverse()) {
    const text = await readFile(join(grantsDir(sessionDir), grant.file), 'utf8').catch(() => '');
    // Only the name is trusted: the text must match its digest.
    if (digest(text) === grant.what && (text === command || text.startsWith(`${command} `))) return text;
  }
  return null;
}

/** The words of a permit: it is split at blanks outside of quotes. */
export function wordsOf(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
}

interface OpenGrant {
  file: string;
  what: string;
  boot: string;
  openedAt: number;
}

const FILE = /^(permit|passthrough)\.([0-9a-f]{32})\.([0-9a-f]{32})\.(\d{1,15})\.[0-9a-f]{12}$/;

async function grantsOf(sessionDir: string, wanted: GrantKind): Promise<OpenGrant[]> {
  const dir = grantsDir(sessionDir);
  let files: string[];
  try {
    // Synchronous: every claim asks, and the directory rarely exists.
    files = readdirSync(dir);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw permitsUnreadable(dir, error);
  }
  const grants: OpenGrant[] = [];
  for (const file of files) {
    const [, kind, what = '', boot = '', openedAt = ''] = FILE.exec(file) ?? [];
    if (kind === wanted) grants.push({ file, what, boot, openedAt: Number(openedAt) });
  }
  return grants.sort((a, b) => a.openedAt - b.openedAt);
}

function isValid({ boot, openedAt }: OpenGrant): boolean {
  const age = sinceBoot() - openedAt;
  return boot === bootId() && age >= 0 && age <= GRANT_MS;
}

async function remove(sessionDir: string, { file }: OpenGrant): Promise<boolean> {
  const path = join(grantsDir(sessionDir), file);
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    // A grant that cannot be removed could be used again, so it must not count.
    throw permitNotUsedUp(path, error);
  }
}

/** Names carry no text of the user's. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function grantsDir(sessionDir: string): string {
  return join(sessionDir, 'grants');
}
