/**
 * The walk of a session's uppers, as generators of what was found (null = a moment to let others run): `walkUppers` needs no
 * namespace and leaves questions; `answerQuestions` asks the viewer which directories were made again; `compareAttributes`.
 */
import { type BytePath, isBelowAny, isWithin, joinPath, parentOf } from '../../shared/bytes.ts';
import { wasDirectory, wasThere } from '../../shared/model/base-record.ts';
import type { Change, ChangeKind } from '../../shared/model/change.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import {
  errorText,
  holdsOutOfReach,
  isClosed,
  lstatEntry,
  OUT_OF_REACH,
  readNames,
} from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { hostTree, type Problem } from '../overlay/host-tree.ts';
import { hiddenNames } from '../overlay/opaque.ts';
import { type Above, aboveRoot, below } from '../overlay/seen.ts';
import type { Viewer } from '../overlay/viewer.ts';
import { excludedBelow, isExcluded, mayHoldListed } from '../sandbox/claude-files.ts';
import type { CoveredDir, SessionContext } from '../session/session-context.ts';
import { Attributes } from './attributes.ts';
import type { FoundMaker } from './found.ts';
import { equalsBase, isStaleCopy, judgeSameType, metaChanged, onlyTouched } from './judge.ts';
import { rootChange } from './place-roots.ts';
import { holdsExcluded, isSkipped, missingNames } from './skipped.ts';
import {
  type Child,
  CLOSED,
  closedKind,
  type Frame,
  type Gone,
  isNewAndEmpty,
  NEW,
  type Question,
  type Steps,
} from './walk-parts.ts';

export class Walk {
  readonly problems: Problem[] = [];
  /** Directories to be listed only when something below them is: the host lacks them, the sandbox did not make them. */
  readonly holders: Change[] = [];
  readonly attributes = new Attributes();
  private readonly questions: Question[] = [];
  private readonly frames: Frame[] = [];
  private readonly ctx: SessionContext;
  private readonly maker: FoundMaker;

  constructor(ctx: SessionContext, maker: FoundMaker) {
    this.ctx = ctx;
    this.maker = maker;
  }

  get needsViewer(): boolean {
    return this.questions.length > 0;
  }

  /** Yields what the uppers say by themselves. */
  *walkUppers(): Steps {
    for (const covered of this.ctx.coveredDirs) {
      yield rootChange(this.ctx, this.maker, covered);
      this.frames.push(this.rootFrame(covered));
      for (let frame = this.frames.pop(); frame !== undefined; frame = this.frames.pop()) {
        yield null;
        yield* this.guarded(frame.path, this.directory(frame));
      }
    }
  }

  /** Yields replaced directories with what they hide, and mode changes of the touched ones. */
  *answerQuestions(viewer: Viewer): Steps {
    const replaced = new Set<string>();
    for (const question of this.questions) {
      yield null;
      yield* this.guarded(question.path, this.answer(question, viewer, replaced));
    }
  }

  /** Yields entries that differ in their extended attributes alone, and says it of those that were yielded before. */
  *compareAttributes(): Steps {
    yield* this.attributes.compare();
  }

  private rootFrame(covered: CoveredDir): Frame {
    const host = lstatEntry(covered.path);
    const onHost = host?.type === 'dir';
    const inProject = isWithin(this.ctx.projectRoot, covered.path);
    const ignored = inProject ? null : this.maker.ignoreRule(covered.path, true);
    const above = aboveRoot(host);
    return {
      path: covered.path,
      upperPath: covered.upper,
      onHost,
      parentGone: !onHost,
      fresh: false,
      ignored,
      above,
    };
  }

  /** One unreadable directory or entry is a problem to show; the rest of the list still counts. */
  private *guarded(path: BytePath, steps: Steps): Steps {
    try {
      yield* steps;
    } catch (error) {
      this.problem(path, error);
    }
  }

  private problem(path: BytePath, error: unknown): void {
    this.problems.push({ path, message: `Could not be read: ${errorText(error)}` });
  }

