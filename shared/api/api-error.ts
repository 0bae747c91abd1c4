/** An error as the tab shows it: the server's code, text and hint, or `offline`. */
import { type ErrorBody, type ErrorCode, messageOf } from '../errors.ts';
import { isObject } from '../json-lines.ts';

export type ApiErrorCode = ErrorCode | 'offline';

export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly hint: string | undefined;
  readonly path: string | undefined;
  readonly paths: string[];
  readonly data: Record<string, string | number | boolean>;

  constructor(code: ApiErrorCode, message: string, details: Partial<ErrorBody['error']> = {}) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.hint = details.hint;
    this.path = details.path;
    this.paths = details.paths ?? [];
    this.data = details.data ?? {};
  }

  static from(thrown: unknown): ApiError {
    if (thrown instanceof ApiError) return thrown;
    return new ApiError('internal', messageOf(thrown));
  }

  static of(body: ErrorBody): ApiError {
    return new ApiError(body.error.code, body.error.message, body.error);
  }

  static offline(): ApiError {
    return new ApiError('offline', 'The trai server does not answer.', {
      hint: 'Run /trai:ui in Claude Code, or trai ui in a terminal.',
    });
  }

  /** The connection broke during an action: its outcome is unknown. */
  static lost(): ApiError {
    return new ApiError('offline', 'It went before it said what became of this. Each file is old or new.', {
      hint: 'Run /trai:ui in Claude Code, or trai ui in a terminal: what had begun is finished or rolled back then, and the history says what was done.',
    });
  }
}

export function isErrorBody(value: unknown): value is ErrorBody {
  const error = isObject(value) ? value['error'] : null;
  return isObject(error) && 'code' in error && 'message' in error;
}
