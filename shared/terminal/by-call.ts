/** The change list by the calls that wrote it, for a terminal. */
import type { BytePath } from '../bytes.ts';
import type { CallView } from '../log/calls.ts';
import type { Change } from '../model/change.ts';
import { oneLine } from './log.ts';
import { changeLine } from './status.ts';
import { countText, type Style } from './style.ts';

/** Changes with the same last writers: one call, or several candidates. */
export interface CallGroup {
  /** Ids in the order in which they began; empty = not known. */
  calls: readonly string[];
  /** Their commands; a call of another session, whose changes were adopted, has none here. */
  commands: string[];
  changes: Change[];
}

/** Changes of a call that are named; the rest is counted. */
const NAMED = 20;

/** In the order of the calls; changes without a known call come last. Ignored entries are left out. */
export function groupByCall(changes: readonly Change[], calls: readonly CallView[]): CallGroup[] {
  const known = new Map(calls.map(({ id, command }, order) => [id, { command, order }]));
  const groups = new Map<string, CallGroup>();
  for (const change of changes) {
    if (change.ignored !== null) continue;
    const { by = [] } = change;
    const key = by.join(' ');
    const commands = by.map((id) => known.get(id)?.command ?? '');
    const group = groups.get(key) ?? { calls: by, commands, changes: [] };
    group.changes.push(change);
    groups.set(key, group);
  }
  const order = ({ calls: [first] }: CallGroup): number =>
    first === undefined ? Number.POSITIVE_INFINITY : (known.get(first)?.order ?? -1);
  const rank = (a: CallGroup, b: CallGroup): number => (order(a) === order(b) ? 0 : order(a) - order(b));
  return [...groups.values()].sort(rank);
}

export function byCallText(groups: readonly CallGroup[], projectRoot: BytePath, style: Style): string {
  if (groups.length === 0) return 'Nothing is pending.';
  return groups
    .map((group) => {
      const lines = [...headLines(group, style)];
      for (const change of group.changes.slice(0, NAMED)) lines.push(changeLine(change, projectRoot, style));
      const more = group.changes.length - NAMED;
      if (more > 0) lines.push(style.dim(`  … and ${more} more`));
      return lines.join('\n');
    })
    .join('\n\n');
}

function headLines({ calls, commands, changes }: CallGroup, style: Style): string[] {
  const count = countText(changes.length, 'change');
  if (calls.length === 0) return [style.bold(`${count}; call unknown`)];
  const named = calls.map(
    (id, i) => `${oneLine(commands[i] || '(a call of another session)')} ${style.dim(id)}`,
  );
  if (named.length === 1) return [style.bold(`${count} by `) + (named[0] ?? '')];
  return [style.bold(`${count} by one of ${named.length} calls:`), ...named.map((name) => `  | ${name}`)];
}
