/**
 * The write-ahead journal of a commit or undo (`commits/<n>/`) or a discard (`trash/<session>.<time>/`).
 *
 *     begin -> stage..., unit..., ready -> done/fail... -> applied -> end
 *     begin -> drop..., discarded       -> reopen (its undo) -> end            of a discard, see trash.ts
 *
 * lines.ts describes each line, unit.ts the units. Each line is folded into the record in memory, when it is
 * added or read. A torn last line is ignored: what it announces was not begun.
 */
import { type BytePath, fromText, joinPath } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { CommitReport, EntryFailure } from '../../../shared/model/commit.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { readEnds } from '../../kernel/fs/state-file.ts';
import type { LiveSession } from '../../sandbox/lock.ts';
import type { SessionContext } from '../../session/session-context.ts';
import {
  JOURNAL_HAS_NO_BEGIN,
  journalDamaged,
  otherJournalVersion,
  unitsMissing,
} from '../messages/errors.ts';
import {
  type AbandonLine,
  type BeginLine,
  JOURNAL_VERSION,
  type JournalLine,
  type PendingLine,
  type StageLine,
} from './lines.ts';
import { type DiscardUnit, entriesOf, type Unit, type UpperEntry } from './unit.ts';

export const JOURNAL = 'journal.jsonl' as BytePath;

type Where = Pick<SessionContext, 'sessionDir'>;

export interface Loosened {
  path: BytePath;
  mode: number;
  id: string;
}

/**
 * The phase of a transaction. Each step to the next is idempotent; only the undo of a discard goes back:
 *
 * - `staging`: the host is untouched; `abort` rolls it back
 * - `ready`: every unit is staged and synced; from here on it only rolls forward
 * - `applying`: some units have been applied, or the rest was abandoned
 * - `applied`: the host is done and synced; the session's upper remains to be cleaned up
 * - `closed`: nothing is left to do
 */
export type Phase = 'staging' | 'ready' | 'applying' | 'applied' | 'closed';

export function phaseAfter(phase: Phase, { t }: Pick<JournalLine, 't'>): Phase {
  switch (t) {
    case 'ready':
    case 'applied':
      return t;
    case 'done':
    case 'fail':
    case 'abandon':
      return phase === 'ready' ? 'applying' : phase;
    case 'end':
    case 'discarded':
      return 'closed';
    case 'reopen':
      return 'staging';
    default:
      return phase;
  }
}

export function isAborted({ phase, report }: CommitRecord): boolean {
  return phase === 'closed' && report === null;
}

export class CommitRecord {
  readonly begin: BeginLine;
  readonly n: number;
  phase: Phase = 'staging';
  readonly stages: StageLine[] = [];
  readonly units: Unit[] = [];
  /** By number. Numbers have gaps where an undo left a unit out: they are not indexes of `units`. */
  readonly unitOf = new Map<number, Unit>();
  above: UpperEntry[] = [];
  same: UpperEntry[] = [];
  refused: EntryFailure[] = [];
  readonly loosened: Loosened[] = [];
  readonly upperLoosened: Loosened[] = [];
  readonly done = new Map<number, string>();
  /** Number of a unit, also of a failed one -> the change time (ns) of its path afterwards; see stamps.ts. */
  readonly stamps = new Map<number, string>();
  readonly failed = new Map<number, string>();
  readonly hashes = new Map<number, { sha256: string; blob: boolean }>();
  /** Why the units that were not begun are left out; null = they are not. */
  abandoned: AbandonLine['why'] | null = null;
  report: CommitReport | null = null;
  dropped = false;
  readonly pending: PendingLine[] = [];
  beside: BytePath[] = [];
  /** Units whose before-image could not be kept, whatever their `image` says. */
  readonly imageless = new Set<number>();
  readonly undone = new Set<number>();
  collected = false;
  /** ms since the epoch; null when the journal does not say. */
  endedAt: number | null = null;
  indexes: Record<BytePath, string> = {};
  /** Of a discard of a selection; `bases` has the base records of its entries, as lines of base.jsonl. */
  readonly drops: DiscardUnit[] = [];
  bases = '';
  /** Units of a discard in whose place it left a whiteout. */
  readonly whiteouts = new Set<number>();
  discarded = false;
  /** Of a discard that has left some; null = all that `begin` says. */
  entries: number | null = null;
  reopened: { aside?: string } | null = null;

