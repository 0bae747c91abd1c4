/**
 * The walk of a session's uppers, as generators of changes (null = let others run). `walkUppers` needs no
 * namespace and leaves questions, `answerQuestions` asks the viewer which directories are opaque.
 */
import { type BytePath, isBelowAny, isWithin, joinPath, parentOf } from '../../shared/bytes.ts';
import { type BaseState, wasDirectory, wasThere } from '../../shared/model/base-record.ts';
import type { Change, ChangeKind } from '../../shared/model/change.ts';
import { isWhiteout } from '../../shared/model/identity.ts';
import {
  errorText,
  holdsOutOfReach,
  isClosed,
  lstatEntry,
  namesOrNone,
  readNames,
} from '../kernel/fs/entry.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { OUT_OF_REACH } from '../kernel/messages/reasons.ts';
import { copiedDirOf } from '../overlay/base-of.ts';
import { type HostNode, hostTree, type Problem } from '../overlay/host-tree.ts';
import { CLOSED_IN_SANDBOX } from '../overlay/messages.ts';
import { hiddenNames } from '../overlay/opaque.ts';
import { type Above, aboveRoot, below } from '../overlay/seen.ts';
import type { Viewer } from '../overlay/viewer.ts';
import { excludedBelow, isExcluded, mayHoldListed } from '../sandbox/claude-files.ts';
import { type CoveredDir, coveringDir, type SessionContext } from '../session/session-context.ts';
import {
  Attributes,
  type ChangeMaker,
  equalsBase,
  isStaleCopy,
  judgeSameType,
  metaChanged,
  onlyTouched,
} from './judge.ts';

const NEW: BaseState = { state: 'none' };

export type Steps = Generator<Change | null, void>;

interface Frame {
  path: BytePath;
  upperPath: BytePath;
  onHost: boolean;
  /** The host removed a directory that the sandbox knew. */
  parentGone: boolean;
  /** The sandbox created it: no base records below. */
  fresh: boolean;
  ignored: string | null;
  above: Above;
}

interface Child {
  path: BytePath;
  upperPath: BytePath;
  upper: Stat;
  host: Stat | null;
  base: BaseState;
}

/** A directory of both sides that lacks names of the host: touched or opaque? */
interface Question {
  frame: Frame;
  child: Child & { host: Stat };
  missing: string[];
}

export class Walk {
  readonly problems: Problem[] = [];
  /** Listed only when something below is: neither on the host nor created by the sandbox. */
  readonly holders: Change[] = [];
  readonly attributes = new Attributes();
  private readonly questions: Question[] = [];
  private readonly frames: Frame[] = [];
  private readonly ctx: SessionContext;
  private readonly maker: ChangeMaker;

  constructor(ctx: SessionContext, maker: ChangeMaker) {
    this.ctx = ctx;
    this.maker = maker;
  }

  get needsViewer(): boolean {
    return this.questions.length > 0;
  }

  *walkUppers(): Steps {
    for (const covered of this.ctx.coveredDirs) {
      const root = this.rootFrame(covered);
      yield this.rootChange(root);
      this.frames.push(root);
      for (let frame = this.frames.pop(); frame !== undefined; frame = this.frames.pop()) {
        yield null;
        yield* this.guarded(frame.path, this.directory(frame));
      }
    }
  }

  *answerQuestions(viewer: Viewer): Steps {
    const replaced = new Set<string>();
    for (const question of this.questions) {
      yield null;
      yield* this.guarded(question.child.path, this.answer(question, viewer, replaced));
    }
  }

  private rootFrame({ path, upper }: CoveredDir): Frame {
    const host = lstatEntry(path);
    const onHost = host?.type === 'dir';
    return {
      path,
      upperPath: upper,
      onHost,
      parentGone: !onHost,
      fresh: false,
      ignored: isWithin(this.ctx.projectRoot, path) ? null : this.maker.ignoreRule(path, true),
      above: aboveRoot(host),
    };
  }

