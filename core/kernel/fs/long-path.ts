/** Paths longer than one system call takes: a command makes them with relative names, and they are changes like any. */
import { closeSync, constants, openSync, type PathLike } from 'node:fs';
import { type BytePath, isAscii } from '../../../shared/bytes.ts';

/** PATH_MAX without the NUL that ends it (bytes). */
const LONGEST = 4095;

/** Missing from Node's constants; the same number on every architecture that Node 20 supports on Linux. */
const O_PATH = 0o10000000;

/**
 * Calls `use` with the path as the file system takes it: a longer one is opened piece by piece, and begins with the
 * descriptor of its last piece, which is open until `use` returns.
 */
export function withPath<T>(path: BytePath, use: (path: PathLike) => T): T {
  // A string is a fifth cheaper at each call than a buffer.
  if (path.length <= LONGEST && isAscii(path)) return use(path);
  let rest: string = path;
  let fd: number | null = null;
  try {
    for (let start = ''; ; start = `/proc/self/fd/${fd}/`) {
      const room = LONGEST - start.length;
      const end = rest.length > room ? rest.lastIndexOf('/', room) : 0;
      // A single name that is too long: the kernel says so.
      if (end <= 0) return use(Buffer.from(`${start}${rest}`, 'latin1'));
      const piece = Buffer.from(`${start}${rest.slice(0, end)}`, 'latin1');
      const next = openSync(piece, O_PATH | constants.O_DIRECTORY);
      if (fd !== null) closeSync(fd);
      fd = next;
      rest = rest.slice(end + 1);
    }
  } finally {
    if (fd !== null) closeSync(fd);
  }
}
