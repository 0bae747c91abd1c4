/** The focus when what has it goes away. */

/**
 * Where that is removed or disabled (an action was carried out, and its button has nothing left to do), the open panel or
 * the page's content gets the focus: on the body a screen reader begins anew. Gives what ends it.
 */
export function keepFocus(): () => void {
  const onLost = ({ target, relatedTarget }: FocusEvent): void => {
    if (relatedTarget !== null || !(target instanceof HTMLElement)) return;
    // Not at once: who takes it away may give it to another in the same breath.
    setTimeout(() => {
      const isGone = !target.isConnected || target.matches(':disabled');
      if (isGone && document.activeElement === document.body) focusContent();
    });
  };
  document.addEventListener('focusout', onLost);
  return () => document.removeEventListener('focusout', onLost);
}

/** The next element (`by` 1) or the one before gets the focus; the first or last one where none has it. */
export function stepFocus(elements: readonly HTMLElement[], by: 1 | -1): void {
  const at = [...elements].indexOf(document.activeElement as HTMLElement);
  elements[at < 0 ? (by > 0 ? 0 : elements.length - 1) : at + by]?.focus();
}

/** Both have a tabindex of -1. */
function focusContent(): void {
  const panel = document.querySelector<HTMLElement>('.sheet [tabindex="-1"]');
  (panel ?? document.getElementById('main'))?.focus({ preventScroll: true });
}