  private rootChange(frame: Frame): Change | null {
    const { path, upperPath } = frame;
    const base = this.maker.bases.lookup(path);
    const [host, upper] = [lstatEntry(path), lstatEntry(upperPath)];
    if (base.state !== 'known' || host?.type !== 'dir' || upper === null) return null;
    if (isClosed(upper, this.ctx.root) || isExcluded(path, this.ctx.excluded)) return null;
    const child = { path, upperPath, upper, host, base };
    return metaChanged(child) ? this.found(frame, child, 'meta') : null;
  }

  /** What can't be read becomes a problem of the list; the walk goes on. */
  private *guarded(path: BytePath, steps: Steps): Steps {
    try {
      yield* steps;
    } catch (error) {
      this.problem(path, error);
    }
  }

  private problem(path: BytePath, error: unknown): void {
    this.problems.push({ path, message: errorText(error) });
  }

  private *directory(frame: Frame): Steps {
    const { excluded } = this.ctx;
    const nearExcluded = isExcluded(frame.path, excluded) || excludedBelow(frame.path, excluded).length > 0;
    const first = this.frames.length;
    for (const name of readNames(frame.upperPath)) {
      const path = joinPath(frame.path, name);
      const upperPath = joinPath(frame.upperPath, name);
      const upper = lstatEntry(upperPath);
      // Removed since readdir: the session is live, and the next scan sees it.
      if (upper === null) continue;
      const host = frame.onHost ? lstatEntry(path) : null;
      if (nearExcluded && isExcluded(path, excluded)) {
        this.excludedEntry(frame, { path, upperPath, upper, host, base: NEW });
        continue;
      }
      const base = frame.fresh ? NEW : this.maker.bases.lookup(path);
      const child = { path, upperPath, upper, host, base };
      // Most entries of a large list: a generator each would take a tenth of the scan.
      if (host === null && upper.type !== 'dir' && !isWhiteout(upper)) yield this.newEntry(frame, child);
      else yield* this.guarded(path, this.child(frame, child));
    }
    // The stack is LIFO: this order leaves the list nearly sorted.
    for (const dir of this.frames.splice(first).reverse()) this.frames.push(dir);
  }

