/** The port of the server before: a tab that is still open finds the next one under the same address. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../../core/kernel/fs/atomic-file.ts';

const fileOf = (stateDir: string): string => path.join(stateDir, 'last-port');

/** 0 (any port) when none is known. */
export function readLastPort(stateDir: string): number {
  let text: string;
  try {
    text = readFileSync(fileOf(stateDir), 'latin1');
  } catch {
    return 0;
  }
  const port = /^\d{1,5}\n$/.test(text) ? Number(text) : 0;
  return port > 1023 && port < 65_536 ? port : 0;
}

/** Best effort: without it the next server has another port, as if there had been none before. */
export async function writeLastPort(stateDir: string, port: number): Promise<void> {
  await replaceFile(fileOf(stateDir), `${port}\n`).catch(() => {});
}
