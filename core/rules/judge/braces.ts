/** What a shell makes of braces, before anything else: `r{m,x} y` is `rm rx y`. */
import type { Piece, Word } from '../../decide/shell/facts.ts';

const MAX_WORDS = 200;
/** Of braces in one word, and of braces in braces: more stay as they are. */
const MAX_BRACES = 8;

/** The same list where there are no braces; of very many words the last stay as they are. */
export function withoutBraces(words: readonly Word[]): readonly Word[] {
  if (!words.some(hasBraces)) return words;
  const found: Word[] = [];
  for (const word of words) {
    if (found.length >= MAX_WORDS || !hasBraces(word)) found.push(word);
    // Nothing at all is no word.
    else for (const pieces of expanded(word.pieces)) if (pieces.length > 0) found.push(wordOf(pieces));
  }
  return found;
}

function hasBraces({ value, pieces }: Word): boolean {
  return value === null && pieces.some(isBrace);
}

function isBrace(piece: Piece): boolean {
  // With quotes inside it is odd.
  const isKnown = piece.kind === 'pattern' || (piece.kind === 'odd' && piece.scripts.length === 0);
  return isKnown && piece.text.startsWith('{');
}

function expanded(pieces: readonly Piece[]): Piece[][] {
  let forms: Piece[][] = [[]];
  const last = pieces.filter(isBrace)[MAX_BRACES];
  const end = last === undefined ? pieces.length : pieces.indexOf(last);
  for (const piece of pieces.slice(0, end)) {
    const texts = isBrace(piece) && 'text' in piece ? textsOf(piece.text.replace(/['"]/g, ''), 0) : null;
    const options = texts?.map((text): Piece[] =>
      text === '' ? [] : [{ kind: 'text', text, quoted: false }],
    );
    forms = forms
      .flatMap((form) => (options ?? [[piece]]).map((option) => [...form, ...option]))
      .slice(0, MAX_WORDS);
  }
  if (last === undefined) return forms;
  const rest = pieces.slice(end).map((piece) => ('text' in piece ? piece.text : piece.kind));
  return forms.map((form) => [...form, { kind: 'odd', text: rest.join(''), scripts: [] }]);
}

function wordOf(pieces: Piece[]): Word {
  const texts = pieces.map((piece) => (piece.kind === 'text' ? piece.text : null));
  const value = texts.includes(null) ? null : texts.join('');
  const source = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');
  return { source, value, pieces };
}

/** Of a text that may have braces anywhere. */
function textsOf(text: string, depth: number): string[] {
  const from = text.indexOf('{');
  const parts = from < 0 || depth > MAX_BRACES ? null : partsAt(text, from);
  if (parts === null) return [text];
  const { options, end } = parts;
  const heads = options.flatMap((one) => textsOf(one, depth + 1)).map((one) => text.slice(0, from) + one);
  const tails = textsOf(text.slice(end), depth + 1);
  return heads.flatMap((head) => tails.map((tail) => head + tail)).slice(0, MAX_WORDS);
}

/** The parts between the commas of the braces that open at `from`; null where these are no list and no short range. */
function partsAt(text: string, from: number): { options: string[]; end: number } | null {
  const options: string[] = [];
  let [depth, start] = [0, from + 1];
  for (let at = from; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\\') at++;
    else if (sign === '{') depth++;
    else if (sign === '}') depth--;
    if (depth === 0 || (sign === ',' && depth === 1)) {
      options.push(text.slice(start, at).replace(/\\(.)/gs, '$1'));
      start = at + 1;
    }
    if (depth > 0) continue;
    const all = options.length > 1 ? options : rangeOf(options[0] ?? '');
    return all === null ? null : { options: all, end: start };
  }
  return null;
}

/** Of letters. */
function rangeOf(text: string): string[] | null {
  const [, first, last] = /^([A-Za-z])\.\.([A-Za-z])$/.exec(text) ?? [];
  if (first === undefined || last === undefined) return null;
  const [low, high] = [first.charCodeAt(0), last.charCodeAt(0)].sort((a, b) => a - b) as [number, number];
  const all = Array.from({ length: high - low + 1 }, (_, i) => String.fromCharCode(low + i));
  return first < last ? all : all.reverse();
}
