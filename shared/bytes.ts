/**
 * File names are bytes. Inside trai, in its logs and on the wire a path is a *byte string*: a JavaScript
 * string with one character, U+0000 to U+00FF, for each byte (Node's `latin1`). It is lossless, sorts like
 * the bytes, and goes to `fs` as `Buffer.from(path, 'latin1')`. Only what a user reads is decoded.
 */
declare const brand: unique symbol;
export type BytePath = string & { readonly [brand]: 'BytePath' };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export function isByteString(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0xff) return false;
  return true;
}

/** @throws RangeError when a character is above U+00FF */
export function bytePath(text: string): BytePath {
  if (!isByteString(text)) throw new RangeError('expected a byte string (every character <= U+00FF)');
  return text as BytePath;
}

export function isAscii(path: BytePath): boolean {
  return !NOT_ASCII.test(path);
}

const NOT_ASCII = /[^\0-\x7f]/;

export function fromText(text: string): BytePath {
  let out = '';
  for (const byte of new TextEncoder().encode(text)) out += String.fromCharCode(byte);
  return out as BytePath;
}

/** Of a byte string. Bytes that are not UTF-8 become U+FFFD: `fromText` gives another one then. */
export function toText(bytes: string): string {
  return decoder.decode(toBytes(bytes as BytePath));
}

export function toBytes(path: BytePath): Uint8Array {
  const out = new Uint8Array(path.length);
  for (let i = 0; i < path.length; i++) out[i] = path.charCodeAt(i);
  return out;
}

/**
 * A path for users: UTF-8 text where the bytes are valid UTF-8; else ASCII as it is and every other byte as
 * `\xNN`. Control, bidirectional and zero-width characters become escapes and a backslash becomes two, so
 * that no two names read the same and none changes the direction of the text around it.
 */
export function toDisplay(path: BytePath): string {
  // Before the escapes are added: their backslashes must stay single.
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

const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|[\u034f]|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]/gu;

export function parentOf(path: BytePath): BytePath {
  const at = path.lastIndexOf('/');
  return (at <= 0 ? '/' : path.slice(0, at)) as BytePath;
}

export function nameOf(path: BytePath): BytePath {
  return path.slice(path.lastIndexOf('/') + 1) as BytePath;
}

export function joinPath(dir: BytePath, name: BytePath | string): BytePath {
  return (dir.endsWith('/') ? dir + name : `${dir}/${name}`) as BytePath;
}

export function isWithin(path: string, dir: string): boolean {
  return path === dir || dir === '/' || (path.startsWith(dir) && path.charCodeAt(dir.length) === 47);
}

/** Of those whose directory (`dirOf`) holds the path, the deepest one; of equals the last. */
export function innermost<T>(path: string, all: Iterable<T>, dirOf: (one: T) => string): T | undefined {
  let best: T | undefined;
  for (const one of all) {
    const dir = dirOf(one);
    if (isWithin(path, dir) && (best === undefined || dir.length >= dirOf(best).length)) best = one;
  }
  return best;
}

/** Strictly below: a path that is itself among `dirs` does not count. */
export function isBelowAny(path: BytePath, dirs: ReadonlySet<string>): boolean {
  for (let at = path; at !== '/'; ) {
    at = parentOf(at);
    if (dirs.has(at)) return true;
  }
  return false;
}
