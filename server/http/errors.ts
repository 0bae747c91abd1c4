import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { ERROR_TABLE, type ErrorBody, TraiError, toErrorBody } from '../../shared/errors.ts';
import type { HttpEnv } from './env.ts';

/** Any thrown value as the answer that ERROR_TABLE says. Unknown errors lose their text: it may hold anything. */
export function errorResponse(
  c: Context<HttpEnv>,
  thrown: unknown,
  report: (thrown: unknown) => void,
): Response {
  if (thrown instanceof TraiError && thrown.code !== 'internal') {
    return c.json(toErrorBody(thrown), ERROR_TABLE[thrown.code].http);
  }
  if (thrown instanceof HTTPException && thrown.status < 500) {
    return c.json(body('bad-input', 'the request could not be read'), thrown.status);
  }
  report(thrown);
  return c.json(body('internal', 'something went wrong in the server; its log says what'), 500);
}

function body(code: 'bad-input' | 'internal', message: string): ErrorBody {
  return { error: { code, message } };
}
