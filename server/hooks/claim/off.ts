import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * `sessions/<id>/off` turns the sandbox off for a session; its first line says why. Only a user makes it. A file of its
 * own, since the hook scripts read it without Node.
 */
export function readOff(sessionDir: string): string | null {
  try {
    const [why] = readFileSync(path.join(sessionDir, 'off'), 'utf8').split('\n');
    return why === undefined || why === '' ? 'no reason was given' : why;
  } catch {
    return null;
  }
}
