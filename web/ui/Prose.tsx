import { visibleText } from '../text/visible.ts';

/** A message. What stands between backquotes, as a terminal shows it, is code. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {visibleText(text)
        .split(/`([^`]+)`/)
        .map((part, i) => (i % 2 === 0 ? part : <code key={i}>{part}</code>))}
    </>
  );
}
