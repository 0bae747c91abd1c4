/**
 * Stamps: the change time that a unit has left at its path, read right after the unit was applied and kept in
 * its `done` line. It reveals a later edit on the host that kept size and modification time, even before the
 * transaction's end. Entries below the path keep the change time of staging, since one rename has moved them.
 * An edit within the same tick of the kernel's clock (some ms; none since Linux 6.13) goes unnoticed.
 */
import type { BytePath } from '../../../shared/bytes.ts';
import type { Stat } from '../../kernel/fs/port.ts';
import { HostClocks } from '../../overlay/seen.ts';
import type { SessionContext } from '../../session/session-context.ts';
import type { CommitRecord } from './journal.ts';

const DOUBT = '-';

/** Longest time (ms) from the last line of a crashed run to the end of its last unit. */
const LAST_UNIT_MS = 1_000;

export class Stamps {
  readonly #clocks: HostClocks;
  readonly #until: number | null;

  /** @param until ms: when the crashed run that this one rolls forward had written its last line */
  constructor(ctx: Pick<SessionContext, 'coveredDirs'>, until: number | null) {
    this.#clocks = new HostClocks(ctx);
    this.#until = until;
  }

  /**
   * Undefined where the change time proves nothing: for a deletion, a file with other names, and where
   * another machine keeps the times.
   * @param left what is at the unit's path now
   * @param found what was there before this run: null when the unit was not applied yet
   */
  of(path: BytePath, left: Stat | null, found: Stat | null): string | undefined {
    if (left === null || (left.type !== 'dir' && left.nlink > 1)) return undefined;
    if (this.#clocks.lag(path) > 0n) return undefined;
    const isLate =
      this.#until !== null && (found?.ctimeNs ?? 0n) > BigInt(this.#until + LAST_UNIT_MS) * 1_000_000n;
    // Whether the crashed run or someone since has changed it last is unknown.
    return isLate ? DOUBT : String(left.ctimeNs);
  }
}

export function stampOf(
  { stamps, unitOf }: Pick<CommitRecord, 'stamps' | 'unitOf'>,
  i: number,
  path: BytePath,
  id: string | null,
): string | undefined {
  const stamp = stamps.get(i);
  return stamp === undefined || unitOf.get(i)?.path === path ? stamp : id?.split(':')[10];
}
