/** A button with a small panel below; Escape, a click elsewhere and leaving it by Tab close it. */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useShortcuts } from '../keys/shortcuts.ts';
import { set } from '../state/resource.ts';
import { IconButton } from './Button.tsx';
import { Icon, type IconName } from './Icon.tsx';

interface Props {
  /** The accessible name. */
  label: string;
  icon: IconName;
  /** Something in it is not at its default. */
  marked?: boolean;
  class?: string;
  /** Below the rest; each closes the menu. */
  items: readonly MenuItem[];
  children: ComponentChildren;
}

export interface MenuItem {
  icon?: IconName;
  text: string;
  /** Its shortcut. */
  hint?: string;
  disabled?: boolean;
  run(): void;
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
      <IconButton
        icon={props.icon}
        label={props.label}
        class={props.marked ? 'button-marked' : ''}
        aria-expanded={open.value}
        aria-controls={open.value ? id : undefined}
        onClick={() => set(open, !open.value)}
      />
      {open.value ? (
        <Panel id={id} label={props.label} box={box} open={open} close={close}>
          {props.children}
          <ul class="menu-list plain">
            {props.items.map(({ icon, text, hint, disabled = false, run }) => (
              <li key={text}>
                <button
                  type="button"
                  class="menu-item flex"
                  disabled={disabled}
                  onClick={() => {
                    close();
                    run();
                  }}
                >
                  {icon === undefined ? null : <Icon name={icon} />} {text}{' '}
                  {hint === undefined ? null : <kbd>{hint}</kbd>}
                </button>
              </li>
            ))}
          </ul>
        </Panel>
      ) : null}
    </div>
  );
}

/** A component of its own, so that it handles Escape only while it is open. */
function Panel(props: {
  id: string;
  label: string;
  box: RefObject<HTMLElement | null>;
  open: Signal<boolean>;
  close: () => void;
  children: ComponentChildren;
}) {
  const { id, label, box, open, close, children } = props;
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
    <section class="menu-panel stack" id={id} aria-label={label} tabIndex={-1}>
      {children}
    </section>
  );
}
