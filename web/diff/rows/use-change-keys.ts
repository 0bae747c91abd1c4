/** `n` and `p`: to the next and previous place in a part of the page: a group of changed rows, or a place of a conflict. */
import { useShortcuts } from '../../keys/shortcuts.ts';

/** With `on` false they are left to whoever else answers to them. */
export function useChangeKeys(box: { current: HTMLElement | null }, on = true): void {
  const go = (direction: 1 | -1): void => {
    const places = [...(box.current?.querySelectorAll<HTMLElement>('tr.changed, .block-change') ?? [])];
    const starts = places.filter((one) => one.previousElementSibling?.classList.contains('changed') !== true);
    const marked = starts.findIndex((one) => one.classList.contains('here'));
    const next = starts[marked < 0 ? (direction > 0 ? 0 : starts.length - 1) : marked + direction];
    if (next === undefined) return;
    for (const one of starts) one.classList.toggle('here', one === next);
    // A place of a conflict has a name to be read out.
    if (next.tabIndex === -1 && next.hasAttribute('tabindex')) next.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'center' });
  };
  useShortcuts(on ? { 'next-change': () => go(1), 'previous-change': () => go(-1) } : {}, box);
}