  constructor(begin: BeginLine) {
    this.begin = begin;
    this.n = begin.n;
  }

  /** The units that the host has by this transaction: applied, and not undone since. */
  standing(): Unit[] {
    return this.units.filter(({ i }) => this.done.has(i) && !this.undone.has(i));
  }

  fold(line: JournalLine): void {
    this.phase = phaseAfter(this.phase, line);
    switch (line.t) {
      case 'stage':
        this.stages.push(line);
        break;
      case 'unit':
        this.units.push(line);
        this.unitOf.set(line.i, line);
        break;
      case 'above':
        // concat, here and below, since push(...) is limited by the number of arguments of a call.
        this.above = this.above.concat(line.entries);
        break;
      case 'refused':
        this.refused = this.refused.concat(line.entries);
        break;
      case 'same':
        this.same = this.same.concat(line.entries, ...(line.trees ?? []).map((i) => this.#belowTop(i)));
        break;
      case 'loosen':
        this.loosened.push(line);
        break;
      case 'loosen-upper':
        this.upperLoosened.push(line);
        break;
      case 'done':
        this.done.set(line.i, line.note ?? '');
        if (line.stamp !== undefined) this.stamps.set(line.i, line.stamp);
        if (line.whiteout === true) this.whiteouts.add(line.i);
        break;
      case 'fail':
        this.failed.set(line.i, line.message);
        break;
      case 'end':
        this.report = line.report;
        this.endedAt = line.at ?? null;
        this.indexes = line.indexes ?? {};
        this.discarded = false;
        break;
      case 'drop':
        this.drops.push(line);
        break;
      case 'bases':
        this.bases = line.text;
        break;
      case 'reopen':
        this.reopened = line;
        break;
      case 'pending':
        this.pending.push(line);
        break;
      case 'beside':
        // The run that rolls an undo forward may find fewer paths than the one before it.
        this.beside = this.beside.concat(line.paths);
        break;
      case 'no-image':
        this.imageless.add(line.i);
        break;
      case 'unlinked':
        this.stamps.set(line.i, line.stamp);
        break;
      case 'undone':
        for (const i of line.units) this.undone.add(i);
        break;
      case 'abandon':
        this.abandoned = line.why;
        break;
      case 'discarded':
        this.discarded = true;
        this.entries = line.entries ?? this.entries;
        break;
      case 'hashes':
        for (const [i, sha256, blob] of line.of) this.hashes.set(i, { sha256, blob });
        break;
      case 'collected':
      case 'dropped':
        this[line.t] = true;
        break;
      case 'begin':
      case 'ready':
      case 'applied':
        break;
    }
  }

  #belowTop(i: number): UpperEntry[] {
    const unit = this.unitOf.get(i);
    return unit === undefined ? [] : entriesOf(unit).filter(({ path }) => path !== unit.path);
  }
}

/** The time for the line `end` (ms). Rounded up, so that no change time (ns) of a unit is later. */
export function endTime(): number {
  return Date.now() + 1;
}

export class Journal {
  readonly record: CommitRecord;
  readonly dir: BytePath;
  readonly #port: FsPort;
  readonly #fd: number;
  #pending: string;
  #isDurable: boolean;

  constructor(port: FsPort, dir: BytePath, { record, torn }: ReadJournal) {
    this.#port = port;
    this.dir = dir;
    this.record = record;
    // Ends a torn line, which would swallow the next one.
    this.#pending = torn ? '\n' : '';
    this.#isDurable = false;
    this.#fd = port.openAppend(joinPath(dir, JOURNAL));
  }

