/** The end of applying: what a commit has done to the host is on disk, and the journal says so. */
import { type BytePath, joinPath, parentOf } from '../../../shared/bytes.ts';
import type { Dirs } from '../../kernel/fs/dir-handles.ts';
import { at, errorCode, type FsPort } from '../../kernel/fs/port.ts';
import { syncDirs, syncFileSystems } from '../../kernel/fs/sync-dirs.ts';
import { placeOf } from '../../sandbox/covered.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { upperPath } from '../stage/areas.ts';
import type { Task } from './task.ts';

/**
 * Writes the line `applied`.
 * @param loosened directories of the host got their modes back, wherever they are
 */
export async function makeDurable(
  { port, journal, ctx }: Task,
  dirs: Dirs,
  loosened: boolean,
): Promise<void> {
  const bases = new Set([...journal.record.stages.map(({ base }) => base)]);
  const renamed = new Set<BytePath>();
  for (const { kind, path, i } of journal.record.units) {
    if (kind === 'move-to-host') {
      if (journal.record.done.has(i)) renamed.add(parentOf(path));
    } else if (kind !== 'put') bases.add(placeOf(ctx.places, path)?.path ?? parentOf(path));
  }
  // A rename is on disk with its two directories; the file system as a whole also waits for what others have written to it.
  for (const dir of renamed)
    if (loosened || bases.size > 0 || renamed.size > FEW || !syncRename(port, ctx, dirs, dir))
      bases.add(placeOf(ctx.places, dir)?.path ?? dir);
  await syncFileSystems(port, heldOneByOne(dirs, bases));
  journal.add({ t: 'applied' });
  journal.sync();
}

/** More renames than that are told the disk as a whole. */
const FEW = 32;

/** Whether the directory that something was renamed to, and the one that it left, could be opened and are on disk. */
function syncRename(port: FsPort, ctx: SessionContext, dirs: Dirs, dir: BytePath): boolean {
  const from = upperPath(ctx.places, dir);
  try {
    syncDirs(port, [at(dirs.open(dir), '.'), ...(from === null ? [] : [joinPath(from, '.')])]);
    return from !== null;
  } catch (error) {
    // Closed to its owner, or gone since, where a run before this one has renamed.
    if (['EACCES', 'ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '')) return false;
    throw error;
  }
}

function* heldOneByOne(dirs: Dirs, paths: Iterable<BytePath>): Generator<number> {
  for (const path of paths) yield dirs.open(path);
}
