/** Which view answers to a shortcut at the moment. The newest registration wins, so that a dialog can take Escape. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type ActionId, matchKey, type Press } from '../lib/keys.ts';

type Handlers = Partial<Record<ActionId, () => void>>;

const registered: { current: Handlers }[] = [];

/** Registers handlers while the component is mounted. */
export function useActions(handlers: Handlers): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  // Before the page is painted: a key pressed as soon as something is seen must find its handler.
  useLayoutEffect(() => {
    registered.push(latest);
    return () => {
      registered.splice(registered.indexOf(latest), 1);
    };
  }, []);
}

/** Runs an action; false when nothing on the page answers to it. */
export function runAction(id: ActionId): boolean {
  for (let i = registered.length - 1; i >= 0; i--) {
    const handler = registered[i]?.current[id];
    if (handler === undefined) continue;
    handler();
    return true;
  }
  return false;
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
      target?.closest('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]') !=
      null,
    onButton: target?.closest('button, a, summary, [role=treeitem], [role=option], input') != null,
  };
}

/** Listens for shortcuts on the whole page. `enabled` is asked at every press. Returns how to stop. */
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
    // Inside a dialog letters belong to the dialog; only Escape leaves it.
    const inDialog =
      event.target instanceof Element && event.target.closest('[role=dialog], dialog') !== null;
    if (inDialog && result.action !== 'escape') return;
    if (runAction(result.action)) event.preventDefault();
  };
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}
