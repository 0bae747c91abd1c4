/** Which changes effect rules are about, within a time limit: a pattern with many stars backtracks for ever on some paths. */
import type { BytePath } from '../../../shared/bytes.ts';
import { compileIgnore, type IgnoreScope } from '../../../shared/model/ignore.ts';
import type { Effect } from '../../../shared/model/rule.ts';
import { Guard } from '../judge/guarded.ts';

export interface EffectEntry {
  path: BytePath;
  isDir: boolean;
}

/** Entries that one guard matches: starting it takes as long as matching sixty of them. */
const CHUNK = 2_000;
/** Of these, entries that are watched as one: watching each would double the time. */
const WATCHED = 50;
/** Each takes its time, and a repository may bring thousands: those after them are not tried. */
const MOST_SLOW = 3;
/** Of all rules together, in processor time, beyond what plain patterns take at most for one entry: many may be just below slow. */
const MOST_MS = 5_000;
const PLAIN_MS = 0.01;

/** By rule and entry, whatever its kind. Null for a rule that takes too long, or was not tried for that reason. */
export function matchEffects(
  effects: readonly Pick<Effect, 'paths'>[],
  entries: readonly EffectEntry[],
  roots: Omit<IgnoreScope, 'ignore'>,
): (readonly boolean[] | null)[] {
  const isOver = limit(MOST_MS + PLAIN_MS * effects.length * entries.length);
  let slow = 0;
  return effects.map(({ paths }) => {
    const isTried = slow < MOST_SLOW && !isOver();
    const found = isTried ? matchEffect(compileIgnore({ ...roots, ignore: paths }), entries, isOver) : null;
    if (found === null) slow += 1;
    return found;
  });
}

type Matches = ReturnType<typeof compileIgnore>;

/** Whether more than `most` ms of processor time are used up since. */
function limit(most: number): () => boolean {
  const started = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000 > most;
  };
}

function matchEffect(
  matches: Matches,
  entries: readonly EffectEntry[],
  isOver: () => boolean,
): boolean[] | null {
  const found: boolean[] = [];
  for (let from = 0; from < entries.length; from += CHUNK) {
    if (isOver()) return null;
    const part = entries.slice(from, from + CHUNK);
    const guard = new Guard();
    const said = guard.run(() => matchPart(matches, part, guard));
    if (said === null) return null;
    found.push(...said);
  }
  return found;
}

function matchPart(matches: Matches, part: readonly EffectEntry[], guard: Guard): boolean[] | null {
  const found: boolean[] = [];
  for (let from = 0; from < part.length; from += WATCHED) {
    const some = part.slice(from, from + WATCHED);
    const said = guard.watch(matches, some[0]?.path ?? '', () =>
      some.map(({ path, isDir }) => matches(path, isDir) !== null),
    );
    if (said === null) return null;
    found.push(...said);
  }
  return found;
}
