/** Small files that a reader sees whole, the old or the new: derived, so that nobody waits until they are on disk. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { errorCode } from './entry.ts';

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
