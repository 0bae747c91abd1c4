/**
 * The change list on the wire, as columns: objects take eight times as many bytes, and parsing 300,000 of
 * them blocked a tab for half a second. Values that many entries share are sent once.
 */
import type { BytePath } from '../bytes.ts';
import { inOnePiece } from '../flatten-string.ts';
import type { Change, ChangeList, Side } from '../model/change.ts';
import type { ListOrLast } from './types.ts';

type Attributes = Omit<Side, 'size'>;

/** Fingerprints serve the commit on this machine: tabs do not get them. */
const IDENTITIES = ['hostIdentity', 'upperIdentity', 'xattrIdentity'] as const;
type Identity = (typeof IDENTITIES)[number];

interface Shape extends Omit<Change, 'id' | 'path' | 'pending' | 'host' | Identity> {
  pending: Attributes | null;
  host: Attributes | null;
}

/** Pairs of an index and the number of consecutive entries that have it. */
type Runs = number[];

export interface PackedChanges {
  count: number;
  /** Concatenated, 16 digits each. */
  ids: string;
  /** Up to the last slash. */
  dirs: string[];
  dirRuns: Runs;
  /** After the last slash, separated by slashes. */
  names: string;
  shapes: Shape[];
  shapeRuns: Runs;
  /** In order, of the entries that have that side. */
  pendingSizes: number[];
  hostSizes: number[];
  /** One line an entry; empty where it has none. */
  identities?: Record<Identity, string>;
}

export type PackedList =
  | { same: true }
  | (Omit<ChangeList, 'changes'> & { same: false; packed: PackedChanges; since: number | null });

const ID_LENGTH = 16;
/** Entries packed between two yields to the event loop. */
const STEP = 5_000;

function addRun(runs: Runs, index: number): void {
  const last = runs.length - 1;
  if (runs[last - 1] === index) runs[last] = (runs[last] ?? 0) + 1;
  else runs.push(index, 1);
}

class Column<T> {
  readonly values: T[] = [];
  readonly runs: Runs = [];
  readonly #known = new Map<string, number>();

  again(): void {
    const at = this.runs.length - 1;
    this.runs[at] = (this.runs[at] ?? 0) + 1;
  }

  add(key: string, value: T): void {
    let index = this.#known.get(key);
    if (index === undefined) {
      index = this.values.push(value) - 1;
      this.#known.set(key, index);
    }
    addRun(this.runs, index);
  }
}

/** Packs in steps, so that the event loop can run in between. Fingerprints only for use inside the server. */
export function* packing(changes: readonly Change[], identities = false): Generator<null, PackedChanges> {
  const dirs = new Column<string>();
  const shapes = new Column<Shape>();
  const names: string[] = [];
  const pendingSizes: number[] = [];
  const hostSizes: number[] = [];
  let last: Change | null = null;
  let lastDir: string | null = null;
  for (const change of changes) {
    const slash = change.path.lastIndexOf('/');
    if (slash === lastDir?.length && change.path.startsWith(lastDir)) dirs.again();
    else {
      lastDir = change.path.slice(0, slash);
      dirs.add(lastDir, lastDir);
    }
    if (last !== null && haveOneShape(last, change)) shapes.again();
    else addShape(shapes, change);
    if (change.pending !== null) pendingSizes.push(change.pending.size);
    if (change.host !== null) hostSizes.push(change.host.size);
    last = change;
    names.push(change.path.slice(slash + 1));
    if (names.length % STEP === 0) yield null;
  }
  return {
    count: changes.length,
    ids: changes.map(({ id }) => id).join(''),
    names: names.join('/'),
    dirs: dirs.values,
    dirRuns: dirs.runs,
    shapes: shapes.values,
    shapeRuns: shapes.runs,
    pendingSizes,
    hostSizes,
    ...(identities ? { identities: identitiesOf(changes) } : {}),
  };
}

