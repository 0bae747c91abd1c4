/**
 * What core/session says to users, as errors with their codes. As in each `messages.ts`, a message says what happened; it has neither
 * a capital nor a full stop, since it follows `trai: ` and stands in other sentences. The hint says what to do next.
 */
import { messageOf, TraiError } from '../../../shared/errors.ts';
import { errorCode, isNoSpace } from '../../kernel/fs/port.ts';

const quoted = (text: string): string => JSON.stringify(text);

// bad-input

export const relativeStateHome = (value: string): TraiError =>
  new TraiError('bad-input', `expected TRAI_STATE_HOME to be an absolute path, found ${quoted(value)}`);

export const invalidSessionId = (id: string): TraiError =>
  new TraiError(
    'bad-input',
    `expected a session id (letters, digits, ".", "_", "-", at most 64), found ${quoted(id)}`,
  );

// no-session

export const noSuchSession = (path: string, cause: unknown): TraiError =>
  new TraiError('no-session', 'there is no such session', { path, cause });

// forbidden, inside-sandbox

export const dirIsLink = (path: string): TraiError =>
  notYourDir(path, 'a symbolic link', 'Set TRAI_STATE_HOME to the directory itself.');

export const dirIsOther = (path: string): TraiError => notYourDir(path, 'something else', 'Move it away.');

export const dirOfOther = (path: string, uid: number): TraiError =>
  notYourDir(path, `one that belongs to uid ${uid}`, 'Do not share it between users.');

export const dirOthersWrite = (path: string): TraiError =>
  notYourDir(path, 'one that others can write to', 'chmod 700 it, if its content is yours.');

const notYourDir = (path: string, found: string, hint: string): TraiError =>
  new TraiError('forbidden', `expected a directory of your own, found ${found}`, { path, hint });

export const foreignServerFile = (path: string, cause?: unknown): TraiError =>
  new TraiError(
    'forbidden',
    'expected a file of your own with mode 0600 and no other name, found something else',
    { path, cause, hint: 'Look who made it, and remove it.' },
  );

export const stateHidden = (): TraiError =>
  new TraiError('inside-sandbox', 'this runs inside a sandboxed call, where trai’s own state is hidden', {
    hint: 'Ask the user: they can type the /trai: command, or run trai in a terminal of their own.',
  });

// corrupt

/** The hint about a session that a list could not read, unless its error has one. */
export const REPAIR_SESSION =
  'Repair what is named, or let this user read it; nothing of the session is removed until then. More: trai doctor';

/** `why`: a text below, or what is wrong with its content. */
export const metaUnusable = (path: string, why: string): TraiError =>
  new TraiError('corrupt', `the session’s meta.json cannot be used: ${why}`, {
    path,
    hint: 'Nothing was changed. Put the file right, or move the session directory away.',
  });

export const META_IS_MISSING = 'it is missing';
export const META_IS_NO_FILE = 'it is not a regular file';
export const META_IS_NO_JSON = 'not JSON';
export const metaOfOther = (id: string): string => `it is that of session ${id}`;
export const metaField = (field: string): string => `missing or wrong: ${field}`;

export const attachmentDamaged = (path: string, found: string): TraiError =>
  new TraiError('corrupt', `expected the id of a session, found ${quoted(found.slice(0, 80))}`, { path });

/** With path and remedy in the message: where the log is missing, not every caller can show more. */
export const logIsNoFile = (path: string, cause?: unknown): TraiError =>
  new TraiError(
    'corrupt',
    `expected the log to be a regular file: ${path}. Move it away (mv ${path} ${path}.other): a new log is begun.`,
    { path, cause },
  );

// no-space, io

const NOT_LOGGED = 'Free some space: what could not be logged is not run.';

export const logLineCut = (path: string, written: number, length: number): TraiError =>
  new TraiError('no-space', `wrote ${written} of ${length} bytes of a log line`, { path, hint: NOT_LOGGED });

export function logNotWritten(path: string, cause: unknown): TraiError {
  const code = errorCode(cause);
  const message = `the log could not be written: ${messageOf(cause)}`;
  if (code === 'ENOENT') return new TraiError('no-session', message, { path, cause });
  if (isNoSpace(cause) || code === 'EFBIG')
    return new TraiError('no-space', message, { path, cause, hint: NOT_LOGGED });
  return new TraiError('io', message, { path, cause });
}

/** With the path that the system names: hooks show the message alone. */
const failed = (what: string, path: string, cause: unknown, hint?: string): TraiError =>
  new TraiError('io', `${what}: ${messageOf(cause)}`, { path, cause, hint });

const ELSEWHERE = 'Set TRAI_STATE_HOME to a directory on a local disk that you can write to.';

export const stateDirNotMade = (path: string, cause: unknown): TraiError =>
  failed('the state directory could not be made', path, cause, ELSEWHERE);

export const sessionsUnreadable = (path: string, cause: unknown): TraiError =>
  failed('the sessions could not be listed', path, cause, `${ELSEWHERE} More: trai doctor`);

export const sessionNotMade = (path: string, cause: unknown): TraiError =>
  failed('the session could not be made', path, cause);

export const logUnreadable = (path: string, cause: unknown): TraiError =>
  failed('the log could not be read', path, cause);

export const metaUnreadable = (path: string, cause: unknown): TraiError =>
  failed('meta.json could not be read', path, cause);

export const metaNotWritten = (path: string, cause: unknown): TraiError =>
  failed('meta.json could not be written', path, cause);

export const attachmentUnreadable = (path: string, cause: unknown): TraiError =>
  failed('an attachment could not be read', path, cause);

export const attachmentNotWritten = (path: string, cause: unknown): TraiError =>
  failed('an attachment could not be written', path, cause);

export const permitsUnreadable = (path: string, cause: unknown): TraiError =>
  failed('the permits could not be read', path, cause);

export const permitNotWritten = (path: string, cause: unknown): TraiError =>
  failed('the permit could not be written', path, cause);

export const permitNotUsedUp = (path: string, cause: unknown): TraiError =>
  failed('a permit could not be used up', path, cause);

// config.json

export const configNotUsable = (file: string): TraiError =>
  new TraiError('corrupt', 'the config is not JSON of the expected form', {
    path: file,
    hint: 'Nothing was changed. Repair the file first; see: trai doctor',
  });

// Problems of config.json, listed beside its path.

export const configUnusable = (why: string): string => `${why}. The defaults are used.`;
export const CONFIG_IS_NO_FILE = 'expected a regular file';
export const configUnreadable = (code: string): string => `can't be read (${code})`;
export const configTooLarge = (most: number, bytes: number): string =>
  `expected at most ${most} bytes, found ${bytes}`;
export const configIsNoJson = (error: unknown): string => `expected JSON: ${messageOf(error)}`;
