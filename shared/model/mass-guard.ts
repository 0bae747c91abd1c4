/** The mass guard: a confirmation before many or important entries of the host are deleted or replaced, or that a rule wants. */

import { isWithin, nameOf, parentOf, toDisplay } from '../bytes.ts';
import { TraiError } from '../errors.ts';
import { MASS_GUARD_ENTRIES } from '../limits.ts';
import type { Change, ChangeList, Roots } from './change.ts';
import type { CommitRequest, MassGuard } from './commit.ts';
import { goesWithOthers } from './conflict.ts';

function takesAway(change: Change): boolean {
  return (
    change.host !== null &&
    (change.kind === 'deleted' || change.kind === 'replaced' || change.kind === 'dir-replaced')
  );
}

function reasonFor(ctx: Roots, change: Change): string | null {
  const what = change.kind === 'deleted' ? 'deletes' : 'replaces';
  const shown = toDisplay(change.path);
  if (isWithin(ctx.projectRoot, change.path)) return `${what} the project ${shown}`;
  if (nameOf(change.path) === '.git') return `${what} the repository data ${shown}`;
  if (parentOf(change.path) === ctx.home)
    return `${what} ${shown}, which lies directly in the home directory`;
  return null;
}

/** Null = no confirmation. `count`, which the user types, includes ignored entries that a commit includes. */
export function massGuard(ctx: Roots, list: ChangeList, includeIgnored: boolean): MassGuard | null {
  const goes = goesWithOthers(list.changes);
  const gone = list.changes.filter((c) => takesAway(c) && (includeIgnored || c.ignored === null || goes(c)));
  const reasons = gone.map((c) => reasonFor(ctx, c)).filter((reason) => reason !== null);
  if (gone.length > MASS_GUARD_ENTRIES) {
    reasons.push(`deletes or replaces ${gone.length} entries of the host (more than ${MASS_GUARD_ENTRIES})`);
  }
  const asked = list.changes.filter(
    (c) => c.effect?.do === 'confirm' && (includeIgnored || c.ignored === null || goes(c)),
  );
  reasons.push(
    ...asked.map((c) => `changes ${toDisplay(c.path)}, which is to be confirmed (${c.effect?.text})`),
  );
  if (reasons.length === 0) return null;
  const count = new Set([...gone, ...asked]).size;
  return asked.length === 0 ? { reasons, count } : { reasons, count, asked: asked.length };
}

/** @throws TraiError `mass-guard` with the count, unless the request answers it */
export function askMassGuard(ctx: Roots, list: ChangeList, request: CommitRequest): void {
  const guard = massGuard(ctx, list, request.includeIgnored);
  if (guard === null || request.yes || request.typedCount === guard.count) return;
  const shown = guard.reasons.slice(0, 5).join('; ');
  const more = guard.reasons.length > 5 ? ` and ${guard.reasons.length - 5} more reasons` : '';
  throw new TraiError('mass-guard', `this commit ${shown}${more}`, {
    hint: `Confirm with the number of these entries (${guard.count}), or with --yes.`,
    paths: guard.reasons,
    data: { count: guard.count },
  });
}
