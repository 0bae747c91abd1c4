/**
 * sessions/ID/network-box.json: the box with `--net list` that runs in the session, for a server that starts while it does,
 * and what the user has said about hosts for this box alone.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../../shared/json-lines.ts';
import { readPlainJson, writeWhole } from '../../kernel/fs/state-file.ts';
import { processStat } from '../../kernel/proc/proc.ts';

export interface NetworkRecord {
  v: 1;
  /** The first process in the box. */
  pid: number;
  start: string;
  /** Entries as in `box.network` (shared/network/pattern.ts). */
  allow: readonly string[];
  deny: readonly string[];
}

/** Of a proxy in a box: its namespace has no other listener, so the port is always free. */
export const PROXY_PORT = 3128;

const fileIn = (sessionDir: string): string => join(sessionDir, 'network-box.json');

/** Null unless the box that it names runs. */
export function readNetworkRecord(sessionDir: string): NetworkRecord | null {
  const value = readPlainJson(fileIn(sessionDir));
  if (!isObject(value) || value['v'] !== 1) return null;
  // Trusted: written into a directory of mode 0700.
  const record = value as unknown as NetworkRecord;
  return processStat(record.pid)?.start === record.start ? record : null;
}

export function writeNetworkRecord(sessionDir: string, record: NetworkRecord | null): void {
  if (record === null) rmSync(fileIn(sessionDir), { force: true });
  else writeWhole(fileIn(sessionDir), Buffer.from(JSON.stringify(record)));
}
