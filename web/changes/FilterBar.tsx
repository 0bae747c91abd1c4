/** Above the tree: a text box, a menu of filters, and toggles for kinds of change and what is worth a look. */

import { useEffect, useMemo, useRef } from 'preact/hooks';
import { RISKS, type RiskCount, riskText } from '../../shared/model/risk.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { hiddenText, viewedText } from '../messages/changes.ts';
import { set } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../text/format.ts';
import { TONE_WORDS, TONES } from '../text/kinds.ts';
import { Chip } from '../ui/Button.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { FilterMenu } from './FilterMenu.tsx';
import { prepareSearch, showsIgnored, withKind } from './model/filter.ts';
import { countViewed } from './model/lists.ts';

/** Counts what was looked at; pressed, only the rest is on show. */
function ViewedChip({ state }: { state: SessionState }) {
  const filter = state.filter.value;
  const changes = state.changes.data.value?.changes ?? [];
  const marks = state.viewed.marks.value;
  // Every key in the filter draws this anew, and there may be 50,000 entries.
  const { viewed, total } = useMemo(() => countViewed(changes, marks), [changes, marks]);
  if (total === 0) return null;
  const count = viewedText(viewed, total);
  return (
    <Chip
      icon="check"
      pressed={filter.onlyUnviewed}
      aria-label={`${count}. Show only what is not viewed`}
      title="Show only what is not viewed"
      onClick={() => set(state.filter, { ...filter, onlyUnviewed: !filter.onlyUnviewed })}
    >
      <span class="num">{count}</span>
    </Chip>
  );
}

export function FilterBar({ state }: { state: SessionState }) {
  const changes = state.changes.data.value?.changes;
  // While nothing else is to be done, so that the first key need not wait for it.
  useEffect(() => {
    if (changes === undefined || !('requestIdleCallback' in window)) return;
    const idle = requestIdleCallback(() => void prepareSearch(changes));
    return () => cancelIdleCallback(idle);
  }, [changes]);
  return (
    <div class="filter-bar">
      <div class="filter-top">
        <FilterField state={state} />
        <FilterMenu state={state} />
      </div>
      {state.textSearch.open.value ? (
        <TextOptions state={state} />
      ) : (
        <div class="chips">
          <KindChips state={state} />
          <RiskChips state={state} />
        </div>
      )}
    </div>
  );
}

/** A search begins when nobody has typed for so long (ms). */
const TYPING_MS = 350;

/** One field for both: it filters names at every key, and searches contents when the typing is over. */
function FilterField({ state }: { state: SessionState }) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const { filter, textSearch } = state;
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

function TextOptions({ state }: { state: SessionState }) {
  const { matchCase } = state.textSearch;
  return (
    <div class="chips">
      <Chip
        pressed={matchCase.value}
        onClick={() => {
          matchCase.value = !matchCase.value;
          void state.textSearch.run(showsIgnored(state.filter.value));
        }}
      >
        Match case
      </Chip>
    </div>
  );
}

function KindChips({ state }: { state: SessionState }) {
  const filter = state.filter.value;
  const list = state.changes.data.value;
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
      {(list?.conflicts ?? 0) > 0 ? (
        <Chip
          class="chip-conflict"
          icon="warning"
          pressed={filter.onlyConflicts}
          onClick={() => set(state.filter, { ...filter, onlyConflicts: !filter.onlyConflicts })}
        >
          {format.plural(list?.conflicts ?? 0, 'conflict')}
        </Chip>
      ) : null}
      <ViewedChip state={state} />
      {(list?.ignored.count ?? 0) > 0 ? (
        <Chip
          pressed={filter.onlyIgnored}
          title="Show only what commit leaves where it is"
          onClick={() => set(state.filter, { ...filter, onlyIgnored: !filter.onlyIgnored })}
        >
          {format.count(list?.ignored.count ?? 0)} ignored
        </Chip>
      ) : null}
    </fieldset>
  );
}

/** What should be looked at first; a chip shows only those. */
function RiskChips({ state }: { state: SessionState }) {
  const counts = state.riskCounts.value;
  return (
    <fieldset class="chips-group">
      <legend class="sr-only">Worth a look</legend>
      {counts.map((one) =>
        one.risk === 'hidden' ? null : <RiskChip key={one.risk} state={state} {...one} />,
      )}
      <HiddenTexts state={state} count={counts.find(({ risk }) => risk === 'hidden')?.count ?? 0} />
    </fieldset>
  );
}

function RiskChip({ state, risk, count }: RiskCount & { state: SessionState }) {
  const filter = state.filter.value;
  return (
    <Chip
      class="chip-risk"
      icon="flag"
      pressed={filter.risk === risk}
      title={`${RISKS[risk].why} Show only these.`}
      onClick={() => set(state.filter, { ...filter, risk: filter.risk === risk ? null : risk })}
    >
      {riskText({ risk, count })}
    </Chip>
  );
}

/** The only flag that comes after the list: it has its room from the start, whatever comes of it, so that nothing moves. */
function HiddenTexts({ state, count }: { state: SessionState; count: number }) {
  const { found, state: scan, counts } = state.hidden;
  const note = hiddenText({ state: scan.value, ...counts.value, found: found.value.size });
  return (
    <div class="chips-late">
      {count === 0 ? null : <RiskChip state={state} risk="hidden" count={count} />}
      {note === null ? null : (
        <span class="muted chips-note" role="status" title={note}>
          {note}
        </span>
      )}
    </div>
  );
}
