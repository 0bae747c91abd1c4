/** Filters that need more than a chip, and the order of the list. */

import { useMemo } from 'preact/hooks';
import { set } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Check } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { extensionsIn, isMarked, NO_FILTER, SORTS, type Sort } from './model/filter.ts';

const SIZES: readonly number[] = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
/** Choices of one kind; the text box finds the rest. */
const MOST = 60;

export function FilterMenu({ state }: { state: SessionState }) {
  const filter = state.filter.value;
  return (
    <Menu
      label="Filter and sort"
      icon="filter"
      marked={isMarked(filter) || state.sort.value !== 'path'}
      class="menu-wide"
    >
      {(close) => (
        <>
          <p class="menu-title">Sort</p>
          <Segmented
            label="Sort"
            value={state.sort.value}
            options={Object.entries(SORTS).map(([value, text]) => ({ value: value as Sort, text }))}
            onChange={(value) => set(state.sort, value)}
          />
          <Choices state={state} />
          <IgnoredToo state={state} />
          <ul class="menu-list plain">
            <li>
              <button
                type="button"
                class="menu-item"
                onClick={() => {
                  state.filter.value = NO_FILTER;
                  state.sort.value = 'path';
                  close();
                }}
              >
                Clear all filters
              </button>
            </li>
          </ul>
        </>
      )}
    </Menu>
  );
}

/** Made when the menu is opened: 50,000 extensions need not be counted before. */
function Choices({ state }: { state: SessionState }) {
  const filter = state.filter.value;
  const changes = state.changes.data.value?.changes ?? [];
  const extensions = useMemo(() => extensionsIn(changes).slice(0, MOST), [changes]);
  const calls = state.calls.data.value?.calls ?? [];
  const wrote = state.timeline.wrote.value;
  const writers = calls.filter(({ id }) => wrote.has(id)).slice(-MOST);
  return (
    <>
      <Choice
        label="Extension"
        none="Any extension"
        value={filter.extension}
        options={extensions.map(([value, count]) => ({
          value,
          text: `${value === '' ? 'no extension' : value} (${format.count(count)})`,
        }))}
        onChange={(extension) => set(state.filter, { ...filter, extension })}
      />
      <Choice
        label="Size"
        none="Any size"
        value={filter.minBytes === null ? null : String(filter.minBytes)}
        options={SIZES.map((size) => ({ value: String(size), text: `${format.bytes(size)} and more` }))}
        onChange={(size) => set(state.filter, { ...filter, minBytes: size === null ? null : Number(size) })}
      />
      {writers.length === 0 ? null : (
        <Choice
          label="Written by"
          none="Any call"
          value={filter.call}
          options={writers.reverse().map(({ id, command }) => ({
            value: id,
            text: `${visibleText(command.replace(/\s+/g, ' ').slice(0, 60))} (${format.count(wrote.get(id)?.length ?? 0)})`,
          }))}
          onChange={(call) => set(state.filter, { ...filter, call })}
        />
      )}
    </>
  );
}

function IgnoredToo({ state }: { state: SessionState }) {
  const ignored = state.changes.data.value?.ignored.count ?? 0;
  const filter = state.filter.value;
  if (ignored === 0) return null;
  return (
    <Check
      class="menu-field"
      checked={filter.showIgnored}
      onChange={(showIgnored) => set(state.filter, { ...filter, showIgnored })}
    >
      <span>List {format.plural(ignored, 'ignored entry', 'ignored entries')} too</span>
    </Check>
  );
}

interface ChoiceProps {
  label: string;
  none: string;
  value: string | null;
  options: readonly { value: string; text: string }[];
  onChange(value: string | null): void;
}

function Choice({ label, none, value, options, onChange }: ChoiceProps) {
  const chosen = value === null ? -1 : options.findIndex((option) => option.value === value);
  return (
    <label class="menu-field">
      <span class="menu-title">{label}</span>
      <select
        value={String(chosen)}
        onChange={(event) => onChange(options[Number(event.currentTarget.value)]?.value ?? null)}
      >
        <option value="-1">{none}</option>
        {options.map((option, index) => (
          <option key={option.value} value={String(index)}>
            {option.text}
          </option>
        ))}
      </select>
    </label>
  );
}
