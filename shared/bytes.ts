/**
 * File names are bytes. Inside trai, in its logs and on the wire a path is a *byte string*: a JavaScript string with
 * one character, U+0000 to U+00FF, for each byte (Node's `latin1`). It is lossless, sorts like the bytes, and costs
 * nothing to hand to `fs` (`Buffer.from(path, 'latin1')`). Only what a person reads is decoded.
 */
declare const brand: unique symbol;
export type BytePath = string & { readonly [brand]: 'BytePath' };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** True when every character of `text` stands for one byte. */
export function isByteString(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return false;
  return true;
}

/** Takes a string that is known to hold one byte a character. Throws a RangeError otherwise. */
export function bytePath(text: string): BytePath {
  if (!isByteString(text)) throw new RangeError('expected a byte string (every character <= U+00FF)');
  return text as BytePath;
}

/** True when the bytes of a byte string are those that it has as ordinary text: such a path needs no copy. */
export function isAscii(path: BytePath): boolean {
  return !NOT_ASCII.test(path);
}

const NOT_ASCII = /[^\0-\x7f]/;

/** The byte string of an ordinary (UTF-16) JavaScript string: its UTF-8 bytes. */
export function fromText(text: string): BytePath {
  let out = '';
  for (const byte of new TextEncoder().encode(text)) out += String.fromCharCode(byte);
  return out as BytePath;
}

/** The bytes of a byte string. */
export function toBytes(path: BytePath): Uint8Array {
  const out = new Uint8Array(path.length);
  for (let i = 0; i < path.length; i++) out[i] = path.charCodeAt(i);
  return out;
}

/**
 * What a person reads: the UTF-8 text where the bytes are valid UTF-8, otherwise the ASCII part as it is and every
 * other byte as `\xNN`. Control, bidirectional and zero-width characters are written as escapes and a backslash as two,
 * so that two different names never read the same and no name changes the direction of the text around it.
 */
export function toDisplay(path: BytePath): string {
  // First of all: else a backslash and an n in a name would read like a line feed.
  const escaped = path.replaceAll('\\', '\\\\');
  let text: string;
  try {
    text = utf8.decode(toBytes(escaped as BytePath));
  } catch {
    text = escaped.replace(/[\x80-\xff]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
  }
  return text.replace(INVISIBLE, (c) => {
    const code = c.codePointAt(0) ?? 0;
    if (c === '\n') return '\\n';
    if (c === '\r') return '\\r';
    if (c === '\t') return '\\t';
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** C0, DEL, C1, soft hyphen, bidirectional marks and overrides, zero-width and other invisible code points. */
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|[\u034f]|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]/gu;

/** Directory part of an absolute byte path; `/` for top-level entries. */
export function parentOf(path: BytePath): BytePath {
  const at = path.lastIndexOf('/');
  return (at <= 0 ? '/' : path.slice(0, at)) as BytePath;
}

/** Last component of a byte path. */
export function nameOf(path: BytePath): BytePath {
  return path.slice(path.lastIndexOf('/') + 1) as BytePath;
}

/** Joins a directory and one name (or a relative path). */
export function joinPath(dir: BytePath, name: BytePath | string): BytePath {
  return (dir.endsWith('/') ? dir + name : `${dir}/${name}`) as BytePath;
}

/** True when `path` is `dir` or lies below it. */
export function isWithin(path: string, dir: string): boolean {
  return path === dir || dir === '/' || (path.startsWith(dir) && path.charCodeAt(dir.length) === 47);
}

/** True when a directory above `path` is among `dirs`. */
export function isBelowAny(path: BytePath, dirs: ReadonlySet<string>): boolean {
  for (let at = path; at !== '/'; ) {
    at = parentOf(at);
    if (dirs.has(at)) return true;
  }
  return false;
}
