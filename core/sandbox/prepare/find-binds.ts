/** Finds the single files of `binds.ts` on this machine, at every call: a few lstat, and no content unless it changed. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { type BytePath, bytePath, isWithin, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { isNetwork, isRemote } from '../../kernel/mounts/file-systems.ts';
import { type Mount, visibleMounts } from '../../kernel/mounts/mountinfo.ts';
import { includedPatterns, type PlanBind } from '../plan/binds.ts';
import type { PlanStep } from '../plan/plan-types.ts';
import { uncopied } from './copies.ts';

export interface FoundBinds {
  binds: PlanBind[];
  /** Content of the copies, by their names. */
  copies: Readonly<Record<string, Buffer>>;
}

export interface BindSearch {
  /** Paths that the launcher's environment names as sockets (`namedSockets`). */
  named: readonly BytePath[];
  /** /proc/PID/net/unix of the launcher; asked only when a socket was found. */
  unixSockets: () => string;
  mounts: readonly Mount[];
  steps: readonly PlanStep[];
  /** Names that the sandbox has itself made in a directory. */
  ownNames: (dir: BytePath) => readonly string[];
  uid: number;
  /** Real root: files keep their owners. */
  root: boolean;
}

const SSH_CONFIG = '/etc/ssh/ssh_config' as BytePath;
/** As in ssh: a file that includes itself ends there. */
const SSH_DEPTH = 16;
/** Larger ones are no ssh configuration (bytes). */
const SSH_MAX_BYTES = 256 * 1024;

export function findBinds(search: BindSearch): FoundBinds {
  const copies: Record<string, Buffer> = {};
  const files = search.steps.flatMap((step) =>
    step.do === 'copied' ? uncopied(step.path, step.children, search.ownNames(step.path)) : [],
  );
  const binds: PlanBind[] = [...sockets(search), ...files].map((path) => ({ path, copy: null }));
  if (!search.root) {
    for (const [path, content] of foreignSshFiles(search.uid)) {
      const copy = copyName(content);
      copies[copy] = content;
      binds.push({ path, copy });
    }
  }
  return { binds, copies };
}

/** Says the content: another one makes another plan. */
export function copyName(content: Buffer): string {
  return `copy-${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
}

/** Sockets somebody listens on: a left one would keep a program inside from making its own in its place. */
function sockets(search: BindSearch): BytePath[] {
  const seen = visibleMounts(search.mounts);
  const found = search.named.flatMap((named) => {
    // Most are not there; to be told so by an error costs much more.
    if (!isLocal(named, seen) || look(named) === undefined) return [];
    const path = realPath(named);
    return path !== null && isCovered(path, search.steps) && look(path)?.isSocket() === true ? [path] : [];
  });
  if (found.length === 0) return [];
  const listening = listeners(search.unixSockets());
  return [...new Set(found)].filter((path) => listening.has(nameOf(path)));
}

/** Names of the sockets that are listened on. (A path is as it was bound, so also relative: only the name is sure.) */
function listeners(table: string): Set<string> {
  const names = new Set<string>();
  for (const line of table.split('\n')) {
    // Num RefCount Protocol Flags Type St Inode Path; the flag is __SO_ACCEPTCON.
    const path = /^\S+ \S+ \S+ 00010000 \S+ \S+ +\S+ (.+)$/.exec(line)?.[1];
    if (path !== undefined) names.add(path.slice(path.lastIndexOf('/') + 1));
  }
  return names;
}

/** The innermost step that holds a path is an overlay. */
function isCovered(path: BytePath, steps: readonly PlanStep[]): boolean {
  let best: PlanStep | undefined;
  for (const step of steps) {
    if (isWithin(path, step.path) && step.path.length >= (best?.path.length ?? 0)) best = step;
  }
  return best?.do === 'overlay' || best?.do === 'copied';
}

/** False below a mount whose server may not answer: whoever looks there waits. */
function isLocal(path: BytePath, mounts: ReadonlyMap<BytePath, Mount>): boolean {
  let best: Mount | undefined;
  for (const mount of mounts.values()) {
    if (isWithin(path, mount.point) && mount.point.length >= (best?.point.length ?? 0)) best = mount;
  }
  return best !== undefined && !isRemote(best.type) && !isNetwork(best.type) && best.type !== 'autofs';
}

/**
 * Files that the system's ssh_config includes and that are not this user's. ssh refuses them when they belong neither to
 * root nor to the user, and inside root is nobody. (The system's file itself is not looked at in this way: measured.)
 */
export function foreignSshFiles(uid: number): Map<BytePath, Buffer> {
  const found = new Map<BytePath, Buffer>();
  let files: BytePath[] = [SSH_CONFIG];
  for (let depth = 0; depth < SSH_DEPTH && files.length > 0; depth++) {
    const next: BytePath[] = [];
    for (const file of files) {
      const content = contentOf(file);
      if (content === null) continue;
      if (depth > 0 && content.uid !== uid) found.set(content.path, content.bytes);
      next.push(...includedPatterns(content.bytes.toString('latin1')).flatMap(matching));
    }
    files = next.filter((file) => !found.has(file));
  }
  return found;
}

interface Content {
  /** Without links. */
  path: BytePath;
  uid: number;
  bytes: Buffer;
}

const known = new Map<string, { identity: string; content: Content }>();

function contentOf(file: BytePath): Content | null {
  try {
    const stat = statSync(bytes(file), { bigint: true });
    if (!stat.isFile() || stat.size > SSH_MAX_BYTES) return null;
    const identity = [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ');
    const before = known.get(file);
    if (before?.identity === identity) return before.content;
    const path = realPath(file);
    if (path === null) return null;
    const content = { path, uid: Number(stat.uid), bytes: readFileSync(bytes(file)) };
    known.set(file, { identity, content });
    return content;
  } catch {
    // Missing, or not readable for this user: ssh passes over it as well.
    return null;
  }
}

/** The files of a pattern. Only the last name may have wildcards, as in every distribution's file. */
function matching(pattern: BytePath): BytePath[] {
  const [dir, name] = [parentOf(pattern), nameOf(pattern)];
  if (!/[*?[]/.test(name)) return [pattern];
  const source = name
    .replace(/[\\^$.+()|{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  try {
    const shape = new RegExp(`^${source.replaceAll('[!', '[^')}$`, 's');
    const names = readdirSync(bytes(dir), { encoding: 'latin1' });
    return names.filter((one) => !one.startsWith('.') && shape.test(one)).map((one) => joinPath(dir, one));
  } catch {
    return [];
  }
}

function look(path: BytePath): Stats | undefined {
  try {
    return lstatSync(bytes(path), { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function realPath(path: BytePath): BytePath | null {
  try {
    return bytePath(realpathSync.native(bytes(path), { encoding: 'buffer' }).toString('latin1'));
  } catch {
    return null;
  }
}

function bytes(path: BytePath): Buffer {
  return Buffer.from(path, 'latin1');
}