  private *directory(frame: Frame): Steps {
    const nearExcluded =
      isExcluded(frame.path, this.ctx.excluded) || excludedBelow(frame.path, this.ctx.excluded).length > 0;
    const first = this.frames.length;
    for (const name of readNames(frame.upperPath)) {
      const path = joinPath(frame.path, name);
      const upperPath = joinPath(frame.upperPath, name);
      const upper = lstatEntry(upperPath);
      // Gone between readdir and lstat: the session is live and the next scan sees it right.
      if (upper === null) continue;
      const host = frame.onHost ? lstatEntry(path) : null;
      if (nearExcluded && isExcluded(path, this.ctx.excluded)) {
        this.excludedEntry(frame, { path, upperPath, upper, host, base: NEW });
        continue;
      }
      const base = frame.fresh ? NEW : this.maker.bases.lookup(path);
      const child = { path, upperPath, upper, host, base };
      // Most of a large list: generators of their own would be a tenth of the scan.
      if (host === null && upper.type !== 'dir' && !isWhiteout(upper)) yield this.newEntry(frame, child);
      else yield* this.guarded(path, this.child(frame, child));
    }
    // The last one is taken first: so the list is nearly in order when it is sorted.
    for (const dir of this.frames.splice(first).reverse()) this.frames.push(dir);
  }

  private *child(frame: Frame, child: Child): Steps {
    const { path, upper, host, base } = child;
    if (isWhiteout(upper)) {
      if (host !== null) yield* this.deleted({ path, host, base }, frame.above, upper.birthNs, false);
    } else if (upper.type === 'dir') yield* this.childDirectory(frame, child);
    else if (host === null) yield this.newEntry(frame, child);
    else if (host.type !== upper.type) {
      // An untouched copy of what the host has replaced since says nothing.
      if (equalsBase(child.upperPath, upper, base)) return;
      yield this.found(frame, child, 'replaced');
      if (host.type === 'dir') yield* this.below(path, host, frame.above, upper.birthNs);
    } else {
      const kind = yield* judgeSameType({ ...child, host });
      const found = kind === null ? null : this.found(frame, child, kind);
      if (kind !== 'modified')
        this.attributes.ask({ ...child, host }, found, () =>
          this.found(frame, child, isStaleCopy({ ...child, host }) ? 'modified' : 'meta'),
        );
      yield found;
    }
  }

  /** Of an entry that the host has not, and that is no directory; null when it is what the host had. */
  private newEntry(frame: Frame, child: Child): Change | null {
    try {
      if (equalsBase(child.upperPath, child.upper, child.base)) return null;
      return this.found(frame, child, wasThere(child.base) ? 'modified' : 'added');
    } catch (error) {
      this.problem(child.path, error);
      return null;
    }
  }

  private *childDirectory(frame: Frame, child: Child): Steps {
    const { path, upperPath, upper, host, base } = child;
    const onHost = host?.type === 'dir';
    const parentGone = frame.parentGone || (!onHost && wasDirectory(base));
    // A rule for what is outside the project does not reach into a project that lies below.
    const ignored = isWithin(this.ctx.projectRoot, path)
      ? null
      : (frame.ignored ?? this.maker.ignoreRule(path, true));
    const isDeep = holdsOutOfReach(upperPath) || (onHost && holdsOutOfReach(path));
    if (isDeep || (isClosed(upper, this.ctx.root) && !isNewAndEmpty(child))) {
      this.problems.push({ path, message: isDeep ? OUT_OF_REACH : CLOSED });
      yield this.found(frame, child, closedKind(host), true);
      return;
    }
    const above = host !== null && onHost ? below(frame.above, host) : frame.above;
    this.frames.push({ path, upperPath, onHost, parentGone, fresh: !onHost && !parentGone, ignored, above });
    if (!onHost) {
      const found = this.found(frame, child, host === null ? 'added' : 'replaced');
      // Where the host has something else, a directory of which no more is known is the sandbox's own.
      const touched = onlyTouched(upper, base) && (host === null || base.state === 'known');
      if (touched) this.holders.push(found);
      else yield found;
    } else {
      const missing = missingNames(this.ctx, path, upperPath);
      if (missing.length > 0) {
        this.questions.push({ path, upperPath, upper, host, missing, above: frame.above });
        return;
      }
      const found = metaChanged({ host, upper, base }) ? this.found(frame, child, 'meta') : null;
      this.attributes.ask({ ...child, host }, found, () => this.found(frame, child, 'meta'));
      yield found;
    }
  }

