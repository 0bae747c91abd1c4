/** Why a sandbox cannot be made or asked; core/session/messages/errors.ts has the form. Doctor's texts stand in its checks. */
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';

// not-entered

const UNKNOWN = 'could not look whether the session is in use';

export const probeFailed = (said: string): TraiError =>
  new TraiError('not-entered', `${UNKNOWN}: ${said || 'unshare failed'}`, { hint: 'Run: trai doctor' });

export const upperNotMounted = (path: string, said: string): TraiError =>
  new TraiError('not-entered', `${UNKNOWN}: expected to mount ${path}, found: ${said}`, {
    path,
    hint: 'Nothing was changed. Put that directory right, or run: trai doctor',
  });

// unsupported

export const newlineAboveMount = (): TraiError =>
  new TraiError('unsupported', 'a directory with a mount below it has a newline in its name', {
    hint: 'Rename it.',
  });

export const newlineInOwnDir = (): TraiError =>
  new TraiError('unsupported', 'one of trai’s own directories has a newline in its name', {
    hint: 'Rename it.',
  });

// corrupt

export const doorSpoilt = (dir: string, why: string, cause?: unknown): TraiError =>
  new TraiError('corrupt', `the directory ${dir} of the session’s client cannot be used (${why})`, {
    path: dir,
    hint: 'End what runs in the session, and remove it: it is made anew.',
    cause,
  });

export const boxRecordUnreadable = (path: string): TraiError =>
  new TraiError('corrupt', `what the box of this session was given cannot be read: ${path} is damaged`, {
    path,
    hint: 'Nothing was changed. End the box, and start it again: the file is made anew.',
  });

export const upperMissing = (upper: BytePath, covered: BytePath): TraiError =>
  new TraiError(
    'corrupt',
    `expected the directory ${toDisplay(upper)} with what is pending in ${toDisplay(covered)}, found none`,
    { path: toDisplay(upper), hint: 'Put it back, or start a new session.' },
  );

/** `found`: one of the texts below. */
export function linkContradicts(overlayDir: BytePath, n: number, found: string): TraiError {
  const link = `${toDisplay(overlayDir)}/${n}/l`;
  return new TraiError(
    'corrupt',
    `expected that the link ${link} names the directory of which overlay/${n} holds the pending changes; ${found}`,
    {
      path: link,
      hint: 'Nothing was changed. Make that link name the right directory (ln -sfn DIRECTORY LINK), and remove places.json beside it; or start a new session.',
    },
  );
}

export const LINK_IS_MISSING = 'there is no such link';
export const tableSays = (path: BytePath): string => `places.json says ${toDisplay(path)}`;
export const linkIsTaken = (n: number): string => `overlay/${n} is of that directory, too`;
