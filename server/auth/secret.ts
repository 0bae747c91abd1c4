import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Makes texts of any length comparable in constant time. */
export function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** In constant time, whatever the lengths. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

/** Null for another scheme, and for two tokens. */
export function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  return /^Bearer ([A-Za-z0-9_-]{1,200})$/.exec(header)?.[1] ?? null;
}
