/**
 * Characters that an editor, a terminal or a browser swallows, obeys or draws as nothing. Diffs show each by
 * name; lists flag changes that add some.
 */
import { countOf } from './lines.ts';

/** C0 without tab and LF, DEL, C1, soft hyphen, bidi, zero-width, no glyph, tags, lone surrogates. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|[\u034f]|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\ud800-\udfff]/gu;

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
const PICTURE = /\p{Extended_Pictographic}/u;
const SKIN = /\p{Emoji_Modifier}/u;
const KEY = /[0-9#*]/;
const BOM = 0xfeff;
const CR = 0x0d;
const JOINER = 0x200d;
const KEYCAP = '\u20e3';

export function hasBidi(text: string): boolean {
  return BIDI.test(text);
}

export function replaceHidden(text: string, by: (code: number, at: number) => string): string {
  return text.replace(HIDDEN, (c, at: number) => {
    const code = c.codePointAt(0) ?? 0;
    return isPartOfPicture(text, at, code) ? c : by(code, at);
  });
}

/** Variation selectors and joiners of an emoji belong to a visible glyph. */
function isPartOfPicture(text: string, at: number, code: number): boolean {
  if (code === 0xfe0f || code === 0xfe0e) {
    const before = characterBefore(text, at);
    if (KEY.test(before)) return text[at + 1] === KEYCAP;
    return PICTURE.test(before);
  }
  if (code !== JOINER || !PICTURE.test(characterAt(text, at + 1))) return false;
  const before = characterBefore(text, at);
  if (before === '\ufe0f') return isPartOfPicture(text, at - 1, 0xfe0f);
  return PICTURE.test(before) || SKIN.test(before);
}

function characterBefore(text: string, at: number): string {
  return [...text.slice(Math.max(0, at - 2), at)].pop() ?? '';
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? '' : String.fromCodePoint(code);
}

/** Characters on either side that tell whether a hidden character was there before. */
const AROUND = 8;

/** `after` has more hidden characters than `before` in a context. An initial BOM and CR LF hide nothing. */
export function addsHidden(before: string, after: string): boolean {
  let had: Map<string, number> | null = null;
  for (const place of hiddenPlaces(after)) {
    had ??= countOf(hiddenPlaces(before));
    const left = had.get(place) ?? 0;
    if (left === 0) return true;
    had.set(place, left - 1);
  }
  return false;
}

function* hiddenPlaces(text: string): Generator<string> {
  for (const { 0: c, index: at } of text.matchAll(HIDDEN)) {
    const code = c.codePointAt(0) ?? 0;
    const end = at + c.length;
    if (code === BOM && at === 0) continue;
    if (code === CR && text[end] === '\n') continue;
    if (isPartOfPicture(text, at, code)) continue;
    const left = text.slice(Math.max(0, at - AROUND), at).split(/[\r\n]/);
    const [right = ''] = text.slice(end, end + AROUND).split(/[\r\n]/);
    yield `${left.at(-1) ?? ''}${c}\n${right}`;
  }
}
