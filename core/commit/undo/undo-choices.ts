/** What the person has decided of an undo's conflicts. */
import { type BytePath, isWithin, parentOf } from '../../../shared/bytes.ts';
import type { TraiError } from '../../../shared/errors.ts';
import type { UndoLook } from './undo-look.ts';

type UndoChoice = (path: BytePath) => 'refuse' | 'keep-host' | 'take-back';

/**
 * Leaves out what stays as it is on the host by choice, with the directories above it.
 *
 * @returns how many conflicts were left
 * @throws TraiError `conflicts` when one is not decided
 */
export function settleConflicts(look: UndoLook, choiceOf: UndoChoice, refusal: () => TraiError): number {
  const kept = new Set<BytePath>();
  let count = 0;
  for (const { path, reason } of look.conflicts) {
    const choice = choiceOf(path);
    if (choice === 'refuse') throw refusal();
    // What the commit did not put there is never touched: the directories above it stay in either case.
    if (choice === 'take-back' && reason !== 'host-new-below') continue;
    if (choice === 'keep-host') count++;
    for (let at = path; at !== '/' && !kept.has(at); at = parentOf(at)) kept.add(at);
  }
  if (kept.size === 0) return count;
  look.removes = look.removes.filter(({ path }) => !kept.has(path));
  look.trees = look.trees.filter(({ entries }) => !entries.some(({ path }) => kept.has(path)));
  const inside = look.conflicts.filter(({ path }) => kept.has(path));
  look.restores = look.restores.filter(({ path }) => !inside.some((one) => isWithin(one.path, path)));
  look.metas = look.metas.filter(({ path }) => !inside.some((one) => one.path === path));
  return count;
}
