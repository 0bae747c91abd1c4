/** Why an overlay cannot be planned or read; core/session/messages/errors.ts has the form. */
import { type BytePath, toDisplay } from '../../shared/bytes.ts';
import { TraiError } from '../../shared/errors.ts';

// unsupported

export const otherMountNamespace = (): TraiError =>
  new TraiError(
    'unsupported',
    'this client runs in another mount namespace (a container?) than trai’s server',
    { hint: 'Set TRAI_STATE_HOME there to a directory that only it uses, and start the session again.' },
  );

export const nothingToCover = (): TraiError =>
  new TraiError('unsupported', 'expected at least one directory that can be covered, found none', {
    hint: 'Run: trai doctor',
  });

export const viewNotMounted = (why: string, cause: unknown): TraiError =>
  new TraiError('unsupported', `the merged view could not be mounted: ${why}`, {
    hint: '`trai doctor` checks what the kernel allows and says what to do.',
    cause,
  });

export const mountedBelow = (point: BytePath, covered: BytePath, cause: unknown): TraiError =>
  new TraiError(
    'unsupported',
    `${toDisplay(point)} was mounted below ${toDisplay(covered)} after calls had changed something there, and as long as it is, that can't be looked at`,
    { hint: `Unmount ${toDisplay(point)}; nothing of what is pending is lost.`, cause },
  );

// corrupt

export const basesAreNoFile = (path: string): TraiError =>
  new TraiError('corrupt', 'expected base records, found something that is no file', {
    path,
    hint: 'Move it away: then the host’s changes since are conflicts. Nothing was changed.',
  });

// Why the scan could not read a part of the host; behind a path.

export const dirUnreadable = (why: string): string => `The host’s directory could not be read: ${why}`;
export const DIR_CLOSED = 'The host’s directory may not be searched (no x permission).';
export const OTHER_FILE_SYSTEM = 'Another file system is mounted here now: it is left alone.';
export const CLOSED_IN_SANDBOX =
  'What is below it cannot be read: the sandbox took away the permission to look into it. A command in the sandbox can give it back (chmod u+rx).';
