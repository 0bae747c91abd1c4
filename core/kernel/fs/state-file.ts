/**
 * Small files of trai's own state: replaced whole, so that a reader sees the old or the new content, durable (`writeNewFile`,
 * `replaceFile`) or derived and not waited for (`writeWhole`); and read only where they are plain files.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './port.ts';

/** Writes a new file (0600) and makes it durable. Fails when it exists. */
export async function writeNewFile(path: string, content: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Replaces a file (0600) by rename; readers see the old or the new content, never a part. */
export async function replaceFile(path: string, content: string): Promise<void> {
  const temporary = temporaryName(path);
  try {
    await writeNewFile(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** A name beside `path` that nobody else uses; the leading dot keeps it out of all listings. */
export function temporaryName(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  return `${path.slice(0, at)}.${path.slice(at)}.${randomBytes(6).toString('hex')}`;
}

/** A rename is on disk when its directory is. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Replaces a file (0600). Texts hold byte strings: latin1 keeps each byte. */
export function writeWhole(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, text, { encoding: 'latin1', mode: 0o600 });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The same; false where it can't be written (a full disk): then the file of before stays, or none. */
export function tryWriteWhole(file: string, text: string): boolean {
  try {
    writeWhole(file, text);
    return true;
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return false;
  }
}

/**
 * The bytes of a small file of the state directory; null when there is none, or when something else has its name. It
 * never waits: a FIFO would keep a plain read for ever. Throws what the system says of a file that can't be read.
 */
export function readPlainFile(path: string | Buffer): Buffer | null {
  return withPlainFile(path, (file) => readFileSync(file));
}

/** The last bytes of such a file, at most `most` of them. */
export function readTail(path: string | Buffer, most: number): Buffer | null {
  return withPlainFile(path, (file, size) => {
    const tail = Buffer.alloc(Math.min(size, most));
    return tail.subarray(0, readSync(file, tail, 0, tail.length, size - tail.length));
  });
}

function withPlainFile<T>(path: string | Buffer, read: (file: number, size: number) => T): T | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    // ENXIO: a socket.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' || code === 'ENXIO') return null;
    throw error;
  }
  try {
    const found = fstatSync(file);
    return found.isFile() ? read(file, found.size) : null;
  } finally {
    closeSync(file);
  }
}

/** The JSON value in such a file; undefined when it holds none. */
export function readPlainJson(path: string | Buffer): unknown {
  const text = readPlainFile(path);
  try {
    return text === null ? undefined : JSON.parse(text.toString('utf8'));
  } catch {
    return undefined;
  }
}
