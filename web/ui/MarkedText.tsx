/** A text whose invisible characters are labels, as in a diff. */
import { markedParts } from './visible.ts';

/** @param text as `shownText` or `markInvisible` give it */
export function MarkedText({ text }: { text: string }) {
  return (
    <>
      {markedParts(text).map((part, i) =>
        typeof part === 'string' ? (
          part
        ) : (
          <span key={i} class={part.className} title={part.title === '' ? undefined : part.title}>
            {part.label}
          </span>
        ),
      )}
    </>
  );
}
