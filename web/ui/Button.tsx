/** Buttons, filter chips and checkboxes. */
import type { Signal } from '@preact/signals';
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { Icon, type IconName } from './Icon.tsx';

export interface ButtonProps extends Omit<ButtonHTMLAttributes, 'icon' | 'small'> {
  kind?: 'primary' | 'danger' | 'quiet';
  small?: boolean;
  icon?: IconName;
}

export function Button({ kind, small = false, icon, class: more = '', children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      class={`button ${kind === undefined ? '' : `button-${kind}`} ${small ? 'button-small' : ''} ${more}`}
      {...rest}
    >
      {icon === undefined ? null : <Icon name={icon} />} {children}
    </button>
  );
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes, 'icon' | 'label' | 'small'> {
  icon: IconName;
  /** For screen readers, and the tooltip without a `title`. */
  label: string;
}

export function IconButton({ label, title = label, class: more = '', ...rest }: IconButtonProps) {
  return <Button kind="quiet" class={`button-icon ${more}`} aria-label={label} title={title} {...rest} />;
}

export function LinkButton(props: ButtonHTMLAttributes) {
  return <button type="button" class="link" {...props} />;
}

export interface ChipProps extends Omit<ButtonHTMLAttributes, 'icon'> {
  pressed: boolean;
  icon?: IconName;
}

export function Chip({ pressed, icon, class: more = '', children, ...rest }: ChipProps) {
  return (
    <button type="button" class={`chip ${more}`} aria-pressed={pressed} {...rest}>
      {icon === undefined ? null : <Icon name={icon} />} {children}
    </button>
  );
}

interface CheckProps {
  /** A signal is set by the box itself, unless there is `onChange`. */
  checked: Signal<boolean> | boolean;
  onChange?(checked: boolean): void;
  children: ComponentChildren;
}

export function Check({ checked, onChange, children }: CheckProps) {
  return (
    <label class="check flex">
      <input
        type="checkbox"
        checked={typeof checked === 'boolean' ? checked : checked.value}
        onChange={({ currentTarget }) => {
          if (onChange !== undefined) onChange(currentTarget.checked);
          else if (typeof checked !== 'boolean') checked.value = currentTarget.checked;
        }}
      />
      {children}
    </label>
  );
}
