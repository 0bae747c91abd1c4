/**
 * The frame of the page: skip link, bar on top, banner without a server, the view of the route, help.
 *
 *     main.tsx takes a one-time code from the address -> credential -> state/app.ts -> App
 *     unauthorised -> Pairing      settings unknown -> nothing, so that nothing is drawn twice
 *     route -> Sessions | Session | Questions | Rules | Audit | Disk | Boxes | Doctor | Settings
 */

import { useLayoutEffect } from 'preact/hooks';
import { Audit } from '../audit/Audit.tsx';
import { readToken } from '../backend/auth.ts';
import { Boxes } from '../boxes/Boxes.tsx';
import { Disk } from '../disk/Disk.tsx';
import { Doctor } from '../doctor/Doctor.tsx';
import { keepFocus } from '../keys/focus.ts';
import { listenForKeys, useShortcuts } from '../keys/shortcuts.ts';
import { OFFLINE, STATUS_WORDS, staleText } from '../messages/connection.ts';
import { Questions } from '../questions/Questions.tsx';
import { Rules } from '../rules/Rules.tsx';
import { Session } from '../sessions/Session.tsx';
import { Sessions } from '../sessions/Sessions.tsx';
import { Settings } from '../settings/Settings.tsx';
import { AppProvider, type AppState, useApp } from '../state/app.ts';
import { set } from '../state/resource.ts';
import { formatRoute, type Route } from '../state/router.ts';
import { SessionProvider } from '../state/session.ts';
import { visibleText } from '../text/visible.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { Banner, Empty } from '../ui/Notice.tsx';
import { Help } from './Help.tsx';
import { Pairing } from './Pairing.tsx';

export function App({ app }: { app: AppState }) {
  useLayoutEffect(() => listenForKeys(() => app.settings.keys.peek() && !app.helpOpen.peek()), [app]);
  useLayoutEffect(keepFocus, []);
  useShortcuts({
    help: () => set(app.helpOpen, true),
    'go-sessions': () => app.go({ view: 'sessions' }),
    'go-doctor': () => app.go({ view: 'doctor', about: null }),
    'go-questions': () => app.go({ view: 'questions' }),
    'go-disk': () => app.go({ view: 'disk' }),
    'go-box': () => app.go({ view: 'boxes' }),
    'go-rules': () => app.go({ view: 'rules', about: null }),
    'go-audit': () => app.go({ view: 'audit' }),
    settings: () => app.go({ view: 'settings' }),
  });
  return (
    <AppProvider value={app}>
      <div class="app column">
        {/* A button, since the address's fragment is the route. */}
        <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
          Skip to the content
        </button>
        <Header />
        <Offline />
        <main id="main" tabIndex={-1}>
          <View />
        </main>
        <Stale />
        <div class="sr-only" aria-live="polite">
          {app.announcement.value}
        </div>
        {app.helpOpen.value ? <Help /> : null}
      </div>
    </AppProvider>
  );
}

function View() {
  const { route, session, settings, status } = useApp();
  const where = route.value;
  if (status.value === 'unauthorised') return <Pairing failed={null} again={readToken() !== null} />;
  if (!settings.known.value) return null;
  if (where.view === 'sessions') return <Sessions />;
  if (where.view === 'doctor') return <Doctor key={where.about} about={where.about} />;
  if (where.view === 'settings') return <Settings />;
  if (where.view === 'questions') return <Questions />;
  if (where.view === 'rules') return <Rules key={where.about} about={where.about} />;
  if (where.view === 'audit') return <Audit filter={where.asked ?? {}} />;
  if (where.view === 'disk') return <Disk />;
  if (where.view === 'boxes') return <Boxes />;
  if (where.view === 'unknown') {
    return (
      <Empty icon="search" title="There is nothing at this address">
        <p>
          <a href="#/">All sessions</a>
        </p>
      </Empty>
    );
  }
  const state = session.value;
  return state === null || state.id !== where.session ? null : (
    <SessionProvider key={state.id} value={state}>
      <Session route={where} />
    </SessionProvider>
  );
}

function Offline() {
  const { status, farewell, retry } = useApp();
  if (status.value !== 'offline') return null;
  return (
    <div role="alert">
      <Banner
        tone="danger"
        icon="off"
        action={
          <Button icon="refresh" onClick={retry}>
            Try now
          </Button>
        }
      >
        <strong>{OFFLINE.title}</strong>
        {farewell.value === null ? '' : ` (${visibleText(farewell.value)})`}. {OFFLINE.state} Run{' '}
        <code>/trai:ui</code> in Claude Code, or <code>trai ui</code> in a terminal.
      </Banner>
    </div>
  );
}

function Stale() {
  const { stale, tryAgain } = useApp();
  const error = stale.value;
  return (
    <div class="toast-holder stale" role="status">
      {error === null ? null : (
        <p class="toast flex">
          <Icon name="warning" class="warn-text" />
          <span>{staleText(visibleText(error.message))}</span>
          <Button small onClick={tryAgain}>
            Try again
          </Button>
        </p>
      )}
    </div>
  );
}

const STATUS_TONES = {
  connected: 'status-good',
  connecting: '',
  offline: 'status-bad',
  unauthorised: 'status-bad',
} as const;

const PAGES: readonly { name: string; icon: IconName; to: Route }[] = [
  { name: 'Questions', icon: 'prompt', to: { view: 'questions' } },
  { name: 'Rules', icon: 'flag', to: { view: 'rules', about: null } },
  { name: 'Audit', icon: 'rows', to: { view: 'audit' } },
  { name: 'Disk', icon: 'disk', to: { view: 'disk' } },
  { name: 'Doctor', icon: 'pulse', to: { view: 'doctor', about: null } },
  { name: 'Settings', icon: 'gear', to: { view: 'settings' } },
];

function Header() {
  const { route, status, helpOpen, recorded, questions } = useApp();
  const where = route.value;
  return (
    <header class="top-bar flex">
      <a class="brand flex" href="#/">
        <Icon name="shield" /> trai
      </a>
      <nav class="crumbs inline muted" aria-label="You are here">
        <a class="quiet-link" href="#/" aria-current={where.view === 'sessions' ? 'page' : undefined}>
          Sessions
        </a>
        {'session' in where ? (
          <>
            <span aria-hidden="true">/</span>
            <span class="crumb mono ellipsis" title={visibleText(where.session)}>
              {visibleText(where.session)}
            </span>
          </>
        ) : null}
      </nav>
      {recorded === null ? null : <span class="badge tone-accent recorded">{recorded}</span>}
      <div class="top-tools flex">
        <span class={`status flex small muted ${STATUS_TONES[status.value]}`} role="status">
          <span class="status-dot" aria-hidden="true" />
          <span class="status-word">{STATUS_WORDS[status.value]}</span>
        </span>
        <nav class="top-pages flex" aria-label="Pages">
          {PAGES.map(({ name, icon, to }) => (
            <a
              key={name}
              class="top-page flex muted"
              href={formatRoute(to)}
              title={name}
              aria-current={where.view === to.view ? 'page' : undefined}
            >
              <Icon name={icon} /> <span class="top-page-name">{name}</span>
              {to.view === 'questions' && questions.count.value > 0 ? (
                <span class="page-count num">
                  {questions.count.value} <span class="sr-only">open</span>
                </span>
              ) : null}
            </a>
          ))}
        </nav>
        <IconButton
          icon="keyboard"
          label="Keyboard shortcuts"
          title="Keyboard shortcuts (?)"
          aria-haspopup="dialog"
          onClick={() => set(helpOpen, true)}
        />
      </div>
    </header>
  );
}
