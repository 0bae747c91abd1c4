import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 32 random bytes as base64url: a credential, a proof, a one-time code. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** SHA-256 of a text, so that two values of any length can be compared in constant time. */
export function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}

/** Compares without telling by its duration where the two differ, or how long the right one is. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

/** The token of an `Authorization: Bearer` header, or null. Any other scheme, and two tokens, are no token. */
export function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  return /^Bearer ([A-Za-z0-9_-]{1,200})$/.exec(header)?.[1] ?? null;
}
