/** The token of an `Authorization: Bearer` header, or null. Any other scheme, and two tokens, are no token. */
export function bearerToken(header: string | undefined): string | null {
  if (header === undefined) return null;
  return /^Bearer ([A-Za-z0-9_-]{1,200})$/.exec(header)?.[1] ?? null;
}
