/** One session: head with commit and discard, banners, tabs for changes, timeline, history, details and its box. */
import type { Scope } from '../../shared/model/commit.ts';
import { ActionButton } from '../actions/ActionDialog.tsx';
import { CommitDialog } from '../actions/CommitDialog.tsx';
import { DiscardDialog } from '../actions/DiscardDialog.tsx';
import { Times } from '../actions/plan.tsx';
import { Box } from '../boxes/Box.tsx';
import { Changes } from '../changes/Changes.tsx';
import { MountPlanTable } from '../doctor/Doctor.tsx';
import { History } from '../history/History.tsx';
import { useShortcuts } from '../keys/shortcuts.ts';
import { fileTimes } from '../messages/actions.ts';
import { Running } from '../processes/Processes.tsx';
import { useApp } from '../state/app.ts';
import { hasAnswered, set } from '../state/resource.ts';
import { formatRoute, type Route } from '../state/router.ts';
import { type SessionState, timeOnShow, useSession } from '../state/session.ts';
import { pendingCount, projectName } from '../state/sessions.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Timeline } from '../timeline/Timeline.tsx';
import { Counts } from '../ui/Badge.tsx';
import { Empty, ErrorPanel } from '../ui/Notice.tsx';
import { FactList, Section, scrolls } from '../ui/Panel.tsx';
import { Prose } from '../ui/Prose.tsx';
import { SessionBanners } from './Banners.tsx';
import { BoxBadge, SessionBadges } from './Sessions.tsx';

const ALL: Scope = { kind: 'all' };

type SessionRoute = Extract<Route, { session: string }>;

export function Session({ route }: { route: SessionRoute }) {
  const state = useSession();
  const { go } = useApp();
  const { request } = state;
  const detail = state.detail.data.value;
  const error = state.detail.error.value;
  const close = (): void => set(request, null);
  useShortcuts({
    'go-files': () => go({ view: 'changes', session: state.id, path: null }),
    'go-timeline': () => go({ view: 'calls', session: state.id, call: null, ...timeOnShow(state.timeline) }),
    'go-history': () => go({ view: 'history', session: state.id }),
    'go-box': () => go({ view: 'box', session: state.id }),
    'go-details': () => go({ view: 'details', session: state.id }),
    refresh: () => state.showNewer(),
  });
  if (error !== null && detail === null) {
    return (
      <>
        <h1 class="sr-only">Session {visibleText(state.id)}</h1>
        {error.code === 'no-session' ? (
          <Empty icon="search" title={`There is no session ${visibleText(state.id)}`}>
            <p>It was removed, or its state is kept elsewhere (another machine, another TRAI_STATE_HOME).</p>
            <p>
              <a href="#/">All sessions</a>
            </p>
          </Empty>
        ) : (
          <ErrorPanel error={error} retry={() => void state.reload()} />
        )}
      </>
    );
  }
  return (
    <div class="session column">
      <SessionHead />
      <SessionBanners />
      {/* Banners arrive with the detail: drawing the parts below earlier would make them jump. */}
      {detail === null ? null : (
        <>
          <Tabs route={route} />
          {route.view === 'changes' ? <Changes path={route.path} line={route.line ?? null} /> : null}
          {route.view === 'calls' ? <Timeline route={route} /> : null}
          {route.view === 'history' ? <History /> : null}
          {route.view === 'details' ? <Details /> : null}
          {route.view === 'box' ? <Box /> : null}
        </>
      )}
      {request.value?.action === 'commit' ? (
        <CommitDialog scope={request.value.scope} onClose={close} />
      ) : null}
      {request.value?.action === 'discard' ? (
        <DiscardDialog scope={request.value.scope} onClose={close} />
      ) : null}
    </div>
  );
}

