/** Whether a list is worth making. Apart from the scan, so that the end of a client that wrote nothing need not load it. */
import { lstatEntry, readNames } from '../kernel/fs/entry.ts';
import type { SessionContext } from '../session/session-context.ts';

/** No upper has an entry, and each root has mode and owner of the host's: a scan finds nothing. False where that cannot be read. */
export function hasNothingPending({ coveredDirs }: SessionContext): boolean {
  return coveredDirs.every(({ path, upper }) => {
    try {
      const [own, host] = [lstatEntry(upper), lstatEntry(path)];
      if (own === null || readNames(upper).length > 0) return false;
      return host !== null && own.mode === host.mode && own.uid === host.uid && own.gid === host.gid;
    } catch {
      return false;
    }
  });
}
