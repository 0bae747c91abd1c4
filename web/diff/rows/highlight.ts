/** Syntax colours, in the worker. The HTML of highlight.js never reaches the page: only names and text do. */
import hljs from 'highlight.js/lib/common';
import dockerfile from 'highlight.js/lib/languages/dockerfile';

hljs.registerLanguage('dockerfile', dockerfile);

export interface Token {
  /** UTF-16 offsets within the line. */
  start: number;
  end: number;
  className: string;
}

export interface ColourJob {
  language: string;
  texts: string[];
}

/** `ready` once loaded, then an answer for each job: tokens by text and line, or null. */
export type FromWorker = 'ready' | Token[][][] | null;

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};
const PART = /<span class="([^"]*)">|<\/span>|&(?:amp|lt|gt|quot|#x27);|[^<&]+|[<&]/g;

/** Tokens by text and line; null for an unknown language. May take forever: call it in the worker only. */
export function colours({ language, texts }: ColourJob): Token[][][] | null {
  if (hljs.getLanguage(language) === undefined) return null;
  return texts.map((text) => tokensByLine(hljs.highlight(text, { language, ignoreIllegals: true }).value));
}

/** Text outside spans has no token; of nested spans the inner one counts. */
export function tokensByLine(html: string): Token[][] {
  const lines: Token[][] = [[]];
  const stack: string[] = [];
  let column = 0;
  const emit = (text: string): void => {
    for (const [index, piece] of text.split('\n').entries()) {
      if (index > 0) {
        lines.push([]);
        column = 0;
      }
      const className = stack.at(-1);
      const end = column + piece.length;
      if (piece !== '' && className !== undefined) add(lines.at(-1) ?? [], { start: column, end, className });
      column = end;
    }
  };
  for (const [part, className] of html.matchAll(PART)) {
    if (part.startsWith('<span')) stack.push(className ?? '');
    else if (part === '</span>') stack.pop();
    else emit(ENTITIES[part] ?? part);
  }
  return lines;
}

/** Joins the pieces of one span; entities come one by one. */
function add(line: Token[], token: Token): void {
  const last = line.at(-1);
  if (last?.end === token.start && last.className === token.className) last.end = token.end;
  else line.push(token);
}
