/** The units of an undo, from what was looked at and what was assembled. */
import { type BytePath, parentOf } from '../../../shared/bytes.ts';
import { relativeTo } from '../../kernel/fs/dir-handles.ts';
import { birthOf, identityOf } from '../../kernel/fs/stat-identity.ts';
import type { SessionContext } from '../../session/session-context.ts';
import type { LeftEntry, UnitLine } from '../journal/lines.ts';
import type { Shown } from '../pending/back.ts';
import { type Area, asideName } from '../stage/areas.ts';
import type { Restore, Tree, UndoLook } from './undo-look.ts';
import type { Assembled } from './undo-stage.ts';

/** Something that waits, assembled, for its rename. */
export interface Put extends Assembled {
  restore: Restore;
  area: Area;
}

export interface Planned {
  unit: UnitLine;
  left: LeftEntry[];
  /** Null: it is part of what another unit shows. */
  shown: Shown | null;
  /** Unit that its pending copy stands with. */
  top: number;
}

export const entriesIn = (units: readonly UnitLine[]): number =>
  units.reduce((sum, { entries }) => sum + entries.length, 0);

/**
 * In the order in which they are carried out: what goes back, what goes away (children first), modes.
 *
 * @param trees of what goes away, those that go by one rename
 */
export function unitsOf(
  ctx: SessionContext,
  n: number,
  look: UndoLook,
  puts: readonly Put[],
  trees: readonly Tree[],
): Planned[] {
  const out: Planned[] = [];
  const add: Add = (unit, left, shown) => {
    const i = out.length;
    const planned = { unit: { t: 'unit' as const, i, ...unit }, left, top: i };
    out.push({ ...planned, shown: shown === null ? null : { i, ...shown } });
    return out[i] ?? null;
  };
  for (const put of puts) add(restoreUnit(ctx, n, out.length, put), put.left, shownOf(put));
  for (const tree of trees) add(treeUnit(tree), [], shownTree(tree));
  removals(look, trees, add);
  for (const { path, unit, now, xattrs } of [...look.metas].reverse()) {
    const [, mode, uid, gid] = (unit.host ?? '').split(':').map(Number);
    const fields = [now.type, mode, uid, gid, ...identityOf(now).split(':').slice(4)];
    const mtime = unit.mtime === null ? null : (unit.host?.split(':')[9] ?? null);
    if (now.type === 'file' && mtime !== null) fields[9] = mtime;
    const left = fields.join(':');
    add(
      {
        ...blank(path, identityOf(now), [unit.i]),
        op: 'meta',
        ...{ mode: mode ?? now.mode, uid: uid ?? now.uid, gid: gid ?? now.gid },
        mtime,
        ...(xattrs === null ? {} : { xattrs }),
      },
      [{ path, id: left }],
      { path, now, alone: true, below: [] },
    );
  }
  return out;
}

type Add = (
  unit: Omit<UnitLine, 'i' | 't'>,
  left: LeftEntry[],
  shown: Omit<Shown, 'i'> | null,
) => Planned | null;

/** A new tree leaves entry by entry, children first, but is kept as pending by its topmost entry that goes. */
function removals(look: UndoLook, trees: readonly Tree[], add: Add): void {
  const whole = new Set(trees.flatMap(({ entries }) => entries.map(({ path }) => path)));
  const removes = look.removes.filter(({ path }) => !whole.has(path));
  const going = new Set(removes.map(({ path }) => path));
  const added = new Map<BytePath, Planned>();
  for (const { path, unit, now } of removes.sort((a, b) => (a.path < b.path ? 1 : -1))) {
    const shown = going.has(parentOf(path)) ? null : { path, now, alone: false, below: [] };
    const done = add(
      { ...blank(path, identityOf(now), [unit.i]), op: 'delete' },
      [{ path, id: null }],
      shown,
    );
    if (done !== null) added.set(path, done);
  }
  // Parents first, so that each finds its own parent's.
  for (const [path, planned] of [...added].reverse())
    planned.top = added.get(parentOf(path))?.top ?? planned.top;
}

function treeUnit({ unit, now, entries }: Tree): Omit<UnitLine, 'i' | 't'> {
  const { path } = unit;
  return {
    ...blank(path, identityOf(now), [unit.i]),
    ...{ op: 'delete', moved: true, born: birthOf(now), entries },
  };
}

function shownTree({ unit: { path }, now }: Tree): Omit<Shown, 'i'> {
  return { path, now, alone: false, below: [], moves: true };
}

function shownOf({ restore: { path, now }, left }: Put): Omit<Shown, 'i'> {
  const below = left.map((entry) => entry.path).filter((entry) => entry !== path);
  return { path, now, alone: false, below: below.sort() };
}

function restoreUnit(
  ctx: SessionContext,
  n: number,
  i: number,
  { restore, area, born }: Put,
): Omit<UnitLine, 'i' | 't'> {
  const { path, now, units, below } = restore;
  const isDir = born.startsWith('dir:');
  const swap = now !== null && isDir !== (now.type === 'dir');
  const mode = Number(units[0]?.host?.split(':')[1] ?? 0);
  return {
    ...blank(
      path,
      now === null ? null : identityOf(now),
      units.map((unit) => unit.i),
    ),
    op: swap ? 'swap' : 'put',
    stage: area.index,
    rel: relativeTo(area.base, path),
    born,
    aside: swap ? asideName(ctx.session, n, i) : null,
    mode: isDir && !ctx.root && (mode & 0o200) === 0 ? mode : null,
    entries: units.flatMap(({ entries }) => entries.map((entry) => ({ path: entry.path, id: null }))),
    below: swap ? below.map(({ path: at, id }) => ({ path: at, host: id ?? '' })) : [],
    bytes: units.reduce((sum, { host }) => sum + Number(host?.split(':')[4] ?? 0), 0),
  };
}

function blank(path: BytePath, host: string | null, takesBack: number[]): Omit<UnitLine, 'i' | 't' | 'op'> {
  return {
    ...{ path, host, takesBack, stage: null, rel: null, born: null, aside: null },
    ...{ mode: null, uid: null, gid: null, mtime: null, below: [], groups: [], bytes: 0 },
    entries: [{ path, id: null }],
  };
}
