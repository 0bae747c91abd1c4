/** Which changes effect rules are about, within a time limit: a pattern with many stars backtracks for ever on some paths. */
import type { BytePath } from '../../../shared/bytes.ts';
import type { Roots } from '../../../shared/model/change.ts';
import { compileIgnore } from '../../../shared/model/ignore.ts';
import type { Effect } from '../../../shared/model/rule.ts';
import { Guard } from '../judge/guarded.ts';

export interface EffectEntry {
  path: BytePath;
  isDir: boolean;
}

/** Entries that one guard matches: starting it takes as long as matching sixty of them. */
const CHUNK = 2_000;
/** Each takes its time, and a repository may bring thousands: those after them are not tried. */
const MOST_SLOW = 3;

/** By rule and entry, whatever its kind. Null for a rule that takes too long, or was not tried for that reason. */
export function matchEffects(
  effects: readonly Pick<Effect, 'paths'>[],
  entries: readonly EffectEntry[],
  roots: Roots,
): (readonly boolean[] | null)[] {
  let slow = 0;
  return effects.map(({ paths }) => {
    const found = slow < MOST_SLOW ? matchEffect(compileIgnore({ ...roots, ignore: paths }), entries) : null;
    if (found === null) slow += 1;
    return found;
  });
}

type Matches = ReturnType<typeof compileIgnore>;

function matchEffect(matches: Matches, entries: readonly EffectEntry[]): boolean[] | null {
  const found: boolean[] = [];
  for (let from = 0; from < entries.length; from += CHUNK) {
    const part = entries.slice(from, from + CHUNK);
    const guard = new Guard();
    const said = guard.run(() =>
      part.map(({ path, isDir }) => guard.watch(matches, path, () => matches(path, isDir) !== null)),
    );
    for (const one of said) {
      if (one === null) return null;
      found.push(one);
    }
  }
  return found;
}
