/** A button that opens the sheet of an order. Without a server there is nothing to order. */
import type { ComponentChildren } from 'preact';
import { useApp } from '../state/app.ts';

interface Props {
  primary?: boolean;
  small?: boolean;
  /** There is nothing to order in any case. */
  disabled?: boolean;
  onClick(): void;
  children: ComponentChildren;
}

export function OrderButton({ primary = false, small = false, disabled = false, onClick, children }: Props) {
  const { status } = useApp();
  return (
    <button
      type="button"
      class={`button ${small ? 'button-small' : ''} ${primary ? 'button-primary' : ''}`}
      aria-haspopup="dialog"
      disabled={disabled || status.value !== 'connected'}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
