/**
 * Overlays are objects, `overlays/<name>` of the state directory. A session's link `overlay` names its own; the
 * link `overlay` of a discard of everything, in the trash, the discarded one. So a discard, its undo and an
 * adoption are one atomic rename of a link. One link names an overlay, except while a discard is in phase
 * `staging`.
 */
import { type BytePath, fromText, joinPath, nameOf } from '../../../shared/bytes.ts';
import type { FsPort } from '../../kernel/fs/port.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { otherVersion } from '../messages/errors.ts';

export function overlaysDir({ stateDir }: Pick<SessionContext, 'stateDir'>): BytePath {
  return joinPath(fromText(stateDir), 'overlays');
}

/** What a session's link says. @throws TraiError `unsupported` where the overlay itself lies there */
export function overlayOf(port: FsPort, { sessionDir }: Pick<SessionContext, 'sessionDir'>): BytePath {
  const link = joinPath(fromText(sessionDir), 'overlay');
  if (port.lstat(link)?.type !== 'dir') return port.readlink(link);
  throw otherVersion(link);
}

/** From a session's directory, and from that of a discard. */
export function linkTo(name: BytePath): BytePath {
  return `../../overlays/${name}` as BytePath;
}

/** The overlays that links in the directory of a session or discard name. */
export function overlaysIn(port: FsPort, ctx: Pick<SessionContext, 'stateDir'>, dir: BytePath): BytePath[] {
  if (port.lstat(dir) === null) return [];
  return port.readdir(dir).flatMap((name) => {
    const path = joinPath(dir, name);
    const target = port.lstat(path)?.type === 'symlink' ? port.readlink(path) : null;
    return target === null || target !== linkTo(nameOf(target))
      ? []
      : [joinPath(overlaysDir(ctx), nameOf(target))];
  });
}
