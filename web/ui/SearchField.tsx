/** The filter field of a list: `/` leads to it, arrow down and Enter lead on to the list. */
import type { RefObject } from 'preact';
import { goToList } from '../keys/shortcuts.ts';
import { Icon } from './Icon.tsx';

interface Props {
  field: RefObject<HTMLInputElement | null>;
  label: string;
  placeholder?: string;
  value: string;
  maxLength?: number;
  hint?: string;
  onText(text: string): void;
  /** Enter calls this, and does not go to the list. */
  onEnter?(): void;
}

export function SearchField({ field, label, placeholder = label, hint = '/', ...props }: Props) {
  return (
    <label class="search flex">
      <Icon name="search" />
      <span class="sr-only">{label}</span>
      <input
        ref={field}
        type="search"
        value={props.value}
        placeholder={placeholder}
        maxLength={props.maxLength}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => props.onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && props.onEnter !== undefined) props.onEnter();
          else goToList(event, props.onEnter === undefined);
        }}
      />
      <span class="key-hint" aria-hidden="true">
        {hint}
      </span>
    </label>
  );
}
