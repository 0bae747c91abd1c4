/**
 * Single paths without a scan. look.ts: what a session's view has at one path, beside what the host has there, by a few lstat
 * calls; for callers that work on the host and must know of pending changes in that place. pending-below.ts counts what is
 * pending below a directory; overlap.ts finds paths that two sessions have changed.
 */
import { type BytePath, joinPath, parentOf } from '../../../shared/bytes.ts';
import type { BaseState } from '../../../shared/model/base-record.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { hostEntry, lstatEntry, lstatOrNone, readTarget } from '../../kernel/fs/entry.ts';
import { resultOf } from '../../kernel/fs/pace.ts';
import { errorCode, type Stat } from '../../kernel/fs/port.ts';
import { readBases } from '../../overlay/bases.ts';
import { type MergedDir, replacedAmong } from '../../overlay/opaque.ts';
import { isExcluded } from '../../sandbox/claude-files.ts';
import {
  type CoveredDir,
  coveringDir,
  type SessionContext,
  upperPath,
} from '../../session/session-context.ts';
import { equalsBase, judgeSameType } from '../judge.ts';

/**
 * - `none`: nothing pending makes a difference there
 * - `meta`: a file with the same content, and another mode or owner
 * - `modified`: other content, or another target of the link
 * - `replaced`: it, or a directory above it, is something else in the view (a directory made again counts)
 * - `deleted`: the view has it no more
 * - `added`: it, or a directory above it, is in the view alone
 * - `closed`: the sandbox took away the permission to look into a directory above it
 */
export type LookKind = 'none' | 'meta' | 'modified' | 'replaced' | 'deleted' | 'added' | 'closed';

export interface Look {
  kind: LookKind;
  /** The uppermost entry on the way to the path in which view and host differ; the path itself when none does. */
  at: BytePath;
  /** The view has something at the path. Where that can't be told without following a link of the sandbox: true. */
  inView: boolean;
  onHost: boolean;
  /** The upper holds an entry of the path that says nothing new: a copy, or a directory that was only touched. */
  copied: boolean;
}

/** Whether who reads the path finds something else in the view than on the host. */
export function readsOtherwise({ kind }: Look): boolean {
  return kind !== 'none' && kind !== 'meta';
}

/** As many links as the kernel follows. */
const MAX_LINKS = 40;

const NOT_READ: BaseState = { state: 'none' };

/**
 * Looks at an absolute path as a program on the host would come to it, through the host's links. A link on the way that
 * the sandbox changed or removed is a difference too: there the same path leads somewhere else.
 * @param thorough also looks whether a directory above it was made again when the host has nothing at the path, or an equal
 *   copy lies there: for who wants to write
 * @throws TraiError `unsupported` when the merged view is needed and can't be mounted
 */
export async function lookThrough(ctx: SessionContext, given: BytePath, thorough: boolean): Promise<Look> {
  const onHost = lstatOrNone(given) !== null;
  const todo = parts(given);
  let at = '/' as BytePath;
  let links = 0;
  for (let name = todo.shift(); name !== undefined; name = todo.shift()) {
    if (name === '..') {
      at = parentOf(at);
      continue;
    }
    const here = joinPath(at, name);
    const host = lstatOrNone(here);
    if (host?.type !== 'symlink' || links === MAX_LINKS) {
      at = here;
      continue;
    }
    links++;
    const link = await look(ctx, here, thorough);
    if (readsOtherwise(link)) return { ...link, onHost };
    const target = readTarget(here);
    todo.unshift(...parts(target));
    if (target.startsWith('/')) at = '/' as BytePath;
  }
  return await look(ctx, at, thorough);
}

/** The same for a path without links in its directories, as far as it exists. */
async function look(ctx: SessionContext, path: BytePath, thorough: boolean): Promise<Look> {
  const covered = isExcluded(path, ctx.excluded) ? null : coveringDir(ctx.coveredDirs, path);
  if (covered === null) return { ...nothing(path), onHost: lstatOrNone(path) !== null };
  const descent = new Descent(ctx, covered, path);
  const found = await descent.run();
  if (found.kind !== 'none') return found;
  // What comes from the host shows only when no directory above it was made again.
  const fromHost = found.onHost && !found.copied;
  if (!fromHost && !thorough) return found;
  const replaced = await replacedAmong(ctx, covered, descent.merged);
  if (replaced === null) return found;
  return { ...found, kind: 'replaced', at: replaced, inView: found.inView && !fromHost };
}

