/**
 * The list of sessions, and the page of one.
 *
 *     Sessions   grouped by project, newest first, idle ones folded (state/sessions.ts); updated in place;
 *                new sessions wait behind a pill
 *     Session    head with commit and discard of the selection or of everything; Banners: what to know first;
 *                a tab each for changes, timeline, history, details and box
 */

import { signal } from '@preact/signals';
import { useId, useRef, useState } from 'preact/hooks';
import type { SessionSummary } from '../../shared/api/types.ts';
import { stepFocus } from '../keys/focus.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useMore } from '../lists/use-more.ts';
import { countText } from '../messages/boxes.ts';
import { useApp } from '../state/app.ts';
import { set, useResource } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import {
  findSessions,
  foldIdle,
  groupSessions,
  lastUse,
  type ProjectGroup,
  projectName,
  type Shown,
  waitsForReview,
} from '../state/sessions.ts';
import * as format from '../text/format.ts';
import { displayPath } from '../text/paths.ts';
import { visibleText } from '../text/visible.ts';
import { Badge, Counts } from '../ui/Badge.tsx';
import { LinkButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Empty, ErrorPanel, Pill } from '../ui/Notice.tsx';
import { Page } from '../ui/Panel.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { Segmented } from '../ui/Segmented.tsx';

/** Kept while the tab lives, so that the list is the same on return. */
const text = signal('');
const shown = signal<Shown>('all');

