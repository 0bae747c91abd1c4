/** The last filter before a terminal: cited text must not drive it, nor reorder a line. */
export function visible(text: string, coloured: boolean): string {
  return text.replace(PATTERN, (found) => {
    if (found.length > 1) return coloured ? found : `\\x1b${found.slice(1)}`;
    const code = found.codePointAt(0) ?? 0;
    return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** The client cuts a hook's text at 10,000 characters. */
const MAX_ANSWER = 9_000;

/** The answer to a typed slash command, which the client shows in its terminal. */
export function answerText(text: string): string {
  const whole = visible(text.trimEnd(), false);
  // Never half of a surrogate pair.
  const kept = whole.slice(0, MAX_ANSWER).replace(/[\ud800-\udbff]$/, '');
  return kept.length === whole.length ? whole : `${kept}\n… (cut; /trai:ui shows all)`;
}

/** JSON escapes, which keep the value. */
export function visibleJson(json: string): string {
  return json.replace(UNSEEN, (found) => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** Control characters except tab and line feed, and those that change text direction. */
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Keeps the colours of `Style`. */
const PATTERN = new RegExp(`\\u001b\\[(?:1|2|22|3[1236]|39)m|${UNSEEN.source}`, 'g');
