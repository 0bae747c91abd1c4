/**
 * The write-ahead journal of a transaction. lines.ts describes each line and what the next run does with it; this file appends
 * and reads them. A torn last line is ignored: what it would say has not happened. packed-tree.ts writes the entries of a moved
 * directory as one text, stamps.ts keeps change times, trash.ts the manifest of a discard.
 */
import { type BytePath, fromText, joinPath, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { CommitReport, EntryFailure } from '../../../shared/model/commit.ts';
import { at, type FsPort } from '../../kernel/fs/port.ts';
import type { SessionContext } from '../../session/session-context.ts';
import {
  type AbandonLine,
  type BackLine,
  type BeginLine,
  JOURNAL_VERSION,
  type JournalLine,
  type StageLine,
} from './lines.ts';
import { entriesOf, type Unit, type UpperEntry } from './unit.ts';

/** In a commit's directory. */
export const JOURNAL = 'journal.jsonl' as BytePath;

export interface Loosened {
  path: BytePath;
  mode: number;
  /** See `birthOf`. */
  id: string;
}

/**
 * Where a transaction is. It never goes back, and each step from one to the next can be repeated:
 *
 * - `staging`: the host is untouched; `abort` takes it back
 * - `ready`: every unit is staged and on disk; from here on it is only rolled forward
 * - `applying`: some units have been carried out, or the rest was given up
 * - `applied`: the host is done and on disk; what is left is the session's upper
 * - `closed`: nothing is left to do
 */
export type Phase = 'staging' | 'ready' | 'applying' | 'applied' | 'closed';

/** The phase of a transaction when a line has been added. */
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
      return 'closed';
    default:
      return phase;
  }
}

/** Whether it is closed without having touched the host. */
export function isAborted({ phase, report }: CommitRecord): boolean {
  return phase === 'closed' && report === null;
}

/** What a journal says, in memory. */
export interface CommitRecord {
  n: number;
  begin: BeginLine;
  stages: StageLine[];
  units: Unit[];
  /** The same by their numbers, which have gaps where an undo left something out: no number is a place in `units`. */
  unitOf: Map<number, Unit>;
  above: UpperEntry[];
  same: UpperEntry[];
  refused: EntryFailure[];
  phase: Phase;
  loosened: Loosened[];
  upperLoosened: Loosened[];
  /** Index of the unit → what there is to say about it (usually nothing). */
  done: Map<number, string>;
  /** Of those, the change time (ns) that the unit has left at its path; see stamps.ts. */
  stamps: Map<number, string>;
  failed: Map<number, string>;
  /** Why the units that were not begun are not to follow; null = they are. */
  abandoned: AbandonLine['why'] | null;
  /** Of a `closed` one; null = it was aborted before it had touched the host. */
  report: CommitReport | null;
  /** `closed`: the committed entries have left the upper. */
  dropped: boolean;
  backs: BackLine[];
  beside: BytePath[];
  /** Units that have no before-image although they say so. */
  imageless: Set<number>;
  /** Units that an undo has taken back. */
  undone: Set<number>;
  collected: boolean;
  /** ms since the epoch; null where the journal does not say. */
  endedAt: number | null;
  /** See the line `end`. */
  indexes: Record<BytePath, string>;
}

export function emptyRecord(begin: BeginLine): CommitRecord {
  return {
    n: begin.n,
    begin,
    stages: [],
    units: [],
    unitOf: new Map(),
    above: [],
    same: [],
    refused: [],
    phase: 'staging',
    loosened: [],
    upperLoosened: [],
    done: new Map(),
    stamps: new Map(),
    failed: new Map(),
    abandoned: null,
    report: null,
    dropped: false,
    backs: [],
    beside: [],
    imageless: new Set(),
    undone: new Set(),
    collected: false,
    endedAt: null,
    indexes: {},
  };
}

/** Takes one line into the record. */
export function foldLine(record: CommitRecord, line: JournalLine): void {
  record.phase = phaseAfter(record.phase, line);
  switch (line.t) {
    case 'stage':
      record.stages.push(line);
      break;
    case 'unit':
      record.units.push(line);
      record.unitOf.set(line.i, line);
      break;
    case 'above':
      // Not by push(...), here and below: there may be more than a call takes arguments.
      record.above = record.above.concat(line.entries);
      break;
    case 'same':
      record.same = record.same.concat(line.entries);
      for (const i of line.trees ?? []) record.same = record.same.concat(belowTop(record, i));
      break;
    case 'refused':
      record.refused = record.refused.concat(line.entries);
      break;
    case 'ready':
      if (record.units.length !== line.units) {
        throw corrupt(record.n, `expected ${line.units} units, found ${record.units.length}`);
      }
      break;
    case 'loosen':
      record.loosened.push({ path: line.path, mode: line.mode, id: line.id });
      break;
    case 'loosen-upper':
      record.upperLoosened.push({ path: line.path, mode: line.mode, id: line.id });
      break;
    case 'done':
      record.done.set(line.i, line.note ?? '');
      if (line.stamp !== undefined) record.stamps.set(line.i, line.stamp);
      break;
    case 'fail':
      record.failed.set(line.i, line.message);
      break;
    case 'end':
      record.report = line.report;
      record.endedAt = line.at ?? null;
      record.indexes = line.indexes ?? {};
      break;
    case 'back':
      record.backs.push(line);
      break;
    case 'beside':
      // Whoever finishes an undo may find less than the run before it.
      record.beside = record.beside.concat(line.paths);
      break;
    case 'no-image':
      record.imageless.add(line.i);
      break;
    case 'undone':
      for (const i of line.units) record.undone.add(i);
      break;
    case 'abandon':
      record.abandoned = line.why;
      break;
    case 'collected':
    case 'dropped':
      record[line.t] = true;
      break;
    case 'begin':
    case 'applied':
      break;
  }
}

