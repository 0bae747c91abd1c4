/**
 * The state of the page, as signals that views read and set:
 *
 *     route        the address; a session in it makes `session` (session.ts), and disposes of the one before
 *     stream       server-sent events: a new revision, log size, mark or setting makes its resource fetch
 *     resource     a fetched value, kept while a newer one is fetched or fails; a live one (lists, calls)
 *                  holds newer rows back until the user asks for them
 *     work         one request of the user at a time (commit-flow.ts has what precedes a commit)
 *     settings     kept by the server, the same in all tabs
 *
 * After a lost connection everything is fetched again, since events are missing.
 */
import { computed, effect, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Backend } from '../../shared/api/contract.ts';
import type { BackendStatus, ServerEvent, SessionSummary } from '../../shared/api/types.ts';
import { mergeStable } from '../lists/lists.ts';
import { SIGN_IN } from '../messages/connection.ts';
import { askedWords } from '../messages/questions.ts';
import { plural } from '../text/format.ts';
import { notify } from './notify.ts';
import { createQuestions } from './questions.ts';
import { createLive } from './resource.ts';
import { formatRoute, parseRoute, type Route, routeTitle } from './router.ts';
import { createSession, type SessionState } from './session.ts';
import { EndWatch } from './sessions.ts';
import { createSettings } from './settings.ts';

export type AppState = ReturnType<typeof createApp>;

const Context = createContext<AppState | null>(null);
export const AppProvider = Context.Provider;

export function useApp(): AppState {
  const app = useContext(Context);
  if (app === null) throw new Error('useApp outside of AppProvider');
  return app;
}

/** Copies a text and announces it; false where the browser refuses. */
export function useCopy(): (text: string, what: string) => Promise<boolean> {
  const { announcement } = useApp();
  return async (text, what) => {
    try {
      await navigator.clipboard.writeText(text);
      announcement.value = `Copied ${what}.`;
      return true;
    } catch {
      announcement.value = `The browser did not allow ${what} to be copied.`;
      return false;
    }
  };
}

const CLOCK_MS = 30_000;

/** Lives as long as the page. `recorded`: label of recorded data; null on a real server. */
export function createApp(backend: Backend, recorded: string | null) {
  const status = signal<BackendStatus>('connecting');
  /** The server's reason for stopping. */
  const farewell = signal<string | null>(null);
  const route = signal<Route>(parseRoute(location.hash));
  const fetchSessions = (abort: AbortSignal): Promise<SessionSummary[]> => backend.sessions(abort);
  const sessions = createLive<SessionSummary[]>({
    first: fetchSessions,
    next: fetchSessions,
    merge: (shown, next) => {
      const { rows, fresh, gone } = mergeStable(shown, next, ({ id }) => id);
      if (shown.length === 0) return { shown: next, waits: null };
      return { shown: rows, waits: fresh.length + gone > 0 ? next : null };
    },
  });
  const session = signal<SessionState | null>(null);
  /** Advances by itself; "3 min ago" counts from it. */
  const now = signal(Date.now());
  const settings = createSettings(backend);
  const ends = new EndWatch();
  const follow = (): void => {
    const to = parseRoute(location.hash);
    if (formatRoute(to) !== formatRoute(route.peek())) route.value = to;
  };
  const go = (to: Route): void => {
    location.hash = formatRoute(to);
    // The event comes later: a key pressed before it would start from the page that was left.
    follow();
  };

  const questions = createQuestions(backend, (question) => {
    if (!settings.notify.peek() || document.hasFocus()) return;
    notify(question.project, askedWords(question), `trai ${question.id}`, () => go({ view: 'questions' }));
  });

  window.addEventListener('hashchange', follow);
  window.addEventListener('pagehide', () => settings.leave());
  /** For what no event reports: a killed client, a switched branch, a process that began or ended, a connection of a box. */
  const look = (): void => {
    now.value = Date.now();
    if (status.peek() !== 'connected') return;
    // Of a hidden tab, only a notification of an ended session is seen.
    if (!document.hidden || settings.notify.peek()) void refreshSessions();
    if (document.hidden) return;
    session.peek()?.lookAtProcesses();
    questions.seen();
  };
  setInterval(look, CLOCK_MS);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) look();
  });

  async function refreshSessions(): Promise<void> {
    const list = await sessions.refresh();
    if (list === null) return;
    // Also of sessions whose rows still wait.
    for (const { id, project, pending } of ends.ended(list)) {
      if (!settings.notify.peek()) continue;
      const text = `Session ${id} ended with ${plural(pending, 'pending change')}.`;
      notify(project, text, `trai ${id}`, () => go({ view: 'changes', session: id, path: null }));
    }
  }

  function onEvent(event: ServerEvent): void {
    if (event.type === 'bye') farewell.value = event.why;
    if (event.type === 'hello') farewell.value = null;
    if (event.type === 'sessions' || event.type === 'changes') void refreshSessions();
    if (event.type === 'settings') void settings.load();
    if (event.type === 'questions') void questions.refresh();
    session.peek()?.onEvent(event);
  }

  /** The stream was down, so events are missing. Reopening it (`connecting`) brings none of them. */
  let missed = false;
  function onStatus(state: BackendStatus): void {
    status.value = state;
    if (state === 'offline') missed = true;
    if (state !== 'connected') return;
    questions.seen();
    void questions.refresh();
    if (missed) {
      void refreshSessions();
      void settings.load();
      session.peek()?.catchUp();
    } else {
      // A first fetch may be older than the stream; for a session the log's size says so.
      session.peek()?.checkLog();
      void started.then(refreshSessions);
    }
    missed = false;
  }

  effect(() => {
    const wanted = 'session' in route.value ? route.value.session : null;
    if (session.peek()?.id === wanted) return;
    session.peek()?.dispose();
    const made = wanted === null ? null : createSession(backend, wanted);
    session.value = made;
    void made?.open();
  });

  effect(() => {
    const open = questions.count.value;
    const title = status.value === 'unauthorised' ? `${SIGN_IN.title} – trai` : routeTitle(route.value);
    document.title = open === 0 ? title : `(${open}) ${title}`;
  });

  const started = refreshSessions();
  let stream = backend.events(onEvent, onStatus);
  void settings.load();

  return {
    backend,
    recorded,
    status,
    farewell,
    route,
    sessions,
    session,
    now,
    settings,
    questions,
    /** Read politely by screen readers. */
    announcement: signal(''),
    helpOpen: signal(false),
    go,
    replace: (to: Route): void => {
      history.replaceState(null, '', formatRoute(to));
      route.value = parseRoute(location.hash);
    },
    /** Why the view may be old although the server answers. */
    stale: computed(() => {
      if (status.value !== 'connected') return null;
      return session.value?.stale.value ?? sessions.stale.value;
    }),
    tryAgain: (): void => {
      void refreshSessions();
      void session.peek()?.reload();
    },
    retry: (): void => {
      stream.close();
      stream = backend.events(onEvent, onStatus);
    },
  };
}
