import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytePath } from '../bytes.ts';
import type { Change, Side } from '../model/change.ts';
import {
  filePaths,
  type PackedChanges,
  packing,
  unpackChanges,
  unpackList,
  withWriters,
} from './packed-changes.ts';

function packed(changes: readonly Change[], identities?: boolean): PackedChanges {
  const steps = packing(changes, identities);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return JSON.parse(JSON.stringify(step.value));
  }
}

/** With every field: a new field of the model does not compile until it is here. */
const WHOLE_SIDE: Required<Side> = {
  type: 'symlink',
  mode: 0o777,
  uid: 1,
  gid: 2,
  size: 3,
  target: bytePath('/t'),
};
const SENT: Required<Omit<Change, 'hostIdentity' | 'upperIdentity' | 'xattrIdentity' | 'effect'>> = {
  id: '0123456789abcdef',
  path: bytePath('/home/kim/a'),
  kind: 'modified',
  pending: WHOLE_SIDE,
  host: { ...WHOLE_SIDE, size: 4 },
  xattrs: true,
  hostLinks: 2,
  renamedFrom: bytePath('/b'),
  ignored: 'cache',
  conflict: 'host-changed',
  group: 'g',
  by: ['c1', 'c2'],
};
const OTHER: { [K in keyof typeof SENT]: (typeof SENT)[K] | undefined } = {
  id: 'fedcba9876543210',
  path: bytePath('/home/kim/b'),
  kind: 'meta',
  pending: null,
  host: null,
  xattrs: undefined,
  hostLinks: 3,
  renamedFrom: undefined,
  ignored: null,
  conflict: null,
  group: null,
  by: ['c1,c2'],
};
const OTHER_SIDE: { [K in keyof Required<Side>]: Side[K] | undefined } = {
  type: 'file',
  mode: 0o600,
  uid: 9,
  gid: 9,
  size: 9,
  target: undefined,
};

describe('a packed list', () => {
  it('gives back every field of a change but what only a commit needs', () => {
    const identities = { hostIdentity: 'h', upperIdentity: 'u', xattrIdentity: 'x' };
    expect(unpackChanges(packed([{ ...SENT, ...identities }]))).toEqual([SENT]);
  });

  it('gives those back, too, between threads, to whom they belong', () => {
    const list: Change[] = [
      SENT,
      { ...SENT, upperIdentity: '1.2.3' },
      { ...SENT, hostIdentity: '4.5.6', xattrIdentity: 'x' },
    ];
    expect(unpackChanges(packed(list, true))).toEqual(list);
    expect(unpackChanges(packed([], true))).toEqual([]);
  });

  it.each(Object.entries(OTHER))('keeps two apart that differ in %s alone', (name, value) => {
    const other: Change = { ...SENT, [name]: value };
    expect(unpackChanges(packed([SENT, other, SENT]))).toEqual([SENT, other, SENT]);
  });

  it.each(Object.entries(OTHER_SIDE))('keeps two apart whose sides differ in %s alone', (name, value) => {
    for (const which of ['pending', 'host'] as const) {
      const other: Change = { ...SENT, [which]: { ...WHOLE_SIDE, [name]: value } };
      expect(unpackChanges(packed([SENT, other, SENT]))).toEqual([SENT, other, SENT]);
    }
  });

  it('gives back any list: all bytes in names, the root itself, sides that come and go', () => {
    const name = fc
      .array(
        fc.integer({ min: 1, max: 255 }).filter((code) => code !== 0x2f),
        { maxLength: 4 },
      )
      .map((codes) => String.fromCharCode(...codes));
    const side = fc.option(
      fc.record({
        type: fc.constantFrom('file' as const, 'dir' as const),
        mode: fc.constantFrom(0o644, 0o755),
        uid: fc.constant(0),
        gid: fc.constant(0),
        size: fc.nat(),
      }),
    );
    const change: fc.Arbitrary<Change> = fc.record({
      id: fc.stringMatching(/^[0-9a-f]{16}$/),
      path: fc.array(name, { maxLength: 3 }).map((names) => bytePath(`/${names.join('/')}`)),
      kind: fc.constantFrom('added' as const, 'deleted' as const),
      pending: side,
      host: side,
      ignored: fc.constant(null),
      conflict: fc.constant(null),
      group: fc.option(fc.constantFrom('a', 'b')),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        // Records of fast-check have no prototype.
        const plain: Change[] = structuredClone(changes);
        expect(unpackChanges(packed(plain))).toEqual(plain);
      }),
      { numRuns: 500 },
    );
  });

  it('gets other writers as it is, each entry its own, and none where none is known', () => {
    const sets = [['c1'], ['c1', 'c2'], undefined] as const;
    const writers = fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 40 });
    fc.assert(
      fc.property(writers, (chosen) => {
        const { by: _, ...plain } = SENT;
        const before: Change[] = chosen.map((_, i) => (i % 3 === 0 ? SENT : plain));
        const after: Change[] = chosen.map((one) => {
          const by = sets[one];
          return by === undefined ? plain : { ...plain, by };
        });
        const columns = withWriters(packed(before), (i) => sets[chosen[i] ?? 2]);
        expect(unpackChanges(JSON.parse(JSON.stringify(columns)))).toEqual(after);
      }),
    );
  });

  it('tells the paths of files that are not ignored', () => {
    const directory: Side = { type: 'dir', mode: 0o755, uid: 1, gid: 1, size: 0 };
    const columns = packed([
      { ...SENT, path: bytePath('/d'), pending: directory },
      { ...SENT, path: bytePath('/d/a'), ignored: null },
      { ...SENT, path: bytePath('/d/b'), ignored: '*.log' },
      { ...SENT, path: bytePath('/e/c'), ignored: null },
    ]);
    expect(filePaths(columns)).toEqual(['/d/a', '/e/c']);
    expect(filePaths(packed([]))).toEqual([]);
  });

  it('lets others run while it is made', () => {
    const many = Array.from({ length: 12_000 }, () => SENT);
    expect([...packing(many)]).toEqual([null, null]);
  });

  it.each<[string, Partial<PackedChanges>]>([
    ['an id less', { ids: SENT.id }],
    ['a name less', { names: 'a' }],
    ['a size less', { pendingSizes: [1] }],
    ['a size more', { hostSizes: [1, 2, 3] }],
    ['a run that is too short', { shapeRuns: [0, 1] }],
    ['a run of something that is not there', { dirRuns: [1, 2] }],
    ['a run that goes back', { shapeRuns: [0, 3, 0, -1] }],
    ['a run of parts of entries', { dirRuns: [0, 0.5, 0, 1.5] }],
    ['a run without a length', { dirRuns: [0, 2, 0] }],
  ])('with %s is refused: no entry is left out in silence', (_, wrong) => {
    expect(() => unpackChanges({ ...packed([SENT, SENT]), ...wrong })).toThrow(RangeError);
  });
});

it('that a list is still the same is told from an empty one', () => {
  expect(unpackList({ same: true })).toBeNull();
  const list = { session: 's', revision: 'r', at: '', bytes: 0, conflicts: 0, problems: [] };
  const counts = { added: 0, modified: 0, deleted: 0, replaced: 0, meta: 0 };
  const empty = { ...list, counts, ignored: { count: 0, bytes: 0 } };
  const sent = { ...empty, same: false, since: 3, packed: packed([]) } as const;
  expect(unpackList(sent)).toEqual({ list: { ...empty, changes: [] }, since: 3 });
});
