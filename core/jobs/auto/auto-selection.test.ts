import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BytePath, fromText, parentOf } from '../../../shared/bytes.ts';
import { type Change, type ChangeList, countChanges, type Side } from '../../../shared/model/change.ts';
import { changesOf, planTakingSandbox } from '../../commit/plan/plan.ts';
import { groupsOf, linkedOf } from '../../commit/plan/selection-closure.ts';
import { type AutoSelection, selectAuto } from './auto-selection.ts';

const place = { home: fromText('/home/kim'), projectRoot: fromText('/p') };
const side = (type: Side['type'], mode = type === 'dir' ? 0o755 : 0o644): Side => ({
  ...{ type, mode, uid: 1, gid: 1, size: 1 },
});
const file = (path: string, more: Partial<Change> = {}): Change => ({
  ...{
    id: path,
    path: fromText(path),
    kind: 'added',
    ignored: null,
    conflict: null,
    group: null,
    host: null,
  },
  ...{ pending: side('file') },
  ...more,
});
const list = (changes: Change[]): ChangeList => ({
  ...{ session: 's', revision: 'r', at: '', counts: countChanges(changes), bytes: 0 },
  ...{ ignored: { count: 0, bytes: 0 }, conflicts: 0, problems: [], changes },
});

function selected(changes: Change[], matches: (change: Change) => boolean): AutoSelection {
  const matched = new Map(changes.filter(matches).map((change) => [change, 'effects[0] of f'] as const));
  return selectAuto({ list: list(changes), matched, place, refused: () => false });
}
const named = ({ paths }: AutoSelection): string[] => [...paths].sort();

describe('what an effect rule commits after a call', () => {
  const dir = file('/p/made', { pending: side('dir') });
  const inside = [file('/p/made/a'), file('/p/made/b'), file('/p/c')];

  it('is what it matches', () => {
    expect(named(selected([dir, ...inside], ({ path }) => path !== '/p/c'))).toEqual([
      '/p/made',
      '/p/made/a',
      '/p/made/b',
    ]);
  });

  it('is nothing in a new directory that it does not match, and that is named', () => {
    const found = selected([dir, ...inside], ({ path }) => path !== '/p/made');
    expect(named(found)).toEqual(['/p/c']);
    expect(found.left).toEqual([
      { path: '/p/made/a', rule: 'effects[0] of f', because: '/p/made' },
      { path: '/p/made/b', rule: 'effects[0] of f', because: '/p/made' },
    ]);
  });

  it.each<[string, Partial<Change>]>([
    ['ignored', { ignored: 'cache/' }],
    ['flagged by another rule', { effect: { do: 'flag', text: 'x' } }],
    ['to be confirmed', { effect: { do: 'confirm', text: 'x' } }],
    ['in conflict', { conflict: 'host-changed' }],
    ['unreadable', { conflict: 'unreadable' }],
    ['newly executable', { pending: side('file', 0o755) }],
    ['a socket', { pending: side('socket') }],
    ['a pipe', { pending: side('fifo') }],
    ['a link out of the project', { pending: { ...side('symlink'), target: fromText('/etc/passwd') } }],
    ['outside the project', { path: fromText('/home/kim/x') }],
    ['a setting of Claude Code', { path: fromText('/p/.claude/settings.json') }],
    ['a git hook', { path: fromText('/p/.git/hooks/pre-commit') }],
  ])('is nothing that is %s', (_, more) => {
    expect(named(selected([file('/p/x', more)], () => true))).toEqual([]);
  });

  it('is no part of a group, of the names of a file, or of a rename', () => {
    const group = [file('/p/a.db', { group: 'g' }), file('/p/a.db-wal', { group: 'g' })];
    const names = [file('/p/n1', { upperIdentity: 'i' }), file('/p/n2', { upperIdentity: 'i' })];
    const from = file('/p/old', { kind: 'deleted', pending: null, host: side('file') });
    const rename = [file('/p/new', { renamedFrom: fromText('/p/old') }), from];
    for (const pair of [group, names, rename]) {
      expect(named(selected(pair, () => true))).toHaveLength(2);
      expect(named(selected(pair, ({ path }) => path === pair[0]?.path))).toEqual([]);
      expect(named(selected(pair, ({ path }) => path === pair[1]?.path))).toEqual([]);
    }
  });
});

