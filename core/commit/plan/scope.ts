/** Which changes a request is about. Pure. */
import { type BytePath, parentOf } from '../../../shared/bytes.ts';
import { type Change, type ChangeList, CONFLICT_REASONS } from '../../../shared/model/change.ts';
import type { Scope, Told } from '../../../shared/model/commit.ts';
import { noSuchCall, nothingPending } from '../messages/errors.ts';
import {
  ALONG,
  byOtherCalls,
  CALL_UNKNOWN,
  ignoredBy,
  KEPT_AS_CHOSEN,
  NEEDS_KEPT,
  NOTHING_THERE,
  SOCKET,
} from '../messages/reasons.ts';
import type { Along } from './selection-closure.ts';

export interface Chosen {
  paths: ReadonlySet<BytePath> | null;
  /** Paths that the scope names without a pending change, or that other calls may have written as well. */
  unsure: Told[];
}

/** @param calls sandboxed calls, oldest first @throws TraiError `not-found` when nothing matches */
export function choose(list: ChangeList, scope: Scope, calls: readonly string[]): Chosen {
  if (scope.kind === 'all') return { paths: null, unsure: [] };
  const chosen = scope.kind === 'paths' ? chooseBelow(list, scope.paths) : chooseCalls(list, scope, calls);
  if (chosen.paths !== null && chosen.paths.size === 0) throw nothingPending(scope, chosen.unsure);
  return chosen;
}

function chooseBelow(list: ChangeList, paths: readonly BytePath[]): Chosen {
  const wanted = new Set(paths.map(withoutSlash));
  const met = new Set<BytePath>();
  const found = new Set<BytePath>();
  for (const { path } of list.changes) {
    for (let at = path; ; at = parentOf(at)) {
      if (wanted.has(at)) {
        met.add(at);
        found.add(path);
      }
      if (at === '/') break;
    }
  }
  const missed = [...wanted].filter((path) => !met.has(path));
  return { paths: found, unsure: missed.map((path) => ({ path, why: NOTHING_THERE })) };
}

function withoutSlash(path: BytePath): BytePath {
  return path.length > 1 && path.endsWith('/') ? (path.replace(/\/+$/, '') as BytePath) || path : path;
}

function chooseCalls(
  list: ChangeList,
  scope: { kind: 'call' | 'up-to'; call: string },
  calls: readonly string[],
): Chosen {
  const at = indexOfCall(calls, scope.call);
  const meant = new Set(scope.kind === 'call' ? calls.slice(at, at + 1) : calls.slice(0, at + 1));
  const found = new Set<BytePath>();
  const unsure: Told[] = [];
  for (const { path, by } of list.changes) {
    if (by === undefined || by.length === 0) unsure.push({ path, why: CALL_UNKNOWN });
    else if (by.every((call) => meant.has(call))) found.add(path);
    else if (by.some((call) => meant.has(call))) {
      const others = by.filter((call) => !meant.has(call));
      unsure.push({ path, why: byOtherCalls(others) });
    }
  }
  return { paths: found, unsure };
}

/** Accepts an unambiguous prefix of an id. */
function indexOfCall(calls: readonly string[], id: string): number {
  const exact = calls.indexOf(id);
  const alike = calls.filter((call) => call.startsWith(id));
  if (exact < 0 && alike.length !== 1) throw noSuchCall(id, alike.length);
  return exact < 0 ? calls.indexOf(alike[0] ?? '') : exact;
}

export function alongText({ because, rule, change }: Along): string {
  const { path } = because;
  switch (rule) {
    case 'links':
      return ALONG.sameFile(path);
    case 'rename':
      return change.pending === null ? ALONG.oldName(path) : ALONG.newName(path);
    case 'below':
      return because.pending === null ? ALONG.belowDeleted(path) : ALONG.belowReplaced(path);
    case 'group': {
      const group = change.group ?? '';
      const name = group.slice(group.indexOf(':') + 1) as BytePath;
      if (group.startsWith('links:')) return ALONG.sameFile(path);
      return group.startsWith('git:') ? ALONG.git(name) : ALONG.database(name);
    }
    default:
      return ALONG[rule](path);
  }
}

export function staysText(change: Change): string {
  if (change.pending?.type === 'socket') return SOCKET;
  if (change.ignored !== null) return ignoredBy(change.ignored);
  if (change.conflict === 'unreadable') return CONFLICT_REASONS.unreadable;
  if (change.conflict !== null) return KEPT_AS_CHOSEN;
  return NEEDS_KEPT;
}
