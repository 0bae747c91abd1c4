import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

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