function identitiesOf(changes: readonly Change[]): Record<Identity, string> {
  const column = (name: Identity) => changes.map((change) => change[name] ?? '').join('\n');
  return {
    hostIdentity: column('hostIdentity'),
    upperIdentity: column('upperIdentity'),
    xattrIdentity: column('xattrIdentity'),
  };
}

/** Written out, as is `unpackChanges`, since loops over field names take ten times as long. */
function haveOneShape(a: Change, b: Change): boolean {
  return (
    a.kind === b.kind &&
    a.xattrs === b.xattrs &&
    a.hostLinks === b.hostLinks &&
    a.renamedFrom === b.renamedFrom &&
    a.ignored === b.ignored &&
    a.conflict === b.conflict &&
    a.group === b.group &&
    haveOneLook(a.pending, b.pending) &&
    haveOneLook(a.host, b.host) &&
    (a.by === b.by || JSON.stringify(a.by) === JSON.stringify(b.by))
  );
}

function haveOneLook(a: Side | null, b: Side | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.type === b.type && a.mode === b.mode && a.uid === b.uid && a.gid === b.gid && a.target === b.target
  );
}

function addShape(shapes: Column<Shape>, change: Change): void {
  const { id: _i, path: _p, hostIdentity: _h, upperIdentity: _u, xattrIdentity: _x, ...rest } = change;
  const shape = { ...rest, pending: attributesOf(rest.pending), host: attributesOf(rest.host) };
  shapes.add(JSON.stringify(shape), shape);
}

function attributesOf(side: Side | null): Attributes | null {
  if (side === null) return null;
  const { size: _, ...attributes } = side;
  return attributes;
}

/** Without fingerprints where these were not packed. @throws RangeError when the columns disagree */
export function unpackChanges(packed: PackedChanges): Change[] {
  const { count, ids, dirs, shapes, pendingSizes, hostSizes } = packed;
  const names = count === 0 ? [] : packed.names.split('/');
  expectCount(count, ids.length / ID_LENGTH, 'ids');
  expectCount(count, names.length, 'names');
  const dirAt = readRuns(packed.dirRuns, count, dirs.length);
  const shapeAt = readRuns(packed.shapeRuns, count, shapes.length);
  let [pending, host] = [0, 0];
  const sides = new Sides();
  const changes = names.map((name, i) => {
    const shape = shapes[shapeAt[i] ?? -1];
    if (shape === undefined) throw new RangeError('expected a shape');
    const change: Change = {
      id: ids.slice(i * ID_LENGTH, (i + 1) * ID_LENGTH),
      path: inOnePiece(`${dirs[dirAt[i] ?? -1]}/${name}`) as BytePath,
      kind: shape.kind,
      pending: shape.pending === null ? null : sides.of(shape.pending, pendingSizes[pending++]),
      host: shape.host === null ? null : sides.of(shape.host, hostSizes[host++]),
      ignored: shape.ignored,
      conflict: shape.conflict,
      group: shape.group,
    };
    if (shape.by !== undefined) change.by = shape.by;
    if (shape.xattrs !== undefined) change.xattrs = shape.xattrs;
    if (shape.hostLinks !== undefined) change.hostLinks = shape.hostLinks;
    if (shape.renamedFrom !== undefined) change.renamedFrom = shape.renamedFrom;
    return change;
  });
  expectCount(pending, pendingSizes.length, 'pending sizes');
  expectCount(host, hostSizes.length, 'sizes on the host');
  if (packed.identities !== undefined) setIdentities(changes, packed.identities);
  return changes;
}

function setIdentities(changes: readonly Change[], columns: Record<Identity, string>): void {
  for (const name of IDENTITIES) {
    const values = columns[name].split('\n');
    expectCount(Math.max(changes.length, 1), values.length, name);
    for (const [i, change] of changes.entries()) {
      const value = values[i] ?? '';
      if (value !== '') change[name] = value;
    }
  }
}

