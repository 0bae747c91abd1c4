/** Which changes a request is about. Pure. */
import { type BytePath, parentOf, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { type Change, type ChangeList, CONFLICT_REASONS } from '../../../shared/model/change.ts';
import type { Scope, Told } from '../../../shared/model/commit.ts';
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
  if (chosen.paths !== null && chosen.paths.size === 0) throw nothing(scope, chosen.unsure);
  return chosen;
}

function nothing(scope: Scope, unsure: readonly Told[]): TraiError {
  const [first] = unsure;
  const where = scope.kind === 'paths' ? 'at the paths that were given' : 'of the calls that were given';
  const why = first === undefined ? '' : ` (${toDisplay(first.path)}: ${first.why})`;
  return new TraiError('not-found', `nothing is pending ${where}${why}`, {
    hint: 'See: trai status',
    paths: unsure.map(({ path, why: said }) => `${toDisplay(path)}: ${said}`),
  });
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
  return { paths: found, unsure: missed.map((path) => ({ path, why: 'nothing is pending there' })) };
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
    if (by === undefined || by.length === 0) unsure.push({ path, why: 'which call wrote it is not known' });
    else if (by.every((call) => meant.has(call))) found.add(path);
    else if (by.some((call) => meant.has(call))) unsure.push({ path, why: orOther(by, meant) });
  }
  return { paths: found, unsure };
}

/** Accepts an unambiguous prefix of an id. */
function indexOfCall(calls: readonly string[], id: string): number {
  const exact = calls.indexOf(id);
  const alike = calls.filter((call) => call.startsWith(id));
  if (exact < 0 && alike.length !== 1) {
    const found = alike.length === 0 ? 'no sandboxed call' : `${alike.length} sandboxed calls`;
    throw new TraiError('not-found', `this session has ${found} ${JSON.stringify(id)}`, {
      hint: 'The ids stand in: trai log --json, and for a path in: trai why PATH',
    });
  }
  return exact < 0 ? calls.indexOf(alike[0] ?? '') : exact;
}

function orOther(by: readonly string[], meant: ReadonlySet<string>): string {
  const others = by.filter((call) => !meant.has(call));
  const more = others.length > 3 ? ` and ${others.length - 3} more` : '';
  return `it can also have been written by call ${others.slice(0, 3).join(', ')}${more}, which ran at the same time`;
}

export function alongText({ because, rule, change }: Along): string {
  const what = toDisplay(because.path);
  switch (rule) {
    case 'holds':
      return `it is the directory that holds ${what}`;
    case 'links':
      return `it is another name of the same file as ${what}`;
    case 'rename':
      return `it is the ${change.pending === null ? 'old' : 'new'} name of ${what}, which was renamed`;
    case 'below':
      return `it goes with ${what}, which is ${because.pending === null ? 'deleted' : 'replaced'}`;
    case 'above':
      return `it has to go first: ${what} lies in it`;
    case 'again':
      return `${what} was deleted and made again, and goes as a whole`;
    case 'group': {
      const group = change.group ?? '';
      const name = toDisplay(group.slice(group.indexOf(':') + 1) as BytePath);
      if (group.startsWith('links:')) return `it is another name of the same file as ${what}`;
      return group.startsWith('git:')
        ? `the repository’s data ${name} goes as a whole`
        : `it belongs to the database ${name}`;
    }
  }
}

export function staysText(change: Change): string {
  if (change.pending?.type === 'socket') return 'a socket is an address of a process, not content';
  if (change.ignored !== null)
    return `it is ignored (${change.ignored}) and was not asked for by --include-ignored`;
  if (change.conflict === 'unreadable') return CONFLICT_REASONS.unreadable;
  if (change.conflict !== null) return 'it stays as on the host, as was chosen for this conflict';
  return 'it cannot go without an entry that stays as on the host';
}
