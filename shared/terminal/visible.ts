/**
 * The last look at what goes to a terminal. Names and texts are made visible where they are put in; what comes by another way
 * (an error's own words, an argument that is cited) must not drive the terminal or turn a line around either.
 */
export function visible(text: string, coloured: boolean): string {
  return text.replace(PATTERN, (found) => {
    if (found.length > 1) return coloured ? found : `\\x1b${found.slice(1)}`;
    const code = found.codePointAt(0) ?? 0;
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** The same for JSON, where an escape means the character that it stands for. */
export function visibleJson(json: string): string {
  return json.replace(UNSEEN, (found) => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** Controls but tab and line feed, and what changes the direction of a line. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Our own colours (style.ts) stay. */
const PATTERN = new RegExp(`\\u001b\\[(?:1|2|22|3[1236]|39)m|${UNSEEN.source}`, 'g');
