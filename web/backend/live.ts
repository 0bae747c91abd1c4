/** The backend that asks the server. */
import { type ClientResponse, hc } from 'hono/client';
// biome-ignore lint/style/noRestrictedImports: a type only; nothing of the server gets into the page.
import type { AppType } from '../../server/http/app.ts';
import { ApiError, isErrorBody } from '../../shared/api/api-error.ts';
import { type PackedList, unpackList } from '../../shared/api/packed-changes.ts';
import type { Backend, ListOrLast } from '../../shared/api/types.ts';
import type { CallView } from '../../shared/log/call-view.ts';
import type { WhyPath } from '../../shared/model/why.ts';
import { readToken } from './auth.ts';
import { openStream, type Stream } from './sse.ts';

/** What is told when an answer says that the server does not know this tab (any more). */
let stream: Stream | null = null;

/** Every request carries the credential of this tab; an unreachable server is an error of its own. */
async function send(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Bearer ${readToken() ?? ''}`);
  try {
    const response = await fetch(input, { ...init, headers, cache: 'no-store' });
    if (response.status === 401) stream?.signOut();
    return response;
  } catch (thrown) {
    if (init.signal?.aborted) throw thrown;
    throw ApiError.offline();
  }
}

/** The answer's body. Rejects with an ApiError that carries the server's reason. */
async function read<T>(sent: Promise<ClientResponse<T>>): Promise<T> {
  const response = await sent;
  const answer: unknown = await response.json().catch((thrown: unknown) => {
    if (thrown instanceof SyntaxError) return undefined;
    // It went in the middle of its answer.
    throw ApiError.offline();
  });
  // hc's type says what the route sends: server and tab are built from the same commit.
  if (response.ok && answer !== undefined) return answer as T;
  if (isErrorBody(answer)) throw ApiError.of(answer);
  const code = response.status === 401 ? 'unauthorised' : 'internal';
  throw new ApiError(code, `The server answered ${response.status} without a reason.`);
}

/** The answer to an order: without one it may have been carried out all the same. */
async function ordered<T>(sent: Promise<ClientResponse<T>>): Promise<T> {
  try {
    return await read(sent);
  } catch (thrown) {
    throw thrown instanceof ApiError && thrown.code === 'offline' ? ApiError.lost() : thrown;
  }
}

/** The answer's bytes; a reason where it has none. */
async function blob(
  sent: Promise<{ ok: boolean; blob(): Promise<Blob> } & ClientResponse<unknown>>,
): Promise<Blob> {
  const response = await sent;
  if (response.ok) return await response.blob();
  return await read(Promise.resolve(response as ClientResponse<Blob>));
}

function abortable(signal: AbortSignal | undefined): { init: RequestInit } {
  return { init: signal === undefined ? {} : { signal } };
}

function sent(found: ListOrLast | null): ListOrLast {
  if (found === null) throw new ApiError('internal', 'The server sent no list, though none was at hand.');
  return found;
}

interface ListQuery {
  unless?: string;
  last?: '1';
  since?: string;
}

export function createLiveBackend(): Backend {
  const { api } = hc<AppType>('/', { fetch: send });
  const session = api.sessions[':id'];
  const of = (id: string): { param: { id: string } } => ({ param: { id: encodeURIComponent(id) } });
  const changes = async (id: string, query: ListQuery, signal?: AbortSignal) => {
    const asked = session.changes.$get({ ...of(id), query }, abortable(signal));
    // hc makes `target?: T` into `T | undefined`; JSON has no undefined, so it is the contract's type.
    return unpackList((await read(asked)) as PackedList);
  };
  return {
    sessions: (signal) => read(api.sessions.$get({}, abortable(signal))),
    session: (id, signal) => read(session.$get(of(id), abortable(signal))),
    changes: async (id, signal) => sent(await changes(id, {}, signal)).list,
    lastChanges: async (id, signal) => sent(await changes(id, { last: '1' }, signal)),
    newerChanges: async (id, unless, since, signal) => {
      const found = await changes(
        id,
        { unless, ...(since === null ? {} : { since: String(since) }) },
        signal,
      );
      return found?.list ?? null;
    },
    diff: (id, entry, { load, whole, spaces }, signal) =>
      read(
        session.diff.$get(
          { ...of(id), query: { entry, load: load ? '1' : '0', whole: whole ? '1' : '0', spaces } },
          abortable(signal),
        ),
      ),
    calls: (id, after, signal) =>
      read(session.calls.$get({ ...of(id), query: { after: String(after) } }, abortable(signal))),
    // `wrote?: T` again, as above.
    call: (id, call, signal) =>
      read(session.call.$get({ ...of(id), query: { call } }, abortable(signal))) as Promise<CallView>,
    preview: (id, order) => read(session.preview.$post({ ...of(id), json: order })),
    commit: (id, order) => ordered(session.commit.$post({ ...of(id), json: order })),
    discard: (id, order) => ordered(session.discard.$post({ ...of(id), json: order })),
    cancel: (id) => read(session.cancel.$post({ ...of(id), json: {} })),
    undo: (id, trash) => ordered(session.undo.$post({ ...of(id), json: { trash } })),
    history: (id, signal) => read(session.history.$get(of(id), abortable(signal))),
    historyPaths: (id, key, after, signal) => {
      const query = { of: 'n' in key ? String(key.n) : key.trash, after: String(after) };
      return read(session['history-paths'].$get({ ...of(id), query }, abortable(signal)));
    },
    undoPreview: (id, n) => read(session['undo-preview'].$post({ ...of(id), json: { n } })),
    undoCommit: (id, order) => ordered(session['undo-commit'].$post({ ...of(id), json: order })),
    redo: (id) => ordered(session.redo.$post({ ...of(id), json: {} })),
    merge: (id, entry, signal) =>
      read(session.merge.$get({ ...of(id), query: { entry } }, abortable(signal))),
    conflict: (id, entry, signal) =>
      read(session.conflict.$get({ ...of(id), query: { entry } }, abortable(signal))),
    viewed: (id, signal) => read(session.viewed.$get(of(id), abortable(signal))),
    markViewed: (id, order) => read(session.viewed.$post({ ...of(id), json: order })),
    why: (id, entry, signal) =>
      read(session.why.$get({ ...of(id), query: { entry } }, abortable(signal))) as Promise<WhyPath>,
    whyNot: (id, path, signal) =>
      read(session['why-not'].$get({ ...of(id), query: { path } }, abortable(signal))) as Promise<WhyPath>,
    whyCall: (id, call, signal) =>
      read(session['why-call'].$get({ ...of(id), query: { call } }, abortable(signal))),
    endProcesses: (id, processes) => read(session['end-processes'].$post({ ...of(id), json: { processes } })),
    search: (id, order, signal) => read(session.search.$post({ ...of(id), json: order }, abortable(signal))),
    lineCounts: async (id, entries, signal) =>
      await read(session['line-counts'].$post({ ...of(id), json: { entries } }, abortable(signal))),
    hiddenTexts: (id, signal) => read(session['hidden-texts'].$get(of(id), abortable(signal))),
    openInEditor: (id, order) => read(session.open.$post({ ...of(id), json: order })),
    image: (id, entry, side, signal) =>
      blob(session.image.$get({ ...of(id), query: { entry, side } }, abortable(signal))),
    download: (id, entry, side) => blob(session.download.$get({ ...of(id), query: { entry, side } })),
    disk: (signal) => read(api.disk.$get({}, abortable(signal))),
    gcPreview: (signal) => read(api.gc.$get({}, abortable(signal))),
    gc: (order) => ordered(api.gc.$post({ json: order })),
    doctor: (id, signal) =>
      read(api.doctor.$get({ query: id === null ? {} : { session: id } }, abortable(signal))),
    settings: (signal) => read(api.settings.$get({}, abortable(signal))),
    // Outlives the page: a tab may be closed right after a click.
    saveSettings: (patch) => read(api.settings.$post({ json: patch }, { init: { keepalive: true } })),
    events: (listener, status) => {
      stream = openStream({ url: '/api/events', token: readToken, listener, status });
      return stream;
    },
  };
}
