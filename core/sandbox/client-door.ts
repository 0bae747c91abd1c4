/**
 * sessions/ID/inside: all that a client in the session (`trai claude`) sees of trai's state, bound over the
 * mask as STATE/inside. Hook scripts and launcher use it as their state directory:
 *
 *     server.json                 the server's port, and a credential for this session's events and claims only
 *     sessions/ID/calls.jsonl     the session's log (a hard link), sessions/ID/run
 *     host/fstab, rules           hide all of this from the calls of that client, in a namespace of their own
 *     bin, claude, claude-env ... what SessionStart makes there, as outside
 */
import { existsSync, linkSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type BytePath, fromText, joinPath } from '../../shared/bytes.ts';
import { isObject } from '../../shared/json-lines.ts';
import { at as entryOf, errorCode, nodePort, orNull, withHandle } from '../kernel/fs/port.ts';
import { readEnds, readPlainJson, writeWhole } from '../kernel/fs/state-file.ts';
import { isRealRoot, type ProcessStat, processStat } from '../kernel/proc/proc.ts';
import { logPath } from '../session/log/append.ts';
import type { ServerFile } from '../session/server-file.ts';
import { isBoxed } from './box-record.ts';
import { doorSpoilt, newlineInOwnDir } from './messages/errors.ts';
import { escapeFstab } from './plan/fstab.ts';

const NAME = 'inside';
export const CLIENT_RECORD = 'client.json';
const INSTANCE = 'instance';
/** Marks the door of a box, in which other numbers name processes than outside. */
const BOXED = 'boxed';

export const insideDir = (sessionDir: string): string => join(sessionDir, NAME);
/** Where the client sees it. */
export const insideAt = (stateDir: string): string => join(stateDir, NAME);
/** Where the session's namespace has the instance of a box's project (core/box/instance.ts). */
export const instanceAt = (stateDir: string): string => join(stateDir, INSTANCE);

/** Before the mount plan of a client. Idempotent. Errors: `unsupported`, `corrupt`. */
export function prepareInside(stateDir: string, sessionDir: string, session: string): void {
  if (stateDir.includes('\n')) throw newlineInOwnDir();
  try {
    makeDoor(stateDir, sessionDir, session);
  } catch (error) {
    const isFound = ['EISDIR', 'ERR_FS_EISDIR', 'EACCES', 'ENOTDIR'].includes(errorCode(error));
    throw isFound ? doorSpoilt(insideDir(sessionDir), errorCode(error), error) : error;
  }
}

function makeDoor(stateDir: string, sessionDir: string, session: string): void {
  inDoor(sessionDir, ['sessions', session], (own) => {
    within(joinPath(own, 'run'), [], () => undefined);
    // hooks/session-start.sh takes a session without it for one that was not made.
    keepText(`${own}/meta.json`, '{}\n');
    const log = `${own}/calls.jsonl`;
    if (orNull(() => lstatSync(log).ino) !== orNull(() => lstatSync(logPath(sessionDir)).ino)) {
      rmSync(log, { force: true });
      linkSync(logPath(sessionDir), log);
    }
  });
  const at = insideAt(stateDir);
  const boxed = isBoxed(sessionDir);
  // No process of a box is real root.
  const ids = isRealRoot() && !boxed ? 'root' : `${process.getuid?.()}:${process.getgid?.()}`;
  const mark = join(insideDir(sessionDir), BOXED);
  if (boxed) keepText(mark, '');
  else rmSync(mark, { force: true });
  const hidden = `trai-hidden ${escapeFstab(fromText(at))} tmpfs ro,mode=0555,nosuid,nodev,noexec 0 0\n`;
  inDoor(sessionDir, ['host'], (host) => {
    keepText(`${host}/fstab`, hidden);
    keepText(`${host}/rules`, `${ids}\nhidden ${fromText(at)}\n`);
  });
}

/** To look is faster than to write. */
function keepText(file: string, text: string): void {
  const [found] = orNull(() => readEnds(file, text.length + 1, 0)) ?? [];
  if (found?.toString('latin1') !== text) writeWhole(file, text);
}

/**
 * Makes and opens a directory of the door. What runs beside the client writes there too, and a link that it made leads out
 * of the session: none is followed, and what is no directory is removed.
 */
export function inDoor<T>(sessionDir: string, names: readonly string[], work: (dir: BytePath) => T): T {
  return within(fromText(insideDir(sessionDir)), names, work);
}

function within<T>(dir: BytePath, [name, ...below]: readonly string[], work: (dir: BytePath) => T): T {
  return withHandle(nodePort, openOrMake(dir), (fd) =>
    name === undefined ? work(entryOf(fd)) : within(entryOf(fd, fromText(name)), below, work),
  );
}

function openOrMake(dir: BytePath): number {
  try {
    return nodePort.openDir(dir);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOTDIR') nodePort.unlink(dir);
    else if (code !== 'ENOENT') throw error;
    nodePort.mkdir(dir, 0o700);
    return nodePort.openDir(dir);
  }
}

/** For the processes of that session: what server.json is for all others. */
export function writeInsideServer(sessionDir: string, content: ServerFile): void {
  if (!existsSync(insideDir(sessionDir))) return;
  // 0: the server's process is not seen from a box.
  const pid = isBoxed(sessionDir) ? 0 : content.pid;
  writeWhole(join(insideDir(sessionDir), 'server.json'), `${JSON.stringify({ ...content, pid })}\n`);
}

/** Of `trai claude`, from its start to its end; whoever finds it afterwards completes that end. */
export interface ClientRecord {
  v: 1;
  pid: number;
  start: string;
  /** .claude.json as the client found it; null = none. */
  state: string | null;
  /** Where the server follows its credentials: the key of the host's as they are mounted. */
  mounted?: string;
  /** Of a box: the file that it has as .claude.json. */
  copy?: string;
}

export const clientRecordPath = (sessionDir: string): string => join(sessionDir, CLIENT_RECORD);

export function readClientRecord(sessionDir: string): ClientRecord | null {
  const value = readPlainJson(clientRecordPath(sessionDir));
  // Trusted: written into a directory of mode 0700.
  return isObject(value) && value['v'] === 1 ? (value as unknown as ClientRecord) : null;
}

/** The record of a client that runs in the session itself; null: none does. */
export function runningClient(sessionDir: string): ClientRecord | null {
  const record = readClientRecord(sessionDir);
  const stat = record === null ? null : processStat(record.pid);
  // Killed, and not reaped: in a container nobody may do it.
  if (record === null || stat === null || stat.start !== record.start || stat.state === 'Z') return null;
  // A bin/trai that had no answer from the server may have become Node, which runs the client in another session.
  return record.mounted === undefined || isWaiter(stat) ? record : null;
}

/** A bin/trai, which names itself. */
export const isWaiter = ({ name }: Pick<ProcessStat, 'name'>): boolean => name.startsWith('trai');

export const isClientRunning = (sessionDir: string): boolean => runningClient(sessionDir) !== null;

/** Of a box whose session goes: the copy may hold keys. */
export function removeCopy(sessionDir: string): void {
  const copy = readClientRecord(sessionDir)?.copy;
  if (copy !== undefined) rmSync(copy, { force: true });
}
