/** Text or binary, by content, never by name. */

export const SNIFF_BYTES = 8 * 1024;

/** A NUL byte in the first 8 kB, or invalid UTF-8 anywhere. UTF-16 is binary. */
export function isBinary(content: Uint8Array): boolean {
  return hasNul(content) || decodeText(content) === null;
}

/** For the head of a longer file, whose last character may be cut. */
export function isBinaryHead(head: Uint8Array): boolean {
  return hasNul(head) || decodeText(head, true) === null;
}

/** Keeps a byte order mark. Null when the bytes are not valid UTF-8; a `head` may end within a character. */
export function decodeText(content: Uint8Array, head = false): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content, { stream: head });
  } catch {
    return null;
  }
}

const MAGIC: readonly { at: number; bytes: string; mime: string }[] = [
  { at: 0, bytes: '\x89PNG\r\n\x1a\n', mime: 'image/png' },
  { at: 0, bytes: '\xff\xd8\xff', mime: 'image/jpeg' },
  { at: 0, bytes: 'GIF87a', mime: 'image/gif' },
  { at: 0, bytes: 'GIF89a', mime: 'image/gif' },
  { at: 8, bytes: 'WEBPVP8', mime: 'image/webp' },
  { at: 4, bytes: 'ftypavif', mime: 'image/avif' },
  { at: 0, bytes: '\x00\x00\x01\x00', mime: 'image/x-icon' },
  { at: 0, bytes: '%PDF-', mime: 'application/pdf' },
  { at: 0, bytes: 'PK\x03\x04', mime: 'application/zip' },
  { at: 0, bytes: '\x1f\x8b', mime: 'application/gzip' },
  { at: 0, bytes: '\x7fELF', mime: 'application/x-executable' },
  { at: 0, bytes: 'SQLite format 3\x00', mime: 'application/vnd.sqlite3' },
  { at: 0, bytes: '\x00asm', mime: 'application/wasm' },
  { at: 0, bytes: '\xff\xfe', mime: 'text/plain; charset=utf-16' },
  { at: 0, bytes: '\xfe\xff', mime: 'text/plain; charset=utf-16' },
];

export function sniffMime(head: Uint8Array): string | null {
  const text = String.fromCharCode(...head.subarray(0, 32));
  return MAGIC.find(({ at, bytes }) => text.startsWith(bytes, at))?.mime ?? null;
}

/** Images that browsers draw and that cannot run anything. */
export const RASTER = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

export function rasterType(head: Uint8Array): (typeof RASTER)[number] | null {
  const mime = sniffMime(head);
  return RASTER.find((type) => type === mime) ?? null;
}

function hasNul(content: Uint8Array): boolean {
  return content.subarray(0, SNIFF_BYTES).includes(0);
}
