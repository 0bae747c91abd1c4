/**
 * Single files that the sandbox needs as they are on the host, on top of its overlays: sockets, which can't be connected
 * to through an overlay (ECONNREFUSED), and system files that a program wants to belong to root or to the user (root is
 * nobody inside). A file is bound and read-only; a directory would be writable on the host.
 */
import { type BytePath, bytePath, isByteString, joinPath } from '../../../shared/bytes.ts';
import { escapeFstab } from './fstab.ts';

export interface PlanBind {
  /** Where it is seen inside, and for a socket where it is on the host. Without links. */
  path: BytePath;
  /** The file that is shown there instead, below the plan's own directory; null = the host's own. */
  copy: string | null;
}

/** Variables with the address of a service, which may be a socket's. */
const ADDRESSES = ['DOCKER_HOST', 'CONTAINER_HOST', 'BUILDKIT_HOST'] as const;
/** In GNUPGHOME where there is no /run/user/UID; the names are gpgconf's. */
const GNUPG = ['S.gpg-agent', 'S.gpg-agent.ssh', 'S.gpg-agent.extra', 'S.keyboxd', 'S.dirmngr'] as const;

/** The variables of /proc/PID/environ (read as latin1). */
export function parseEnviron(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of text.split('\0')) {
    const at = entry.indexOf('=');
    if (at > 0 && !found.has(entry.slice(0, at))) found.set(entry.slice(0, at), entry.slice(at + 1));
  }
  return found;
}

/** Paths of the sockets that the environment of a call points to; whether they are there is not known. */
export function namedSockets(env: ReadonlyMap<string, string>): BytePath[] {
  const found = [env.get('SSH_AUTH_SOCK') ?? ''];
  for (const name of ADDRESSES) {
    const value = env.get(name) ?? '';
    if (value.startsWith('unix://')) found.push(value.slice('unix://'.length));
  }
  // A list of addresses, each `transport:key=value,key=value` with %XX for odd bytes.
  for (const address of (env.get('DBUS_SESSION_BUS_ADDRESS') ?? '').split(';')) {
    const path = /^unix:(?:.*,)?path=([^,]+)/.exec(address)?.[1] ?? '';
    found.push(
      path.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    );
  }
  const wayland = env.get('WAYLAND_DISPLAY') ?? '';
  const runtime = env.get('XDG_RUNTIME_DIR') ?? '';
  if (wayland.startsWith('/')) found.push(wayland);
  else if (wayland !== '' && runtime.startsWith('/')) found.push(`${runtime}/${wayland}`);
  const gnupg = env.get('GNUPGHOME') ?? `${env.get('HOME') ?? ''}/.gnupg`;
  found.push(...GNUPG.map((name) => `${gnupg}/${name}`));
  const absolute = found.filter((path) => path.startsWith('/') && isByteString(path));
  return [...new Set(absolute)].map((path) => bytePath(path));
}

/** Names of files below `overlay/parking` where sockets wait while their place is covered. */
export function parkedName(index: number): string {
  return `socket-${index + 1}`;
}

/**
 * For `mount -c -a -T` before the overlays and after them, with `overlay/` as the working directory: what is named from
 * there is found below what has been mounted over it meanwhile. Both may fail, line by line: a socket may be gone again.
 */
export function bindTexts(binds: readonly PlanBind[], planId: string): { park: string; binds: string } {
  const park: string[] = [];
  const after: string[] = [];
  for (const [i, { path, copy }] of binds.entries()) {
    const spot = `parking/${parkedName(i)}`;
    if (copy === null) park.push(`${escapeFstab(path)} ${spot} none bind 0 0\n`);
    const source = copy === null ? spot : `../plan/${planId}/${copy}`;
    after.push(`${source} ${escapeFstab(path)} none bind,ro 0 0\n`);
  }
  return { park: park.join(''), binds: after.join('') };
}

/**
 * The files that an ssh_config(5) includes, as patterns: absolute, since relative ones are below /etc/ssh in the
 * system's file. A pattern of the user's (`~`) names the user's own files.
 */
export function includedPatterns(text: string): BytePath[] {
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
