/** From when on a change of the host may not have been seen by the sandbox when it made an entry of an upper. */

import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import { lstatEntry } from '../kernel/fs/entry.ts';
import { readTail } from '../kernel/fs/plain-file.ts';
import type { Stat } from '../kernel/fs/port.ts';
import type { SessionContext } from '../session/session-context.ts';
import type { BaseFile } from './base-file.ts';

export interface RecordOptions {
  /**
   * Start (ms since the epoch) of the earliest call that ran since the last pass. A host change before it was seen
   * by the sandbox. Without it only the last pass counts, which calls more of the host's changes unknown.
   */
  earliestCall?: number;
}

export class SeenWindow {
  /** Nanoseconds: names that are new in this pass came into the uppers later than this. */
  readonly since: bigint;
  readonly #lastPass: bigint;
  /** Nanoseconds, ascending. */
  readonly #starts: readonly bigint[];
  /** Neither a call nor an earlier pass is known: an entry's own times are all there is. */
  readonly #blind: boolean;

  constructor(ctx: SessionContext, file: BaseFile, options: RecordOptions) {
    this.since = seenSince(ctx, file, options);
    this.#lastPass = file.lastPassNs;
    this.#starts = callStarts(ctx).map((ms) => BigInt(ms - CLOCK_TICK_MS) * 1_000_000n);
    this.#blind = this.#starts.length === 0 && file.lastPassNs === 0n && options.earliestCall === undefined;
  }

  /**
   * When the mount that made an entry looked at the host anew: the latest call that began before, since a call gets a
   * fresh mount or refreshes the one it joins. Where several have begun since the last pass it is the first of them: the
   * upper may have had another entry of the name in the meantime, which hid the host's from the later ones. All whiteouts
   * of a mount are links of one inode: its birth is that of the first, and the last pass did not find this one.
   */
  of(upper: Stat): bigint {
    const bound = isWhiteout(upper) && this.since > upper.birthNs ? this.since : upper.birthNs;
    if (this.#blind) return bound;
    const before = this.#starts.filter((start) => start <= bound);
    const fresh = before.filter((start) => start > this.#lastPass);
    const window = (fresh.length > 1 ? fresh[0] : before.at(-1)) ?? this.since;
    if (window < bound) return window;
    return bound;
  }
}

function seenSince(ctx: SessionContext, file: BaseFile, options: RecordOptions): bigint {
  let since = file.lastPassNs;
  if (since === 0n) {
    // Before the first pass: the session's uppers did not exist earlier than their roots.
    for (const covered of ctx.coveredDirs) {
      const birth = lstatEntry(covered.upper)?.birthNs ?? 0n;
      if (since === 0n || birth < since) since = birth;
    }
  }
  const call = BigInt((options.earliestCall ?? 0) - CLOCK_TICK_MS) * 1_000_000n;
  return call > since ? call : since;
}

/** How much of the log's end is read. Calls before that are older than any entry without a record. */
const TAIL_BYTES = 256 * 1024;

const STARTED = /"t":"call\.started"/;
const IN_SANDBOX = /"mode":"sandbox"/;
const AT = /"at":"([^"]+)"/;

/**
 * When the session's latest calls in the sandbox began (ms since the epoch, ascending; none when there is no log): from then
 * on it saw the host anew. A call on the host mounts nothing.
 */
function callStarts(ctx: SessionContext): number[] {
  const starts: number[] = [];
  for (const line of logTail(`${ctx.sessionDir}/calls.jsonl`).split('\n')) {
    const at =
      STARTED.test(line) && IN_SANDBOX.test(line) ? Date.parse(AT.exec(line)?.[1] ?? '') : Number.NaN;
    if (Number.isFinite(at)) starts.push(at);
  }
  return starts.sort((a, b) => a - b);
}

/** Without a log the caller goes by its last pass, which calls more of the host's changes unknown. */
function logTail(path: string): string {
  try {
    return readTail(path, TAIL_BYTES)?.toString('latin1') ?? '';
  } catch {
    return '';
  }
}
