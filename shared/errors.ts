/**
 * Every error that a user or a client sees has a code; the table maps it to an HTTP status and the CLI's exit
 * status. The message says what was expected and what was found, with the path.
 */
export const ERROR_TABLE = {
  'bad-usage': { http: 400, exit: 2 },
  'bad-input': { http: 400, exit: 2 },
  'too-large': { http: 413, exit: 2 },
  'unauthorised': { http: 401, exit: 1 },
  'forbidden': { http: 403, exit: 1 },
  'needs-permit': { http: 403, exit: 1 },
  'inside-sandbox': { http: 403, exit: 1 },
  'no-session': { http: 404, exit: 1 },
  'not-found': { http: 404, exit: 1 },
  'stale-revision': { http: 409, exit: 1 },
  'conflicts': { http: 409, exit: 1 },
  'mass-guard': { http: 409, exit: 1 },
  'undo-size': { http: 409, exit: 1 },
  'live': { http: 409, exit: 1 },
  'not-empty': { http: 409, exit: 1 },
  'cancelled': { http: 409, exit: 1 },
  'answered': { http: 409, exit: 1 },
  'busy': { http: 423, exit: 1 },
  'unfinished': { http: 409, exit: 1 },
  'not-entered': { http: 500, exit: 125 },
  'no-program': { http: 500, exit: 127 },
  'unsupported': { http: 501, exit: 1 },
  'no-space': { http: 507, exit: 1 },
  'io': { http: 500, exit: 1 },
  'corrupt': { http: 500, exit: 1 },
  'internal': { http: 500, exit: 1 },
} as const satisfies Record<string, { http: number; exit: number }>;

export type ErrorCode = keyof typeof ERROR_TABLE;

export interface ErrorDetails {
  hint?: string | undefined;
  /** For display, as are `paths`. */
  path?: string | undefined;
  paths?: string[] | undefined;
  /** Numbers that the client needs for its next request, such as the count of the mass guard. */
  data?: Record<string, string | number | boolean> | undefined;
}

export class TraiError extends Error implements ErrorDetails {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly path: string | undefined;
  readonly paths: string[] | undefined;
  readonly data: ErrorDetails['data'];

  constructor(code: ErrorCode, message: string, details: ErrorDetails & { cause?: unknown } = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'TraiError';
    this.code = code;
    this.hint = details.hint;
    this.path = details.path;
    this.paths = details.paths;
    this.data = details.data;
  }
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

export interface ErrorBody {
  error: { code: ErrorCode; message: string } & ErrorDetails;
}

/** The wire form of any thrown value. Unknown errors become `internal`, without their stack. */
export function toErrorBody(thrown: unknown): ErrorBody {
  if (!(thrown instanceof TraiError)) return { error: { code: 'internal', message: messageOf(thrown) } };
  const { code, message, hint, path, paths, data } = thrown;
  const details = Object.entries({ hint, path, paths, data }).filter(([, value]) => value !== undefined);
  return { error: { code, message, ...Object.fromEntries(details) } };
}

/** What happened, with the path unless the message names it. */
export function messageWithPath({ message, path }: { message: string; path?: string }): string {
  return path === undefined || message.includes(path) ? message : `${message} (${path})`;
}
