/** Hashes of a list's entries, to find those of a later list that are stale. */
import { hash } from 'node:crypto';
import type { BytePath } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';

const SIZE = 16;
const STEP = 500;

/** One hash an entry, in any order. */
export type Fingerprints = Uint8Array;

/** Differs with the entry on either side and the kind of change. */
export function fingerprintText(change: Change): string {
  const { path, kind, upperIdentity = '-', hostIdentity = '-', xattrIdentity } = change;
  const sides = `${upperIdentity} ${hostIdentity}`;
  return `${path}\0${kind} ${xattrIdentity === undefined ? sides : `${sides} ${xattrIdentity}`}\0`;
}

/** 300,000 entries take a third of a second. */
export function* fingerprints(changes: readonly Change[]): Generator<null, Fingerprints> {
  const all = new Uint8Array(changes.length * SIZE);
  for (const [i, change] of changes.entries()) {
    all.set(fingerprintOf(change), i * SIZE);
    if (i % STEP === 0) yield null;
  }
  return all;
}

export function staleAmong(changes: readonly Change[], reviewed: Fingerprints): Set<BytePath> {
  const bytes = Buffer.from(reviewed.buffer, reviewed.byteOffset, reviewed.byteLength);
  const known = new Set<string>();
  for (let at = 0; at < bytes.length; at += SIZE) known.add(bytes.toString('latin1', at, at + SIZE));
  const isStale = (change: Change) => !known.has(fingerprintOf(change).toString('latin1'));
  return new Set(changes.filter(isStale).map(({ path }) => path));
}

function fingerprintOf(change: Change): Buffer {
  return hash('sha256', Buffer.from(fingerprintText(change), 'latin1'), 'buffer').subarray(0, SIZE);
}
