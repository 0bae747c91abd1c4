import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPlainJson } from '../../../core/kernel/fs/plain-file.ts';
import type { Check } from '../../../core/sandbox/doctor/check.ts';
import { isHealthy, runDoctor } from '../../../core/sandbox/doctor/doctor.ts';
import { VERSION } from '../../../core/session/version.ts';
import { isObject, text } from './input.ts';

/** A machine that could enter the sandbox since its last start still can, unless an hour has passed (ms). */
const FRESH_MS = 60 * 60 * 1000;

/**
 * Why the sandbox can't be entered, with the remedy; null = it can. A good verdict is kept for an hour and this boot,
 * a bad one is never kept: the user may just have fixed it.
 */
export async function quickVerdict(stateDir: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const file = path.join(stateDir, 'doctor.json');
  const key = `${VERSION} ${process.version} ${bootId()}`;
  const cached = readCache(file);
  if (
    cached !== null &&
    text(cached, 'key') === key &&
    Date.now() - Date.parse(text(cached, 'at')) < FRESH_MS
  ) {
    return null;
  }
  const checks = await runDoctor({ stateDir, env });
  if (!isHealthy(checks)) return explain(checks);
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify({ key, at: new Date().toISOString() }), { mode: 0o600 });
  renameSync(temporary, file);
  return null;
}

function explain(checks: readonly Check[]): string {
  const failed = checks.filter((check) => !check.ok && check.level === 'error');
  return failed.map(({ found, remedy }) => (remedy === '' ? `${found}.` : `${found}. ${remedy}`)).join(' ');
}

function readCache(file: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = readPlainJson(file);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