  private *answer(question: Question, viewer: Viewer, replaced: Set<string>): Steps {
    const { path, upperPath, upper, host } = question;
    const hidden = hiddenNames(viewer, { host: path, upper: upperPath }, question.missing);
    const base = this.maker.bases.lookup(path);
    const make = (kind: 'meta' | 'dir-replaced') =>
      this.maker.make({
        kind,
        path,
        pending: { entry: upper, path: upperPath },
        host,
        base,
        since: upper.birthNs,
        movedNs: question.above.movedNs,
      });
    // What lies below a replaced directory went with it: that directory's own line says so.
    let found: Change | null = null;
    if (hidden.length > 0 && !isBelowAny(path, replaced)) {
      replaced.add(path);
      found = make('dir-replaced');
    } else if (metaChanged({ host, upper, base })) found = make('meta');
    this.attributes.ask({ path, upperPath, upper, host, base }, found, () => make('meta'));
    yield found;
    const above = below(question.above, host);
    for (const name of hidden) {
      const at = joinPath(path, name);
      const entry = lstatEntry(at);
      if (entry === null) continue;
      const gone = { path: at, host: entry, base: this.maker.bases.lookup(at) };
      yield* this.deleted(gone, above, upper.birthNs, true);
    }
  }

  /** A deleted entry and all that the host has below it, each by name: commit deletes what was reviewed and nothing else. */
  private *deleted(gone: Gone, above: Above, since: bigint, isBelow: boolean): Steps {
    const { path, host, base } = gone;
    if (isSkipped(this.ctx, path)) return;
    // The host keeps a directory that holds what trai never touches.
    if (host.type !== 'dir' || !holdsExcluded(this.ctx, path)) {
      yield this.maker.make({
        kind: 'deleted',
        path,
        pending: null,
        host,
        base,
        since,
        movedNs: above.movedNs,
        below: isBelow,
      });
    }
    if (host.type === 'dir') yield* this.below(path, host, above, since);
  }

  private *below(dir: BytePath, host: Stat, above: Above, since: bigint): Steps {
    const dirs = new Map([[dir, below(above, host)]]);
    const look = {
      skip: (path: BytePath) => isSkipped(this.ctx, path),
      onProblem: (problem: Problem) => this.problems.push(problem),
    };
    for (const node of hostTree(dir, host.dev, look)) {
      if (node === null) {
        yield null;
        continue;
      }
      const holder = dirs.get(parentOf(node.path)) ?? above;
      if (node.entry.type === 'dir') dirs.set(node.path, below(holder, node.entry));
      if (node.entry.type !== 'dir' || !holdsExcluded(this.ctx, node.path)) {
        const base = this.maker.bases.lookup(node.path);
        yield this.maker.make({
          kind: 'deleted',
          path: node.path,
          pending: null,
          host: node.entry,
          base,
          since,
          movedNs: holder.movedNs,
          below: true,
        });
      }
    }
  }

  private found(frame: Frame, child: Child, kind: ChangeKind, closed = false): Change {
    return this.maker.make({
      kind,
      path: child.path,
      pending: { entry: child.upper, path: child.upperPath },
      host: child.host,
      base: child.base,
      since: child.upper.birthNs,
      movedNs: frame.above.movedNs,
      parentGone: frame.parentGone,
      ignoredAbove: frame.ignored,
      closed,
    });
  }

  private excludedEntry(frame: Frame, child: Child): void {
    if (child.upper.type !== 'dir' || !mayHoldListed(child.path, this.ctx.excluded)) return;
    const onHost = child.host?.type === 'dir';
    this.frames.push({ ...frame, path: child.path, upperPath: child.upperPath, onHost, fresh: !onHost });
    if (child.host === null) this.holders.push(this.found(frame, child, 'added'));
  }
}