/** The way from a place's root down to a path, in the upper and on the host at once. */
class Descent {
  /** Directories that both sides have. */
  readonly merged: MergedDir[] = [];
  private readonly ctx: SessionContext;
  private readonly covered: CoveredDir;
  private readonly path: BytePath;
  /** The uppermost directory that only the view has. */
  private added: BytePath | null = null;

  constructor(ctx: SessionContext, covered: CoveredDir, path: BytePath) {
    this.ctx = ctx;
    this.covered = covered;
    this.path = path;
  }

  async run(): Promise<Look> {
    let at = this.covered.path;
    const rest = parts(this.path.slice(at === '/' ? 0 : at.length));
    let hostDir = lstatOrNone(at)?.type === 'dir';
    for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
      at = joinPath(at, name);
      const upper = hostEntry(upperPath(this.covered, at));
      if (upper === 'closed') return this.differs('closed', parentOf(at), true);
      const host = hostDir ? lstatOrNone(at) : null;
      const last = rest.length === 0;
      if (upper === null || isWhiteout(upper)) return this.withoutUpper(at, upper, host);
      if (upper.type !== 'dir') return await this.notADirectory(at, upper, host, last);
      if (host === null) this.added ??= at;
      else if (host.type !== 'dir') return this.differs('replaced', at, this.isInUpper());
      else this.merged.push({ path: at, upperPath: upperPath(this.covered, at), upper });
      hostDir = host?.type === 'dir';
    }
    if (this.added !== null) return this.differs('added', this.added, true);
    return { ...nothing(this.path), onHost: hostDir, copied: this.merged.length > 0 };
  }

  /** Nothing of the sandbox's at `at`, or the mark that it deleted it. */
  private withoutUpper(at: BytePath, upper: Stat | null, host: Stat | null): Look {
    if (host !== null && upper !== null) return this.differs('deleted', at, false);
    if (this.added !== null) return this.differs('added', this.added, false);
    return { ...nothing(this.path), onHost: host !== null && this.isOnHost() };
  }

  private async notADirectory(at: BytePath, upper: Stat, host: Stat | null, last: boolean): Promise<Look> {
    const inView = last || upper.type === 'symlink';
    // A host path below a file leads nowhere, whatever the sandbox made of that file.
    const nowhere = !last && host !== null && host.type !== 'dir';
    const kind = nowhere ? 'none' : await this.judge(at, upper, host);
    if (kind === 'none') {
      if (this.added !== null) return this.differs('added', this.added, inView);
      return { ...nothing(this.path), onHost: this.isOnHost(), copied: last };
    }
    return this.differs(kind, kind === 'added' ? (this.added ?? at) : at, inView);
  }

  /** What the upper's entry says: nothing when it is only a copy, which the reaper drops. */
  private async judge(at: BytePath, upper: Stat, host: Stat | null): Promise<LookKind> {
    const copy = upperPath(this.covered, at);
    const judge = async (base: BaseState): Promise<LookKind> => {
      if (host?.type === upper.type) {
        const kind = await resultOf(judgeSameType({ path: at, host, upperPath: copy, upper, base }));
        return kind === 'modified' || kind === 'meta' ? kind : 'none';
      }
      if (equalsBase(copy, upper, base)) return 'none';
      return host === null ? 'added' : 'replaced';
    };
    try {
      // The records are one file for the whole session: it is read only when they can make a difference.
      const kind = await judge(NOT_READ);
      return kind === 'none' ? kind : await judge((await readBases(this.ctx)).lookup(at));
    } catch (error) {
      // Closed by the sandbox: what is in it can't be compared.
      if (errorCode(error) === 'EACCES') return host === null ? 'added' : 'modified';
      throw error;
    }
  }

  private isInUpper(): boolean {
    const entry = lstatEntry(upperPath(this.covered, this.path));
    return entry !== null && !isWhiteout(entry);
  }

  private isOnHost(): boolean {
    return lstatOrNone(this.path) !== null;
  }

  private differs(kind: LookKind, at: BytePath, inView: boolean): Look {
    return { kind, at, inView, onHost: this.isOnHost(), copied: false };
  }
}

function nothing(path: BytePath): Look {
  return { kind: 'none', at: path, inView: true, onHost: false, copied: false };
}

function parts(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}
