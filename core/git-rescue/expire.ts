import { lstatSync, readdirSync } from 'node:fs';
import { bytePath, fromText } from '../../shared/bytes.ts';
import { nodePort } from '../kernel/fs/port.ts';
import { removePath } from '../kernel/fs/remove-tree.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Removes what was kept more than `days` ago (one at least) from a session's `saved`. The change time counts: copies
 * have the modification times of what they are copies of. Never throws: what can't be removed stays.
 */
export function expireSaved(saved: string, days: number, now: number): void {
  const oldest = now - Math.max(1, days) * DAY_MS;
  let names: string[];
  try {
    names = readdirSync(saved);
  } catch {
    return;
  }
  for (const name of names) {
    try {
      if (lstatSync(`${saved}/${name}`).ctimeMs >= oldest) continue;
      removePath(nodePort, fromText(saved), bytePath(name));
    } catch {
      // The next time.
    }
  }
}