  /** Adds a line. It is in the file after `flush`, and durable after `sync`. */
  add(line: JournalLine): void {
    this.record.fold(line);
    this.#pending += `${JSON.stringify(line)}\n`;
    if (this.#pending.length > 1_000_000) this.flush();
  }

  /** Adds lines that are durable when it returns. */
  addSynced(...lines: JournalLine[]): void {
    for (const line of lines) this.add(line);
    this.sync();
  }

  flush(): void {
    const text = this.#pending;
    if (text === '') return;
    this.#pending = '';
    this.#port.append(this.#fd, text);
  }

  sync(): void {
    this.flush();
    this.#port.fsync(this.#fd);
    this.#isDurable = true;
  }

  /** Makes the journal known to the next run after a power cut, before something is put beside it that only `abort` removes. */
  syncBegin(): void {
    if (!this.#isDurable) this.sync();
  }

  close(): void {
    this.#port.close(this.#fd);
  }
}

export function commitsDir(ctx: Where): BytePath {
  return joinPath(fromText(ctx.sessionDir), 'commits');
}

export function commitDir(ctx: Where, n: number): BytePath {
  return joinPath(commitsDir(ctx), String(n));
}

export function commitNumbers(port: FsPort, ctx: Where): number[] {
  if (port.lstat(commitsDir(ctx)) === null) return [];
  const names = port.readdir(commitsDir(ctx)).filter((name) => /^[1-9][0-9]*$/.test(name));
  return names.map(Number).sort((a, b) => a - b);
}

/** Of the transaction that begins next. */
export function nextNumber(port: FsPort, ctx: Where): number {
  return (commitNumbers(port, ctx).at(-1) ?? 0) + 1;
}

export function readJournal(port: FsPort, ctx: Where, n: number): CommitRecord | null {
  return readJournalIn(port, commitDir(ctx, n))?.record ?? null;
}

/** Number of the open commit or undo, or null. At most one is open: the next request closes it first. */
export function unfinishedCommit(ctx: Where, port: FsPort = nodePort): number | null {
  for (const n of commitNumbers(port, ctx).reverse()) {
    if (readClosed(commitDir(ctx, n)) !== null) return null;
    const record = readJournal(port, ctx, n);
    if (record !== null) return record.phase === 'closed' ? null : n;
  }
  return null;
}

export function openJournal(port: FsPort, dir: BytePath): Journal | null {
  const found = readJournalIn(port, dir);
  return found === null ? null : new Journal(port, dir, found);
}

export interface ReadJournal {
  record: CommitRecord;
  /** The last line is not whole. */
  torn: boolean;
}

/**
 * @returns null when nothing was written yet
 * @throws TraiError `corrupt` (no line `begin`, or units are missing), `unsupported` (another version)
 */
export function readJournalIn(port: FsPort, dir: BytePath): ReadJournal | null {
  const text = port.readText(joinPath(dir, JOURNAL)) ?? '';
  let record: CommitRecord | null = null;
  for (const raw of text.split('\n')) {
    const line = raw === '' ? null : parse(raw);
    if (line === null) continue;
    if (record === null) {
      if (line.t !== 'begin') throw journalDamaged(joinPath(dir, JOURNAL), JOURNAL_HAS_NO_BEGIN);
      if (line.v !== JOURNAL_VERSION) throw otherJournalVersion(dir, line.v, JOURNAL_VERSION);
      record = new CommitRecord(line);
    } else if (line.t === 'ready' && record.units.length !== line.units) {
      throw journalDamaged(joinPath(dir, JOURNAL), unitsMissing(line.units, record.units.length));
    } else record.fold(line);
  }
  return record === null ? null : { record, torn: !text.endsWith('\n') };
}

/**
 * By the ends of the file alone, since a whole journal takes long to read. Null = open, or in doubt.
 * @returns when the transaction began (ISO), and the kinds of the lines after the one that closed it
 */
export function readClosed(dir: BytePath): { at: string; after: ReadonlySet<string> } | null {
  const ends = readEnds(Buffer.from(joinPath(dir, JOURNAL), 'latin1'), HEAD_BYTES, TAIL_BYTES);
  const [head = '', tail = ''] = ends?.map((part) => part.toString('latin1')) ?? [];
  const [, version, at] = /^\{"t":"begin","v":(\d+),"at":"([^"]+)"/.exec(head) ?? [];
  if (at === undefined || Number(version) !== JOURNAL_VERSION || !tail.endsWith('}\n')) return null;
  const after = new Set<string>();
  for (let end = tail.length - 1; end > 0; ) {
    const start = tail.lastIndexOf('\n', end - 1) + 1;
    const kind = /^\{"t":"([a-z-]+)"/.exec(tail.slice(start, Math.min(end, start + 30)))?.[1] ?? '';
    if (kind === 'end' || kind === 'discarded') return { at, after };
    if (!AFTER_END.has(kind)) return null;
    after.add(kind);
    end = start - 1;
  }
  return null;
}

/** ISO time when a closed transaction began; null for an open one. */
export function beganAt(port: FsPort, ctx: Where, n: number): string | null {
  const closed = readClosed(commitDir(ctx, n));
  const record = closed === null ? readJournal(port, ctx, n) : null;
  return record?.phase === 'closed' ? record.begin.at : (closed?.at ?? null);
}

const HEAD_BYTES = 100;
/** Holds the last lines, unless a report is long: then it is in doubt. */
const TAIL_BYTES = 64 * 1024;
const AFTER_END: ReadonlySet<string> = new Set(['dropped', 'undone', 'collected']);

function parse(raw: string): JournalLine | null {
  try {
    // Trusted without a schema: the file lies in a 0700 directory that no sandboxed call can reach.
    return JSON.parse(raw) as JournalLine;
  } catch {
    return null;
  }
}

export interface Transaction {
  port: FsPort;
  ctx: LiveSession;
  journal: Journal;
}

/** A commit, undo or redo. An open one has been closed before: recovery finds only the newest. */
export function beginTransaction(
  port: FsPort,
  ctx: LiveSession,
  about: Omit<BeginLine, 't' | 'v' | 'n' | 'session' | 'at' | 'live'>,
): Journal {
  if (unfinishedCommit(ctx, port) !== null)
    throw new TraiError('internal', 'expected no interrupted commit or undo');
  if (port.lstat(commitsDir(ctx)) === null) port.mkdir(commitsDir(ctx), 0o700);
  const n = nextNumber(port, ctx);
  return beginJournal(port, commitDir(ctx, n), { n, session: ctx.session, live: !ctx.quiet, ...about });
}

/** Not durable yet: a commit or undo syncs it before the first thing that the next run would have to know of. */
export function beginJournal(port: FsPort, dir: BytePath, about: Omit<BeginLine, 't' | 'v' | 'at'>): Journal {
  port.mkdir(dir, 0o700);
  const line: BeginLine = { t: 'begin', v: JOURNAL_VERSION, at: new Date().toISOString(), ...about };
  const journal = new Journal(port, dir, { record: new CommitRecord(line), torn: false });
  journal.add(line);
  journal.flush();
  return journal;
}

/** The undo that a redo would revert: the newest transaction, if it is an undo. */
export function redoable(port: FsPort, ctx: Pick<SessionContext, 'sessionDir'>): CommitRecord | null {
  for (const n of commitNumbers(port, ctx).reverse()) {
    const record = readJournal(port, ctx, n);
    if (record === null || isAborted(record)) continue;
    const isUndo = record.phase === 'closed' && record.begin.undoes !== undefined;
    return isUndo && record.done.size > 0 ? record : null;
  }
  return null;
}
