/** A panel over the page for a confirmation: takes the focus and returns it. */
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useShortcuts } from '../keys/shortcuts.ts';
import { set } from '../state/resource.ts';
import { Check, IconButton } from './Button.tsx';
import { Icon } from './Icon.tsx';

interface Props {
  title: string;
  /** False while work is under way that must be seen to its end. */
  closable: boolean;
  onClose(): void;
  children: ComponentChildren;
}

export function Sheet({ title, closable, onClose, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useShortcuts({ escape: () => closable && onClose() });
  return (
    <section class="sheet column" role="dialog" aria-label={title}>
      <header class="sheet-head flex">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <IconButton icon="close" label="Close" disabled={!closable} onClick={onClose} />
      </header>
      <div class="sheet-body">{children}</div>
    </section>
  );
}

interface TickedProps {
  /** Beside the box. */
  tick: string;
  ticked: boolean;
  onTick(ticked: boolean): void;
  what: string;
  children?: ComponentChildren;
}

/** A confirmation of what is named above it. */
export function Ticked({ tick, ticked, onTick, what, children }: TickedProps) {
  return (
    <div class="guard stack tone-danger">
      <p class="lines">
        <Icon name="warning" /> <strong>{what}</strong>
      </p>
      {children}
      <Check checked={ticked} onChange={onTick}>
        <span>{tick}</span>
      </Check>
    </div>
  );
}

interface TypedCountProps {
  count: number;
  typed: Signal<string>;
  /** What would happen, a sentence. */
  what: string;
  children?: ComponentChildren;
}

export function TypedCount({ count, typed, what, children }: TypedCountProps) {
  const field = useId();
  return (
    <div class="guard stack tone-danger">
      <p class="lines">
        <Icon name="warning" /> <strong>{what}</strong>
      </p>
      {children}
      <div class="field flex wrap">
        <label for={field}>
          Type <strong class="mono">{count}</strong> to confirm
        </label>
        <input
          id={field}
          type="text"
          inputMode="numeric"
          autocomplete="off"
          value={typed.value}
          onInput={(event) => set(typed, event.currentTarget.value)}
        />
      </div>
    </div>
  );
}
