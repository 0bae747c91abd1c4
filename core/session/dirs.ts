/**
 * Where trai keeps its state. These paths are ordinary text (they come from the environment and from ids), not byte
 * strings.
 */
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
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { TraiError } from '../../shared/errors.ts';
import { parseMountinfo } from '../kernel/mounts/mountinfo.ts';
import { isSessionId } from './id.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/**
 * `$TRAI_STATE_HOME`, else `$XDG_STATE_HOME/trai`, else `~/.local/state/trai`. A relative XDG_STATE_HOME is ignored,
 * as the XDG specification wants. Errors: `bad-input` for a relative TRAI_STATE_HOME.
 */
export function stateDir(env: Env): string {
  const own = env['TRAI_STATE_HOME'] ?? '';
  if (own !== '') {
    if (isAbsolute(own)) return resolve(own);
    throw new TraiError(
      'bad-input',
      `expected TRAI_STATE_HOME to be an absolute path, got ${JSON.stringify(own)}`,
    );
  }
  const xdg = env['XDG_STATE_HOME'] ?? '';
  if (isAbsolute(xdg)) return resolve(xdg, 'trai');
  return resolve(home(env), '.local/state/trai');
}

/** `$XDG_RUNTIME_DIR/trai`, or null where the system has no such directory. */
export function runtimeDir(env: Env): string | null {
  const xdg = env['XDG_RUNTIME_DIR'] ?? '';
  return isAbsolute(xdg) ? resolve(xdg, 'trai') : null;
}

/** Directories that belong to trai alone, as absolute paths: the state directory, the config's, the runtime one. */
export function ownDirectories(state: string, env: Env): string[] {
  return [state, configDir(env), ...[runtimeDir(env)].filter((dir) => dir !== null)];
}

/** `$XDG_CONFIG_HOME/trai`, else `~/.config/trai`. */
export function configDir(env: Env): string {
  const xdg = env['XDG_CONFIG_HOME'] ?? '';
  return resolve(isAbsolute(xdg) ? xdg : resolve(home(env), '.config'), 'trai');
}

function home(env: Env): string {
  const fromEnv = env['HOME'] ?? '';
  return isAbsolute(fromEnv) ? fromEnv : homedir();
}

/** Errors: `bad-input` when the id could not be the name of a session directory. */
export function sessionDir(state: string, id: string): string {
  if (isSessionId(id)) return join(state, 'sessions', id);
  throw new TraiError(
    'bad-input',
    `expected a session id (letters, digits, "." "_" "-", at most 64), got ${JSON.stringify(id)}`,
  );
}

/**
 * True in a session's sandbox, where the state dir is masked. Two signs together, since either can be true outside:
 * a mount on the state dir (it may be a file system of its own), and one of our overlays.
 */
export function isInsideSandbox(state: string, mountinfo: string = ownMountinfo()): boolean {
  const point = realBytes(state);
  const mounts = parseMountinfo(mountinfo);
  return (
    mounts.some((mount) => mount.point === point) &&
    mounts.some((mount) => /^trai:[0-9a-f]+:/.test(mount.source))
  );
}

function ownMountinfo(): string {
  return readFileSync('/proc/self/mountinfo', 'latin1');
}

/** The path without symlinks as the kernel writes it: mountinfo knows no others. */
function realBytes(path: string): string {
  try {
    return realpathSync.native(path, { encoding: 'buffer' }).toString('latin1');
  } catch {
    return Buffer.from(resolve(path)).toString('latin1');
  }
}

/**
 * Makes the state dir (0700) with its fixed directories. Errors: `forbidden` when it is a symlink, belongs to
 * somebody else, or others may write to it: what lies there is executed and believed. `inside-sandbox`, `io`.
 */
export function ensureStateDir(state: string): void {
  if (isInsideSandbox(state)) {
    throw new TraiError('inside-sandbox', 'the state dir is not visible in a sandbox', { path: state });
  }
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    checkOwnDir(state);
    for (const name of ['sessions', 'claude', 'trash']) {
      mkdirSync(join(state, name), { recursive: true, mode: 0o700 });
      checkOwnDir(join(state, name));
    }
    // Below a home directory that is a work tree, git has no business here, and could not read all of it.
    if (!existsSync(join(state, '.gitignore')))
      writeFileSync(join(state, '.gitignore'), '*\n', { mode: 0o600 });
  } catch (error) {
    if (error instanceof TraiError) throw error;
    throw new TraiError(
      'io',
      `the state dir could not be made: ${error instanceof Error ? error.message : String(error)}`,
      {
        path: state,
        cause: error,
        hint: 'Set TRAI_STATE_HOME to a directory on a local disk that you can write to.',
      },
    );
  }
}

const OTHERS_WRITE = constants.S_IWGRP | constants.S_IWOTH;

/** Errors: `forbidden`, with what to do, for a directory of somebody else's, or that others can write to. */
export function checkOwnDir(path: string): void {
  const found = lstatSync(path);
  const refuse = (what: string, hint: string): never => {
    throw new TraiError('forbidden', `expected a directory of your own, found ${what}`, { path, hint });
  };
  if (found.isSymbolicLink()) refuse('a symbolic link', 'Set TRAI_STATE_HOME to the directory itself.');
  if (!found.isDirectory()) refuse('something else', 'Move it away.');
  if (found.uid !== process.getuid?.())
    refuse(`one that belongs to uid ${found.uid}`, 'Do not share it between users.');
  if ((found.mode & OTHERS_WRITE) !== 0)
    refuse('one that others can write to', `chmod 700 it, if its content is yours.`);
  // Readable by others is only untidy: closed without asking.
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
}
