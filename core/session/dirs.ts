/** Paths of the state, config and runtime directories: ordinary text, not byte strings. */
import { hash } from 'node:crypto';
import {
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { TraiError } from '../../shared/errors.ts';
import { parseMountinfo } from '../kernel/fs/mounts.ts';
import { orNull } from '../kernel/fs/port.ts';
import {
  dirIsLink,
  dirIsOther,
  dirOfOther,
  dirOthersWrite,
  invalidSessionId,
  relativeStateHome,
  stateDirNotMade,
  stateHidden,
} from './messages/errors.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * `$TRAI_STATE_HOME`, else `$XDG_STATE_HOME/trai`, else `~/.local/state/trai`, with no link above it. Relative XDG values
 * are ignored, as the specification demands. Errors: `bad-input` for a relative TRAI_STATE_HOME.
 */
export function stateDir(env: Env): string {
  const own = env['TRAI_STATE_HOME'] ?? '';
  if (own !== '' && !isAbsolute(own)) throw relativeStateHome(own);
  const state = absolute(env, 'XDG_STATE_HOME') ?? join(homeDir(env), '.local/state');
  return unlinkedAbove(resolve(own === '' ? join(state, 'trai') : own));
}

/** As mount tables name it: `/home` is a link on some systems. Its own name stays, as the directory must be no link. */
function unlinkedAbove(path: string): string {
  const above = dirname(path);
  if (above === path) return path;
  return join(orNull(() => realpathSync.native(above)) ?? unlinkedAbove(above), basename(path));
}

export function runtimeDir(env: Env): string | null {
  const xdg = absolute(env, 'XDG_RUNTIME_DIR');
  return xdg === null ? null : resolve(xdg, 'trai');
}

export function ownDirectories(state: string, env: Env): string[] {
  return [state, configDir(env), ...[runtimeDir(env)].filter((dir) => dir !== null)];
}

export function configDir(env: Env): string {
  return resolve(absolute(env, 'XDG_CONFIG_HOME') ?? join(homeDir(env), '.config'), 'trai');
}

/** Where HOME is no absolute path, the password file's, as hook scripts take it. */
export function homeDir(env: Env): string {
  return absolute(env, 'HOME') ?? orNull(() => userInfo().homedir) ?? '/';
}

/** Null unless the value is an absolute path. */
export function absolute(env: Env, name: string): string | null {
  const value = env[name] ?? '';
  return isAbsolute(value) ? value : null;
}

/** Errors: `bad-input` for an invalid id. */
export function sessionDir(state: string, id: string): string {
  if (isSessionId(id)) return join(state, 'sessions', id);
  throw invalidSessionId(id);
}

/** Each sign alone may be true outside: a mount on the state directory, and an overlay of trai's. */
export function isInsideSandbox(state: string, mountinfo?: string): boolean {
  const text = mountinfo ?? readFileSync('/proc/self/mountinfo', 'latin1');
  // Nearly always: each command asks twice, and the rest takes twenty times as long.
  if (!/ trai:[0-9a-f]+:/.test(text)) return false;
  const point = realBytes(state);
  const mounts = parseMountinfo(text);
  return (
    mounts.some((mount) => mount.point === point) &&
    mounts.some((mount) => /^trai:[0-9a-f]+:/.test(mount.source))
  );
}

/** Without links, as mountinfo has it. */
function realBytes(path: string): string {
  const real = orNull(() => realpathSync.native(path, { encoding: 'buffer' }));
  return (real ?? Buffer.from(resolve(path))).toString('latin1');
}

/**
 * Errors: `forbidden` for a link, a directory of others, or one that others may write to, since its content
 * is executed and trusted; `inside-sandbox`, `io`.
 */
export function ensureStateDir(state: string): void {
  if (isInsideSandbox(state)) throw stateHidden();
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    checkOwnDir(state);
    for (const name of ['sessions', 'claude', 'trash']) {
      mkdirSync(join(state, name), { recursive: true, mode: 0o700 });
      checkOwnDir(join(state, name));
    }
    // For a home directory that is a work tree: git could not read all of it.
    if (!existsSync(join(state, '.gitignore')))
      writeFileSync(join(state, '.gitignore'), '*\n', { mode: 0o600 });
  } catch (error) {
    if (error instanceof TraiError) throw error;
    throw stateDirNotMade(state, error);
  }
}

const OTHERS_WRITE = constants.S_IWGRP | constants.S_IWOTH;

/** Errors: `forbidden` for a directory of others, or one that others may write to. */
export function checkOwnDir(path: string): void {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) throw dirIsLink(path);
  if (!found.isDirectory()) throw dirIsOther(path);
  if (found.uid !== process.getuid?.()) throw dirOfOther(path, found.uid);
  if ((found.mode & OTHERS_WRITE) !== 0) throw dirOthersWrite(path);
  // Readable for others is harmless: fixed silently.
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
}

/** Ids are directory names, words of command lines and parts of mount sources, hence one narrow charset. */
export function isSessionId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);
}

/** UUIDs stay as they are; other ids get a hash, so that different ids stay different. */
export function sessionIdOfClaude(claudeId: string): string {
  if (isSessionId(claudeId)) return claudeId;
  const readable = claudeId.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return `${readable.slice(0, 40) || 'claude'}.${hash('sha256', Buffer.from(claudeId, 'utf16le')).slice(0, 16)}`;
}
