/** A request to the server, and its answer or error. */
import { ApiError, isErrorBody } from '../../shared/api/api-error.ts';

/** @throws ApiError `offline` for an unreachable server; an abort is rethrown as it is. */
export async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, cache: 'no-store' });
  } catch (thrown) {
    if (init.signal?.aborted) throw thrown;
    throw ApiError.offline();
  }
}

export function jsonBody(value: unknown): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  };
}

/** @throws ApiError with the server's reason */
export async function read(response: Response): Promise<unknown> {
  const answer: unknown = await response.json().catch((thrown: unknown) => {
    if (thrown instanceof SyntaxError) return undefined;
    // The connection broke in the middle of the answer.
    throw ApiError.offline();
  });
  if (response.ok && answer !== undefined) return answer;
  if (isErrorBody(answer)) throw ApiError.of(answer);
  const code = response.status === 401 ? 'unauthorised' : 'internal';
  throw new ApiError(code, `The server answered ${response.status} without a reason.`);
}
