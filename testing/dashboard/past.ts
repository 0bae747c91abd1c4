/** The history of a recorded session, for undo. */

import { ApiError } from '../../shared/api/api-error.ts';
import type { Input } from '../../shared/api/contract.ts';
import { bytePath } from '../../shared/bytes.ts';
import type { CommitReport, HistoryEntry, HistoryPaths, UndoPreview } from '../../shared/model/commit.ts';
import type { Answers, FakeEntry } from './make.ts';

interface Past {
  entry: HistoryEntry;
  taken: FakeEntry[];
}

const PAGE = 100;
const README = bytePath('/home/kim/shop/README.md');
const KEPT = bytePath('/home/kim/.local/state/trai/sessions/shop/commits/2/back/1/kim/shop/README.md');

export class FakePast {
  readonly #past = new Map<string, Past[]>();

  history(session: string): HistoryEntry[] {
    const all = (this.#past.get(session) ?? []).map(({ entry }) => ({ ...entry, can: null })).reverse();
    const newest = all.find(({ kind, state }) => kind !== 'undo' && state === 'applied');
    return all.map((entry, i) => {
      const can = entry === newest ? 'undo' : i === 0 && entry.kind === 'undo' ? 'redo' : null;
      return { ...entry, can };
    });
  }

  /** Few paths a page, so that a recording has several pages. */
  paths(session: string, of: number | string, after: number): HistoryPaths {
    const { entry, taken } = this.#find(session, Number(of));
    const back = entry.kind === 'undo';
    const paths = taken.map(({ change: { path, kind } }) => {
      const [made, removed] = back ? ['deleted', 'added'] : ['added', 'deleted'];
      const rest = kind === 'meta' ? ('meta' as const) : ('changed' as const);
      return {
        path,
        what: kind === made ? ('added' as const) : kind === removed ? ('removed' as const) : rest,
      };
    });
    const next = after + PAGE < paths.length ? after + PAGE : null;
    return { paths: paths.slice(after, after + PAGE), next, note: '' };
  }

  /** Number of the commit, undo or redo. */
  add(session: string, kind: HistoryEntry['kind'], of: number | null, taken: FakeEntry[]): number {
    const past = this.#past.get(session) ?? [];
    const n = past.length + 1;
    const about = { kind, of, at: new Date().toISOString(), entries: taken.length, bytes: 2_048 };
    past.push({ entry: { n, ...about, state: 'applied', trash: null, auto: '', can: null, why: '' }, taken });
    this.#past.set(session, past);
    return n;
  }

  preview(session: string, n: number): UndoPreview {
    const { entry, taken } = this.#find(session, n);
    const removed = taken.filter(({ change }) => change.kind === 'added').length;
    return {
      n,
      at: entry.at,
      revision: `u${n}`,
      removed,
      restored: taken.length - removed,
      meta: 0,
      conflicts: session.startsWith('shop') ? [{ path: README, reason: 'host-changed' }] : [],
      unable: [],
      kept: session.startsWith('shop') ? [{ path: README, at: KEPT, conflict: true }] : [],
      guard: null,
      processes: [],
    };
  }

  /** Returns the entries that are pending again. */
  undo(session: string, order: Input<'undoCommit'>): { report: CommitReport; back: FakeEntry[] } {
    const found = this.#find(session, order.n);
    if (this.preview(session, order.n).conflicts.length > 0 && order.conflicts === 'refuse')
      throw new ApiError('conflicts', 'the host is not as the commit left it');
    found.entry.state = 'undone';
    const n = this.add(session, 'undo', order.n, found.taken);
    return { report: reportOf(n, found.taken.length), back: found.taken };
  }

  redo(session: string): { report: CommitReport; again: FakeEntry[] } {
    const newest = this.#past.get(session)?.at(-1);
    if (newest?.entry.kind !== 'undo')
      throw new ApiError('not-found', 'nothing was undone that could be committed again');
    const n = this.add(session, 'redo', newest.entry.n, newest.taken);
    return { report: reportOf(n, newest.taken.length), again: newest.taken };
  }

  #find(session: string, n: number): Past {
    const found = this.#past.get(session)?.[n - 1];
    if (found === undefined) throw new ApiError('not-found', `There is no commit ${n}.`);
    return found;
  }
}

export function fakeHistory(past: FakePast): Pick<Answers, 'history' | 'historyPaths' | 'undoPreview'> {
  return {
    history: (id) => past.history(id),
    historyPaths: (id, { of, after }) => past.paths(id, of, after),
    undoPreview: (id, { n }) => past.preview(id, n),
  };
}

function reportOf(n: number, applied: number): CommitReport {
  return {
    n,
    state: 'applied',
    applied,
    bytes: 2_048,
    kept: 0,
    ignored: 0,
    failed: [],
    notApplied: [],
    copies: false,
    ms: 180,
  };
}
