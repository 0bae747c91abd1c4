/** How a tab gets its credential, by a one-time code or a typed number. It stays in its sessionStorage. */
import { ApiError } from '../../shared/api/api-error.ts';
import { isObject } from '../../shared/json-lines.ts';
import { jsonBody, read, send } from './http.ts';

const STORAGE_KEY = 'trai-token';

export function readToken(): string | null {
  try {
    return sessionStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

const post = async (path: string, body: unknown): Promise<unknown> =>
  await read(await send(path, jsonBody(body)));

function tokenIn(answer: unknown): string | null {
  return isObject(answer) && typeof answer['token'] === 'string' ? answer['token'] : null;
}

const CODE = /^#c=([A-Za-z0-9_-]+)(?:&s=([A-Za-z0-9._-]+))?$/;

export function hasCode(): boolean {
  return CODE.test(location.hash);
}

/** Exchanges the code of `#c=CODE` or `#c=CODE&s=SESSION`, which first leaves the address. Null unless that failed. */
export async function takeCode(): Promise<ApiError | null> {
  const [, code, session] = CODE.exec(location.hash) ?? [];
  if (code === undefined) return null;
  const route = session === undefined ? '#/' : `#/s/${session}`;
  history.replaceState(null, '', `${location.pathname}${location.search}${route}`);
  try {
    const token = tokenIn(await post('/api/exchange', { code }));
    if (token === null) throw new ApiError('internal', 'the server sent no credential');
    sessionStorage.setItem(STORAGE_KEY, token);
    return null;
  } catch (thrown) {
    return ApiError.from(thrown);
  }
}

export interface Pairing {
  /** Six digits that the user types after `/trai:ui`. */
  number: string;
  /** The page's secret for polling. */
  id: string;
}

export async function startPairing(): Promise<Pairing> {
  const answer = await post('/api/pair', {});
  if (isObject(answer) && 'number' in answer && 'id' in answer)
    return { number: String(answer['number']), id: String(answer['id']) };
  throw new ApiError('internal', 'the server sent no number');
}

/** True when the number was typed and this tab has the credential; false while waiting. */
export async function pollPairing(pairing: Pairing): Promise<boolean> {
  const token = tokenIn(await post('/api/pair/poll', { id: pairing.id }));
  if (token === null) return false;
  sessionStorage.setItem(STORAGE_KEY, token);
  return true;
}
