import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';

const SLASH = Buffer.from('/');

/**
 * Removes a test's directory, if it exists and nothing is mounted in it: the kernel makes overlay work directories with mode
 * 000, and tests make some that their owner may not write to. Starts no program, because thousands of tests end with it.
 */
export function removeTree(dir: string): void {
  try {
    removeDir(Buffer.from(dir), lstatSync(dir).dev);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A mount of the test's own is gone with its namespace.
    if (code === 'ENOENT' || code === 'EBUSY') return;
    if (code !== 'ENAMETOOLONG') throw error;
    execFileSync('rm', ['-rf', '--one-file-system', dir]);
  }
}

function removeDir(dir: Buffer, device: number): void {
  if (lstatSync(dir).dev !== device) throw Object.assign(new Error(`${dir} is a mount`), { code: 'EBUSY' });
  chmodSync(dir, 0o700);
  for (const entry of readdirSync(dir, { withFileTypes: true, encoding: 'buffer' })) {
    const path = Buffer.concat([dir, SLASH, entry.name]);
    if (entry.isDirectory()) removeDir(path, device);
    else unlinkSync(path);
  }
  rmdirSync(dir);
}