  private *child(frame: Frame, child: Child): Steps {
    const { path, upper, host, base } = child;
    if (isWhiteout(upper)) {
      if (host !== null) yield* this.deleted({ path, entry: host }, frame.above, upper.birthNs, false);
    } else if (upper.type === 'dir') yield* this.childDirectory(frame, child);
    else if (host === null) yield this.newEntry(frame, child);
    else if (host.type !== upper.type) {
      // An untouched copy-up is no change.
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

  /** Null when it equals the base record. */
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
    const isDeep = holdsOutOfReach(upperPath) || (onHost && holdsOutOfReach(path));
    if (isDeep || (isClosed(upper, this.ctx.root) && !isNewAndEmpty(child))) {
      this.problems.push({ path, message: isDeep ? OUT_OF_REACH : CLOSED_IN_SANDBOX });
      const kind = host === null ? 'added' : onHost ? 'meta' : 'replaced';
      yield this.found(frame, child, kind, true);
      return;
    }
    const parentGone = frame.parentGone || (!onHost && wasDirectory(base));
    // A rule for the outside does not apply to a project below.
    const isAboveProject = isWithin(this.ctx.projectRoot, path);
    const ignored = isAboveProject ? null : (frame.ignored ?? this.maker.ignoreRule(path, true));
    const above = onHost ? below(frame.above, host) : frame.above;
    this.frames.push({ path, upperPath, onHost, parentGone, fresh: !onHost && !parentGone, ignored, above });
    if (!onHost) {
      const found = this.found(frame, child, host === null ? 'added' : 'replaced');
      // Without a base record, a directory in place of another type is the sandbox's own.
      const touched = onlyTouched(upper, base) && (host === null || base.state === 'known');
      if (touched) this.holders.push(found);
      else yield found;
      return;
    }
    const both = { ...child, host };
    const missing = this.missingNames(path, upperPath);
    if (missing.length > 0) this.questions.push({ frame, child: both, missing });
    else yield this.sameDirectory(frame, both);
  }

  private sameDirectory(frame: Frame, child: Question['child'], replaced = false): Change | null {
    const kind = replaced ? 'dir-replaced' : metaChanged(child) ? 'meta' : null;
    const found = kind === null ? null : this.found(frame, child, kind);
    this.attributes.ask(child, found, () => this.found(frame, child, 'meta'));
    return found;
  }

  private *answer({ frame, child, missing }: Question, viewer: Viewer, replaced: Set<string>): Steps {
    const { path, upperPath, upper, host } = child;
    const hidden = hiddenNames(viewer, { host: path, upper: upperPath }, missing);
    const isReplaced = hidden.length > 0 && !isBelowAny(path, replaced);
    if (isReplaced) replaced.add(path);
    yield this.sameDirectory(frame, child, isReplaced);
    const above = below(frame.above, host);
    for (const name of hidden) {
      const at = joinPath(path, name);
      const entry = lstatEntry(at);
      if (entry !== null) yield* this.deleted({ path: at, entry }, above, upper.birthNs, true);
    }
  }

  /** By name, because a commit deletes what was reviewed and nothing else. */
  private *deleted(node: HostNode, above: Above, since: bigint, isBelow: boolean): Steps {
    if (this.isSkipped(node.path)) return;
    yield this.gone(node, above, since, isBelow);
    if (node.entry.type === 'dir') yield* this.below(node.path, node.entry, above, since);
  }

  private *below(dir: BytePath, host: Stat, above: Above, since: bigint): Steps {
    const dirs = new Map([[dir, below(above, host)]]);
    const tree = hostTree(dir, host.dev, {
      skip: (path: BytePath) => this.isSkipped(path),
      onProblem: (problem: Problem) => this.problems.push(problem),
    });
    for (const node of tree) {
      if (node === null) {
        yield null;
        continue;
      }
      const holder = dirs.get(parentOf(node.path)) ?? above;
      if (node.entry.type === 'dir') dirs.set(node.path, below(holder, node.entry));
      yield this.gone(node, holder, since, true);
    }
  }

  /** Null for a directory with excluded paths below: the host keeps it. */
  private gone({ path, entry }: HostNode, above: Above, since: bigint, isBelow: boolean): Change | null {
    const { excluded } = this.ctx;
    const holdsExcluded = () => excludedBelow(path, excluded).some((one) => lstatEntry(one) !== null);
    if (entry.type === 'dir' && holdsExcluded()) return null;
    return this.maker.make({
      kind: 'deleted',
      path,
      pending: null,
      host: entry,
      base: this.maker.bases.lookup(path),
      since,
      movedNs: above.movedNs,
      below: isBelow,
    });
  }

  private found(frame: Frame, child: Child, kind: ChangeKind, closed = false): Change {
    return this.maker.make({
      kind,
      path: child.path,
      host: child.host,
      base: child.base,
      closed,
      pending: { entry: child.upper, path: child.upperPath },
      since: child.upper.birthNs,
      movedNs: frame.above.movedNs,
      parentGone: frame.parentGone,
      ignoredAbove: frame.ignored,
    });
  }

  private excludedEntry(frame: Frame, child: Child): void {
    if (child.upper.type !== 'dir' || !mayHoldListed(child.path, this.ctx.excluded)) return;
    const onHost = child.host?.type === 'dir';
    this.frames.push({ ...frame, path: child.path, upperPath: child.upperPath, onHost, fresh: !onHost });
    if (child.host === null) this.holders.push(this.found(frame, child, 'added'));
  }

  private isSkipped(path: BytePath): boolean {
    return isExcluded(path, this.ctx.excluded) || coveringDir(this.ctx.coveredDirs, path)?.path === path;
  }

  private missingNames(path: BytePath, upperPath: BytePath): string[] {
    // A lower that is a copy (`CoveredDir.copied`): the sandbox's directory hides no name of the host.
    if (copiedDirOf(this.ctx, path) !== undefined) return [];
    const present = new Set(readNames(upperPath));
    // A host directory that can't be listed hides nothing.
    return namesOrNone(path).filter((name) => !present.has(name) && !this.isSkipped(joinPath(path, name)));
  }
}

/** It hides nothing, and its owner may list it (mode 0444). */
function isNewAndEmpty({ host, upper, upperPath }: Child): boolean {
  return host === null && (upper.mode & 0o400) !== 0 && readNames(upperPath).length === 0;
}
