/** The text of a command, with every hidden character visible and the colours of a shell. */
import { useEffect, useState } from 'preact/hooks';
import { shellColours } from '../diff/rows/highlighter-state.ts';
import { scrolls } from '../ui/scroll-area.ts';
import type { Token } from '../ui/tokens.ts';
import { visibleText } from '../ui/visible.ts';

export function CallCommand({ command }: { command: string }) {
  const text = visibleText(command);
  const [colours, setColours] = useState<{ text: string; lines: Token[][] } | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    void shellColours(text, abort.signal).then((lines) => {
      if (!abort.signal.aborted) setColours({ text, lines });
    });
    return () => abort.abort();
  }, [text]);
  const colouring = colours?.text === text ? colours.lines : [];
  const lines = text.split('\n');
  return (
    <pre class="command" {...scrolls}>
      {lines.map((line, i) => (
        <Line key={i} text={line} tokens={colouring[i] ?? []} last={i === lines.length - 1} />
      ))}
    </pre>
  );
}

function Line({ text, tokens, last }: { text: string; tokens: readonly Token[]; last: boolean }) {
  const parts = [];
  let at = 0;
  for (const { start, end, className } of tokens) {
    if (start > at) parts.push(text.slice(at, start));
    parts.push(
      <span key={start} class={className}>
        {text.slice(start, end)}
      </span>,
    );
    at = end;
  }
  parts.push(text.slice(at));
  return (
    <>
      {parts}
      {last ? '' : '\n'}
    </>
  );
}