function SessionHead() {
  const state = useSession();
  const detail = state.detail.data.value;
  const list = state.changes.data.value;
  const nothing = list === null || list.changes.length === 0;
  const onlyTimes = nothing && list?.times !== undefined;
  const { scope, about } = requestOf(state);
  return (
    <header class="session-head">
      <div class="session-title inline wrap">
        <h1>{detail === null ? ' ' : projectName(detail.projectRoot)}</h1>
        {/* After the name: drawn earlier, it would move when the name arrives. */}
        {detail === null ? null : <span class="mono muted session-id">{visibleText(state.id)}</span>}
        {detail?.level === 'box' ? <BoxBadge id={detail.id} /> : null}
        {detail === null ? null : <SessionBadges session={detail} />}
        {detail === null || detail.processes.length === 0 ? null : (
          <a href={formatRoute({ view: 'details', session: state.id })}>
            {format.plural(detail.processes.length, 'process', 'processes')} running
          </a>
        )}
      </div>
      <div class="session-sum inline wrap small">
        {list === null ? (
          <span class="muted">Loading the changes…</span>
        ) : (
          <>
            <Counts counts={list.counts} />
            {list.bytes > 0 ? <span class="num">{format.bytes(list.bytes)}</span> : null}
            {list.ignored.count > 0 ? (
              <span class="muted">
                + {format.count(list.ignored.count)} ignored, {format.bytes(list.ignored.bytes)}
              </span>
            ) : null}
            <Times times={list.times} behind />
          </>
        )}
      </div>
      <div class="session-actions inline">
        <ActionButton action="discard" scope={scope} disabled={nothing}>
          Discard{about}…
        </ActionButton>
        <ActionButton scope={scope} action="commit" kind="primary" disabled={nothing && !onlyTimes}>
          Commit{onlyTimes ? ` ${fileTimes(list.times ?? 0)}` : about}…
        </ActionButton>
      </div>
    </header>
  );
}

/** The scope of the actions in the head: the selection if there is one, else everything. */
function requestOf({ choice, changes }: SessionState): {
  scope: Scope | (() => Scope | null);
  about: string;
} {
  const { count, ignored } = choice.sum.value;
  const list = changes.data.value;
  if (count === 0 || list === null) return { scope: ALL, about: '' };
  // Selected ignored entries count.
  const total = list.changes.length - list.ignored.count + ignored;
  return { scope: choice.scope, about: ` ${format.count(count)} of ${format.count(total)}` };
}

function Tabs({ route }: { route: SessionRoute }) {
  const state = useSession();
  const changes = state.changes.data.value;
  const calls = state.calls.data.value;
  const session = state.id;
  const detail = state.detail.data.value;
  // An unknown count reserves the room of the last one known.
  const tabs: { name: string; count?: number | null; last?: number; to: SessionRoute }[] = [
    {
      name: 'Changes',
      count: changes === null ? null : changes.changes.length - changes.ignored.count,
      last: detail === null ? 0 : (pendingCount(detail) ?? 0),
      to: { view: 'changes', session, path: null },
    },
    {
      name: 'Timeline',
      count: calls?.calls.length ?? null,
      last: detail?.calls ?? 0,
      to: { view: 'calls', session, call: null, ...timeOnShow(state.timeline) },
    },
    { name: 'History', to: { view: 'history', session } },
    { name: 'Details', to: { view: 'details', session } },
  ];
  if (detail?.level === 'box' || route.view === 'box')
    tabs.push({ name: 'Box', to: { view: 'box', session } });
  return (
    <nav class="tabs flex" aria-label="Session">
      {tabs.map((tab) => (
        <a
          key={tab.name}
          class="tab flex medium muted"
          href={formatRoute(tab.to)}
          aria-current={tab.to.view === route.view ? 'page' : undefined}
        >
          {tab.name}
          {tab.count === undefined ? null : (
            <span class={`tab-count num small ${tab.count === null ? 'tab-waits' : ''}`}>
              {format.count(tab.count ?? tab.last ?? 0)}
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}

function Details() {
  const state = useSession();
  const detail = state.detail.data.value;
  // The table has the command of each process's call: drawn before the calls arrive, it would move.
  if (detail === null || !hasAnswered(state.calls)) return <div class="page" aria-busy="true" />;
  return (
    <section class="page" {...scrolls} aria-label="Details">
      <Section title="Running now">
        <Running processes={detail.processes} />
      </Section>
      <Section title="Where writes go">
        <MountPlanTable places={detail.places} />
      </Section>
      <Section title="Notices">
        {detail.notices.length === 0 ? (
          <p class="muted">None.</p>
        ) : (
          <ul class="plain">
            {detail.notices.map((notice) => (
              <li key={`${notice.at} ${notice.code} ${notice.text}`}>
                <time class="muted" dateTime={notice.at}>
                  {format.dateTime(notice.at)}
                </time>{' '}
                <Prose text={notice.text} />
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Identity">
        <FactList
          facts={[
            ['Started', format.dateTime(detail.createdAt)],
            ['Directory', mono(detail.cwd)],
            ['Config', detail.configFile === null ? 'defaults' : mono(detail.configFile)],
            ['Claude’s ids', mono(detail.claudeIds.join(', ') || 'none')],
          ]}
        />
      </Section>
    </section>
  );
}

const mono = (text: string) => <span class="mono">{visibleText(text)}</span>;
