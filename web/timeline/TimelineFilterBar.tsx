/** Above the list of calls: a text box, what to show only, and what to show beside the calls. */
import { useMemo, useRef } from 'preact/hooks';
import type { CallList } from '../../shared/api/types.ts';
import { goToList, useActions } from '../keys/shortcuts.ts';
import { toggled } from '../lists/lists.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../text/format.ts';
import { Icon } from '../ui/Icon.tsx';
import {
  groupOf,
  isFiltered,
  MARK_GROUPS,
  type MarkGroup,
  matchesOnly,
  NO_TIMELINE_FILTER,
  ONLY,
  type Only,
} from './model/rows.ts';

interface Props {
  state: SessionState;
  list: CallList;
  /** Calls on show. */
  shown: number;
  newestFirst: boolean;
  onOrder(): void;
  /** Lists all of the time again. */
  onAllTime(): void;
}

const ONLIES = Object.keys(ONLY) as Only[];
const GROUPS = Object.keys(MARK_GROUPS) as MarkGroup[];

function countAll(list: CallList, wrote: ReadonlySet<string>) {
  const marks = new Map<MarkGroup, number>();
  for (const mark of list.marks) marks.set(groupOf(mark), (marks.get(groupOf(mark)) ?? 0) + 1);
  const onlies = ONLIES.map((only) => {
    return { only, n: list.calls.filter((call) => matchesOnly(call, only, wrote)).length };
  });
  return { onlies, marks };
}

export function TimelineFilterBar({ state, list, shown, newestFirst, onOrder, onAllTime }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const { filter, wroteIds } = state.timeline;
  const now = filter.value;
  const set = (patch: Partial<typeof now>): void => {
    filter.value = { ...filter.value, ...patch };
  };
  useActions({
    filter: () => field.current?.focus(),
    escape: () => {
      set({ text: '' });
      if (now.window !== null) onAllTime();
      field.current?.blur();
    },
  });
  const wrote = wroteIds.value;
  const { onlies, marks } = useMemo(() => countAll(list, wrote), [list, wrote]);
  const all = list.calls.length;
  return (
    <div class="filter-bar">
      <label class="search">
        <Icon name="search" />
        <span class="sr-only">Search calls and prompts</span>
        <input
          ref={field}
          type="search"
          value={now.text}
          placeholder="Search calls and prompts"
          spellcheck={false}
          autocomplete="off"
          onKeyDown={(event) => goToList(event)}
          onInput={(event) => set({ text: event.currentTarget.value })}
        />
        <span class="key-hint" aria-hidden="true">
          /
        </span>
      </label>
      <div class="chips">
        <fieldset class="chips-group">
          <legend class="sr-only">Show only</legend>
          {onlies.map(({ only, n }) =>
            n === 0 && !now.only.has(only) ? null : (
              <button
                key={only}
                type="button"
                class={`chip chip-${only}`}
                aria-pressed={now.only.has(only)}
                onClick={() => set({ only: toggled(now.only, only) })}
              >
                {ONLY[only]} <span class="num">{format.count(n)}</span>
              </button>
            ),
          )}
        </fieldset>
        <fieldset class="chips-group marks-shown">
          <legend class="sr-only">Listed between the calls</legend>
          {GROUPS.filter((group) => marks.has(group)).map((group) => (
            <label key={group}>
              <input
                type="checkbox"
                checked={!now.hidden.has(group)}
                onChange={() => set({ hidden: toggled(now.hidden, group) })}
              />
              {MARK_GROUPS[group].word} <span class="num">{format.count(marks.get(group) ?? 0)}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <div class="timeline-tools">
        <span class="muted grow" role="status">
          {shown === all
            ? format.plural(all, 'call')
            : `${format.count(shown)} of ${format.plural(all, 'call')}`}
        </span>
        {isFiltered(now) ? (
          <button
            type="button"
            class="button button-quiet"
            onClick={() => {
              filter.value = { ...NO_TIMELINE_FILTER, hidden: now.hidden, window: now.window };
              if (now.window !== null) onAllTime();
            }}
          >
            <Icon name="close" /> Show all
          </button>
        ) : null}
        <button
          type="button"
          class="button button-quiet"
          title={newestFirst ? 'Show the oldest first' : 'Show the newest first'}
          onClick={onOrder}
        >
          {newestFirst ? 'Newest first' : 'Oldest first'}
        </button>
      </div>
    </div>
  );
}
