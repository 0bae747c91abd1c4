/** Extended attributes as text: `NAME=VALUE` in hex, sorted, separated by spaces. The journal uses it. */

export interface XattrStep {
  from: string;
  to: string;
}

/** Hex; null = absent. */
export interface XattrChange {
  name: string;
  from: string | null;
  to: string | null;
}

const ACL = Buffer.from('system.posix_acl_access').toString('hex');
const USER = Buffer.from('user.').toString('hex');

function parse(text: string): Map<string, string> {
  return new Map(
    text.split(' ').flatMap((one): [string, string][] => {
      const end = one.indexOf('=');
      return end === -1 ? [] : [[one.slice(0, end), one.slice(end + 1)]];
    }),
  );
}

/** In the order in which they can be set: an ACL is also the mode, and may take the right to set the others. */
export function xattrChanges(now: string, to: string): XattrChange[] {
  const [before, after] = [parse(now), parse(to)];
  const names = [...new Set([...before.keys(), ...after.keys()])].filter((name) => name !== ACL).sort();
  return [...names, ACL].flatMap((name) => {
    const [old, value] = [before.get(name) ?? null, after.get(name) ?? null];
    return old === value ? [] : [{ name, from: old, to: value }];
  });
}

/** Whether an ACL is removed: while there is one, the group bits of the mode hold its mask. */
export function removesAcl(changes: readonly XattrChange[]): boolean {
  return changes.some(({ name, to }) => name === ACL && to === null);
}

/** An ACL needs ownership only. */
export function needsWriting(changes: readonly XattrChange[]): boolean {
  return changes.some(({ name }) => name.startsWith(USER));
}

/** Whether each attribute has its old or its new value, as when a crash interrupts setting them. */
export function isBetween(now: string, { from, to }: XattrStep): boolean {
  const [is, was, wanted] = [parse(now), parse(from), parse(to)];
  return [...new Set([...is.keys(), ...was.keys(), ...wanted.keys()])].every((name) => {
    const one = lasting(name, is.get(name));
    return one === lasting(name, was.get(name)) || one === lasting(name, wanted.get(name));
  });
}

/** Tags of the ACL entries that chmod changes: owner, group (without a mask), mask, others. */
const OWNER = '0100';
const GROUP = '0400';
const MASK = '1000';
const OTHERS = '2000';

function lasting(name: string, value: string | undefined): string | undefined {
  if (name !== ACL || value === undefined) return value;
  // 4 bytes of version; then per entry a tag (2 bytes), permissions (2) and id (4).
  const entries = value.slice(8).match(/.{16}/g) ?? [];
  const masked = entries.some((entry) => entry.startsWith(MASK));
  const set = [OWNER, masked ? MASK : GROUP, OTHERS];
  return entries
    .map((entry) => (set.includes(entry.slice(0, 4)) ? `${entry.slice(0, 4)}${entry.slice(8)}` : entry))
    .join('');
}
