/** When the focused element goes, focuses the open panel or the content: on the body a reader starts over. */
export function keepFocus(): () => void {
  const onLost = ({ target, relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null || !(target instanceof HTMLElement)) return;
    // Deferred: another element may be about to get the focus.
    setTimeout(() => {
      const isGone = !target.isConnected || target.matches(':disabled');
      if (isGone && document.activeElement === document.body) focusContent();
    });
  };
  document.addEventListener('focusout', onLost);
  return () => document.removeEventListener('focusout', onLost);
}

/** Focuses the next element (`by` 1) or the one before; the first or last one when none has the focus. */
export function stepFocus(elements: readonly HTMLElement[], by: 1 | -1): void {
  const at = [...elements].indexOf(document.activeElement as HTMLElement);
  elements[at < 0 ? (by > 0 ? 0 : elements.length - 1) : at + by]?.focus();
}

function focusContent(): void {
  const panel = document.querySelector<HTMLElement>('.sheet [tabindex="-1"]');
  (panel ?? document.getElementById('main'))?.focus({ preventScroll: true });
}
