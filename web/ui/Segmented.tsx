/** A choice of few: radio buttons that look like one control. */
import { useId } from 'preact/hooks';
import { Icon, type IconName } from './Icon.tsx';

interface Option<T extends string> {
  value: T;
  text: string;
  icon?: IconName;
  disabled?: boolean;
}

interface Props<T extends string> {
  label: string;
  value: T;
  options: readonly Option<T>[];
  onChange(value: T): void;
}

export function Segmented<T extends string>({ label, value, options, onChange }: Props<T>) {
  const name = useId();
  return (
    <fieldset class="segmented">
      <legend class="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          class={`segment flex small medium ${option.value === value ? 'segment-on' : ''}`}
          title={option.text}
        >
          <input
            type="radio"
            name={name}
            class="sr-only"
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled === true}
            onChange={() => onChange(option.value)}
          />
          {option.icon === undefined ? null : <Icon name={option.icon} />}
          <span>{option.text}</span>
        </label>
      ))}
    </fieldset>
  );
}
