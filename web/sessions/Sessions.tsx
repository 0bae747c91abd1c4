/** All sessions, grouped by project, those that wait for the user first to be seen. */

import { signal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import type { SessionSummary } from '../../shared/api/types.ts';
import { stepFocus } from '../keys/focus.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useApp } from '../state/app.ts';
import { set } from '../state/resource.ts';
import {
  findSessions,
  foldIdle,
  groupSessions,
  type ProjectGroup,
  projectName,
  type Shown,
  waitsForReview,
} from '../state/sessions.ts';
import * as format from '../text/format.ts';
import { displayPath } from '../text/paths.ts';
import { LinkButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Empty, ErrorPanel, NewerPill } from '../ui/Notice.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { SessionCard } from './SessionCard.tsx';

/** Kept while the tab lives: who comes back from a session finds the list as it was. */
const text = signal('');
const shown = signal<Shown>('all');

export function Sessions() {
  const app = useApp();
  const list = app.sessions.data.value;
  const error = app.sessions.error.value;
  const page = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const step = (by: 1 | -1): void =>
    stepFocus([...(page.current?.querySelectorAll<HTMLElement>('a.card-link') ?? [])], by);
  useShortcuts({
    'next-row': () => step(1),
    'previous-row': () => step(-1),
    refresh: () => app.showNewerSessions(),
    'focus-tree': () => step(1),
    filter: () => field.current?.focus(),
    escape: () => {
      text.value = '';
      field.current?.blur();
    },
  });
  const found = findSessions(list ?? [], shown.value, text.value);
  return (
    <div class="page" ref={page} aria-busy={list === null && error === null}>
      <div class="page-head">
        <h1>Sessions</h1>
        {list === null ? null : <span class="muted">{format.plural(list.length, 'session')}</span>}
        {list === null || list.length === 0 ? null : (
          <div class="page-tools">
            <Kinds list={list} />
            <SearchField
              field={field}
              label="Find sessions"
              placeholder="Id, branch, directory"
              value={text.value}
              onText={(typed) => set(text, typed)}
            />
          </div>
        )}
      </div>
      {error !== null && list === null ? (
        <ErrorPanel error={error} retry={() => void app.sessions.load()} />
      ) : null}
      {list?.length === 0 ? <NoSessions /> : null}
      {app.newerSessions.value === null ? null : (
        <NewerPill text="Sessions changed – show" onShow={app.showNewerSessions} />
      )}
      {list !== null && list.length > 0 && found.length === 0 ? <NothingFound /> : null}
      {groupSessions(found).map((group) => (
        <Project key={group.id} group={group} />
      ))}
    </div>
  );
}

function Kinds({ list }: { list: readonly SessionSummary[] }) {
  const review = list.filter(waitsForReview).length;
  const live = list.filter((session) => session.live).length;
  return (
    <Segmented
      label="Sessions shown"
      value={shown.value}
      options={[
        { value: 'all', text: 'All' },
        { value: 'review', text: `To review ${format.count(review)}` },
        { value: 'live', text: `Live ${format.count(live)}` },
      ]}
      onChange={(value) => set(shown, value)}
    />
  );
}

function Project({ group }: { group: ProjectGroup }) {
  const [unfolded, unfold] = useState(false);
  const { rows, folded } = foldIdle(group.sessions, unfolded || text.value !== '');
  return (
    <section class="project" aria-label={projectName(group.root)}>
      <header class="project-head">
        <Icon name="folder" />
        <h2>{projectName(group.root)}</h2>
        <span class="mono muted path">{displayPath(group.root)}</span>
      </header>
      <ul class="cards plain">
        {rows.map((session) => (
          <li key={session.id}>
            <SessionCard session={session} />
          </li>
        ))}
        {folded === 0 ? null : (
          <li>
            <button type="button" class="cards-more" onClick={() => unfold(true)}>
              Show {format.plural(folded, 'more session')} with nothing pending
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}

function NothingFound() {
  return (
    <Empty icon="search" title="No matches">
      <p>
        <LinkButton
          onClick={() => {
            text.value = '';
            shown.value = 'all';
          }}
        >
          Show all sessions
        </LinkButton>
      </p>
    </Empty>
  );
}

function NoSessions() {
  return (
    <Empty icon="terminal" title="No sessions yet">
      <p>A session starts by itself when you open Claude Code in a project with the plugin turned on.</p>
      <p>
        From any terminal, <code>trai exec -- make</code> runs a command in a new one.
      </p>
    </Empty>
  );
}
