/**
 * Supplementary groups in the sandbox: the copy-up of a file of an unmapped group fails with EOVERFLOW.
 * newgidmap(1) maps groups that root has delegated in /etc/subgid.
 */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { orNull } from '../../kernel/fs/port.ts';
import { isRealRoot } from '../../kernel/proc/proc.ts';
import { setuidPath } from '../../kernel/programs.ts';
import { run } from '../../kernel/run.ts';

const SUBGID = '/etc/subgid';
export const NEWGIDMAP = setuidPath('newgidmap');

let known: { identity: string; groups: readonly number[] } | null = null;

/** The supplementary groups that are delegated to this user, ascending; none without newgidmap. */
export function mappedGroups(): readonly number[] {
  if (isRealRoot()) return [];
  const read = (): readonly number[] => {
    const stat = statSync(SUBGID, { bigint: true });
    const own = (process.getgroups?.() ?? []).filter((gid) => gid !== process.getgid?.());
    const identity = `${stat.ino} ${stat.mtimeNs} ${stat.size} ${own.join(',')}`;
    if (known?.identity === identity) return known.groups;
    accessSync(NEWGIDMAP, constants.X_OK);
    const ranges = rangesOf(readFileSync(SUBGID, 'utf8'), userName(), String(process.getuid?.() ?? 0));
    const groups = own.filter((gid) => ranges.some(({ from, count }) => gid >= from && gid < from + count));
    known = { identity, groups: [...new Set(groups)].sort((a, b) => a - b) };
    return known.groups;
  };
  return orNull(read) ?? [];
}

/** Maps `gid` to root's and `groups` to themselves in the user namespace of `pid`. Never rejects. */
export async function mapGroups(pid: number, gid: number, groups: readonly number[]): Promise<void> {
  const map = groups.flatMap((group) => [group, group, 1]);
  await run(NEWGIDMAP, [pid, 0, gid, 1, ...map].map(String), { timeout: 5_000 });
}

export function isUnmapped(gid: number): boolean {
  return gid !== process.getgid?.() && !mappedGroups().includes(gid);
}

export function groupRemedy(gid: number, packageRemedy: string): string {
  const steps = [`echo '${userName()}:${gid}:1' | sudo tee -a ${SUBGID}`];
  if (orNull(() => accessSync(NEWGIDMAP, constants.X_OK)) === null) steps.unshift(packageRemedy);
  const member = (process.getgroups?.() ?? []).includes(gid)
    ? ''
    : ' (and become a member of that group: you are not)';
  return `Let the sandbox map the group${member}:\n  ${steps.join('\n  ')}\nor give the directory your own group: chgrp -R, chmod g-s.`;
}

/** Lines `NAME or UID:FIRST:COUNT` (subgid(5)). */
export function rangesOf(text: string, name: string, uid: string): { from: number; count: number }[] {
  return text.split('\n').flatMap((line) => {
    const [who, from = '', count = ''] = line.trim().split(':');
    const mine = who === name || who === uid;
    return mine && /^\d+$/.test(from) && /^\d+$/.test(count)
      ? [{ from: Number(from), count: Number(count) }]
      : [];
  });
}

function userName(): string {
  return orNull(() => userInfo().username) ?? String(process.getuid?.() ?? 0);
}
