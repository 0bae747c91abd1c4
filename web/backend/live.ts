/**
 * The only way to the server: `Backend` for a real one (testing/dashboard has one of recorded data).
 *
 *     live.ts   a method for each row of shared/api/contract.ts: path, query or body; unpacks change lists
 *     http.ts   one request: JSON, and an ApiError for every failure
 *     sse.ts    server-sent events, reconnecting; a 401 on either way signs the tab out
 *     auth.ts   the tab's credential
 */
import { ApiError } from '../../shared/api/api-error.ts';
import { API, API_NAMES, type Backend, type Client, type Input } from '../../shared/api/contract.ts';
import { unpackList } from '../../shared/api/packed-changes.ts';
import type { ListOrLast } from '../../shared/api/types.ts';
import { readToken } from './auth.ts';
import { jsonBody, read, send } from './http.ts';
import { openStream, type Stream } from './sse.ts';

type Row = (typeof API)[keyof Client];
type Values = Readonly<Record<string, unknown>>;

function requestOf({ verb, path, keepalive }: Row, id: string | null, input: Values): [string, RequestInit] {
  const url = `/api${path.replace(':id', encodeURIComponent(id ?? ''))}`;
  if (verb === 'POST') return [url, { ...jsonBody(input), ...(keepalive === true ? { keepalive } : {}) }];
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input))
    if (value !== undefined)
      query.set(name, typeof value === 'boolean' ? (value ? '1' : '0') : String(value));
  return [query.size === 0 ? url : `${url}?${query}`, {}];
}

function expectList(found: ListOrLast | null): ListOrLast {
  if (found === null) throw new ApiError('internal', 'The server sent no list, though none was at hand.');
  return found;
}

export function createLiveBackend(): Backend {
  let stream: Stream | null = null;

  async function ask(row: Row, args: readonly unknown[]): Promise<unknown> {
    const id = row.about === 'session' ? String(args[0]) : null;
    const rest = args.slice(id === null ? 0 : 1);
    const signal = rest.find((one) => one instanceof AbortSignal) ?? null;
    const input = rest.find((one) => one !== undefined && one !== signal) ?? {};
    const [url, init] = requestOf(row, id, input as Values);
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${readToken() ?? ''}`);
    try {
      const response = await send(url, { ...init, headers, signal });
      // The server does not know the credential.
      if (response.status === 401) stream?.signOut();
      return row.bytes === true && response.ok ? await response.blob() : await read(response);
    } catch (thrown) {
      const isLost = row.order === true && thrown instanceof ApiError && thrown.code === 'offline';
      throw isLost ? ApiError.lost() : thrown;
    }
  }

  const asked = API_NAMES.map((name) => [name, (...args: unknown[]) => ask(API[name], args)]);
  // Server and tab share the table, so each answer has the type of its row.
  const client = Object.fromEntries(asked) as Client;
  const list = async (id: string, question: Input<'changes'>, signal?: AbortSignal) =>
    unpackList(await client.changes(id, question, signal));
  return {
    ...client,
    changes: async (id, signal) => expectList(await list(id, {}, signal)).list,
    lastChanges: async (id, signal) => expectList(await list(id, { last: true }, signal)),
    newerChanges: async (id, unless, since, signal) =>
      (await list(id, { unless, since: since ?? undefined }, signal))?.list ?? null,
    events: (listener, status) => {
      stream = openStream({ url: '/api/events', token: readToken, listener, status });
      return stream;
    },
  };
}
