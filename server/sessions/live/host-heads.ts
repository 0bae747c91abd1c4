import { statSync } from 'node:fs';
import { identityOf, lstatOrNone } from '../../../core/kernel/fs/entry.ts';
import { movedOn, type ReplayReport } from '../../../core/live-sync/replay.ts';
import { readBaseFile } from '../../../core/overlay/base-file.ts';
import { coveringDir, type SessionContext, upperPath } from '../../../core/session/session-context.ts';
import type { BytePath } from '../../../shared/bytes.ts';
import type { BaseRecord } from '../../../shared/model/base-record.ts';

/**
 * Of one live session: which entries of the uppers have another one on the host than the sandbox knows. One lstat for each
 * record of what the host has; the records are read again only when there are new ones.
 */
export class HostHeads {
  #records: readonly BaseRecord[] = [];
  #file = '';
  /** What a replay left to the sandbox, with both sides as they were then. */
  readonly #left = new Map<BytePath, string>();

  async moved(ctx: SessionContext): Promise<BytePath[]> {
    const file = stampOf(`${ctx.sessionDir}/overlay/base.jsonl`);
    if (file !== this.#file) {
      this.#records = [...readBaseFile(ctx).records.values()].filter(({ base }) => base.state === 'known');
      this.#file = file;
    }
    const moved = await movedOn(this.#records);
    const now = new Set(moved);
    for (const path of this.#left.keys()) if (!now.has(path)) this.#left.delete(path);
    return moved.filter((path) => this.#left.get(path) !== sidesOf(ctx, path));
  }

  left(ctx: SessionContext, { left, held }: Pick<ReplayReport, 'left' | 'held'>): void {
    const transient = new Set(held);
    for (const path of left) if (!transient.has(path)) this.#left.set(path, sidesOf(ctx, path));
  }
}

function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino} ${stat.size}`;
}

function sidesOf({ coveredDirs }: SessionContext, path: BytePath): string {
  const covered = coveringDir(coveredDirs, path);
  const upper = covered === null ? null : lstatOrNone(upperPath(covered, path));
  return `${identityOf(lstatOrNone(path))} ${identityOf(upper)}`;
}
