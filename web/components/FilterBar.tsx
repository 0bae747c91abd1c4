/** Above the tree: a text box and one toggle for each kind of change. */
import { useRef } from 'preact/hooks';
import { RISKS, riskText } from '../../shared/changes/risk.ts';
import * as format from '../lib/format.ts';
import { TONE_WORDS, TONES, type Tone } from '../lib/kinds.ts';
import { countViewed } from '../lib/marks.ts';
import { useActions } from '../state/actions.ts';
import type { SessionState } from '../state/session.ts';
import { Icon } from './Icon.tsx';

/** Counts what was looked at; pressed, only the rest is on show. */
function ViewedChip({ state }: { state: SessionState }) {
  const filter = state.filter.value;
  const { viewed, total } = countViewed(state.changes.data.value?.changes ?? [], state.viewed.marks.value);
  if (total === 0) return null;
  const count = `${format.count(viewed)} of ${format.count(total)} viewed`;
  return (
    <button
      type="button"
      class="chip"
      aria-pressed={filter.onlyUnviewed}
      aria-label={`${count}. Show only what is not viewed`}
      title="Show only what is not viewed"
      onClick={() => {
        state.filter.value = { ...filter, onlyUnviewed: !filter.onlyUnviewed };
      }}
    >
      <Icon name="check" /> <span class="num">{count}</span>
    </button>
  );
}

export function FilterBar({ state }: { state: SessionState }) {
  const field = useRef<HTMLInputElement>(null);
  const filter = state.filter.value;
  const list = state.changes.data.value;
  const setText = (text: string): void => {
    state.filter.value = { ...state.filter.value, text };
  };
  useActions({
    filter: () => field.current?.focus(),
    escape: () => {
      setText('');
      field.current?.blur();
    },
  });
  const toggle = (tone: Tone): void => {
    const hidden = new Set(filter.hidden);
    if (!hidden.delete(tone)) hidden.add(tone);
    state.filter.value = { ...filter, hidden };
  };
  return (
    <div class="filter-bar">
      <label class="search">
        <Icon name="search" />
        <span class="sr-only">Filter files</span>
        <input
          ref={field}
          type="search"
          value={filter.text}
          placeholder="Filter files"
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <span class="key-hint" aria-hidden="true">
          /
        </span>
      </label>
      <fieldset class="chips">
        <legend class="sr-only">Kinds on show</legend>
        {TONES.filter((tone) => (list?.counts[tone] ?? 0) > 0).map((tone) => (
          <button
            key={tone}
            type="button"
            class={`chip tone-${tone}`}
            aria-pressed={!filter.hidden.has(tone)}
            title={`${filter.hidden.has(tone) ? 'Show' : 'Hide'} ${TONE_WORDS[tone].word}`}
            onClick={() => toggle(tone)}
          >
            <span aria-hidden="true">{TONE_WORDS[tone].letter}</span>
            <span class="sr-only">{TONE_WORDS[tone].word} </span>
            <span class="num">{format.count(list?.counts[tone] ?? 0)}</span>
          </button>
        ))}
        {(list?.conflicts ?? 0) > 0 ? (
          <button
            type="button"
            class="chip chip-conflict"
            aria-pressed={filter.onlyConflicts}
            onClick={() => {
              state.filter.value = { ...filter, onlyConflicts: !filter.onlyConflicts };
            }}
          >
            <Icon name="warning" /> {format.plural(list?.conflicts ?? 0, 'conflict')}
          </button>
        ) : null}
        <ViewedChip state={state} />
        {(list?.ignored.count ?? 0) > 0 ? (
          <button
            type="button"
            class="chip"
            aria-pressed={filter.showIgnored}
            title="Entries that commit leaves where they are"
            onClick={() => {
              state.filter.value = { ...filter, showIgnored: !filter.showIgnored };
            }}
          >
            {format.count(list?.ignored.count ?? 0)} ignored
          </button>
        ) : null}
      </fieldset>
      <RiskChips state={state} />
    </div>
  );
}

/** What should be looked at first; a chip shows only those. */
function RiskChips({ state }: { state: SessionState }) {
  const filter = state.filter.value;
  const counts = state.riskCounts.value;
  if (counts.length === 0) return null;
  return (
    <fieldset class="chips">
      <legend class="sr-only">Worth a look</legend>
      {counts.map((one) => (
        <button
          key={one.risk}
          type="button"
          class="chip chip-risk"
          aria-pressed={filter.risk === one.risk}
          title={`${RISKS[one.risk].why} Show only these.`}
          onClick={() => {
            state.filter.value = { ...filter, risk: filter.risk === one.risk ? null : one.risk };
          }}
        >
          <Icon name="flag" /> {riskText(one)}
        </button>
      ))}
    </fieldset>
  );
}
