/** Which view handles a shortcut. The newest registration wins, so that a dialog gets Escape. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { matchKey, type Press, type ShortcutId } from './keys.ts';

type Handlers = Partial<Record<ShortcutId, () => void>>;

interface Registered {
  handlers: Handlers;
  /** What the handlers are about; null = the page. */
  place: { current: Element | null } | null;
}

const registered: { current: Registered }[] = [];

/** Registers handlers while mounted; with `place`, also for keys in the dialog around it. */
export function useShortcuts(handlers: Handlers, place: Registered['place'] = null): void {
  const latest = useRef({ handlers, place });
  latest.current = { handlers, place };
  // Before painting: a key pressed as soon as something is visible finds its handler.
  useLayoutEffect(() => {
    registered.push(latest);
    return () => {
      registered.splice(registered.indexOf(latest), 1);
    };
  }, []);
}

/** Runs an action; false when nothing handles it. Of keys pressed in a `dialog` only Escape leaves it. */
export function runShortcut(id: ShortcutId, dialog: Element | null = null): boolean {
  for (let i = registered.length - 1; i >= 0; i--) {
    const { handlers, place } = registered[i]?.current ?? { handlers: {}, place: null };
    const handler = handlers[id];
    if (handler === undefined) continue;
    if (dialog !== null && id !== 'escape' && !dialog.contains(place?.current ?? null)) continue;
    handler();
    return true;
  }
  return false;
}

/** In a list's filter field: arrow down, and Enter without another meaning, go on to the list. */
export function goToList(event: KeyboardEvent, withEnter = true): void {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const isMeant = event.key === 'ArrowDown' || (withEnter && event.key === 'Enter');
  if (isMeant && runShortcut('focus-tree')) event.preventDefault();
}

const SEQUENCE_MS = 1_200;

function pressOf(event: KeyboardEvent): Press {
  const target = event.target instanceof Element ? event.target : null;
  const { key, ctrlKey, metaKey, altKey } = event;
  return {
    key,
    ctrlKey,
    metaKey,
    altKey,
    inField:
      target?.closest(
        'input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable]',
      ) != null,
    onButton: target?.closest('button, a, summary, [role=treeitem], [role=option], input') != null,
  };
}

/** Listens on the whole page; `enabled` is called at each press. Returns how to stop. */
export function listenForKeys(enabled: () => boolean): () => void {
  let prefix = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing) return;
    const result = matchKey(pressOf(event), prefix, enabled());
    clearTimeout(timer);
    prefix = '';
    if (result === null) return;
    if ('prefix' in result) {
      prefix = result.prefix;
      timer = setTimeout(() => {
        prefix = '';
      }, SEQUENCE_MS);
      return;
    }
    const dialog = event.target instanceof Element ? event.target.closest('[role=dialog], dialog') : null;
    if (runShortcut(result.action, dialog)) event.preventDefault();
  };
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}
