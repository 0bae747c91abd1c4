/**
 * Texts as displayed. This module makes each character visible that an editor, terminal or browser would obey
 * or draw as nothing: a reviewer must see a bare carriage return or a right-to-left override for what it is.
 *
 *     a diff's text     markInvisible: ONE stand-in (private use planes) for each, which word matching and
 *                       highlighting cannot cut; markedParts: a labelled span for each stand-in when drawn
 *     plain places      visibleText (commands, messages), oneLine, visibleOutput: escapes such as `\x1b`
 *     names and units   paths.ts (byte strings), kinds.ts (kinds of change), format.ts (numbers, times)
 */
import { hasBidi, replaceHidden } from '../../shared/text/hidden-characters.ts';

const PLANE_15 = 0xf0000;
const PLANE_16 = 0x100000;
const TAGS = 0xe0000;

/** Stand-ins for no character of the text: marks at the end of a line. */
export const MARK_NO_NEWLINE = String.fromCodePoint(PLANE_16 + 0xfff0);
export const MARK_CR = String.fromCodePoint(PLANE_15 + 0x0d);

const STAND_INS = /[\u{f0000}-\u{10ffff}]/gu;

/** Common short names. */
const NAMES: Record<number, string> = {
  0: 'NUL',
  7: 'BEL',
  8: 'BS',
  11: 'VT',
  12: 'FF',
  13: 'CR',
  27: 'ESC',
  127: 'DEL',
  173: 'SHY',
  8203: 'ZWSP',
  8204: 'ZWNJ',
  8205: 'ZWJ',
  8206: 'LRM',
  8207: 'RLM',
  8232: 'LSEP',
  8233: 'PSEP',
  8234: 'LRE',
  8235: 'RLE',
  8236: 'PDF',
  8237: 'LRO',
  8238: 'RLO',
  8288: 'WJ',
  8294: 'LRI',
  8295: 'RLI',
  8296: 'FSI',
  8297: 'PDI',
  65279: 'BOM',
};

/** Tabs stay. */
export function markInvisible(text: string): string {
  // The text's own private use characters are spelled out: they would read as stand-ins.
  const free = text.replace(STAND_INS, (c) => `⟦${unicode(c.codePointAt(0) ?? 0)}⟧`);
  return replaceHidden(free, (code) => String.fromCodePoint(standInOf(code)));
}

function standInOf(code: number): number {
  return code >= TAGS && code < TAGS + 0x1000 ? PLANE_16 + (code - TAGS) : PLANE_15 + code;
}

function unicode(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Null for the end-of-line mark. */
function originalOf(standIn: number): number | null {
  if (standIn === PLANE_16 + 0xfff0) return null;
  return standIn >= PLANE_16 ? TAGS + (standIn - PLANE_16) : standIn - PLANE_15;
}

interface Mark {
  className: string;
  title: string;
  label: string;
}

function markOf(standIn: string): Mark {
  const code = originalOf(standIn.codePointAt(0) ?? 0);
  if (code === null) return { className: 'ctl ctl-eof', title: '', label: 'no newline at end of file' };
  const className = hasBidi(String.fromCodePoint(code)) ? 'ctl ctl-bidi' : 'ctl';
  return { className, title: unicode(code), label: NAMES[code] ?? unicode(code) };
}

/** Splits at the stand-ins. */
export function markedParts(text: string): (string | Mark)[] {
  const parts: (string | Mark)[] = [];
  let at = 0;
  for (const found of text.matchAll(STAND_INS)) {
    if (found.index > at) parts.push(text.slice(at, found.index));
    parts.push(markOf(found[0]));
    at = found.index + found[0].length;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

/** For plain text: escapes such as `\x1b` and `\u{202e}`; line feeds and tabs stay. */
export function visibleText(text: string): string {
  const plain = text.replace(STAND_INS, (c) => `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
  return replaceHidden(plain, (code) => {
    if (code === 0x0d) return '\\r';
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** As `visibleText`, with line feeds as ⏎. */
export function oneLine(text: string): string {
  return visibleText(text).replace(/\n/g, ' ⏎ ');
}

/** Drops colour sequences, which could hide text, and makes all else visible. */
export function visibleOutput(text: string): string {
  return visibleText(text.replace(/\u001b\[[0-9;:]*m/g, '').replace(/\r\n/g, '\n'));
}
