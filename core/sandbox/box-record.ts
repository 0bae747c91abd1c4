/** sessions/ID/box.json: there for a session whose newest client was started by `trai box`. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../shared/json-lines.ts';
import type { BoxRecord } from '../../shared/model/box.ts';
import { orNull } from '../kernel/fs/port.ts';
import { readPlainJson, writeWhole } from '../kernel/fs/state-file.ts';
import { boxRecordUnreadable } from './messages/errors.ts';

export const boxRecordPath = (sessionDir: string): string => join(sessionDir, 'box.json');

/** Null: the session's client runs, or ran, without a box. @throws TraiError `corrupt` */
export function readBoxRecord(sessionDir: string): BoxRecord | null {
  // It is replaced by a rename, and may be made or removed meanwhile.
  const isThere = isBoxed(sessionDir);
  const record = knownBoxRecord(sessionDir);
  if (record === null && isThere && isBoxed(sessionDir)) throw boxRecordUnreadable(boxRecordPath(sessionDir));
  return record;
}

/** Null where the record cannot be read, too. */
export function knownBoxRecord(sessionDir: string): BoxRecord | null {
  const value = orNull(() => readPlainJson(boxRecordPath(sessionDir)));
  // Trusted: written into a directory of mode 0700.
  return isObject(value) && value['v'] === 1 ? (value as unknown as BoxRecord) : null;
}

export const isBoxed = (sessionDir: string): boolean => existsSync(boxRecordPath(sessionDir));

/** Whether the project is the host's in the namespace of that box (`--write direct`). @throws as readBoxRecord */
export const writesDirectly = (sessionDir: string): boolean =>
  (readBoxRecord(sessionDir)?.direct.length ?? 0) > 0;

/** Before a client starts. */
export function writeBoxRecord(sessionDir: string, record: BoxRecord | null): void {
  if (record === null) rmSync(boxRecordPath(sessionDir), { force: true });
  else writeWhole(boxRecordPath(sessionDir), Buffer.from(JSON.stringify(record)));
}
