/** Carries out the units that are moved: one rename each from the upper to the host (moves.ts), or back (undo/stage-undo.ts). */
import type { BytePath } from '../../../shared/bytes.ts';
import type { Dirs } from '../../kernel/fs/dir-handles.ts';
import { CHANGED, NotApplied } from '../../kernel/fs/entry-errors.ts';
import { errorCode, type FsPort } from '../../kernel/fs/port.ts';
import { isBornAs } from '../../kernel/fs/stat-identity.ts';
import type { SessionContext } from '../../session/session-context.ts';
import type { MoveToHostUnit, MoveToStoreUnit } from '../journal/unit.ts';
import { GONE_ON } from '../stage/check-steps.ts';
import { expectUnmoved, rememberNoMoves } from '../stage/moves.ts';
import { Uppers } from '../stage/uppers.ts';
import { isTaken, takeTree } from '../upper/take-tree.ts';

const LIVE = 'processes of the session are running; it stays pending';

export class Mover {
  readonly #port: FsPort;
  readonly #ctx: SessionContext;
  readonly #uppers: Uppers;
  readonly #commit: BytePath;
  readonly #resumed: boolean;
  readonly #live: boolean;

  /**
   * @param commit the transaction's directory
   * @param resumed calls may have come between the review and now
   * @param live what is renamed out of an upper that is mounted is still written to
   */
  constructor(port: FsPort, ctx: SessionContext, commit: BytePath, resumed: boolean, live: boolean) {
    this.#port = port;
    this.#ctx = ctx;
    this.#uppers = new Uppers(port, ctx, null);
    this.#commit = commit;
    this.#resumed = resumed;
    this.#live = live;
  }

  /** Nothing is at `target`. Throws as `entryMessage` tells apart; then the directory is in the upper as it was. */
  bring(unit: MoveToHostUnit, target: BytePath): void {
    if (this.#live) throw new NotApplied(LIVE);
    if (!isBornAs(unit.born, this.#uppers.lstat(unit.path))) throw new NotApplied(GONE_ON);
    if (this.#resumed) expectUnmoved(this.#port, this.#ctx, this.#uppers, unit);
    const from = this.#uppers.placed(unit.path);
    if (from === null) throw new NotApplied(GONE_ON);
    // That took its time, and a rename takes the place of an empty directory.
    if (this.#resumed && this.#port.lstat(target) !== null) throw new NotApplied(CHANGED);
    try {
      this.#port.rename(from, target);
    } catch (error) {
      if (errorCode(error) !== 'EXDEV') throw error;
      rememberNoMoves(this.#port, this.#ctx);
      throw new NotApplied(
        'it can not be renamed out of the overlay (EXDEV); it stays pending, and the next commit copies it',
      );
    }
  }

  /** The other way, for an undo; see take-tree.ts. Returns what there is to say, usually ''. */
  take(unit: MoveToStoreUnit, dirs: Dirs): string {
    const work = { port: this.#port, ctx: this.#ctx, commit: this.#commit, resumed: this.#resumed, dirs };
    return takeTree(work, unit);
  }

  /** Whether an earlier run has got as far as that. */
  hasTaken(unit: MoveToStoreUnit): boolean {
    return isTaken({ port: this.#port, ctx: this.#ctx, commit: this.#commit }, unit);
  }

  close(): void {
    this.#uppers.close();
  }
}