describe('of any list and any rules', () => {
  const names = ['a', 'b', 'd', 'd/a', 'd/b', 'd/e', 'd/e/a', 'e', 'e/a', 'e/f', 'e/f/a', 'e/f/b'];
  const entry = fc.record({
    kind: fc.constantFrom<Change['kind']>('added', 'modified', 'deleted', 'replaced', 'meta'),
    type: fc.constantFrom<Side['type']>('file', 'file', 'dir', 'symlink', 'socket'),
    host: fc.constantFrom<Side['type']>('file', 'dir'),
    group: fc.constantFrom(null, null, null, 'g'),
    conflict: fc.constantFrom(null, null, null, null, 'host-changed' as const, 'unreadable' as const),
    ignored: fc.constantFrom(null, null, null, 'never'),
    effect: fc.constantFrom(undefined, undefined, undefined, 'flag' as const, 'confirm' as const),
    identity: fc.constantFrom(undefined, undefined, 'i', 'j'),
    from: fc.constantFrom(undefined, undefined, 'a', 'd', 'e/a'),
    there: fc.boolean(),
    matched: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
    refused: fc.integer({ min: 0, max: 6 }).map((n) => n === 0),
  });
  const scene = fc.array(entry, { minLength: names.length, maxLength: names.length });

  it('it is what matches minus what is excluded, and never more with its dependencies', () => {
    fc.assert(
      fc.property(scene, (entries) => {
        const refused = new Set<BytePath>();
        const matched = new Map<Change, string>();
        const changes = entries.flatMap((one, i) => {
          const path = fromText(`/p/${names[i]}`);
          const isDir = names.some((name) => name.startsWith(`${names[i]}/`));
          if (!one.there) return [];
          const pending = one.kind === 'deleted' ? null : side(isDir ? 'dir' : one.type);
          const host = one.kind === 'added' ? null : side(isDir ? one.host : one.type);
          const change: Change = {
            ...{ id: path, path, kind: one.kind, ignored: one.ignored, conflict: one.conflict },
            ...{ group: one.group, host, pending },
            ...(one.effect === undefined ? {} : { effect: { do: one.effect, text: 'x' } }),
            ...(one.identity === undefined ? {} : { upperIdentity: one.identity }),
            ...(one.from === undefined || one.kind !== 'added'
              ? {}
              : { renamedFrom: fromText(`/p/${one.from}`) }),
          };
          if (one.matched) matched.set(change, `rule ${i}`);
          if (one.refused) refused.add(path);
          return [change];
        });
        const all = list(changes);
        const found = selectAuto({ list: all, matched, place, refused: ({ path }) => refused.has(path) });
        for (const change of changes.filter(({ path }) => found.paths.has(path))) {
          expect(matched.has(change) && !refused.has(change.path)).toBe(true);
          expect([change.ignored, change.effect, change.conflict]).toEqual([null, undefined, null]);
        }
        if (found.paths.size === 0) return;
        const plan = planTakingSandbox(all, false, found.paths);
        expect(plan.along).toEqual([]);
        const going = new Set(plan.steps.flatMap(changesOf).map(({ path }) => path));
        expect(going).toEqual(found.paths);
        for (const { members } of [...groupsOf(changes), ...linkedOf(changes)]) {
          const states = members.map((at) => going.has(changes[at]?.path ?? parentOf(place.home)));
          expect(new Set(states).size).toBe(1);
        }
        expect(found.left.filter(({ path }) => found.paths.has(path))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });
});
