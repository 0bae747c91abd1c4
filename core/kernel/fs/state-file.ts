/** Small files of trai's own state. Writers replace them whole; readers accept regular files only. */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { TraiError } from '../../../shared/errors.ts';
import { fileNotWritten } from '../messages/errors.ts';
import { errorText } from './entry.ts';
import { errorCode, nodePort, orIfRefused, withHandle } from './port.ts';

/** Alone not synchronous: it waits for the disk, all else for the kernel. */
const sync = promisify(fsync);

/** Durable. Throws when the file exists. @param mode whatever the umask is */
export async function writeNewFile(path: string | Buffer, content: string, mode = 0o600): Promise<void> {
  const file = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(file, content);
    fchmodSync(file, mode);
    await sync(file);
  } finally {
    closeSync(file);
  }
}

/** Replaces the file by rename; durable. */
export async function replaceFile(path: string, content: string, mode?: number): Promise<void> {
  const temporary = temporaryName(path);
  try {
    await writeNewFile(temporary, content, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  await syncPath(dirname(path));
}

/** `work` writes the file: system errors become `io`, with its path. Errors: `io`, those of `work`. */
export async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOther = error instanceof TraiError || errorCode(error) === '';
    throw isOther ? error : fileNotWritten(path, errorText(error), error);
  }
}

/** The leading dot hides it from listings. */
export function temporaryName(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  return `${path.slice(0, at)}.${path.slice(at)}.${randomBytes(6).toString('hex')}`;
}

/** Of a file or a directory. */
export async function syncPath(path: string | Buffer): Promise<void> {
  const file = openSync(path, 'r');
  try {
    await sync(file);
  } finally {
    closeSync(file);
  }
}

/** Not synced, 0600. A string is a byte string (latin1). */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const temporary = temporaryName(file);
  try {
    writeFileSync(temporary, content, { encoding: 'latin1', mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** False on a system error, such as a full disk. */
export function tryWriteWhole(file: string, content: string | Uint8Array): boolean {
  return orIfRefused(() => {
    writeWhole(file, content);
    return true;
  }, false);
}

/** Of a missing file, `readFileSync` itself says so ten times as slowly (Node 20). */
export function readText(path: string): string {
  const file = openSync(path, 'r');
  return withHandle(nodePort, file, () => readFileSync(file, 'utf8'));
}

/** Null for a missing file or another type. Does not follow links or block on a FIFO; throws other errors. */
export function readPlainFile(path: string | Buffer): Buffer | null {
  return withPlainFile(path, (file) => readFileSync(file));
}

export function readTail(path: string | Buffer, most: number): Buffer | null {
  return readEnds(path, 0, most)?.[1] ?? null;
}

/** At most `first` bytes of the beginning and `last` of the end, which overlap in a small file. */
export function readEnds(path: string | Buffer, first: number, last: number): [Buffer, Buffer] | null {
  return withPlainFile(path, (file, size) => {
    const read = (bytes: number, from: number) => {
      const part = Buffer.alloc(bytes);
      return part.subarray(0, readSync(file, part, 0, bytes, from));
    };
    return [read(Math.min(size, first), 0), read(Math.min(size, last), size - Math.min(size, last))];
  });
}

function withPlainFile<T>(path: string | Buffer, read: (file: number, size: number) => T): T | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    // ENXIO: it is a socket.
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(errorCode(error))) return null;
    throw error;
  }
  return withHandle(nodePort, file, () => {
    const found = fstatSync(file);
    return found.isFile() ? read(file, found.size) : null;
  });
}

export function readPlainJson(path: string | Buffer): unknown {
  const text = readPlainFile(path);
  try {
    return text === null ? undefined : JSON.parse(text.toString('utf8'));
  } catch {
    return undefined;
  }
}
