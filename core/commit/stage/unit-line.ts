/** From what was looked at to the journal's lines. */
import type { BytePath } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { Stat } from '../../kernel/fs/port.ts';
import { birthOf, identityOf } from '../../kernel/fs/stat-identity.ts';
import type { SessionContext } from '../../session/session-context.ts';
import type { PackedTree, UnitLine, UpperEntry } from '../journal/lines.ts';
import { TreePacker } from '../journal/packed-tree.ts';
import { withTree } from '../journal/unit-entries.ts';
import type { Looked } from './prepare.ts';

/**
 * The journal's line of a step; the caller adds what is known of its copy.
 * @param moved it is renamed whole, see moves.ts
 */
export function unitOf(
  ctx: SessionContext,
  one: Looked,
  i: number,
  failed: Map<BytePath, string>,
  moved: boolean,
): UnitLine {
  const { step, host, below, upper, xattrs } = one;
  const { pending, path, kind } = step.change;
  const members =
    failed.size === 0 ? step.members : step.members.filter((change) => !failed.has(change.path));
  const entry = ({ path: at }: Change): UpperEntry => {
    const stat = upper.get(at);
    return { path: at, id: stat === undefined ? null : identityOf(stat) };
  };
  const locked = pending?.type === 'dir' && !ctx.root && (pending.mode & 0o200) === 0;
  const isMeta = step.op === 'meta';
  const upperStat = upper.get(path);
  const groups = new Set<string>();
  for (const { group } of [...step.members, ...step.below]) if (group !== null) groups.add(group);
  const unit: Omit<UnitLine, 'entries'> = {
    t: 'unit',
    i,
    op: step.op,
    path,
    stage: null,
    rel: null,
    born: null,
    host,
    aside: null,
    mode: pending !== null && (isMeta || locked) ? pending.mode : null,
    uid: isMeta && pending !== null ? pending.uid : null,
    gid: isMeta && pending !== null ? pending.gid : null,
    mtime: isMeta && upperStat !== undefined ? newTime(kind, host, upperStat) : null,
    ...(xattrs === undefined ? {} : { xattrs }),
    below,
    groups: [...groups],
    bytes: members.reduce((sum, { pending: side }) => sum + (isMeta ? 0 : (side?.size ?? 0)), 0),
  };
  if (moved && upperStat !== undefined)
    return withTree({ ...unit, moved, born: birthOf(upperStat) }, one.packed ?? packed(one, upperStat));
  return {
    ...unit,
    entries: [...members.map(entry), ...step.below.map(({ path: at }) => ({ path: at, id: null }))],
  };
}

/** Of a directory that was made again, and of a file that has another one than the host's. */
function newTime(kind: Change['kind'], host: string | null, { type, mtimeNs }: Stat): string | null {
  const time = String(mtimeNs);
  if (kind === 'dir-replaced') return time;
  return type === 'file' && host?.split(':')[9] !== time ? time : null;
}

/** Makes what the journal will say of believed trees, while it is still asked whether they can be renamed. */
export function packAhead(looked: readonly Looked[]): void {
  for (const one of looked) {
    const top = one.upper.get(one.step.change.path);
    if (one.listed === true && top !== undefined) one.packed = packed(one, top);
  }
}

/** None of its entries has failed. */
function packed({ step, upper }: Looked, top: Stat): PackedTree {
  const packer = new TreePacker(step.change.path, identityOf(top));
  for (const member of step.members) {
    const stat = upper.get(member.path);
    if (stat === undefined) packer.listed(member);
    else packer.looked(member.path, identityOf(stat));
  }
  return packer.done();
}
