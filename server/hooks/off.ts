import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * `sessions/<id>/off` turns the sandbox off for a session; its first line says why. A file of its own, since the hook
 * scripts read and write it without Node.
 */
export function readOff(sessionDir: string): string | null {
  try {
    const [why] = readFileSync(path.join(sessionDir, 'off'), 'utf8').split('\n');
    return why === undefined || why === '' ? 'no reason was given' : why;
  } catch {
    return null;
  }
}

export function writeOff(sessionDir: string, why: string): void {
  const file = path.join(sessionDir, 'off');
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${why.replace(/\s+/g, ' ')}\n`, { mode: 0o600 });
  renameSync(temporary, file);
}

/**
 * Takes our line out of the env file of a client session: state/claude-env/<claude id> names the file in its second
 * line (hooks/lib/env-record.sh). Only a file that holds our mark is emptied.
 */
export function clearEnvFile(stateDir: string, claude: string): void {
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(claude)) return;
  const record = readBytes(path.join(stateDir, 'claude-env', claude));
  const file = record?.split('\n')[1];
  if (file === undefined || !file.startsWith('/')) return;
  const text = readBytes(Buffer.from(file, 'latin1'));
  if (text?.includes('# trai:')) writeFileSync(Buffer.from(file, 'latin1'), '');
}

/** Content as one character a byte: the path in a record is bytes. */
function readBytes(file: string | Buffer): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return null;
  }
}
