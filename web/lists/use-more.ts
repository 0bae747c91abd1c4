/** “Show 30 more”: the button may go with the rows that it has shown, and on the page a reader would start over. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface More<T> {
  /** Of the element around the rows. */
  box: RefObject<T | null>;
  /** Shows more rows, now or later, and gives the focus to the first of them. */
  more(show: () => void): void;
}

/** In the component that draws the rows anew. @param rows a selector */
export function useMore<T extends HTMLElement>(rows: string): More<T> {
  const box = useRef<T>(null);
  const shown = useRef<number | null>(null);
  const all = () => box.current?.querySelectorAll<HTMLElement>(rows) ?? [];
  useLayoutEffect(() => {
    const first = shown.current === null ? undefined : all()[shown.current];
    if (first === undefined) return;
    shown.current = null;
    if (first.tabIndex < 0) first.tabIndex = -1;
    first.focus();
  });
  return {
    box,
    more: (show) => {
      shown.current = all().length;
      show();
    },
  };
}
