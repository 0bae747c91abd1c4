import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/**
 * The bytes of a small file of the state directory; null when there is none, or when something else has its name. It
 * never waits: a FIFO would keep a plain read for ever. Throws what the system says of a file that can't be read.
 */
export function readPlainFile(path: string | Buffer): Buffer | null {
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
    return fstatSync(file).isFile() ? readFileSync(file) : null;
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
