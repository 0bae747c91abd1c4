import { TraiError } from '../../../shared/errors.ts';

const FULL = new Set(['ENOSPC', 'EDQUOT']);

/** Why something could not be done, as text. A full disk is named with the place, since the system's text names none. */
export function failureText(thrown: unknown, stateDir: string): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (!isFull(thrown)) return message;
  return `${stateDir} has no space left (${message}). Free some space on that disk; what is pending stays`;
}

function isFull(thrown: unknown): boolean {
  if (thrown instanceof TraiError && thrown.code === 'no-space') return true;
  if (!(thrown instanceof Error)) return false;
  return 'code' in thrown && typeof thrown.code === 'string' && FULL.has(thrown.code);
}