export function Sessions() {
  const app = useApp();
  const list = app.sessions.data.value;
  const error = app.sessions.error.value;
  const field = useRef<HTMLInputElement>(null);
  const step = (by: 1 | -1): void =>
    stepFocus([...document.querySelectorAll<HTMLElement>('a.card-link')], by);
  useShortcuts({
    'next-row': () => step(1),
    'previous-row': () => step(-1),
    refresh: () => app.sessions.showNewer(),
    'focus-tree': () => step(1),
    filter: () => field.current?.focus(),
    escape: () => {
      text.value = '';
      field.current?.blur();
    },
  });
  const found = findSessions(list ?? [], shown.value, text.value);
  const { backend } = app;
  // Beside the list: a box may outlast its sessions.
  const boxes = useResource((abort) => backend.boxCount(abort), [backend], [list]);
  const count = boxes.data.value?.boxes ?? 0;
  return (
    <Page
      title="Sessions"
      about={
        list === null || (list.length === 0 && count === 0) ? null : (
          <>
            {format.plural(list.length, 'session')}
            {count === 0 ? null : (
              <>
                , <a href={formatRoute({ view: 'boxes' })}>{countText(count)}</a>
              </>
            )}
          </>
        )
      }
      tools={
        list === null || list.length === 0 ? null : (
          <>
            <Kinds list={list} />
            <SearchField
              field={field}
              label="Find sessions"
              placeholder="Id, branch, directory"
              value={text.value}
              onText={(typed) => set(text, typed)}
            />
          </>
        )
      }
      busy={list === null && error === null}
    >
      {list === null ? <ErrorPanel error={error} retry={() => void app.sessions.load()} /> : null}
      {list?.length === 0 ? <NoSessions /> : null}
      {app.sessions.newer.value === null ? null : (
        <Pill text="Sessions changed – show" onShow={app.sessions.showNewer} />
      )}
      {list !== null && list.length > 0 && found.length === 0 ? <NothingFound /> : null}
      {groupSessions(found).map((group) => (
        <Project key={group.id} group={group} />
      ))}
    </Page>
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
  const { box, more } = useMore<HTMLUListElement>('.card-link');
  const { rows, folded } = foldIdle(group.sessions, unfolded || text.value !== '');
  return (
    <section class="project" aria-label={projectName(group.root)}>
      <header class="project-head inline">
        <Icon name="folder" class="faint" />
        <h2>{projectName(group.root)}</h2>
        <span class="mono muted path">{displayPath(group.root)}</span>
      </header>
      <ul ref={box} class="plain boxed">
        {rows.map((session) => (
          <li key={session.id}>
            <SessionCard session={session} />
          </li>
        ))}
        {folded === 0 ? null : (
          <li>
            <button type="button" class="cards-more" onClick={() => more(() => unfold(true))}>
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
      <p>
        A session starts with <code>trai claude</code> in a project, or when you open Claude Code there with
        the plugin enabled.
      </p>
      <p>
        Without Claude Code, <code>trai exec --session NAME -- make</code> runs a command in a new one.
      </p>
    </Empty>
  );
}

const LEVELS: Readonly<Record<SessionSummary['level'], string>> = {
  plugin: 'What Bash writes is pending; Edit, Write and MCP servers write your files',
  claude: 'trai claude: all that Claude Code writes is pending',
  box: 'trai box: all that Claude Code writes is pending, and it sees only what it was given',
};

function Level({ session: { id, client, level } }: { session: SessionSummary }) {
  if (level === 'box') return <BoxBadge id={id} />;
  return client === 'none' && level === 'plugin' ? null : <Badge title={LEVELS[level]}>{level}</Badge>;
}

/** Leads to what the box sees. */
export function BoxBadge({ id }: { id: string }) {
  return (
    <a
      class="badge badge-link tone-neutral"
      href={formatRoute({ view: 'box', session: id })}
      title={LEVELS.box}
    >
      box
    </a>
  );
}

function lastText({ lastCallAt }: SessionSummary): string {
  return lastCallAt === null ? 'No calls yet' : `Last call: ${format.dateTime(lastCallAt)}`;
}

function SessionCard({ session }: { session: SessionSummary }) {
  const { now } = useApp();
  const about = useId();
  const last = lastUse(session);
  const review = waitsForReview(session);
  const state = session.live ? 'live: a process is running' : 'quiet';
  return (
    <div class={review ? 'session-card session-review' : 'session-card'}>
      <span class={`dot ${session.live ? 'dot-live' : ''}`} title={state}>
        <span class="sr-only">{state}</span>
      </span>
      <div>
        <div class="card-title inline wrap">
          <a
            class="card-link quiet-link strong mono ellipsis"
            title={session.id}
            href={formatRoute({ view: 'changes', session: session.id, path: null })}
            aria-describedby={about}
          >
            {session.id}
          </a>
          {review ? (
            <Badge tone="review" title="No longer in use, with changes to review">
              to review
            </Badge>
          ) : null}
          <Level session={session} />
          <SessionBadges session={session} />
        </div>
        <p class="card-about muted small path" id={about}>
          <Where session={session} />
          <span title={format.dateTime(session.createdAt)}>
            started {format.ago(session.createdAt, now.value)}
          </span>
          <span>{format.plural(session.calls, 'call')}</span>
          <Ending session={session} />
          <Shared session={session} />
        </p>
      </div>
      <span class="card-counts flex">
        {session.counts === null ? <span class="muted">loading…</span> : <Counts counts={session.counts} />}
      </span>
      <span class="card-size num muted small">{session.bytes > 0 ? format.bytes(session.bytes) : ''}</span>
      <time class="card-time muted small" dateTime={last} title={lastText(session)}>
        {format.ago(last, now.value)}
      </time>
    </div>
  );
}

function Where({ session: { git } }: { session: SessionSummary }) {
  if (git === null) return null;
  const name = git.branch ?? (git.commit === null ? null : `${git.commit} (detached)`);
  return (
    <>
      {name === null ? null : (
        <span class="card-branch inline" title="The branch that is checked out now">
          <Icon name="branch" />
          <span class="mono">{visibleText(name)}</span>
        </span>
      )}
      {git.worktree === null ? null : (
        <span>
          worktree <span class="mono">{visibleText(git.worktree)}</span>
        </span>
      )}
    </>
  );
}

function Ending({ session }: { session: SessionSummary }) {
  const { now } = useApp();
  if (session.client === 'none') return session.level === 'plugin' ? <span>trai exec</span> : null;
  if (session.ended === null) return null;
  return <span title={format.dateTime(session.ended)}>ended {format.ago(session.ended, now.value)}</span>;
}

/** Sessions with pending changes of the same paths. */
function Shared({ session: { shares } }: { session: SessionSummary }) {
  const [first, ...rest] = shares;
  if (first === undefined) return null;
  const names = rest.length === 0 ? first.session : `${first.session} and ${format.count(rest.length)} more`;
  return (
    <span
      class="warn-text"
      title={shares.map((one) => `${one.session}: ${format.plural(one.paths, 'path')}`).join('\n')}
    >
      {format.plural(first.paths, 'path')} also pending in <span class="mono">{names}</span>
    </span>
  );
}

export function SessionBadges({ session }: { session: SessionSummary }) {
  return (
    <>
      {session.caught ? (
        <Badge tone="danger" title="A command of this session ran on the host although trai did not allow it">
          NOT SANDBOXED
        </Badge>
      ) : null}
      {session.off === null ? null : (
        <Badge tone="warning" title={visibleText(session.off)}>
          off
        </Badge>
      )}
      {session.unfinished ? (
        <Badge tone="warning" title="A commit was interrupted; commit again to finish it">
          unfinished commit
        </Badge>
      ) : null}
      {session.conflicts > 0 ? (
        <Badge tone="warning">{format.plural(session.conflicts, 'conflict')}</Badge>
      ) : null}
      {session.live ? <Badge tone="added">live</Badge> : null}
    </>
  );
}
