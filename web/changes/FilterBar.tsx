/** Above the tree: text field, menu of filters and orders, chips for kinds, risks and unviewed entries. */

import { useEffect, useMemo, useRef } from 'preact/hooks';
import { RISKS, type RiskCount, riskText } from '../../shared/model/risk.ts';
import type { Effect } from '../../shared/model/rule.ts';
import { EFFECT_ICONS } from '../diff/Effects.tsx';
import { useShortcuts } from '../keys/shortcuts.ts';
import { EFFECTS, effectCount, effectsUnknown, hiddenText, viewedText } from '../messages/changes.ts';
import { set } from '../state/resource.ts';
import { useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { TONE_WORDS, TONES } from '../text/kinds.ts';
import { visibleText } from '../text/visible.ts';
import { Check, Chip, type ChipProps } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import {
  extensionsIn,
  type Filter,
  isMarked,
  NO_FILTER,
  prepareSearch,
  SORTS,
  type Sort,
  showsIgnored,
  withKind,
} from './model/filter.ts';
import { countViewed } from './model/lists.ts';

export function FilterBar() {
  const state = useSession();
  const changes = state.changes.data.value?.changes;
  // In idle time, so that the first key does not wait for it.
  useEffect(() => {
    if (changes === undefined || !('requestIdleCallback' in window)) return;
    const idle = requestIdleCallback(() => void prepareSearch(changes));
    return () => cancelIdleCallback(idle);
  }, [changes]);
  const { open, matchCase, run } = state.textSearch;
  const toggleCase = (): void => {
    matchCase.value = !matchCase.value;
    void run(showsIgnored(state.filter.value));
  };
  return (
    <div class="filter-bar">
      <div class="filter-top flex">
        <FilterField />
        <FilterMenu />
      </div>
      <div class="chips flex wrap">
        {open.value ? (
          <Chip pressed={matchCase.value} onClick={toggleCase}>
            Match case
          </Chip>
        ) : (
          <>
            <KindChips />
            <EffectChips />
            <RiskChips />
          </>
        )}
      </div>
    </div>
  );
}

/** Pause in typing before a search in contents (ms). */
const TYPING_MS = 350;

function FilterField() {
  const { filter, textSearch } = useSession();
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const inText = textSearch.open.value;
  const search = (): void => {
    clearTimeout(timer.current);
    void textSearch.run(showsIgnored(filter.value));
  };
  const setText = (text: string): void => {
    clearTimeout(timer.current);
    if (!textSearch.open.value) {
      filter.value = { ...filter.value, text };
      return;
    }
    textSearch.text.value = text;
    timer.current = setTimeout(search, TYPING_MS);
  };
  const focus = (contents: boolean): void => {
    textSearch.open.value = contents;
    field.current?.focus();
  };
  useShortcuts({
    filter: () => focus(false),
    'search-text': () => focus(true),
    escape: () => {
      setText('');
      textSearch.open.value = false;
      field.current?.blur();
    },
  });
  return (
    <>
      <SearchField
        field={field}
        label={inText ? 'Search the pending text' : 'Filter files'}
        value={inText ? textSearch.text.value : filter.value.text}
        maxLength={200}
        hint={inText ? 's' : '/'}
        onText={setText}
        {...(inText ? { onEnter: search } : {})}
      />
      <Segmented
        label="Search in"
        value={inText ? 'text' : 'names'}
        options={[
          { value: 'names', text: 'Names' },
          { value: 'text', text: 'Text' },
        ]}
        onChange={(value) => focus(value === 'text')}
      />
    </>
  );
}

function FilterChip({ sets, ...chip }: Omit<ChipProps, 'pressed'> & { sets: Partial<Filter> }) {
  const { filter } = useSession();
  const now = filter.value;
  const parts = Object.keys(sets) as (keyof Filter)[];
  const pressed = parts.every((part) => now[part] === sets[part]);
  const unset = Object.fromEntries(parts.map((part) => [part, NO_FILTER[part]]));
  return (
    <Chip pressed={pressed} onClick={() => set(filter, { ...now, ...(pressed ? unset : sets) })} {...chip} />
  );
}

function KindChips() {
  const state = useSession();
  const filter = state.filter.value;
  const list = state.changes.data.value;
  const { conflicts = 0, ignored = { count: 0 } } = list ?? {};
  return (
    <fieldset class="chips-group">
      <legend class="sr-only">Show only</legend>
      {TONES.filter((tone) => (list?.counts[tone] ?? 0) > 0).map((tone) => (
        <Chip
          class={`tone-${tone}`}
          key={tone}
          pressed={filter.kinds.has(tone)}
          title={`Show only ${TONE_WORDS[tone].word} (with Shift: as well as the other kinds chosen)`}
          onClick={(event) => set(state.filter, withKind(filter, tone, event.shiftKey))}
        >
          <span aria-hidden="true">{TONE_WORDS[tone].letter}</span>
          <span class="sr-only">{TONE_WORDS[tone].word} </span>
          <span class="num">{format.count(list?.counts[tone] ?? 0)}</span>
        </Chip>
      ))}
      {conflicts > 0 ? (
        <FilterChip sets={{ onlyConflicts: true }} class="chip-toned tone-warning" icon="warning">
          {format.plural(conflicts, 'conflict')}
        </FilterChip>
      ) : null}
      <ViewedChip />
      {ignored.count > 0 ? (
        <FilterChip sets={{ onlyIgnored: true }} title="Show only what commit leaves where it is">
          {format.count(ignored.count)} ignored
        </FilterChip>
      ) : null}
    </fieldset>
  );
}

export function useViewedCount(): { viewed: number; total: number } {
  const state = useSession();
  const list = state.changes.data.value;
  const marks = state.viewed.marks.value;
  // Each key in the filter renders this again, and there may be 50,000 entries.
  return useMemo(() => countViewed(list?.changes ?? [], marks), [list, marks]);
}

function ViewedChip() {
  const { viewed, total } = useViewedCount();
  if (total === 0) return null;
  const count = viewedText(viewed, total);
  return (
    <FilterChip
      sets={{ onlyUnviewed: true }}
      icon="check"
      aria-label={`${count}. Show only what is not viewed`}
      title="Show only what is not viewed"
    >
      <span class="num">{count}</span>
    </FilterChip>
  );
}

function EffectChips() {
  const { effects } = useSession();
  const counts = effects.counts.value;
  const problems = effects.problems.value;
  return (
    <fieldset class="chips-group">
      <legend class="sr-only">Rules</legend>
      {(Object.keys(EFFECTS) as Effect['do'][])
        .filter((does) => counts[does] > 0)
        .map((does) => (
          <FilterChip
            key={does}
            sets={{ effect: does }}
            icon={EFFECT_ICONS[does]}
            title={`${EFFECTS[does].why} Show only these.`}
          >
            {effectCount(does, counts[does])}
          </FilterChip>
        ))}
      {problems.length === 0 ? null : (
        <p class="tone-warning small" role="status">
          {visibleText(effectsUnknown(problems))}
        </p>
      )}
    </fieldset>
  );
}

function RiskChips() {
  const { hidden, riskCounts } = useSession();
  const { found, counts, failed } = hidden;
  const note = hiddenText({ counts: counts.value, failed: failed.value, found: found.value.size });
  const chip = ({ risk, count }: RiskCount) => (
    <FilterChip
      key={risk}
      sets={{ risk }}
      class="chip-toned tone-replaced"
      icon="flag"
      title={`${RISKS[risk].why} Show only these.`}
    >
      {riskText({ risk, count })}
    </FilterChip>
  );
  const risks = riskCounts.value;
  return (
    <fieldset class="chips-group">
      <legend class="sr-only">Worth a look</legend>
      {risks.filter(({ risk }) => risk !== 'hidden').map(chip)}
      {/* The only flag that arrives after the list; its room is reserved, so that nothing moves. */}
      <div class="chips-late flex">
        {risks.filter(({ risk }) => risk === 'hidden').map(chip)}
        {note === null ? null : (
          <span class="muted small ellipsis" role="status" title={note}>
            {note}
          </span>
        )}
      </div>
    </fieldset>
  );
}

const SIZES: readonly number[] = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
const MOST = 60;

function FilterMenu() {
  const { filter, sort } = useSession();
  const clear = (): void => {
    filter.value = NO_FILTER;
    sort.value = 'path';
  };
  return (
    <Menu
      label="Filter and sort"
      icon="filter"
      marked={isMarked(filter.value) || sort.value !== 'path'}
      class="menu-wide"
      items={[{ text: 'Clear all filters', run: clear }]}
    >
      <p class="menu-title">Sort</p>
      <Segmented
        label="Sort"
        value={sort.value}
        options={Object.entries(SORTS).map(([value, text]) => ({ value: value as Sort, text }))}
        onChange={(value) => set(sort, value)}
      />
      <Choices />
    </Menu>
  );
}

/** Mounted when the menu opens: the extensions of 50,000 entries are not counted before. */
function Choices() {
  const state = useSession();
  const filter = state.filter.value;
  const { changes = [], ignored = { count: 0 } } = state.changes.data.value ?? {};
  const extensions = useMemo(() => extensionsIn(changes).slice(0, MOST), [changes]);
  const wrote = state.timeline.wrote.value;
  const calls = (state.calls.data.value?.calls ?? []).filter(({ id }) => wrote.has(id)).slice(-MOST);
  const nameOf = (command: string): string => visibleText(format.cut(command, 60));
  const choices: readonly ChoiceProps[] = [
    {
      part: 'extension',
      label: 'Extension',
      none: 'Any extension',
      options: extensions.map(([value, count]) => ({
        value,
        text: `${value === '' ? 'no extension' : value} (${format.count(count)})`,
      })),
    },
    {
      part: 'minBytes',
      label: 'Size',
      none: 'Any size',
      options: SIZES.map((value) => ({ value, text: `${format.bytes(value)} and more` })),
    },
    {
      part: 'call',
      label: 'Written by',
      none: 'Any call',
      options: calls.reverse().map(({ id, command }) => ({
        value: id,
        text: `${nameOf(command)} (${format.count(wrote.get(id)?.length ?? 0)})`,
      })),
    },
  ];
  return (
    <>
      {choices
        .filter(({ part, options }) => part !== 'call' || options.length > 0)
        .map((choice) => (
          <Choice key={choice.part} {...choice} />
        ))}
      {ignored.count === 0 ? null : (
        <Check
          checked={filter.showIgnored}
          onChange={(showIgnored) => set(state.filter, { ...filter, showIgnored })}
        >
          <span>List {format.plural(ignored.count, 'ignored entry', 'ignored entries')} too</span>
        </Check>
      )}
    </>
  );
}

interface ChoiceProps {
  part: 'extension' | 'minBytes' | 'call';
  label: string;
  none: string;
  options: readonly { value: string | number; text: string }[];
}

function Choice({ part, label, none, options }: ChoiceProps) {
  const { filter } = useSession();
  const choose = (index: number): void => {
    filter.value = { ...filter.value, [part]: options[index]?.value ?? null };
  };
  return (
    <label class="menu-field">
      <span class="menu-title">{label}</span>
      <select
        value={String(options.findIndex(({ value }) => value === filter.value[part]))}
        onChange={(event) => choose(Number(event.currentTarget.value))}
      >
        <option value="-1">{none}</option>
        {options.map(({ value, text }, index) => (
          <option key={value} value={String(index)}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
