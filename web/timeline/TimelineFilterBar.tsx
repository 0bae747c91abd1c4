/** Above the list of calls: a text field, what to list, and which marks. */

import { useMemo, useRef } from 'preact/hooks';
import type { CallList } from '../../shared/api/types.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { toggled } from '../lists/lists.ts';
import { useApp } from '../state/app.ts';
import { set } from '../state/resource.ts';
import { useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { Button, Chip } from '../ui/Button.tsx';
import { SearchField } from '../ui/SearchField.tsx';
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
  list: CallList;
  shown: number;
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

export function TimelineFilterBar({ list, shown, onAllTime }: Props) {
  const { newestFirst } = useApp().settings;
  const field = useRef<HTMLInputElement>(null);
  const { filter, wroteIds } = useSession().timeline;
  const now = filter.value;
  const patch = (part: Partial<typeof now>): void => {
    filter.value = { ...filter.value, ...part };
  };
  useShortcuts({
    filter: () => field.current?.focus(),
    escape: () => {
      patch({ text: '' });
      if (now.window !== null) onAllTime();
      field.current?.blur();
    },
  });
  const wrote = wroteIds.value;
  const { onlies, marks } = useMemo(() => countAll(list, wrote), [list, wrote]);
  const all = list.calls.length;
  return (
    <div class="filter-bar">
      <SearchField
        field={field}
        label="Search calls and prompts"
        value={now.text}
        onText={(text) => patch({ text })}
      />
      <div class="chips flex wrap">
        <fieldset class="chips-group">
          <legend class="sr-only">Show only</legend>
          {onlies.map(({ only, n }) =>
            n === 0 && !now.only.has(only) ? null : (
              <Chip
                class={`tone-${ONLY[only].tone}`}
                key={only}
                pressed={now.only.has(only)}
                onClick={() => patch({ only: toggled(now.only, only) })}
              >
                {ONLY[only].word} <span class="num">{format.count(n)}</span>
              </Chip>
            ),
          )}
        </fieldset>
        <fieldset class="chips-group marks-shown">
          <legend class="sr-only">Listed between the calls</legend>
          {GROUPS.filter((group) => marks.has(group)).map((group) => (
            <label key={group} class="flex small muted">
              <input
                type="checkbox"
                checked={!now.hidden.has(group)}
                onChange={() => patch({ hidden: toggled(now.hidden, group) })}
              />
              {MARK_GROUPS[group]} <span class="num">{format.count(marks.get(group) ?? 0)}</span>
            </label>
          ))}
        </fieldset>
      </div>
      <div class="timeline-tools inline">
        <span class="muted grow" role="status">
          {shown === all
            ? format.plural(all, 'call')
            : `${format.count(shown)} of ${format.plural(all, 'call')}`}
        </span>
        {isFiltered(now) ? (
          <Button
            kind="quiet"
            icon="close"
            onClick={() => {
              filter.value = { ...NO_TIMELINE_FILTER, hidden: now.hidden, window: now.window };
              if (now.window !== null) onAllTime();
            }}
          >
            Show all
          </Button>
        ) : null}
        <Button
          kind="quiet"
          title={newestFirst.value ? 'Show the oldest first' : 'Show the newest first'}
          onClick={() => set(newestFirst, !newestFirst.value)}
        >
          {newestFirst.value ? 'Newest first' : 'Oldest first'}
        </Button>
      </div>
    </div>
  );
}
