/**
 * Extended attributes of an entry as text: `NAME=VALUE` in hex, sorted, a space between two; the empty text = none. It is
 * what `xattrsOf` gives (xattrs.ts), and what the journal says. Pure.
 */

/** What a step makes of an entry's attributes, and what they were. */
export interface XattrStep {
  from: string;
  to: string;
}

/** One attribute to be set, or removed (`to` is null). Hex. */
export interface XattrChange {
  name: string;
  from: string | null;
  to: string | null;
}

/** `system.posix_acl_access`, in hex. */
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

/** What has to be done so that `now` becomes `to`. */
export function xattrChanges(now: string, to: string): XattrChange[] {
  const [before, after] = [parse(now), parse(to)];
  return [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((name) => {
    const [old, value] = [before.get(name) ?? null, after.get(name) ?? null];
    return old === value ? [] : [{ name, from: old, to: value }];
  });
}

/** Whether an ACL goes: the mode has its mask for the group, until then and afterwards. */
export function removesAcl(changes: readonly XattrChange[]): boolean {
  return changes.some(({ name, to }) => name === ACL && to === null);
}

/** Whether a change needs the write bit: an ACL needs the owner only. */
export function needsWriting(changes: readonly XattrChange[]): boolean {
  return changes.some(({ name }) => name.startsWith(USER));
}

/** Whether each attribute is as it was or as it is to be: a run that set them has died on the way. */
export function isBetween(now: string, { from, to }: XattrStep): boolean {
  const [is, was, wanted] = [parse(now), parse(from), parse(to)];
  return [...new Set([...is.keys(), ...was.keys(), ...wanted.keys()])].every((name) => {
    const one = lasting(name, is.get(name));
    return one === lasting(name, was.get(name)) || one === lasting(name, wanted.get(name));
  });
}

/** Tags of the entries of an ACL that a chmod sets: the owner's, the mask (without one the group's), all others'. */
const OWNER = '0100';
const GROUP = '0400';
const MASK = '1000';
const OTHERS = '2000';

/** An ACL without what a chmod sets in it. */
function lasting(name: string, value: string | undefined): string | undefined {
  if (name !== ACL || value === undefined) return value;
  // A version of 4 bytes; then of each entry tag (2), permissions (2) and id (4).
  const entries = value.slice(8).match(/.{16}/g) ?? [];
  const masked = entries.some((entry) => entry.startsWith(MASK));
  const set = [OWNER, masked ? MASK : GROUP, OTHERS];
  return entries
    .map((entry) => (set.includes(entry.slice(0, 4)) ? `${entry.slice(0, 4)}${entry.slice(8)}` : entry))
    .join('');
}

export const NO_XATTRS =
  'its extended attributes (an ACL, user.*) can not be read: perl is missing, or it may not be read';
