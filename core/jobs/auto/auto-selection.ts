/**
 * Which pending changes the effect rules with `auto` commit. Pure.
 *
 *     matched by an `auto` rule of the user
 *     minus    ignored, also by a `never`; flagged or to be confirmed by any rule; in conflict; risky; not a plain entry
 *     minus    what the caller refuses: undone and not written since, unread, open for writing, deciding the rules themselves
 *     minus    what depends on a change outside the rest, until nothing does: a group or rename that is not whole, too
 */
import { type BytePath, isBelowAny, parentOf } from '../../../shared/bytes.ts';
import type { Change, ChangeList } from '../../../shared/model/change.ts';
import { mayGoUnread, type RiskPlace } from '../../../shared/model/risk.ts';
import { changesOf, planTakingSandbox } from '../../commit/plan/plan.ts';
import { type AlongRule, groupsOf, linkedOf } from '../../commit/plan/selection-closure.ts';

export interface AutoRequest {
  /** Marked by the other effect rules. */
  list: ChangeList;
  /** What an `auto` rule is about, with the rule's place. */
  matched: ReadonlyMap<Change, string>;
  place: RiskPlace;
  refused: (change: Change) => boolean;
}

export interface AutoSelection {
  paths: ReadonlySet<BytePath>;
  /** Places of the rules, each once. */
  rules: readonly string[];
  /** What stays pending because of a change that the rules do not commit. */
  left: readonly AutoLeft[];
}

export interface AutoLeft {
  path: BytePath;
  rule: string;
  /** What it depends on. */
  because: BytePath;
}

/** The selection with its closure is within what matches; it may be empty. */
export function selectAuto(request: AutoRequest): AutoSelection {
  const { list, matched } = request;
  const rules = new Map<BytePath, string>();
  for (const change of list.changes) {
    const rule = matched.get(change);
    if (rule !== undefined && isFree(change, request)) rules.set(change.path, rule);
  }
  const left: AutoLeft[] = [];
  for (let out = dependents(list, rules); out.size > 0; out = dependents(list, rules)) {
    for (const [path, because] of out) {
      const rule = rules.get(path);
      if (rule !== undefined) left.push({ path, rule, because });
      rules.delete(path);
    }
  }
  return { paths: new Set(rules.keys()), rules: [...new Set(rules.values())], left };
}

function isFree(change: Change, { place, refused }: AutoRequest): boolean {
  return mayGoUnread(change, place) && !refused(change);
}

/** Selected paths that cannot go without a change that is not selected, with that change. */
function dependents(list: ChangeList, selected: ReadonlyMap<BytePath, unknown>): Map<BytePath, BytePath> {
  const out = brokenSets(list, selected);
  if (out.size > 0 || selected.size === 0) return out;
  const { along, stays, steps } = planTakingSandbox(list, false, new Set(selected.keys()));
  const causes = new Map(along.map(({ change, because }) => [change.path, because.path]));
  const holders = new Set<BytePath>();
  for (const { change, because, rule } of along) {
    let cause = because.path;
    for (let next = causes.get(cause); next !== undefined; next = causes.get(cause)) cause = next;
    if (selected.has(cause)) out.set(cause, change.path);
    if (HOLDS.has(rule)) holders.add(change.path);
  }
  // Of a directory `along` names one cause; all of its entries wait for it.
  if (holders.size > 0)
    for (const path of selected.keys())
      if (!out.has(path) && isBelowAny(path, holders)) out.set(path, above(path, holders));
  for (const { path } of stays) if (selected.has(path)) out.set(path, path);
  // Whatever else a plan may take: nothing that is not selected goes.
  if (out.size === 0 && steps.flatMap(changesOf).some(({ path }) => !selected.has(path)))
    for (const path of selected.keys()) out.set(path, path);
  return out;
}

const HOLDS: ReadonlySet<AlongRule> = new Set(['holds', 'above']);

function above(path: BytePath, dirs: ReadonlySet<BytePath>): BytePath {
  let at = parentOf(path);
  while (at !== '/' && !dirs.has(at)) at = parentOf(at);
  return at;
}

/** Members of a repository's data, of a database, of one file's names, and both names of a rename go together. */
function brokenSets(
  { changes }: ChangeList,
  selected: ReadonlyMap<BytePath, unknown>,
): Map<BytePath, BytePath> {
  const out = new Map<BytePath, BytePath>();
  for (const { members } of [...groupsOf(changes), ...linkedOf(changes)]) {
    const paths = members.flatMap((i) => changes[i]?.path ?? []);
    const missing = paths.find((path) => !selected.has(path));
    if (missing === undefined) continue;
    for (const path of paths) if (selected.has(path)) out.set(path, missing);
  }
  return out;
}
