import { type ComponentChildren, Fragment } from 'preact';
import type { Token } from '../diff/rows/highlight.ts';
import { shellColours } from '../diff/rows/highlighter.ts';
import { useResource } from '../state/resource.ts';
import { visibleText } from '../text/visible.ts';
import { scrolls } from '../ui/Panel.tsx';

/** A shell text as a whole, with colours; hidden characters are spelled out. */
export function CallCommand({ command }: { command: string }) {
  const text = visibleText(command);
  const colours = useResource((abort) => shellColours(text, abort), [text]);
  return (
    <pre class="excerpt command" {...scrolls}>
      {text.split('\n').map((line, i) => (
        <Fragment key={i}>
          {i === 0 ? '' : '\n'}
          {coloured(line, colours.data.value?.[i] ?? [])}
        </Fragment>
      ))}
    </pre>
  );
}

function coloured(text: string, tokens: readonly Token[]): ComponentChildren[] {
  let at = 0;
  const parts = tokens.flatMap(({ start, end, className }) => {
    const before = text.slice(at, start);
    at = end;
    return [
      before,
      <span key={start} class={className}>
        {text.slice(start, end)}
      </span>,
    ];
  });
  return [...parts, text.slice(at)];
}
