import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { TraiError } from '../../shared/errors.ts';
import { errorCode } from '../kernel/fs/port.ts';
import { processStat } from '../kernel/proc/proc.ts';

/** server.json, format version 1: one line, so that bash can read it with one `read`. */
export interface ServerFile {
  v: 1;
  pid: number;
  port: number;
  version: string;
  /** The hook credential, base64url. */
  hook: string;
  /** What an answer must begin with, base64url. */
  proof: string;
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_NONBLOCK } = constants;

export function serverFilePath(stateDir: string): string {
  return path.join(stateDir, 'server.json');
}

/**
 * Writes server.json as a new file (0600 whatever the umask is) and renames it into place: what was there before, a
 * link of somebody's or a file that others can read, is replaced and never written through.
 */
export function writeServerFile(stateDir: string, content: ServerFile): void {
  const target = serverFilePath(stateDir);
  const temporary = `${target}.${randomBytes(6).toString('hex')}`;
  const fd = openSync(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeSync(fd, `${JSON.stringify(content)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, target);
}

/**
 * Null when there is none, or it is no server.json of this version. Throws `forbidden` for anything but a regular file of our own with one
 * name that nobody else can read or write: whoever made such a file could have put their own port into it.
 */
export function readServerFile(stateDir: string): ServerFile | null {
  const file = serverFilePath(stateDir);
  let fd: number;
  try {
    fd = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw odd(file, 'one that can be opened', error);
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw odd(file, 'a regular file');
    if (stat.uid !== process.getuid?.()) throw odd(file, 'a file of your own');
    if ((stat.mode & 0o077) !== 0) throw odd(file, 'mode 0600');
    if (stat.nlink !== 1) throw odd(file, 'a file with one name');
    return parse(readFileSync(fd, 'utf8'));
  } finally {
    closeSync(fd);
  }
}

/** Is there a process of ours with the server's pid? The port of a server that was killed may be anybody's by now. */
export function mayRun({ pid }: ServerFile): boolean {
  if (statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid !== process.geteuid?.()) return false;
  const stat = processStat(pid);
  // A zombie listens no more.
  return stat !== null && stat.state !== 'Z';
}

/** Takes server.json away if it is still the one of this process. */
export function removeServerFile(stateDir: string, pid: number): void {
  try {
    if (readServerFile(stateDir)?.pid === pid) rmSync(serverFilePath(stateDir), { force: true });
  } catch {
    // Somebody put something odd there: it is not ours to remove.
  }
}

function parse(text: string): ServerFile | null {
  try {
    const { v, pid, port, version, hook, proof } = Object(JSON.parse(text));
    const texts = [version, hook, proof].every((value) => typeof value === 'string');
    const isPort = Number.isInteger(port) && port > 0 && port < 65_536;
    return v === 1 && isPort && typeof pid === 'number' && texts
      ? { v, pid, port, version, hook, proof }
      : null;
  } catch {
    return null;
  }
}

function odd(file: string, expected: string, cause?: unknown): TraiError {
  return new TraiError('forbidden', `expected ${expected}, found something else`, {
    path: file,
    hint: 'Look who made it, and remove it.',
    cause,
  });
}
