/** “Show 30 more”: the button may go with the rows that it has shown, and on the page a reader would start over. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface More<T> {
  /** Of the element around the rows. */
  box: RefObject<T | null>;
  /** Shows more rows, now or later, and gives the focus to the first of them. @param button of those that come in its place, not last */
  more(show: () => void, button?: Element): void;
}

/** In the component that draws the rows anew. @param rows a selector */
export function useMore<T extends HTMLElement>(rows: string): More<T> {
  const box = useRef<T>(null);
  const asked = useRef<{ shown: number; by: Element | null } | null>(null);
  const all = () => [...(box.current?.querySelectorAll<HTMLElement>(rows) ?? [])];
  useLayoutEffect(() => {
    if (asked.current === null) return;
    const { shown, by } = asked.current;
    const first = all()[shown];
    if (first === undefined) return;
    asked.current = null;
    // Who has gone on meanwhile, to a search field for example, stays there. A button that is gone or disabled leaves the page.
    const at = document.activeElement;
    if (at !== by && at?.contains(box.current) === false) return;
    if (first.tabIndex < 0) first.tabIndex = -1;
    first.focus();
  });
  return {
    box,
    more: (show, button) => {
      const isBefore = (row: Element) =>
        button === undefined ||
        (button.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
      asked.current = { shown: all().filter(isBefore).length, by: document.activeElement };
      show();
    },
  };
}
