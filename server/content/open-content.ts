import type { FileHandle } from 'node:fs/promises';
import { type BytePath, toDisplay } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';

/** A file that is open for reading, and what it is. Whoever gets it closes it. */
export interface OpenContent {
  file: FileHandle;
  size: number;
  path: BytePath;
}

/** Read at once (bytes). */
const PIECE = 256 * 1024;

/** Exactly as many bytes as the file had when it was opened. Errors: `io`, also when it has become shorter. */
export async function* piecesOf({ file, size, path }: OpenContent): AsyncGenerator<Uint8Array, undefined> {
  for (let at = 0; at < size; ) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(PIECE, size - at)), 0, undefined, at);
    if (bytesRead === 0)
      throw new TraiError('io', 'the file changed while it was read', { path: toDisplay(path) });
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