export function filePaths({ count, dirs, dirRuns, names, shapes, shapeRuns }: PackedChanges): BytePath[] {
  const dirAt = readRuns(dirRuns, count, dirs.length);
  const shapeAt = readRuns(shapeRuns, count, shapes.length);
  const counts = shapes.map(
    ({ ignored, pending, host }) => ignored === null && (pending ?? host)?.type !== 'dir',
  );
  const all = count === 0 ? [] : names.split('/');
  return all.flatMap((name, i) =>
    counts[shapeAt[i] ?? -1] === true ? [`${dirs[dirAt[i] ?? -1]}/${name}` as BytePath] : [],
  );
}

/** New `Change.by` without unpacking; `writers` gives those of the i-th entry. */
export function withWriters(
  packed: PackedChanges,
  writers: (i: number) => readonly string[] | undefined,
): PackedChanges {
  const shapes: Shape[] = [];
  const shapeRuns: Runs = [];
  let at = 0;
  const known = new Map<Shape, Map<readonly string[] | undefined, number>>();
  for (let run = 0; run < packed.shapeRuns.length; run += 2) {
    const [old = -1, length = 0] = packed.shapeRuns.slice(run, run + 2);
    const shape = packed.shapes[old];
    if (shape === undefined) throw new RangeError('expected a shape');
    const ofShape = known.get(shape) ?? new Map<readonly string[] | undefined, number>();
    known.set(shape, ofShape);
    for (const end = at + length; at < end; at++) {
      const by = writers(at);
      let index = ofShape.get(by);
      if (index === undefined) {
        const { by: _, ...rest } = shape;
        index = shapes.push(by === undefined ? rest : { ...rest, by }) - 1;
        ofShape.set(by, index);
      }
      addRun(shapeRuns, index);
    }
  }
  return { ...packed, shapes, shapeRuns };
}

/** Null = the revision that the question named. Errors: as `unpackChanges`. */
export function unpackList(answer: PackedList): ListOrLast | null {
  if (answer.same) return null;
  const { same: _, packed, since, ...rest } = answer;
  return { list: { ...rest, changes: unpackChanges(packed) }, since };
}

function expectCount(expected: number, found: number, what: string): void {
  if (expected !== found) throw new RangeError(`expected ${expected} ${what}, found ${found}`);
}

/** Equal sides share one object: sides are immutable, and few of 300,000 files have a size of their own. */
class Sides {
  readonly #known = new Map<Attributes, Map<number, Side>>();
  #last: Attributes | null = null;
  #sizes = new Map<number, Side>();

  of(attributes: Attributes, size: number | undefined): Side {
    if (size === undefined) throw new RangeError('expected a size for each side');
    if (attributes !== this.#last) this.#turnTo(attributes);
    const known = this.#sizes.get(size);
    if (known !== undefined) return known;
    const side = sideOf(attributes, size);
    this.#sizes.set(size, side);
    return side;
  }

  #turnTo(attributes: Attributes): void {
    this.#last = attributes;
    this.#sizes = this.#known.get(attributes) ?? new Map();
    this.#known.set(attributes, this.#sizes);
  }
}

function sideOf({ type, mode, uid, gid, target }: Attributes, size: number): Side {
  return target === undefined ? { type, mode, uid, gid, size } : { type, mode, uid, gid, size, target };
}

function readRuns(runs: Runs, count: number, values: number): Uint32Array {
  const indices = new Uint32Array(count);
  let to = 0;
  for (let at = 0; at < runs.length; at += 2) {
    const [index = -1, length = 0] = [runs[at], runs[at + 1]];
    if (!Number.isInteger(index) || index < 0 || index >= values)
      throw new RangeError(`expected one of ${values} values, found ${index}`);
    // A negative run could make the total right and leave entries with the first value.
    if (!Number.isInteger(length) || length < 1)
      throw new RangeError(`expected a run of entries, found ${length}`);
    indices.fill(index, to, to + length);
    to += length;
  }
  expectCount(count, to, 'entries in runs');
  return indices;
}
