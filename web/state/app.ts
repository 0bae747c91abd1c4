/** The whole page: connection, route, settings, the list of sessions and the session on show. */
import { computed, effect, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Backend } from '../../shared/api/contract.ts';
import type { BackendStatus, ServerEvent, SessionSummary } from '../../shared/api/types.ts';
import { mergeStable } from '../lists/lists.ts';
import { plural } from '../text/format.ts';
import { notify } from './notify.ts';
import { createLive } from './resource.ts';
import { formatRoute, parseRoute, type Route } from './router.ts';
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

/** Copies a text, and says so; false where the browser does not allow it. */
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

/**
 * Wires the parts up and starts listening. Lives as long as the page.
 * @param recorded label when what is shown is a recording; null on a real server
 */
export function createApp(backend: Backend, recorded: string | null) {
  const status = signal<BackendStatus>('connecting');
  /** Why the server went, as it said itself. */
  const farewell = signal<string | null>(null);
  const route = signal<Route>(parseRoute(location.hash));
  const fetchSessions = (abort: AbortSignal): Promise<SessionSummary[]> => backend.sessions(abort);
  const sessions = createLive<SessionSummary[]>({
    first: fetchSessions,
    next: fetchSessions,
    merge: (shown, next) => {
      const { rows, fresh, gone } = mergeStable(shown, next, ({ id }) => id);
      // Nothing is on show that could move.
      if (shown.length === 0) return { shown: next, waits: null };
      return { shown: rows, waits: fresh + gone > 0 ? next : null };
    },
  });
  const session = signal<SessionState | null>(null);
  /** The time that "3 min ago" counts from; moves on by itself. */
  const now = signal(Date.now());
  const settings = createSettings(backend);
  const ends = new EndWatch();
  const go = (to: Route): void => {
    location.hash = formatRoute(to);
  };

  window.addEventListener('hashchange', () => {
    route.value = parseRoute(location.hash);
  });
  window.addEventListener('pagehide', () => settings.leave());
  setInterval(() => {
    now.value = Date.now();
    // A client that was killed, another branch: nobody tells.
    if (status.peek() === 'connected') void refreshSessions();
  }, CLOCK_MS);

  async function refreshSessions(): Promise<void> {
    const list = await sessions.refresh();
    if (list === null) return;
    // Also of sessions that are not on show yet.
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
    session.peek()?.onEvent(event);
  }

  /** The stream was gone for some time: events were missed. Asking for it again (`connecting`) brings none of them. */
  let missed = false;
  function onStatus(state: BackendStatus): void {
    status.value = state;
    if (state === 'offline') missed = true;
    if (state !== 'connected') return;
    if (missed) {
      void refreshSessions();
      void settings.load();
      session.peek()?.catchUp();
    } else {
      // What was fetched before the stream was there may have moved on since; of a session its log says so.
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
    /** Read out politely by screen readers. */
    announcement: signal(''),
    helpOpen: signal(false),
    go,
    /** Goes there without an entry of its own in the browser's history. */
    replace: (to: Route): void => {
      history.replaceState(null, '', formatRoute(to));
      route.value = parseRoute(location.hash);
    },
    /** Why what is on show may be old though the server is there. */
    stale: computed(() => {
      if (status.value !== 'connected') return null;
      return session.value?.stale.value ?? sessions.stale.value;
    }),
    /** Fetches what is on show again. */
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
