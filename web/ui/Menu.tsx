/** A button with a small panel below; Escape, a click elsewhere and leaving it by Tab close it. */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useShortcuts } from '../keys/shortcuts.ts';
import { set } from '../state/resource.ts';
import { Button } from './Button.tsx';
import type { IconName } from './Icon.tsx';

interface Props {
  /** The accessible name. */
  label: string;
  icon: IconName;
  /** Shown beside the icon. */
  text?: string;
  /** Something in it is not at its default. */
  marked?: boolean;
  class?: string;
  children: (close: () => void) => ComponentChildren;
}

export function Menu(props: Props) {
  const open = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = (): void => {
    if (box.current?.contains(document.activeElement)) box.current.querySelector('button')?.focus();
    open.value = false;
  };
  return (
    <div
      class={`menu ${props.class ?? ''}`}
      ref={box}
      onFocusOut={(event) => {
        const to = event.relatedTarget;
        if (to instanceof Node && !box.current?.contains(to)) open.value = false;
      }}
    >
      <Button
        kind="quiet"
        icon={props.icon}
        class={`${props.text === undefined ? 'button-icon' : ''} ${props.marked ? 'button-marked' : ''}`}
        aria-label={props.label}
        aria-expanded={open.value}
        aria-controls={open.value ? id : undefined}
        title={props.label}
        onClick={() => set(open, !open.value)}
      >
        {props.text}
      </Button>
      {open.value ? (
        <Panel id={id} label={props.label} box={box} open={open} close={close}>
          {props.children(close)}
        </Panel>
      ) : null}
    </div>
  );
}

interface PanelProps {
  id: string;
  label: string;
  box: { current: HTMLElement | null };
  open: Signal<boolean>;
  close: () => void;
  children: ComponentChildren;
}

/** A component of its own, so that it handles Escape only while it is open. */
function Panel({ id, label, box, open, close, children }: PanelProps) {
  useShortcuts({ escape: close });
  useEffect(() => {
    const onPress = (event: PointerEvent): void => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) open.value = false;
    };
    window.addEventListener('pointerdown', onPress);
    return () => window.removeEventListener('pointerdown', onPress);
  }, []);
  return (
    // A press on the background focuses the panel; focus outside would close it.
    <section class="menu-panel" id={id} aria-label={label} tabIndex={-1}>
      {children}
    </section>
  );
}
