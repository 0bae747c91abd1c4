import { rmSync } from 'node:fs';
import path from 'node:path';
import { readPlainJson, tryWriteWhole } from '../../../core/kernel/fs/state-file.ts';
import { type Look, readsOtherwise } from '../../../core/scan/lookup/look.ts';
import { pendingBelow } from '../../../core/scan/lookup/overlap.ts';
import type { SessionContext } from '../../../core/session/session-context.ts';
import { isObject } from '../../../shared/json-lines.ts';
import { searchDirText, searchText } from './file-texts.ts';

/** Counting stops here, to keep the walk short. */
const COUNT_MAX = 500;
const TOLD_MAX = 50;

/**
 * Null when nothing is pending there, or the hint was given and the set of pending paths is the same.
 * `agent`: subagent id, or empty; each has its own context.
 */
export function searchHint(ctx: SessionContext, agent: string, dir: string, look: Look): string | null {
  const key = `${agent}\0${dir}`;
  let signature = `${look.kind} ${look.at}`;
  let said: string;
  if (readsOtherwise(look)) said = searchDirText(look, dir);
  else {
    const below = pendingBelow(ctx, look.at, COUNT_MAX);
    if (below.count === 0) return null;
    signature = below.signature;
    said = searchText(dir, below);
  }
  const told = readTold(ctx.sessionDir);
  if (told.get(key) === signature) return null;
  told.delete(key);
  saveTold(ctx.sessionDir, [...told, [key, signature] as const].slice(-TOLD_MAX));
  return said;
}

/** When the model may have lost the hints: a session that begins, or continues after a compaction. */
export function forgetTold(sessionDir: string): void {
  rmSync(fileOf(sessionDir), { force: true });
}

function fileOf(sessionDir: string): string {
  return path.join(sessionDir, 'requests', 'told');
}

function readTold(sessionDir: string): Map<string, string> {
  const value = readPlainJson(fileOf(sessionDir));
  if (!isObject(value)) return new Map();
  return new Map(Object.entries(value).filter((row): row is [string, string] => typeof row[1] === 'string'));
}

/** A hint that cannot be saved is given again. */
function saveTold(sessionDir: string, told: readonly (readonly [string, string])[]): void {
  tryWriteWhole(fileOf(sessionDir), Buffer.from(JSON.stringify(Object.fromEntries(told))));
}
