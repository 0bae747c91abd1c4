/** The counts of a session's last scan, for lists of sessions. Host changes since are not in them. */
import { createHash } from 'node:crypto';
import { isObject } from '../../../shared/json-lines.ts';
import type { ChangeList } from '../../../shared/model/change.ts';
import { orNull } from '../../kernel/fs/port.ts';
import { readPlainJson, tryWriteWhole } from '../../kernel/fs/state-file.ts';
import { logSize } from '../../session/log/append.ts';
import type { SessionContext } from '../../session/session-context.ts';

export type Counts = Pick<ChangeList, 'at' | 'counts' | 'bytes' | 'conflicts' | 'ignored'> & {
  /** Changes, with ignored ones. */
  entries: number;
};

type Where = Pick<SessionContext, 'sessionDir' | 'ignore'>;

/** Changes with calls, commits ..., and the ignore rules. */
export function countsKey({ sessionDir, ignore }: Where): string {
  return `${logSize(sessionDir)} ${createHash('sha1').update(ignore.join('\0')).digest('hex')}`;
}

/** `key` is from before the scan. Ignores failures: readers scan again. */
export function saveCounts(ctx: Where, key: string, list: ChangeList): void {
  const { at, counts, bytes, conflicts, ignored, changes } = list;
  const kept: Counts = { at, counts, bytes, conflicts, ignored, entries: changes.length };
  tryWriteWhole(fileOf(ctx), JSON.stringify({ v: 1, key, ...kept }));
}

export function readCounts(ctx: Where): Counts | null {
  return orNull(() => {
    const value: unknown = readPlainJson(fileOf(ctx));
    return isCounts(value) && value.key === countsKey(ctx) ? value : null;
  });
}

function isCounts(value: unknown): value is Counts & { v: 1; key: string } {
  if (!isObject(value) || value['v'] !== 1) return false;
  const { counts, ignored } = value;
  if (!isObject(counts) || !isObject(ignored)) return false;
  const kinds = ['added', 'modified', 'deleted', 'replaced', 'meta'].map((name) => counts[name]);
  const numbers = [...kinds, value['bytes'], value['conflicts'], value['entries'], ignored['count']];
  return numbers.every((found) => typeof found === 'number');
}

function fileOf({ sessionDir }: Where): string {
  return `${sessionDir}/counts.json`;
}