/** Entries of a tree but the directory itself. */
function belowTop({ unitOf }: CommitRecord, i: number): UpperEntry[] {
  const unit = unitOf.get(i);
  return unit === undefined ? [] : entriesOf(unit).filter(({ path }) => path !== unit.path);
}

/** For the line `end` (ms): no change time of what was done before is later. Those are finer than milliseconds. */
export function endTime(): number {
  return Date.now() + 1;
}

/** An open journal with what it says so far: every line that is added goes to both. */
export class Journal {
  readonly record: CommitRecord;
  readonly #port: FsPort;
  readonly #fd: number;
  #pending = '';

  /** @param torn the file ends in a line that a crash has cut off */
  constructor(port: FsPort, dir: BytePath, record: CommitRecord, torn = false) {
    this.#port = port;
    this.record = record;
    this.#pending = torn ? '\n' : '';
    this.#fd = port.openAppend(joinPath(dir, JOURNAL));
  }

  /** Adds a line; it is on its way to the disk after `flush` or `sync`. */
  add(line: JournalLine): void {
    foldLine(this.record, line);
    this.#pending += `${JSON.stringify(line)}\n`;
    if (this.#pending.length > 1_000_000) this.flush();
  }

  flush(): void {
    const text = this.#pending;
    if (text === '') return;
    this.#pending = '';
    this.#port.append(this.#fd, text);
  }

  /** After this the lines survive a power cut. */
  sync(): void {
    this.flush();
    this.#port.fsync(this.#fd);
  }

  close(): void {
    this.#port.close(this.#fd);
  }
}

export function commitsDir(ctx: Pick<SessionContext, 'sessionDir'>): BytePath {
  return joinPath(fromText(ctx.sessionDir), 'commits');
}

export function commitDir(ctx: Pick<SessionContext, 'sessionDir'>, n: number): BytePath {
  return joinPath(commitsDir(ctx), String(n));
}

/** Numbers of the session's commits, ascending. */
export function commitNumbers(port: FsPort, ctx: Pick<SessionContext, 'sessionDir'>): number[] {
  if (port.lstat(commitsDir(ctx)) === null) return [];
  const fd = port.openDir(joinPath(commitsDir(ctx), '.'));
  try {
    const names = port.readdir(at(fd)).filter((name) => /^[1-9][0-9]*$/.test(name));
    return names.map(Number).sort((a, b) => a - b);
  } finally {
    port.close(fd);
  }
}

/**
 * Reads a journal. A line that a crash has cut off announced something that was not begun, and is left out.
 *
 * @returns null when nothing was written yet
 * @throws TraiError `corrupt` when it does not begin as it must, or units are missing from it; `unsupported` when another
 *   version has written it
 */
export function readJournal(
  port: FsPort,
  ctx: Pick<SessionContext, 'sessionDir'>,
  n: number,
): { record: CommitRecord; torn: boolean } | null {
  const text = port.readText(joinPath(commitDir(ctx, n), JOURNAL)) ?? '';
  let record: CommitRecord | null = null;
  for (const raw of text.split('\n')) {
    const line = raw === '' ? null : parse(raw);
    if (line === null) continue;
    if (record === null) {
      if (line.t !== 'begin') throw corrupt(n, 'it does not begin with a line `begin`');
      if (line.v !== JOURNAL_VERSION) {
        const what = `journal of commit ${n}`;
        throw otherFormat(commitDir(ctx, n), { what, found: line.v, expected: JOURNAL_VERSION });
      }
      record = emptyRecord(line);
    } else foldLine(record, line);
  }
  return record === null ? null : { record, torn: !text.endsWith('\n') };
}

/**
 * Whether a journal's last lines say that nothing of it is left to do. Told without reading the rest, which is long after
 * a commit of many entries; false where that is not plain.
 */
export function isClosed(port: FsPort, ctx: Pick<SessionContext, 'sessionDir'>, n: number): boolean {
  const text = port.readText(joinPath(commitDir(ctx, n), JOURNAL)) ?? '';
  if (!text.startsWith(`{"t":"begin","v":${JOURNAL_VERSION},`) || !text.endsWith('}\n')) return false;
  for (let end = text.length - 1; end > 0; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const kind = /^\{"t":"([a-z-]+)"/.exec(text.slice(start, Math.min(end, start + 30)))?.[1] ?? '';
    if (kind === 'end') return true;
    if (!AFTER_END.has(kind)) return false;
    end = start - 1;
  }
  return false;
}

/** Lines that may follow `end`. */
const AFTER_END: ReadonlySet<string> = new Set(['dropped', 'undone', 'collected']);

function parse(raw: string): JournalLine | null {
  try {
    // Written by this process or its predecessor into a 0700 directory, which no sandboxed command can reach.
    return JSON.parse(raw) as JournalLine;
  } catch {
    return null;
  }
}

/** What another version of trai has written is neither read nor changed. */
export function otherFormat(
  path: BytePath,
  { what, found, expected }: { what: string; found: unknown; expected: number },
): TraiError {
  return new TraiError(
    'unsupported',
    `Another version of trai has written the ${what} (format ${String(found)}, expected ${expected}).`,
    {
      path: toDisplay(path),
      hint: 'Save what is pending with `trai export` of that version, then begin a new session.',
    },
  );
}

function corrupt(n: number, why: string): TraiError {
  return new TraiError('corrupt', `The journal of commit ${n} can't be read: ${why}.`, {
    hint: `Look at commits/${n}/journal.jsonl of the session; when its commit needs no finishing, rename the directory.`,
  });
}
