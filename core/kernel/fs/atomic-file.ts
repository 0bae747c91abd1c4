/** Files that are either the old or the new ones, also after a crash. */
import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

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
