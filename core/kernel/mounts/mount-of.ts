import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import type { FsPort } from '../fs/port.ts';

/** Mount and device: a link or a rename goes no further than either. */
export function mountOf(port: FsPort, path: BytePath): string {
  const fd = port.openDir(joinPath(path, '.'));
  try {
    const id = /^mnt_id:\s+(\d+)/m.exec(port.readText(`/proc/self/fdinfo/${fd}` as BytePath) ?? '')?.[1];
    return `${id ?? ''}:${port.fstat(fd).dev}`;
  } finally {
    port.close(fd);
  }
}
