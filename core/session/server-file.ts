import { constants, fstatSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { errorCode, nodePort, withHandle } from '../kernel/fs/port.ts';
import { writeWhole } from '../kernel/fs/state-file.ts';
import { processStat } from '../kernel/proc/proc.ts';
import { foreignServerFile } from './messages/errors.ts';

/** server.json, format 1: one line, for bash's `read`. */
export interface ServerFile {
  v: 1;
  pid: number;
  port: number;
  version: string;
  /** The hook credential, base64url. */
  hook: string;
  /** The start of a genuine answer, base64url. */
  proof: string;
}

const { O_NOFOLLOW, O_RDONLY, O_NONBLOCK } = constants;

function serverFilePath(stateDir: string): string {
  return path.join(stateDir, 'server.json');
}

/** A new file of mode 0600 replaces the old one: links and readable files are never written through. */
export function writeServerFile(stateDir: string, content: ServerFile): void {
  writeWhole(serverFilePath(stateDir), `${JSON.stringify(content)}\n`);
}

/** Null when missing or of another format. Errors: `forbidden` unless only this user can have written it. */
export function readServerFile(stateDir: string): ServerFile | null {
  const file = serverFilePath(stateDir);
  let fd: number;
  try {
    fd = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw foreignServerFile(file, error);
  }
  return withHandle(nodePort, fd, () => {
    const stat = fstatSync(fd);
    const isOwn = stat.isFile() && stat.uid === process.getuid?.();
    if (!isOwn || (stat.mode & 0o077) !== 0 || stat.nlink !== 1) throw foreignServerFile(file);
    return parse(readFileSync(fd, 'utf8'));
  });
}

/** Another user's process may have the port of a killed server. */
export function mayRun({ pid }: Pick<ServerFile, 'pid'>): boolean {
  if (statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid !== process.geteuid?.()) return false;
  const stat = processStat(pid);
  return stat !== null && stat.state !== 'Z';
}

/** Removes server.json if it is this process's. */
export function removeServerFile(stateDir: string, pid: number): void {
  try {
    if (readServerFile(stateDir)?.pid === pid) rmSync(serverFilePath(stateDir), { force: true });
  } catch {
    // Not a server.json of this user's: left alone.
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
