/** `n` and `p`: scroll to the next and previous group of changed rows in a part of the page. */
import { useActions } from '../state/actions.ts';

/** With `on` false they are left to whoever else answers to them. */
export function useChangeKeys(box: { current: HTMLElement | null }, on = true): void {
  const go = (direction: 1 | -1): void => {
    const rows = [...(box.current?.querySelectorAll<HTMLElement>('tr.changed') ?? [])];
    const starts = rows.filter((row) => row.previousElementSibling?.classList.contains('changed') !== true);
    const marked = starts.findIndex((row) => row.classList.contains('here'));
    const next = starts[marked < 0 ? (direction > 0 ? 0 : starts.length - 1) : marked + direction];
    if (next === undefined) return;
    for (const row of starts) row.classList.toggle('here', row === next);
    next.scrollIntoView({ block: 'center' });
  };
  useActions(on ? { 'next-change': () => go(1), 'previous-change': () => go(-1) } : {});
}
