/**
 * Single host files on top of the overlays: sockets, as connecting through an overlay fails with
 * ECONNREFUSED, and system files that must belong to root or the user (root is nobody inside). They are bound
 * read-only. Only what a client inside keeps of its own work is writable on the host, directories included
 * (`shared`). Searched for at every call.
 */
import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { type BytePath, bytePath, isByteString, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { globMatches } from '../../../shared/text/glob.ts';
import { namesOrNone } from '../../kernel/fs/entry.ts';
import { isLocal, type Mount, visibleMounts } from '../../kernel/fs/mounts.ts';
import { fsPath, lstat, orNull, realPath } from '../../kernel/fs/port.ts';
import { type Door, escapeFstab } from '../plan/fstab.ts';
import { innermostStep, type PlanStep } from '../plan/plan.ts';
import { uncopied } from './copies.ts';

export interface PlanBind {
  path: BytePath;
  /** A file in the plan's directory to show there; null = the host's own. */
  copy: string | null;
  /** Writable: what is written there is the host's at once. */
  shared?: 'file' | 'dir';
  /** Of a directory of trai's own (`doors`): where it is, which is not `path`. */
  from?: BytePath;
}

export interface FoundBinds {
  binds: PlanBind[];
  copies: Readonly<Record<string, Buffer>>;
}

/** The host's own directories and file in the view of a client that runs in the session. */
export interface ClientHosts {
  dirs: readonly BytePath[];
  files: readonly BytePath[];
  /** What cannot be covered and would be read-only is bound as well: the user wants it written at once. */
  direct?: true;
  /** Over the mask: what the client's hooks and calls need of the state (core/sandbox/client-door.ts), and a box's instance. */
  doors: readonly { from: BytePath; at: BytePath }[];
}

export interface BindSearch {
  named: readonly BytePath[];
  unixSockets: () => string;
  mounts: readonly Mount[];
  steps: readonly PlanStep[];
  ownNames: (dir: BytePath) => readonly string[];
  uid: number;
  root: boolean;
  /** Of the client that will run in the session itself. */
  client: ClientHosts | null;
}

export function findBinds(search: BindSearch): FoundBinds {
  const copies: Record<string, Buffer> = {};
  const files = search.steps.flatMap((step) =>
    step.do === 'copied' ? uncopied(step.path, step.children, search.ownNames(step.path)) : [],
  );
  const binds: PlanBind[] = [...sockets(search), ...files].map((path) => ({ path, copy: null }));
  for (const [path, content] of search.root ? [] : foreignSshFiles(search.uid)) {
    const copy = copyName(content);
    copies[copy] = content;
    binds.push({ path, copy });
  }
  return { binds: [...binds, ...sharedWithHost(search)], copies };
}

/** Where an overlay would hide them. Missing ones were not made: the host keeps nothing of that kind. */
function sharedWithHost({ client, steps }: BindSearch): PlanBind[] {
  if (client === null) return [];
  const named = [
    ...client.dirs.map((path) => ({ path, type: 'dir' as const })),
    ...client.files.map((path) => ({ path, type: 'file' as const })),
  ];
  const found = new Map<BytePath, PlanBind>();
  for (const { path: name, type } of named) {
    const path = orNull(() => realPath(name));
    const step = path === null ? undefined : innermostStep(steps, path);
    const isHidden = step?.do === 'overlay' || step?.do === 'copied';
    if (path === null || !(isHidden || (client.direct === true && step?.do === 'read-only'))) continue;
    if (orNull(() => lstat(path))?.type === type) found.set(path, { path, copy: null, shared: type });
  }
  for (const { from, at } of client.doors) found.set(at, { path: at, copy: null, shared: 'dir', from });
  return [...found.values()];
}

/** Named by content: other content makes another plan. */
export function copyName(content: Buffer): string {
  return `copy-${hash('sha256', content).slice(0, 16)}`;
}

/** A spot keeps its type (file or directory) once it is made. */
export function parkedName({ shared }: PlanBind, index: number): string {
  return `${shared === 'dir' ? 'dir' : 'socket'}-${index + 1}`;
}

const WAYS = { dir: 'rbind', file: 'bind', copy: 'bind,ro' } as const;

/** What must be there, and is mounted with the overlays (`fstabText`). */
export function doorsOf(binds: readonly PlanBind[]): Door[] {
  return binds.flatMap((bind, i) => {
    const { path, from } = bind;
    return from === undefined ? [] : [{ from, spot: `parking/${parkedName(bind, i)}`, at: path }];
  });
}

/**
 * Parked relative to the overlay, so that names reach below later mounts. Any line may fail: sockets vanish.
 * @param planDir has the copies
 */
export function bindTexts(binds: readonly PlanBind[], planDir: BytePath): { park: string; binds: string } {
  let [park, after] = ['', ''];
  for (const [i, bind] of binds.entries()) {
    const { path, copy, shared, from } = bind;
    if (from !== undefined) continue;
    const spot = `parking/${parkedName(bind, i)}`;
    park += `${escapeFstab(copy === null ? path : joinPath(planDir, copy))} ${spot} none ${shared === 'dir' ? 'rbind' : 'bind'} 0 0\n`;
    after += `${spot} ${escapeFstab(path)} none ${WAYS[shared ?? 'copy']} 0 0\n`;
  }
  return { park, binds: after };
}

const ADDRESSES = ['DOCKER_HOST', 'CONTAINER_HOST', 'BUILDKIT_HOST'] as const;
/** gpgconf's names, in GNUPGHOME where there is no /run/user/UID. */
const GNUPG = ['S.gpg-agent', 'S.gpg-agent.ssh', 'S.gpg-agent.extra', 'S.keyboxd', 'S.dirmngr'] as const;

export function namedSockets(env: ReadonlyMap<string, string>): BytePath[] {
  const get = (name: string) => env.get(name) ?? '';
  const found = [get('SSH_AUTH_SOCK')];
  for (const name of ADDRESSES)
    if (get(name).startsWith('unix://')) found.push(get(name).slice('unix://'.length));
  // `transport:key=value,key=value` with %XX escapes, separated by semicolons.
  for (const address of get('DBUS_SESSION_BUS_ADDRESS').split(';')) {
    const path = /^unix:(?:.*,)?path=([^,]+)/.exec(address)?.[1] ?? '';
    found.push(
      path.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  }
  const [wayland, runtime] = [get('WAYLAND_DISPLAY'), get('XDG_RUNTIME_DIR')];
  if (wayland.startsWith('/')) found.push(wayland);
  else if (wayland !== '' && runtime.startsWith('/')) found.push(`${runtime}/${wayland}`);
  const gnupg = env.get('GNUPGHOME') ?? `${get('HOME')}/.gnupg`;
  found.push(...GNUPG.map((name) => `${gnupg}/${name}`));
  const absolute = found.filter((path) => path.startsWith('/') && isByteString(path));
  return [...new Set(absolute)].map((path) => bytePath(path));
}

/** Only those with a listener: a program inside could not replace a dead socket that is bound. */
function sockets(search: BindSearch): BytePath[] {
  const seen = visibleMounts(search.mounts);
  const found = search.named.flatMap((named) => {
    // lstat is far cheaper than an exception, and most do not exist.
    if (!isLocal(named, seen) || orNull(() => lstat(named)) === null) return [];
    const path = orNull(() => realPath(named));
    const step = path === null ? undefined : innermostStep(search.steps, path);
    const isCovered = step?.do === 'overlay' || step?.do === 'copied';
    return path !== null && isCovered && orNull(() => lstat(path))?.type === 'socket' ? [path] : [];
  });
  if (found.length === 0) return [];
  const listening = listeners(search.unixSockets());
  return [...new Set(found)].filter((path) => listening.has(nameOf(path)));
}

/** Base names only: the table has each path as it was bound, which may be relative. */
function listeners(table: string): Set<string> {
  const names = new Set<string>();
  for (const line of table.split('\n')) {
    // Num RefCount Protocol Flags Type St Inode Path; the flag is __SO_ACCEPTCON.
    const path = /^\S+ \S+ \S+ 00010000 \S+ \S+ +\S+ (.+)$/.exec(line)?.[1];
    if (path !== undefined) names.add(path.slice(path.lastIndexOf('/') + 1));
  }
  return names;
}

const SSH_CONFIG = '/etc/ssh/ssh_config' as BytePath;
/** ssh's limit of nested includes. */
const SSH_DEPTH = 16;
const SSH_MAX_BYTES = 256 * 1024;

/**
 * Included files of others: ssh rejects them, as root is nobody inside (not the including file: measured).
 */
export function foreignSshFiles(uid: number): Map<BytePath, Buffer> {
  const found = new Map<BytePath, Buffer>();
  let files: BytePath[] = [SSH_CONFIG];
  for (let depth = 0; depth < SSH_DEPTH && files.length > 0; depth++) {
    const next: BytePath[] = [];
    for (const file of files) {
      const content = orNull(() => contentOf(file));
      if (content === null) continue;
      if (depth > 0 && content.uid !== uid) found.set(content.path, content.bytes);
      next.push(...includedPatterns(content.bytes.toString('latin1')).flatMap(matching));
    }
    files = next.filter((file) => !found.has(file));
  }
  return found;
}

function contentOf(file: BytePath): { path: BytePath; uid: number; bytes: Buffer } | null {
  const stat = statSync(fsPath(file));
  if (!stat.isFile() || stat.size > SSH_MAX_BYTES) return null;
  return { path: realPath(file), uid: stat.uid, bytes: readFileSync(fsPath(file)) };
}

/** Absolute patterns; relative ones are below /etc/ssh. Those with `~` are the user's own and left out. */
function includedPatterns(text: string): BytePath[] {
  const found: BytePath[] = [];
  for (const line of text.split('\n')) {
    const words = /^\s*include(?:\s*=\s*|\s+)(.*)$/i.exec(line)?.[1] ?? '';
    for (const word of words.match(/"[^"]*"|[^\s"]+/g) ?? []) {
      const pattern = word.replaceAll('"', '');
      if (pattern.startsWith('#')) break;
      if (pattern === '' || pattern.startsWith('~')) continue;
      found.push(pattern.startsWith('/') ? bytePath(pattern) : joinPath('/etc/ssh' as BytePath, pattern));
    }
  }
  return found;
}

/** Wildcards in the last name only, as in every distribution's file. */
function matching(pattern: BytePath): BytePath[] {
  const [dir, name] = [parentOf(pattern), nameOf(pattern)];
  if (!/[*?[]/.test(name)) return [pattern];
  const names = namesOrNone(dir).filter((one) => !one.startsWith('.') && globMatches(name, one));
  return names.map((one) => joinPath(dir, one));
}
