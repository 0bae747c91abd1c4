/** Single paths without a scan: look.ts compares one path; overlap.ts compares sessions and counts. */
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
import { MAX_LINKS, partsOf } from './resolve.ts';

/**
 * - `meta`: same content, other mode or owner
 * - `replaced`: it or a directory above is another entry in the view, such as an opaque directory
 * - `added`: it or a directory above is only in the view
 * - `closed`: the sandbox made a directory above it unreadable
 */
type LookKind = 'none' | 'meta' | 'modified' | 'replaced' | 'deleted' | 'added' | 'closed';

export interface Look {
  kind: LookKind;
  /** The uppermost entry on the way that differs; the path itself when none does. */
  at: BytePath;
  /** True also where a link of the sandbox would have to be followed. */
  inView: boolean;
  onHost: boolean;
  /** A copy-up or a touched directory. */
  copied: boolean;
}

/** Whether a read of the path gives another result in the view than on the host. */
export function readsOtherwise({ kind }: Look): boolean {
  return kind !== 'none' && kind !== 'meta';
}

const NOT_READ: BaseState = { state: 'none' };

/**
 * Resolves an absolute path through the host's links, like a program on the host. A link on the way that the
 * sandbox changed or removed is a difference too.
 * @param thorough for writers: finds opaque directories above even where the host has nothing or an equal
 *   copy-up lies
 * @throws TraiError `unsupported` when the merged view is needed and can't be mounted
 */
export async function lookThrough(ctx: SessionContext, given: BytePath, thorough: boolean): Promise<Look> {
  const onHost = lstatOrNone(given) !== null;
  const todo = partsOf(given);
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
    todo.unshift(...partsOf(target));
    if (target.startsWith('/')) at = '/' as BytePath;
  }
  return await look(ctx, at, thorough);
}

async function look(ctx: SessionContext, path: BytePath, thorough: boolean): Promise<Look> {
  const covered = isExcluded(path, ctx.excluded) ? null : coveringDir(ctx.coveredDirs, path);
  if (covered === null) return { ...nothing(path), onHost: lstatOrNone(path) !== null };
  const descent = new Descent(ctx, covered, path);
  const found = await descent.run();
  if (found.kind !== 'none') return found;
  // Below an opaque directory no entry of the host shows.
  const fromHost = found.onHost && !found.copied;
  if (!fromHost && !thorough) return found;
  const replaced = await replacedAmong(ctx, covered, descent.merged);
  if (replaced === null) return found;
  return { ...found, kind: 'replaced', at: replaced, inView: found.inView && !fromHost };
}

class Descent {
  readonly merged: MergedDir[] = [];
  private readonly ctx: SessionContext;
  private readonly covered: CoveredDir;
  private readonly path: BytePath;
  private added: BytePath | null = null;

  constructor(ctx: SessionContext, covered: CoveredDir, path: BytePath) {
    this.ctx = ctx;
    this.covered = covered;
    this.path = path;
  }

  async run(): Promise<Look> {
    let at = this.covered.path;
    const rest = partsOf(this.path.slice(at === '/' ? 0 : at.length));
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

  /** `upper` is null or a whiteout. */
  private withoutUpper(at: BytePath, upper: Stat | null, host: Stat | null): Look {
    if (host !== null && upper !== null) return this.differs('deleted', at, false);
    if (this.added !== null) return this.differs('added', this.added, false);
    return { ...nothing(this.path), onHost: host !== null && this.isOnHost() };
  }

  private async notADirectory(at: BytePath, upper: Stat, host: Stat | null, last: boolean): Promise<Look> {
    const inView = last || upper.type === 'symlink';
    // A host path below a file leads nowhere.
    const nowhere = !last && host !== null && host.type !== 'dir';
    const kind = nowhere ? 'none' : await this.judge(at, upper, host);
    if (kind === 'none') {
      if (this.added !== null) return this.differs('added', this.added, inView);
      return { ...nothing(this.path), onHost: this.isOnHost(), copied: last };
    }
    return this.differs(kind, kind === 'added' ? (this.added ?? at) : at, inView);
  }

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
      // Read base records only when they can change the answer.
      const kind = await judge(NOT_READ);
      return kind === 'none' ? kind : await judge((await readBases(this.ctx)).lookup(at));
    } catch (error) {
      // The sandbox closed it: its content can't be compared.
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
