/** The rows of a box for the page: in groups, by words, and with the host's own paths. Pure. */
import { type BytePath, fromText } from '../../shared/bytes.ts';
import type { BoxHow, BoxRow, SizedInstance } from '../../shared/model/box.ts';
import type { GROUP_TITLES } from '../messages/boxes.ts';
import { displayPath } from '../text/paths.ts';

export type RowGroup = keyof typeof GROUP_TITLES;

/** The first has what needs a look most. */
const GROUPS: readonly RowGroup[] = ['host', 'pending', 'instance', 'ro', 'empty', 'tmpfs', 'own'];

const groupOf = (how: BoxHow): RowGroup => (how === 'proc' || how === 'dev' ? 'own' : how);

/** Groups without rows are left out; within one the table's order stays. */
export function groupRows(rows: readonly BoxRow[]): { group: RowGroup; rows: BoxRow[] }[] {
  return GROUPS.flatMap((group) => {
    const own = rows.filter(({ how }) => groupOf(how) === group);
    return own.length === 0 ? [] : [{ group, rows: own }];
  });
}

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

const hasAll = (words: readonly string[], text: string): boolean => {
  const found = text.toLowerCase();
  return words.every((word) => found.includes(word));
};

export function findRows(rows: readonly BoxRow[], text: string): BoxRow[] {
  const words = wordsOf(text);
  return rows.filter(({ what, from, to, why }) =>
    hasAll(words, [what, why, displayPath(to), from === null ? '' : displayPath(from)].join('\n')),
  );
}

/**
 * Where the row comes from, within the instance the path there; null for a file system of the box's own, for what is
 * hidden, and where it has the same path inside.
 */
export function sourceOf({ from, to, how }: BoxRow, instance: string): BytePath | null {
  if (from === null || from === to || how === 'empty') return null;
  // The session's namespace has the instance at a place of its own (core/sandbox/client-door.ts).
  const bound = `${fromText(instance.replace(/\/box\/[^/]+$/, ''))}/instance/`;
  return from.startsWith(bound) ? (from.slice(bound.length) as BytePath) : from;
}

/** Running ones first, then the last used. */
export function sortInstances(instances: readonly SizedInstance[]): SizedInstance[] {
  return [...instances].sort(
    (a, b) => Number(b.running) - Number(a.running) || b.lastUse.localeCompare(a.lastUse),
  );
}

export function findInstances(instances: readonly SizedInstance[], text: string): SizedInstance[] {
  const words = wordsOf(text);
  return instances.filter(({ id, root, sessions }) =>
    hasAll(words, [id, root === null ? '' : displayPath(root), ...sessions].join('\n')),
  );
}
