/** All sessions, grouped by project. */
import { useRef } from 'preact/hooks';
import type { SessionSummary } from '../../shared/api/types.ts';
import { type BytePath, nameOf } from '../../shared/bytes.ts';
import { Badge, Counts } from '../components/Badge.tsx';
import { Icon } from '../components/Icon.tsx';
import { Empty, ErrorPanel, NewerPill } from '../components/Notice.tsx';
import { displayPath } from '../lib/display.ts';
import * as format from '../lib/format.ts';
import { formatRoute } from '../lib/router.ts';
import { visibleText } from '../lib/visible.ts';
import { useActions } from '../state/actions.ts';
import { useApp } from '../state/app.ts';

export interface ProjectGroup {
  id: string;
  root: BytePath;
  sessions: SessionSummary[];
}

/** Groups in the order of their newest call, sessions likewise. */
export function groupSessions(sessions: readonly SessionSummary[]): ProjectGroup[] {
  const newest = (session: SessionSummary): string => session.lastCallAt ?? session.createdAt;
  const sorted = [...sessions].sort((a, b) => newest(b).localeCompare(newest(a)));
  const groups = new Map<string, ProjectGroup>();
  for (const session of sorted) {
    const group = groups.get(session.projectId);
    if (group === undefined)
      groups.set(session.projectId, {
        id: session.projectId,
        root: session.projectRoot,
        sessions: [session],
      });
    else group.sessions.push(session);
  }
  return [...groups.values()];
}

export function projectName(root: BytePath): string {
  return displayPath(root === '/' ? root : nameOf(root));
}

export function Sessions() {
  const app = useApp();
  const list = app.sessions.data.value;
  const error = app.sessions.error.value;
  const page = useRef<HTMLDivElement>(null);
  const step = (by: 1 | -1): void => {
    const cards = [...(page.current?.querySelectorAll<HTMLElement>('a.session-card') ?? [])];
    const focused = document.activeElement;
    const at = focused instanceof HTMLElement ? cards.indexOf(focused) : -1;
    cards[at < 0 ? 0 : Math.max(0, Math.min(cards.length - 1, at + by))]?.focus();
  };
  useActions({
    'next-row': () => step(1),
    'previous-row': () => step(-1),
    refresh: () => app.showNewerSessions(),
    'focus-tree': () => step(1),
  });
  return (
    <div class="page" ref={page} aria-busy={list === null && error === null}>
      <div class="page-head">
        <h1>Sessions</h1>
        {list === null ? null : <span class="muted">{format.plural(list.length, 'session')}</span>}
      </div>
      {error !== null && list === null ? (
        <ErrorPanel error={error} retry={() => void app.sessions.load()} />
      ) : null}
      {list?.length === 0 ? <NoSessions /> : null}
      {app.newerSessions.value === null ? null : (
        <NewerPill text="Sessions changed – show" onShow={app.showNewerSessions} />
      )}
      {groupSessions(list ?? []).map((group) => (
        <section key={group.id} class="project" aria-label={projectName(group.root)}>
          <header class="project-head">
            <Icon name="folder" />
            <h2>{projectName(group.root)}</h2>
            <span class="mono muted path">{displayPath(group.root)}</span>
          </header>
          <ul class="cards plain">
            {group.sessions.map((session) => (
              <li key={session.id}>
                <SessionCard session={session} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
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

function SessionCard({ session }: { session: SessionSummary }) {
  const { now } = useApp();
  const last = session.lastCallAt ?? session.createdAt;
  return (
    <a class="session-card" href={formatRoute({ view: 'changes', session: session.id, path: null })}>
      <span
        class={`dot ${session.live ? 'dot-live' : ''}`}
        title={session.live ? 'live: a process is running' : 'quiet'}
      >
        <span class="sr-only">{session.live ? 'live' : 'quiet'}</span>
      </span>
      <span class="card-id mono">{session.id}</span>
      <span class="card-badges">
        <SessionBadges session={session} />
      </span>
      <span class="card-counts">
        {session.counts === null ? <span class="muted">looking…</span> : <Counts counts={session.counts} />}
      </span>
      <span class="card-size num muted">{session.bytes > 0 ? format.bytes(session.bytes) : ''}</span>
      <span class="card-calls num muted">{format.plural(session.calls, 'call')}</span>
      <time class="card-time muted" dateTime={last} title={last}>
        {format.ago(last, now.value)}
      </time>
    </a>
  );
}

/** What a person must know before anything else about a session. */
export function SessionBadges({ session }: { session: SessionSummary }) {
  return (
    <>
      {session.caught ? (
        <Badge tone="danger" title="A command of this session ran on the host without trai having let it">
          NOT SANDBOXED
        </Badge>
      ) : null}
      {session.off === null ? null : (
        <Badge tone="warning" title={visibleText(session.off)}>
          off
        </Badge>
      )}
      {session.unfinished ? (
        <Badge tone="warning" title="A commit stopped in the middle; commit again to finish it">
          unfinished commit
        </Badge>
      ) : null}
      {session.conflicts > 0 ? (
        <Badge tone="warning">{format.plural(session.conflicts, 'conflict')}</Badge>
      ) : null}
      {session.live ? <Badge tone="live">live</Badge> : null}
    </>
  );
}
