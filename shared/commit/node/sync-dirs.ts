import type { BytePath } from '../../bytes.ts';
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
