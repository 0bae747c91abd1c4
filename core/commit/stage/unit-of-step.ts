/** From checked and staged steps to the units of the journal. */
import type { BytePath } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import { relativeTo } from '../../kernel/fs/dir-handles.ts';
import { birthOf, fingerprint, identityOf } from '../../kernel/fs/fingerprint.ts';
import type { Stat } from '../../kernel/fs/port.ts';
import type { SessionContext } from '../../session/session-context.ts';
import type { Journal } from '../journal/journal.ts';
import {
  type ImageKind,
  type PackedTree,
  type PutUnit,
  TreePacker,
  type Unit,
  type UpperEntry,
} from '../journal/unit.ts';
import { changesOf } from '../plan/plan.ts';
import { asideName } from './areas.ts';
import { type CheckedStep, type Findings, isNewTree } from './check-steps.ts';
import { type Merges, mergedEntry } from './merges.ts';
import { type Overrides, overridesOf } from './overrides.ts';
import type { Copy } from './stage.ts';

interface Staged {
  copies: ReadonlyMap<CheckedStep, Copy>;
  moves: ReadonlySet<CheckedStep>;
  images: ReadonlyMap<CheckedStep, ImageKind> | null;
  overrides: Overrides;
  merges: Merges;
}

/**
 * Journals one unit for each remaining step. Moves come first: if a rename turns out to be impossible,
 * nothing else of its group may be on the host yet.
 */
export function writeUnits(ctx: SessionContext, journal: Journal, findings: Findings, staged: Staged): void {
  const { moves } = staged;
  const { failed } = findings;
  findings.checked = findings.checked.toSorted((a, b) => Number(moves.has(b)) - Number(moves.has(a)));
  findings.checked.forEach((one, i) => {
    const unit = movedFile(one, i, staged) ?? unitOf(one, i, { ctx, journal, failed, staged });
    const overrides = overridesOf(staged.overrides, one.step, failed);
    journal.add(overrides.length === 0 ? unit : { ...unit, overrides });
  });
}

/** Written whole: spread literals are slow objects, and there may be a unit for each of many thousand files. */
function movedFile(one: CheckedStep, i: number, { moves, images }: Staged): PutUnit | null {
  const { step, host, upper } = one;
  if (!moves.has(one) || isNewTree(step) || step.op !== 'put') return null;
  const { path, pending, group } = step.change;
  const stat = known(upper.get(path));
  const unit: PutUnit = {
    t: 'unit',
    i,
    path,
    groups: group === null ? [] : [group],
    kind: 'put',
    host,
    stage: null,
    rel: '' as BytePath,
    born: birthOf(stat),
    closedMode: null,
    entries: [{ path, id: identityOf(stat) }],
    result: [],
    bytes: pending?.size ?? 0,
  };
  const image = images?.get(one);
  if (image !== undefined) unit.image = image;
  return unit;
}

interface Facts {
  ctx: SessionContext;
  journal: Journal;
  failed: Findings['failed'];
  staged: Staged;
}

function unitOf(one: CheckedStep, i: number, { ctx, journal, failed, staged }: Facts): Unit {
  const { step, host, below, upper, xattrs } = one;
  const image = staged.images?.get(one);
  const merge = staged.merges.get(step.change.path);
  const { path, pending, kind } = step.change;
  const upperStat = upper.get(path);
  const members =
    failed.size === 0 ? step.members : step.members.filter((change) => !failed.has(change.path));
  const groups = new Set<string>();
  for (const { group } of changesOf(step)) if (group !== null) groups.add(group);
  const every = {
    t: 'unit' as const,
    i,
    path,
    groups: [...groups],
  };
  const kept = image === undefined ? {} : { image };
  const upperId = upperStat === undefined ? null : identityOf(upperStat);
  if (step.op === 'delete') return { ...every, kind: 'delete', host: known(host), upper: upperId, ...kept };
  if (step.op === 'meta') {
    const { mode, uid, gid } = known(pending);
    const mtime = upperStat === undefined ? null : newTime(kind, host, upperStat);
    const more = xattrs === undefined ? {} : { xattrs };
    return { ...every, kind: 'meta', host: known(host), upper: upperId, mode, uid, gid, mtime, ...more };
  }
  const bytes = members.reduce((sum, change) => sum + (change.pending?.size ?? 0), 0);
  if (staged.moves.has(one) && isNewTree(step)) {
    const top = known(upperStat);
    return { ...every, kind: 'move-to-host', born: birthOf(top), tree: packed(one, top), bytes };
  }
  const { prepared, born, result } = known(staged.copies.get(one));
  const closed = pending?.type === 'dir' && !ctx.root && (pending.mode & 0o200) === 0;
  const fields = {
    stage: prepared.area.index,
    rel: relativeTo(prepared.area.base, path),
    born,
    result,
    bytes,
    closedMode: closed ? pending.mode : null,
    entries: entriesIn(one, members),
    ...kept,
  };
  if (step.op === 'put')
    return {
      ...every,
      kind: 'put',
      host,
      ...fields,
      ...(merge === undefined ? {} : { merged: mergedEntry(merge) }),
    };
  return {
    ...every,
    kind: 'swap',
    host: known(host),
    ...fields,
    aside: asideName(ctx.session, journal.record.n, i),
    below,
  };
}

function known<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new RangeError('expected a checked step');
  return value;
}

function entriesIn({ step, upper }: CheckedStep, members: readonly Change[]): UpperEntry[] {
  const entries = members.map(({ path }): UpperEntry => {
    const stat = upper.get(path);
    return { path, id: stat === undefined ? null : identityOf(stat) };
  });
  return [...entries, ...step.below.map(({ path }) => ({ path, id: null }))];
}

/** Of a directory that was made again, and of a file whose time differs from the host's. */
function newTime(kind: Change['kind'], host: string | null, { type, mtimeNs }: Stat): string | null {
  const hasOther = type === 'file' && (host === null || fingerprint(host).mtimeNs !== mtimeNs);
  return kind === 'dir-replaced' || hasOther ? String(mtimeNs) : null;
}

function packed({ step, upper }: CheckedStep, top: Stat): PackedTree {
  const packer = new TreePacker(step.change.path, identityOf(top));
  for (const member of step.members) {
    const stat = upper.get(member.path);
    if (stat === undefined) packer.listed(member);
    else packer.looked(member.path, identityOf(stat));
  }
  return packer.done();
}
