import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type BytePath, fromText } from '../../../shared/bytes.ts';
import type { Change, ChangeKind } from '../../../shared/model/change.ts';
import type { Effect } from '../../../shared/model/rule.ts';
import { ownMounts } from '../../kernel/fs/mounts.ts';
import { autoChanges, markChanges } from './effects.ts';

vi.mock('../../kernel/fs/mounts.ts', { spy: true });

const roots = { home: fromText('/home/kim'), projectRoot: fromText('/home/kim/shöp') };
const change = (path: string, kind: ChangeKind = 'added'): Change => ({
  ...{ id: path, path: fromText(path), kind, ignored: null, conflict: null, group: null, host: null },
  pending: { type: 'file', mode: 0o644, uid: 1, gid: 1, size: 1 },
});
const marked = (path: string, effects: readonly Effect[], kind?: ChangeKind) => {
  const placed = effects.map((effect, i) => ({ effect, place: `effects[${i}]` }));
  const [found] = markChanges([change(path, kind)], placed, roots);
  return found?.ignored ?? (found?.effect === undefined ? '' : `${found.effect.do} ${found.effect.text}`);
};

it.each<[string, string, string]>([
  ['**/.env*', '/home/kim/a/.env.local', 'effects[0]'],
  ['.env', '/home/kim/a/.env', 'effects[0]'],
  ['~/.ssh/**', '/home/kim/.ssh/a/b', 'effects[0]'],
  ['~/.ssh/**', '/home/kim/shöp/.ssh/a', ''],
  ['project:db/**', '/home/kim/shöp/db/x/y', 'effects[0]'],
  ['project:db/**', '/home/kim/db/x', ''],
  ['project:*.lock', '/home/kim/shöp/a.lock', 'effects[0]'],
  ['project:*.lock', '/home/kim/shöp/a/b.lock', ''],
  ['/etc/hosts', '/etc/hosts', 'effects[0]'],
])('%s on %s', (pattern, path, expected) => {
  expect(marked(path, [{ paths: [pattern], do: 'never' }])).toBe(expected);
});

it('a path that leads through links is about what it leads to, too; what is committed unread is not', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'trai-')));
  onTestFinished(() => rmSync(base, { recursive: true }));
  mkdirSync(join(base, 'real/*/proj/in'), { recursive: true });
  symlinkSync('real/*', join(base, 'home'));
  symlinkSync('../proj/in', join(base, 'real/*/proj/link'));
  symlinkSync('loop', join(base, 'loop'));
  const home = fromText(join(base, 'real/*'));
  const places = { home, projectRoot: fromText(`${home}/proj`) };
  const about = (pattern: string, name: string) => {
    const effect = { paths: [pattern], do: 'never' } as const;
    const [found] = markChanges([change(`${base}/${name}`)], [{ effect, place: 'x' }], places);
    return found?.ignored === 'x';
  };
  const inside = 'real/*/proj/in/secret';
  for (const pattern of [
    `${base}/home/proj/link/secret`,
    `${base}/home/proj/link/`,
    `${base}/home/**/secret`,
    `${base}/home/proj/link`,
    '~/proj/link/**',
    '~/proj/link/sec*',
    'project:link/secret',
  ]) {
    expect(about(pattern, inside), pattern).toBe(true);
    // A name of the directory with a star in it is no pattern.
    expect(about(pattern, 'real/other/proj/in/secret'), pattern).toBe(false);
  }
  // The link itself, what does not exist yet, and what cannot be resolved.
  expect(about('project:link', 'real/*/proj/link')).toBe(true);
  expect(about(`${base}/home/new/x`, 'real/*/new/x')).toBe(true);
  expect(about(`${base}/loop/x`, 'loop/x')).toBe(true);
  expect(about(`${base}/home/proj/lin*/secret`, inside)).toBe(false);
  const auto = { effect: { paths: ['project:link/'], do: 'auto' } as const, place: 'x' };
  expect(autoChanges([change(`${base}/${inside}`)], [auto], places).size).toBe(0);
});

it.each(['fuse.sshfs', 'nfs4', 'autofs'])(
  'no link is looked for where a %s is mounted, but where the home is in one',
  (type) => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'trai-')));
    onTestFinished(() => {
      vi.mocked(ownMounts).mockReset();
      rmSync(base, { recursive: true });
    });
    mkdirSync(join(base, 'far/home'), { recursive: true });
    symlinkSync(join(base, 'near'), join(base, 'far/home/link'));
    symlinkSync('far', join(base, 'way'));
    const mounts = ownMounts();
    const point = fromText(join(base, 'far'));
    const far = {
      point,
      root: '/' as BytePath,
      type,
      device: '0:9',
      source: '',
      options: '',
      readOnly: false,
      flags: [],
    };
    vi.mocked(ownMounts).mockReturnValue([...mounts, far]);
    const about = (pattern: string, home: string) => {
      const placed = { effect: { paths: [pattern], do: 'never' } as const, place: 'x' };
      const places = { home: fromText(join(base, home)), projectRoot: fromText('/p') };
      return markChanges([change(`${base}/near/secret`)], [placed], places)[0]?.ignored === 'x';
    };
    for (const pattern of [`${base}/far/home/link/secret`, `${base}/way/home/link/secret`])
      expect([about(pattern, 'near'), about(pattern, 'far/home')], pattern).toEqual([false, true]);
  },
);

