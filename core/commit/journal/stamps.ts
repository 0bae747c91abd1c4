/**
 * The change time that a unit has left at its path, read right after it was carried out and kept in its line `done`. By it an
 * edit of the host's is noticed that kept size and modification time, from then on: not only after the transaction's end.
 * What lies below has the change time that it was staged with, since one rename has brought it. What comes within the same tick of
 * the kernel's clock (some ms; since Linux 6.13 none) is not told.
 */
import type { BytePath } from '../../../shared/bytes.ts';
import type { Stat } from '../../kernel/fs/port.ts';
import { HostClocks } from '../../overlay/seen.ts';
import type { SessionContext } from '../../session/session-context.ts';
import type { CommitRecord } from './journal.ts';

/** No entry has it. */
const DOUBT = '-';

/** A run that died has carried out its last unit at most so long (ms) after its last line: more than it takes on a busy machine. */
const LAST_UNIT_MS = 1_000;

export class Stamps {
  readonly #clocks: HostClocks;
  readonly #until: number | null;

  /** @param until ms: when an earlier run, which this one finishes, had written its last line */
  constructor(ctx: Pick<SessionContext, 'coveredDirs'>, until: number | null) {
    this.#clocks = new HostClocks(ctx);
    this.#until = until;
  }

  /**
   * Undefined where no change time tells: of a deletion, of a file with other names, and where another machine keeps the times.
   * @param left what is at the unit's path now
   * @param found the same before this run came to it: null when it was not in place then
   */
  of(path: BytePath, left: Stat | null, found: Stat | null): string | undefined {
    if (left === null || (left.type !== 'dir' && left.nlink > 1)) return undefined;
    if (this.#clocks.lag(path) > 0n) return undefined;
    const isLate =
      this.#until !== null && (found?.ctimeNs ?? 0n) > BigInt(this.#until + LAST_UNIT_MS) * 1_000_000n;
    // Which of the two moved it last, the run that died or somebody since, nobody knows.
    return isLate ? DOUBT : String(left.ctimeNs);
  }
}

/** For `isAsLeft`: the change time of an entry that unit `i` has left; undefined where it is not known. */
export function stampOf(
  { stamps, unitOf }: Pick<CommitRecord, 'stamps' | 'unitOf'>,
  i: number,
  path: BytePath,
  id: string | null,
): string | undefined {
  const stamp = stamps.get(i);
  return stamp === undefined || unitOf.get(i)?.path === path ? stamp : id?.split(':')[10];
}
