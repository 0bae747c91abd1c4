/** Whose clock a host entry's times come from: this machine's, or one that may go differently. */
import type { BytePath } from '../../shared/bytes.ts';
import { FOREIGN_CLOCK_MS } from '../../shared/limits.ts';
import { fileSystemType } from '../kernel/fs/file-system-type.ts';
import { coveringDir } from '../sandbox/covered.ts';
import type { SessionContext } from '../session/session-context.ts';

/** f_type of ext, btrfs, xfs, tmpfs, f2fs, zfs, bcachefs, jfs, nilfs2, ramfs, and overlay (a container's root). */
const LOCAL = new Set([
  ...[0xef53, 0x9123683e, 0x58465342, 0x01021994, 0xf2f52010, 0x2fc12fc1, 0xca451a4e],
  ...[0x3153464a, 0x3434, 0x858458f6, 0x794c7630],
]);

/** Whether this machine's kernel keeps the times of what is in a directory. False when it can't be told. */
export function hasOurTimes(dir: BytePath): boolean {
  try {
    return LOCAL.has(fileSystemType(dir));
  } catch {
    return false;
  }
}

const FOREIGN_NS = BigInt(FOREIGN_CLOCK_MS) * 1_000_000n;

/** Of the covered directories of a session; each is asked once. */
export class HostClocks {
  readonly #places: SessionContext['coveredDirs'];
  readonly #lags = new Map<number, bigint>();

  constructor({ coveredDirs }: Pick<SessionContext, 'coveredDirs'>) {
    this.#places = coveredDirs;
  }

  /** By how much (ns) a host entry's times may be behind ours: one that is not older by more may be a later one. */
  lag(path: BytePath): bigint {
    const covered = coveringDir(this.#places, path);
    if (covered === null) return 0n;
    const known = this.#lags.get(covered.n);
    if (known !== undefined) return known;
    const lag = hasOurTimes(covered.path) ? 0n : FOREIGN_NS;
    this.#lags.set(covered.n, lag);
    return lag;
  }
}
