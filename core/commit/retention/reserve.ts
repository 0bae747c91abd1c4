/** Space that a session reserves: on a full disk a discard, which makes some directories, must still work. */

import { randomBytes } from 'node:crypto';
import { fromText, joinPath } from '../../../shared/bytes.ts';
import { orNull, nodePort as port, withHandle } from '../../kernel/fs/port.ts';
import type { Locked } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';

/** Journal and log lines; and a block or two for each directory of a fresh covered directory. */
const BYTES = 64 * 1024;
const BYTES_PER_PLACE = 16 * 1024;

type Reserved = Pick<SessionContext, 'sessionDir' | 'coveredDirs'>;

/** Frees the space. Called first in a commit, discard or undo; `keepReserve` takes it again. */
export function freeReserve(sessionDir: string): void {
  const file = joinPath(fromText(sessionDir), 'reserve');
  if (port.lstat(file) !== null) port.unlink(file);
}

export function keepReserve(session: Locked<Reserved>): void {
  const file = joinPath(fromText(session.sessionDir), 'reserve');
  const wanted = BYTES + BYTES_PER_PLACE * session.coveredDirs.length;
  // A full disk reserves less; the next call tries again.
  orNull(() => {
    const missing = wanted - (port.lstat(file)?.size ?? 0);
    if (missing <= 0) return;
    // Random, since a compressing file system would reserve no space for zeros.
    const text = randomBytes(Math.ceil((missing * 3) / 4)).toString('base64');
    withHandle(port, port.openAppend(file), (fd) => port.append(fd, text));
  });
}
