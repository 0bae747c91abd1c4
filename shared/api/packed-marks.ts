/** What effect rules say of 50,000 entries, on the wire: few sets of rules, and the ids of the entries of each. */
import type { Change } from '../model/change.ts';
import type { NamedEffect } from '../model/rule.ts';
import type { EffectMarks } from './types.ts';

const ID_LENGTH = 16;

export type EffectsById = ReadonlyMap<string, readonly NamedEffect[]>;

/** @param effectsOf empty for an entry that no rule is about */
export function packMarks(
  changes: readonly Change[],
  effectsOf: (change: Change, i: number) => readonly NamedEffect[],
): EffectMarks['marks'] {
  const sets = new Map<string, { effects: readonly NamedEffect[]; ids: string[] }>();
  for (const [i, change] of changes.entries()) {
    const effects = effectsOf(change, i);
    if (effects.length === 0) continue;
    const key = effects.map((one) => `${one.do} ${one.text}`).join('\0');
    const set = sets.get(key);
    if (set === undefined) sets.set(key, { effects, ids: [change.id] });
    else set.ids.push(change.id);
  }
  return [...sets.values()].map(({ effects, ids }) => ({ effects: [...effects], ids: ids.join('') }));
}

export function unpackMarks(marks: EffectMarks['marks']): EffectsById {
  const found = new Map<string, readonly NamedEffect[]>();
  for (const { effects, ids } of marks)
    for (let at = 0; at < ids.length; at += ID_LENGTH) found.set(ids.slice(at, at + ID_LENGTH), effects);
  return found;
}
