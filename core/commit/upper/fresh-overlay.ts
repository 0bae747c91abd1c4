/** Empty overlays: the directories of each covered directory, and what the plan keeps beside them. */
import { type BytePath, fromText, joinPath, nameOf, parentOf } from '../../../shared/bytes.ts';
import { formatBaseLine, parseBaseLines } from '../../../shared/model/base-record.ts';
import { removePath } from '../../kernel/fs/dir-handles.ts';
import type { FsPort } from '../../kernel/fs/port.ts';
import { readPlainFile } from '../../kernel/fs/state-file.ts';
import { rootBase } from '../../overlay/base-of.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { writeFile } from '../journal/trash.ts';

/** Files that belong to the pending changes and leave with them. */
const TRAVELS = /^(base\.jsonl.*|blobs|\..*)$/;
const PLACE = /^[0-9]+$/;

/**
 * Makes `dir` (`u`, `w`, `l` of a covered directory) like `model`; existing entries stay. The root of an
 * overlay shows its upper's mode: the old upper's, or the host's where the sandbox may have changed it
 * (`known`).
 */
function makePlaceDir(
  port: FsPort,
  dir: BytePath,
  model: BytePath,
  known: ReadonlySet<BytePath> = new Set(),
): void {
  ensureDir(port, dir, 0o700);
  ensureDir(port, joinPath(dir, 'w'), 0o700);
  const path = linkOf(port, model);
  if (port.lstat(joinPath(dir, 'l')) === null && path !== null) port.symlink(path, joinPath(dir, 'l'));
  const upper = port.lstat(joinPath(model, 'u'));
  const host = path !== null && known.has(path) ? port.lstat(path) : null;
  if (upper !== null) ensureDir(port, joinPath(dir, 'u'), host?.type === 'dir' ? host.mode : upper.mode);
}

function linkOf(port: FsPort, dir: BytePath): BytePath | null {
  const link = joinPath(dir, 'l');
  return port.lstat(link) === null ? null : port.readlink(link);
}

/** Makes an empty overlay like `model` as `overlay.new`; or adds what `target` lacks of it. */
export function makeFresh(
  port: FsPort,
  ctx: Pick<SessionContext, 'sessionDir'>,
  model: BytePath,
  target?: BytePath,
): void {
  const dir = target ?? joinPath(fromText(ctx.sessionDir), 'overlay.new');
  // A run that crashed before its first rename has left it; it is empty.
  if (target === undefined && port.lstat(dir) !== null) removePath(port, parentOf(dir), nameOf(dir));
  ensureDir(port, dir, 0o700);
  // `target` has its own records of how its uppers were made.
  const known = target === undefined ? recordedPaths(model) : new Set<BytePath>();
  let records = '';
  for (const name of port.readdir(model)) {
    const from = joinPath(model, name);
    if (PLACE.test(name)) {
      makePlaceDir(port, joinPath(dir, name), from, known);
      records += recordOf(linkOf(port, from), joinPath(dir, `${name}/u`), known);
    } else if (!TRAVELS.test(name)) copySkeleton(port, from, joinPath(dir, name));
  }
  if (records !== '') writeFile(port, joinPath(dir, 'base.jsonl'), records);
}

function recordedPaths(overlay: BytePath): ReadonlySet<BytePath> {
  const text = readPlainFile(Buffer.from(joinPath(overlay, 'base.jsonl'), 'latin1'));
  return new Set(parseBaseLines(text?.toString('latin1') ?? '').records.keys());
}

/** In ASCII: the port writes UTF-8, but the file is read as latin1. */
function recordOf(path: BytePath | null, upper: BytePath, known: ReadonlySet<BytePath>): string {
  const base = path !== null && known.has(path) ? rootBase({ path, upper }) : null;
  if (path === null || base === null) return '';
  return formatBaseLine(path, { path, base, listed: false }).replaceAll(
    /[^\0-\x7f]/g,
    (byte) => `\\u${byte.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Copies empty directories and small text files (`places.json`, which numbers the covered directories). */
function copySkeleton(port: FsPort, from: BytePath, to: BytePath): void {
  const stat = port.lstat(from);
  if (stat?.type === 'file') writeFile(port, to, port.readText(from) ?? '');
  if (stat?.type !== 'dir') return;
  ensureDir(port, to, stat.mode);
  // The kernel's directory in `w` has mode 000; the next mount makes it again.
  if (nameOf(from) === 'w') return;
  for (const name of port.readdir(from)) copySkeleton(port, joinPath(from, name), joinPath(to, name));
}

function ensureDir(port: FsPort, dir: BytePath, mode: number): void {
  if (port.lstat(dir) !== null) return;
  port.mkdir(dir, mode);
  // mkdir applies the umask.
  port.chmod(dir, mode);
}
