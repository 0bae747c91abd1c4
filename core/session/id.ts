/** Session ids: names of directories, words on command lines, parts of mount sources. Hence one narrow charset. */

const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export function isSessionId(text: string): boolean {
  return SESSION_ID.test(text);
}

/** A new id: UTC time for people, 32 random bits so that two never meet (`20260131-080000-9f86d081`). */
export function newSessionId(now: Date = new Date()): string {
  const random = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const time = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${time}-${random.toString(16).padStart(8, '0')}`;
}

/**
 * One of Claude's session ids in our charset. Theirs are UUIDs today, which stay as they are; of any other text the
 * odd characters are replaced and a hash of the whole is added, so that different ids stay different.
 */
export function sessionIdOfClaude(claudeId: string): string {
  if (isSessionId(claudeId)) return claudeId;
  const readable = claudeId
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 40);
  return `${readable === '' ? 'claude' : readable}.${fnv1a64(claudeId)}`;
}

/** 64-bit FNV-1a over the UTF-16 units, in hex: no secret is involved, and the browser may want it too. */
function fnv1a64(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
