/** What makes a commit durable. */
import type { BytePath } from '../../../shared/bytes.ts';
import type { FsPort } from './port.ts';

/** Makes renames in these directories survive a power cut. */
export function syncDirs(port: FsPort, dirs: readonly BytePath[]): void {
  for (const dir of dirs) {
    const fd = port.openRead(dir);
    try {
      port.fsync(fd);
    } finally {
      port.close(fd);
    }
  }
}

/** One syncfs(2) of the file system that a held directory is on. */
async function syncFileSystem(port: FsPort, fd: number): Promise<void> {
  const { status, stderr } = await port.run('sync', ['-f', '/proc/self/fd/3'], Buffer.alloc(0), [fd]);
  if (status === 0) return;
  const code = /No space left/.test(stderr) ? 'ENOSPC' : 'EIO';
  throw Object.assign(new Error(`sync -f: ${stderr.trim() || `ended with ${status}`}`), { code });
}

/** The file systems of these held directories, each once. A descriptor is taken when the one before is done with. */
export async function syncFileSystems(port: FsPort, fds: Iterable<number>): Promise<void> {
  const synced = new Set<bigint>();
  for (const fd of fds) {
    const { dev } = port.fstat(fd);
    if (!synced.has(dev)) await syncFileSystem(port, fd);
    synced.add(dev);
  }
}
