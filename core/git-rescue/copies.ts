/** Copies of files that are about to be lost. Paths are byte strings. */
import { constants, lstatSync, type Stats } from 'node:fs';
import { chmod, copyFile, lutimes, mkdir, readlink, symlink, utimes } from 'node:fs/promises';
import { type BytePath, joinPath } from '../../shared/bytes.ts';
import { SAVED_BYTES, SAVED_FILES } from '../../shared/limits.ts';
import { readNames } from '../kernel/fs/entry.ts';

const bytes = (path: string): Buffer => Buffer.from(path, 'latin1');

interface Entry {
  name: string;
  stat: Stats;
}

function* walk(dir: BytePath, names: readonly string[]): Generator<Entry> {
  for (const given of names) {
    const name = given.replace(/\/+$/, '');
    const stat = lstatSync(bytes(joinPath(dir, name)), { throwIfNoEntry: false });
    if (stat === undefined) continue;
    yield { name, stat };
    if (stat.isDirectory())
      yield* walk(
        dir,
        readNames(joinPath(dir, name)).map((below) => `${name}/${below}`),
      );
  }
}

/** `late` = past the deadline. @throws when something can't be read */
export function fits(dir: BytePath, names: readonly string[], deadline: number): 'yes' | 'no' | 'late' {
  let [files, size] = [0, 0];
  for (const { stat } of walk(dir, names)) {
    files++;
    if (stat.isFile()) size += stat.size;
    if (files > SAVED_FILES || size > SAVED_BYTES) return 'no';
    if (Date.now() > deadline) return 'late';
  }
  return 'yes';
}

/** Copies with modes, times and links: `cp -a INTO/. DIR/` restores them. @throws when one can't be copied */
export async function copyEntries(dir: BytePath, names: readonly string[], into: BytePath): Promise<void> {
  const directories = new Set<string>(['']);
  await mkdir(bytes(into), { recursive: true, mode: 0o700 });
  for (const { name, stat } of walk(dir, names)) {
    for (const above of [...parents(name), ...(stat.isDirectory() ? [name] : [])]) {
      if (directories.has(above)) continue;
      directories.add(above);
      await mkdir(bytes(joinPath(into, above)), { mode: 0o700 });
    }
    const [from, to] = [bytes(joinPath(dir, name)), bytes(joinPath(into, name))];
    if (stat.isSymbolicLink()) {
      await symlink(await readlink(from, { encoding: 'buffer' }), to);
      await lutimes(to, stat.atime, stat.mtime);
    } else if (stat.isFile()) {
      await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
      await chmod(to, stat.mode & 0o777);
      await utimes(to, stat.atime, stat.mtime);
    }
  }
  // Last, and innermost first: a copy into a directory changes its time, and its mode may forbid one.
  for (const name of [...directories].reverse()) {
    const stat = lstatSync(bytes(name === '' ? dir : joinPath(dir, name)));
    const target = bytes(name === '' ? into : joinPath(into, name));
    await chmod(target, stat.mode & 0o777);
    await utimes(target, stat.atime, stat.mtime);
  }
}

function parents(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}
