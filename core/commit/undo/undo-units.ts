/** The units of an undo, from what was looked at and what was assembled. */
import { type BytePath, parentOf } from '../../../shared/bytes.ts';
import { relativeTo } from '../../kernel/fs/dir-handles.ts';
import { birthOf, identityOf } from '../../kernel/fs/stat-identity.ts';
import type { SessionContext } from '../../session/session-context.ts';
import {
  entriesOf,
  entryCount,
  hostOf,
  type MetaUnit,
  type PutUnit,
  type SwapUnit,
  type Unit,
} from '../journal/unit.ts';
import { type Area, asideName } from '../stage/areas.ts';
import type { Shown } from '../upper/back.ts';
import type { Meta, Restore, Tree, UndoLook } from './undo-look.ts';
import type { Assembled } from './undo-stage.ts';

/** Something that waits, assembled, for its rename. */
export interface Put extends Assembled {
  restore: Restore;
  area: Area;
}

export interface Planned {
  unit: Unit;
  /** Null: it is part of what another unit shows. */
  shown: Shown | null;
  /** Unit that its pending copy stands with. */
  top: number;
}

export const entriesIn = (units: readonly Unit[]): number =>
  units.reduce((sum, unit) => sum + entryCount(unit), 0);

type Add = (make: (every: EveryUnit) => Unit, shown: Omit<Shown, 'i'> | null) => Planned;
type EveryUnit = Pick<Unit, 't' | 'i' | 'groups'>;

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
  const add: Add = (make, shown) => {
    const i = out.length;
    const unit = make({ t: 'unit', i, groups: [] });
    const planned = { unit, top: i, shown: shown === null ? null : { i, ...shown } };
    out.push(planned);
    return planned;
  };
  for (const put of puts) add((every) => restoreUnit(ctx, n, every, put), shownOf(put));
  for (const { unit, now, entries } of trees) {
    const { path, i } = unit;
    const host = identityOf(now);
    add(
      (every) => ({
        ...{ ...every, kind: 'move-to-store', path, host },
        ...{ reverts: [i], born: birthOf(now), entries },
      }),
      { path, now, alone: false, below: [], moves: true },
    );
  }
  removals(look, trees, add);
  for (const meta of [...look.metas].reverse())
    add((every) => metaUnit(every, meta), { path: meta.path, now: meta.now, alone: true, below: [] });
  return out;
}

/** A new tree leaves entry by entry, children first, but is kept as pending by its topmost entry that goes. */
function removals(look: UndoLook, trees: readonly Tree[], add: Add): void {
  const whole = new Set(trees.flatMap(({ entries }) => entries.map(({ path }) => path)));
  const removes = look.removes.filter(({ path }) => !whole.has(path));
  const going = new Set(removes.map(({ path }) => path));
  const added = new Map<BytePath, Planned>();
  for (const { path, unit, now } of removes.sort((a, b) => (a.path < b.path ? 1 : -1))) {
    const shown = going.has(parentOf(path)) ? null : { path, now, alone: false, below: [] };
    const host = identityOf(now);
    added.set(
      path,
      add((every) => ({ ...every, kind: 'delete', path, host, upper: null, reverts: [unit.i] }), shown),
    );
  }
  // Parents first, so that each finds its own parent's.
  for (const [path, planned] of [...added].reverse())
    planned.top = added.get(parentOf(path))?.top ?? planned.top;
}

function shownOf({ restore: { path, now }, left }: Put): Omit<Shown, 'i'> {
  const below = left.map((entry) => entry.path).filter((entry) => entry !== path);
  return { path, now, alone: false, below: below.sort() };
}

/** Takes a `meta` unit of the commit back: what the host's entry had then is set again. */
function metaUnit(every: EveryUnit, { path, unit, now, xattrs }: Meta): MetaUnit {
  const [, mode, uid, gid] = unit.host.split(':').map(Number);
  return {
    ...{ ...every, kind: 'meta', path, host: identityOf(now), upper: null, reverts: [unit.i] },
    ...{ mode: mode ?? now.mode, uid: uid ?? now.uid, gid: gid ?? now.gid },
    mtime: unit.mtime === null ? null : (unit.host.split(':')[9] ?? null),
    ...(xattrs === null ? {} : { xattrs }),
  };
}

function restoreUnit(
  ctx: SessionContext,
  n: number,
  every: EveryUnit,
  { restore, area, born, left }: Put,
): PutUnit | SwapUnit {
  const { path, now, units, below } = restore;
  const first = units[0] === undefined ? null : hostOf(units[0]);
  const mode = Number(first?.split(':')[1] ?? 0);
  const isDir = born.startsWith('dir:');
  const staged = {
    ...{ ...every, path, reverts: units.map(({ i }) => i) },
    ...{ stage: area.index, rel: relativeTo(area.base, path), born, result: left },
    closedMode: isDir && !ctx.root && (mode & 0o200) === 0 ? mode : null,
    entries: units.flatMap(entriesOf).map((entry) => ({ path: entry.path, id: null })),
    bytes: units.reduce((sum, unit) => sum + Number(hostOf(unit)?.split(':')[4] ?? 0), 0),
  };
  if (now === null || isDir === (now.type === 'dir'))
    return { ...staged, kind: 'put', host: now === null ? null : identityOf(now) };
  return {
    ...{ ...staged, kind: 'swap', host: identityOf(now) },
    aside: asideName(ctx.session, n, every.i),
    below: below.map(({ path: at, id }) => ({ path: at, host: id ?? '' })),
  };
}