it('the strictest counts, for its kinds, with its reason', () => {
  const all: Effect[] = [
    { paths: ['*'], do: 'flag' },
    { paths: ['*.key'], do: 'never', kinds: ['added'] },
    { paths: ['*.key'], do: 'confirm', reason: 'why' },
  ];
  expect(marked('/p/a', all)).toBe('flag effects[0]');
  expect(marked('/p/a.key', all)).toBe('effects[1]');
  expect(marked('/p/a.key', all, 'meta')).toBe('confirm effects[2]: why');
  expect(marked('/p/a', [{ paths: ['*'], do: 'flag', kinds: ['modified'] }], 'dir-replaced')).not.toBe('');
  expect(marked('/p/a', [{ paths: ['*'], do: 'flag', kinds: ['modified'] }], 'deleted')).toBe('');
});

it('what never goes is still to be confirmed where it goes with ignored entries', () => {
  const placed = (['never', 'flag', 'confirm'] as const).map((does, i) => ({
    effect: { paths: ['*'], do: does },
    place: `effects[${i}]`,
  }));
  expect(markChanges([change('/p/a')], placed, roots)).toMatchObject([
    { ignored: 'effects[0]', effect: { do: 'confirm', text: 'effects[2]' } },
  ]);
});

it('what is ignored already stays ignored by its own rule, and what no rule is about stays the same object', () => {
  const one = { ...change('/p/a'), ignored: 'cache' };
  const other = change('/p/b');
  const placed = [{ effect: { paths: ['a'], do: 'never' } as const, place: 'x' }];
  const found = markChanges([one, other], placed, roots);
  expect(found[0]?.ignored).toBe('cache');
  expect(found[1]).toBe(other);
});

it('a pattern that backtracks for ever ends, counts for every path, and takes none of the others along', () => {
  const evil = `${'*a'.repeat(12)}b`;
  const long = `/p/${'a'.repeat(200)}`;
  const changes = [change(long), change('/p/x.key'), change('/p/y')];
  const placed = (effects: readonly Effect[]) =>
    effects.map((effect, i) => ({ effect, place: `effects[${i}]` }));
  const found = markChanges(
    changes,
    placed([
      { paths: [evil], do: 'confirm', reason: 'why' },
      { paths: ['*.key'], do: 'never' },
    ]),
    roots,
  );
  const slow = 'effects[0]: its patterns take too long, so it counts for every path';
  expect(found.map(({ effect }) => effect)).toEqual(changes.map(() => ({ do: 'confirm', text: slow })));
  expect(found.map(({ ignored }) => ignored)).toEqual([null, 'effects[1]', null]);
  // A thousand of them too; what comes after counts for every path.
  const thousand = Array.from({ length: 1_000 }, (): Effect => ({ paths: [evil], do: 'flag' }));
  const many = markChanges(changes, placed([...thousand, { paths: ['*.key'], do: 'never' }]), roots);
  expect(many.every(({ ignored, effect }) => ignored !== null && effect?.do === 'flag')).toBe(true);
});

it('patterns that are just not slow share a time limit; those after it count for every path', () => {
  const used = vi.spyOn(process, 'cpuUsage').mockImplementation((since) => {
    return { user: since === undefined ? 0 : 1_000_000 * used.mock.calls.length, system: 0 };
  });
  try {
    const effects = Array.from(
      { length: 100 },
      (_, i): Effect => ({ paths: ['*.key'], do: i < 99 ? 'flag' : 'never' }),
    );
    const placed = effects.map((effect, i) => ({ effect, place: `effects[${i}]` }));
    const [key, other] = markChanges([change('/p/x.key'), change('/p/y')], placed, roots);
    expect([key?.effect?.text, other?.effect?.text]).toEqual([
      'effects[0]',
      expect.stringContaining('take too long'),
    ]);
    expect([key?.ignored, other?.ignored]).toEqual(Array(2).fill(expect.stringContaining('effects[99]')));
  } finally {
    used.mockRestore();
  }
});

it('of many changes each is looked at', () => {
  const many = Array.from({ length: 5_000 }, (_, i) => change(`/p/${i}`));
  const placed = [{ effect: { paths: ['4999', '0'], do: 'flag' } as const, place: 'x' }];
  const found = markChanges(many, placed, roots).filter(({ effect }) => effect !== undefined);
  expect(found.map(({ path }) => path)).toEqual(['/p/0', '/p/4999']);
});
