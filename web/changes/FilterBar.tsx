/** Above the tree: a text box, a menu of filters, and toggles for kinds of change and what is worth a look. */
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { RISKS, type RiskCount, riskText, unreadText } from '../../shared/model/risk.ts';
import { goToList, useActions } from '../keys/shortcuts.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../text/format.ts';
import { TONE_WORDS, TONES } from '../text/kinds.ts';
import { Icon } from '../ui/Icon.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { FilterMenu } from './FilterMenu.tsx';
import { showsIgnored, withKind } from './model/filter.ts';
import { countViewed } from './model/marks.ts';
import { prepareSearch } from './model/path-search.ts';

/** Counts what was looked at; pressed, only the rest is on show. */
function ViewedChip({ state }: { state: SessionState }) {
  const filter = state.filter.value;
  const changes = state.changes.data.value?.changes ?? [];
  const marks = state.viewed.marks.value;
  // Every key in the filter draws this anew, and there may be 50,000 entries.
  const { viewed, total } = useMemo(() => countViewed(changes, marks), [changes, marks]);
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
        <SearchField state={state} />
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
function SearchField({ state }: { state: SessionState }) {
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
  useActions({
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
      <label class="search">
        <Icon name="search" />
        <span class="sr-only">{inText ? 'Search the pending text' : 'Filter files'}</span>
        <input
          ref={field}
          type="search"
          value={inText ? textSearch.text.value : filter.value.text}
          placeholder={inText ? 'Search the pending text' : 'Filter files'}
          maxLength={200}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && inText) search();
            else goToList(event, !inText);
          }}
        />
        <span class="key-hint" aria-hidden="true">
          {inText ? 's' : '/'}
        </span>
      </label>
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
      <button
        type="button"
        class="chip"
        aria-pressed={matchCase.value}
        onClick={() => {
          matchCase.value = !matchCase.value;
          void state.textSearch.run(showsIgnored(state.filter.value));
        }}
      >
        Match case
      </button>
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
        <button
          key={tone}
          type="button"
          class={`chip tone-${tone}`}
          aria-pressed={filter.kinds.has(tone)}
          title={`Show only ${TONE_WORDS[tone].word} (with Shift: as well as the other kinds chosen)`}
          onClick={(event) => {
            state.filter.value = withKind(filter, tone, event.shiftKey);
          }}
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
          aria-pressed={filter.onlyIgnored}
          title="Show only what commit leaves where it is"
          onClick={() => {
            state.filter.value = { ...filter, onlyIgnored: !filter.onlyIgnored };
          }}
        >
          {format.count(list?.ignored.count ?? 0)} ignored
        </button>
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
    <button
      type="button"
      class="chip chip-risk"
      aria-pressed={filter.risk === risk}
      title={`${RISKS[risk].why} Show only these.`}
      onClick={() => {
        state.filter.value = { ...filter, risk: filter.risk === risk ? null : risk };
      }}
    >
      <Icon name="flag" /> {riskText({ risk, count })}
    </button>
  );
}

/** The only flag that comes after the list: it has its room from the start, whatever comes of it, so that nothing moves. */
function HiddenTexts({ state, count }: { state: SessionState; count: number }) {
  const note = hiddenNote(state);
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

/** How far the texts were looked into, and what is not flagged by a chip. */
function hiddenNote({ hidden: { state, counts, found } }: SessionState): string | null {
  const { left, unread } = counts.value;
  if (state.value === 'failed') return 'Not all files could be looked into for hidden characters';
  if (state.value === 'asked') return null;
  if (state.value === 'looking') return `Looking for hidden characters: ${format.plural(left, 'file')} to go`;
  if (unread > 0) return unreadText(unread);
  return found.value.size === 0 ? 'No hidden characters' : null;
}
