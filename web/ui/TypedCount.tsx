/** A confirmation that wants a number typed: a click alone can slip. */
import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './Icon.tsx';

interface Props {
  count: number;
  typed: Signal<string>;
  /** What would happen, a sentence. */
  what: string;
  /** More about it. */
  children?: ComponentChildren;
}

export function TypedCount({ count, typed, what, children }: Props) {
  const field = useId();
  return (
    <div class="guard">
      <p>
        <Icon name="warning" /> <strong>{what}</strong>
      </p>
      {children}
      <div class="field">
        <label for={field}>
          Type <strong class="mono">{count}</strong> to confirm
        </label>
        <input
          id={field}
          type="text"
          inputMode="numeric"
          autocomplete="off"
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
          }}
        />
      </div>
    </div>
  );
}
