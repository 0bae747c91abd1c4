/**
 * highlight.js answers with HTML. It is never put into the page: this reads its class names and text back out, and the
 * page makes the spans itself.
 */
export interface Token {
  /** Offsets in UTF-16 units within the line. */
  start: number;
  end: number;
  className: string;
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
};
const PART = /<span class="([^"]*)">|<\/span>|&(?:amp|lt|gt|quot|#x27);|[^<&]+|[<&]/g;

/** Tokens of each line of highlighted text. Text outside a span has no token; of nested spans the inner one counts. */
export function tokensByLine(html: string): Token[][] {
  const lines: Token[][] = [[]];
  const stack: string[] = [];
  let column = 0;
  const emit = (text: string): void => {
    text.split('\n').forEach((piece, index) => {
      if (index > 0) {
        lines.push([]);
        column = 0;
      }
      const className = stack[stack.length - 1];
      if (piece !== '' && className !== undefined) {
        add(lines[lines.length - 1] ?? [], { start: column, end: column + piece.length, className });
      }
      column += piece.length;
    });
  };
  for (const [part, className] of html.matchAll(PART)) {
    if (part.startsWith('<span')) stack.push(className ?? '');
    else if (part === '</span>') stack.pop();
    else emit(ENTITIES[part] ?? part);
  }
  return lines;
}

/** Pieces of one span (entities come one by one) become one token. */
function add(line: Token[], token: Token): void {
  const last = line[line.length - 1];
  if (last !== undefined && last.end === token.start && last.className === token.className)
    last.end = token.end;
  else line.push(token);
}
