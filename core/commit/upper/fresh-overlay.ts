/** Empty overlays, which a discard or an adoption leaves to a session. */
import { type BytePath, fromText, joinPath, nameOf } from '../../../shared/bytes.ts';
import { formatBaseLine } from '../../../shared/model/base-record.ts';
import { removePath } from '../../kernel/fs/dir-handles.ts';
import { type FsPort, syncDirs } from '../../kernel/fs/port.ts';
import { writeWhole } from '../../kernel/fs/state-file.ts';
import { confirmEmpty } from '../../overlay/base-file.ts';
import { rootBase } from '../../overlay/base-of.ts';
import { makeSameDirs } from '../../sandbox/prepare/covered-dirs.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { linkTo, overlayOf, overlaysDir } from '../journal/overlays.ts';

/** Makes an empty overlay with the session's covered directories, and the link `overlay.new` to it. */
export function makeFresh(port: FsPort, ctx: SessionContext): void {
  const [link, overlays] = [joinPath(fromText(ctx.sessionDir), 'overlay.new'), overlaysDir(ctx)];
  // Refuses a session of another version before anything is made.
  overlayOf(port, ctx);
  if (port.lstat(link) !== null) {
    // A run that died before it renamed the link has left it; it is empty.
    removePath(port, overlays, nameOf(port.readlink(link)));
    port.unlink(link);
  }
  let time = Date.now();
  const nameAt = () => `${ctx.session}.${time}` as BytePath;
  while (port.lstat(joinPath(overlays, nameAt())) !== null) time++;
  const dir = joinPath(overlays, nameAt());
  // First, so that the next run finds what this one has begun.
  port.symlink(linkTo(nameAt()), link);
  port.mkdir(dir, 0o700);
  const records = makeSameDirs(dir, ctx.coveredDirs, ctx.uid).flatMap((covered) => {
    const base = rootBase(covered);
    return base === null ? [] : [formatBaseLine(covered.path, { path: covered.path, base, listed: false })];
  });
  writeWhole(`${ctx.stateDir}/overlays/${nameAt()}/base.jsonl`, records.join(''));
  confirmEmpty(`${ctx.stateDir}/overlays/${nameAt()}`);
  syncDirs(port, [dir, overlays]);
}
