import { describe, expect, it } from 'vitest';
import { type BytePath, fromText } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { Change, ChangeKind, ChangeList, EntryType, Side } from '../../../shared/model/change.ts';
import type { CommitRequest } from '../../../shared/model/commit.ts';
import { massGuard } from '../../../shared/model/mass-guard.ts';
import { planCommit } from './plan.ts';

const side = (type: EntryType): Side => ({ type, mode: 0o644, uid: 1, gid: 1, size: 0 });
const TYPES: Record<string, EntryType> = { f: 'file', d: 'dir', l: 'symlink', s: 'socket' };

/** `kind hostType pendingType path`, `-` for no entry; marks: `!` conflict, `i` ignored, `g:name` group. */
function change(line: string): Change {
  const [kind = '', host = '-', pending = '-', path = '', ...marks] = line.split(' ');
  const typed = (letter: string) => (letter === '-' ? null : side(TYPES[letter] ?? 'file'));
  return {
    id: path,
    path: fromText(path),
    kind: kind as ChangeKind,
    host: typed(host),
    pending: typed(pending),
    ignored: marks.includes('i') ? 'rule' : null,
    conflict: marks.includes('!') ? 'host-changed' : null,
    group: marks.find((mark) => mark.startsWith('g:')) ?? null,
  };
}

function list(...lines: string[]): ChangeList {
  const counts = { added: 0, modified: 0, deleted: 0, replaced: 0, meta: 0 };
  const ignored = { count: 0, bytes: 0 };
  return {
    session: 's',
    revision: 'r',
    at: '',
    changes: lines.map(change),
    counts,
    bytes: 0,
    ignored,
    conflicts: 0,
    problems: [],
  };
}

const ask = (extra: Partial<CommitRequest> = {}): CommitRequest => ({
  revision: 'r',
  includeIgnored: false,
  conflicts: 'refuse',
  choices: {},
  yes: false,
  typedCount: null,
  ...extra,
});

const steps = (changes: ChangeList, request = ask()): string[] =>
  planCommit(changes, request).steps.map(
    ({ op, change: { path }, members, below }) =>
      `${op} ${path}${members.length > 1 ? ` +${members.length - 1}` : ''}${below.length > 0 ? ` -${below.length}` : ''}`,
  );
const paths = (changes: readonly Change[]): string[] => changes.map(({ path }) => path);

describe('the plan of a commit', () => {
  it('asks about a conflict of an ignored entry that goes with the directory that holds it', () => {
    const changes = list(
      'deleted d - /d',
      'deleted f - /d/a',
      'deleted f - /d/log i !',
      'added f f /log i !',
    );
    expect(() => planCommit(changes, ask())).toThrow('1 in conflict with the host: /d/log');
    expect(paths(planCommit(changes, ask({ conflicts: 'keep-host' })).kept)).toEqual(['/d', '/d/log']);
    expect(steps(changes, ask({ choices: { '/d/log': 'take-sandbox' } }))).toEqual([
      'delete /d/log',
      'delete /d/a',
      'delete /d',
    ]);
  });

  it('puts first, deletes children before parents, sets directory modes last', () => {
    const changes = list(
      'meta d d /a',
      'modified f f /a/x',
      'deleted d - /b',
      'deleted f - /b/y',
      'deleted f - /b/z',
      'added - f /c',
      'meta f f /m',
    );
    expect(steps(changes)).toEqual([
      'put /a/x',
      'put /c',
      'meta /m',
      'delete /b/z',
      'delete /b/y',
      'delete /b',
      'meta /a',
    ]);
  });

  it('makes one step of a new tree, also beside a name that sorts into it', () => {
    expect(steps(list('added - d /a', 'added - f /a-b', 'added - d /a/c', 'added - f /a/c/x'))).toEqual([
      'put /a +2',
      'put /a-b',
    ]);
  });

  it('swaps types, with the reviewed deletions below a directory', () => {
    const changes = list(
      'replaced d f /a',
      'deleted d - /a/b',
      'deleted f - /a/b/c',
      'replaced f d /x',
      'added - f /x/y',
      'replaced l f /z',
    );
    expect(steps(changes)).toEqual(['swap /a -2', 'swap /x +1', 'put /z']);
  });

  it('applies a directory that was made again entry by entry', () => {
    const changes = list('dir-replaced d d /a', 'deleted f - /a/b', 'added - f /a/c', 'modified f f /a/d');
    expect(steps(changes)).toEqual(['put /a/c', 'put /a/d', 'delete /a/b', 'meta /a']);
  });

  it('refuses an undecided conflict and names it, but not one that is ignored', () => {
    try {
      planCommit(list('modified f f /a !', 'modified f f /b'), ask());
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(TraiError);
      expect(error).toMatchObject({ code: 'conflicts', paths: ['/a'] });
    }
    expect(steps(list('modified f f /a ! i', 'modified f f /b'))).toEqual(['put /b']);
  });

  it.each([
    ['keep-host for all', ask({ conflicts: 'keep-host' }), ['put /b'], ['/a']],
    ['take-sandbox for all', ask({ conflicts: 'take-sandbox' }), ['put /a', 'put /b'], []],
    ['a choice for the path', ask({ choices: { '/a': 'take-sandbox' } }), ['put /a', 'put /b'], []],
    [
      'a choice against the rest',
      ask({ conflicts: 'take-sandbox', choices: { '/a': 'keep-host' } }),
      ['put /b'],
      ['/a'],
    ],
  ] as const)('decides conflicts by %s', (_, request, expected, kept) => {
    const changes = list('modified f f /a !', 'modified f f /b');
    expect(steps(changes, request)).toEqual(expected);
    expect(paths(planCommit(changes, request).kept)).toEqual(kept);
  });

  const keep = ask({ conflicts: 'keep-host' });
  it.each([
    [
      'a kept member keeps its group',
      ['modified f f /a ! g:1', 'modified f f /b g:1', 'added - f /c'],
      keep,
      ['put /c'],
    ],
    [
      'a kept new directory keeps what is in it',
      ['added - d /d !', 'added - f /d/x', 'added - f /e'],
      keep,
      ['put /e'],
    ],
    [
      'a kept entry keeps the deletion of its directory',
      ['deleted d - /d', 'deleted f - /d/x !', 'deleted f - /d/y'],
      keep,
      ['delete /d/y'],
    ],
    [
      'a kept entry keeps the replacement of its directory whole',
      ['replaced d f /d', 'deleted f - /d/x !', 'deleted f - /d/y'],
      keep,
      [],
    ],
    ['a kept replacement keeps what is below', ['replaced d f /d !', 'deleted f - /d/x'], keep, []],
    [
      'an ignored directory comes along with what needs it',
      ['added - d /d i', 'added - f /d/x', 'added - f /d/y i'],
      ask(),
      ['put /d +1'],
    ],
    [
      'an ignored deletion goes with its directory',
      ['deleted d - /d', 'deleted f - /d/x i'],
      ask(),
      ['delete /d/x', 'delete /d'],
    ],
    ['ignored entries stay out', ['added - f /a i', 'added - f /b'], ask(), ['put /b']],
    [
      'ignored entries come along on demand',
      ['added - f /a i', 'added - f /b'],
      ask({ includeIgnored: true }),
      ['put /a', 'put /b'],
    ],
    [
      'one ignored entry of several can be chosen',
      ['added - f /a i', 'added - f /b i', 'added - f /c'],
      ask({ includeIgnored: true, exactly: new Set(['/a' as BytePath]) }),
      ['put /a'],
    ],
    [
      'a socket never does',
      ['added - s /a', 'added - d /d', 'added - s /d/s i'],
      ask({ includeIgnored: true }),
      ['put /d'],
    ],
  ] as const)('%s', (_, lines, request, expected) => {
    expect(steps(list(...lines), request)).toEqual(expected);
  });
});

describe('what is not as it was reviewed', () => {
  const plan = (stale: string[], lines: readonly string[], extra: Partial<CommitRequest> = {}) => {
    const request = ask({ ...extra, stale: new Set(stale.map(fromText)) });
    const { kept, stale: left } = planCommit(list(...lines), request);
    return { steps: steps(list(...lines), request), kept: paths(kept), stale: paths(left) };
  };
  const only = (...names: string[]) => ({ exactly: new Set(names.map(fromText)) });

  it.each([
    ['stays alone', ['/log'], ['added - f /a', 'added - f /log'], {}, ['put /a'], ['/log']],
    ['stays, also in conflict', ['/log'], ['added - f /a', 'modified f f /log !'], {}, ['put /a'], ['/log']],
    [
      'is not named where it was not chosen',
      ['/log'],
      ['added - f /a', 'added - f /log'],
      only('/a'),
      ['put /a'],
      [],
    ],
    ['is not named where it is ignored', ['/log'], ['added - f /a', 'added - f /log i'], {}, ['put /a'], []],
    [
      'stays in the new directory that goes',
      ['/d/log'],
      ['added - d /d', 'added - f /d/a', 'added - f /d/log'],
      {},
      ['put /d +1'],
      ['/d/log'],
    ],
    [
      'keeps what lies in the new directory that it is',
      ['/d'],
      ['added - f /a', 'added - d /d', 'added - f /d/a'],
      only('/a', '/d/a'),
      ['put /a'],
      ['/d', '/d/a'],
    ],
    [
      'keeps its group',
      ['/r/.git/HEAD'],
      ['added - f /a', 'modified f f /r/.git/HEAD g:git', 'added - f /r/.git/o g:git'],
      {},
      ['put /a'],
      ['/r/.git/HEAD', '/r/.git/o'],
    ],
    [
      'keeps the directory from being deleted that holds it',
      ['/d/x'],
      ['added - f /a', 'deleted d - /d', 'deleted f - /d/x', 'deleted f - /d/y'],
      {},
      ['put /a', 'delete /d/y'],
      ['/d', '/d/x'],
    ],
  ] as const)('%s', (_, stale, lines, extra, expected, left) => {
    expect(plan([...stale], lines, extra)).toEqual({ steps: expected, kept: [], stale: left });
  });

  it('is told apart from what stays by choice', () => {
    const lines = ['modified f f /a', 'modified f f /b !', 'modified f f /c !'];
    const found = plan(['/a'], lines, { conflicts: 'keep-host' });
    expect(found).toEqual({ steps: [], kept: ['/b', '/c'], stale: ['/a'] });
    expect(() => plan(['/a'], lines)).toThrow('2 in conflict');
    expect(plan(['/b', '/c'], lines).steps).toEqual(['put /a']);
  });
});

describe('the mass guard', () => {
  const ctx = { home: '/home/me' as BytePath, projectRoot: '/home/me/work/p' as BytePath };
  const reasons = (...lines: string[]) => massGuard(ctx, list(...lines), false)?.reasons ?? null;

  it.each([
    ['the project root', 'deleted d - /home/me/work/p', /deletes the project/],
    ['a directory above it', 'replaced d f /home/me/work', /replaces the project/],
    ['a .git', 'deleted d - /srv/x/.git', /repository data/],
    ['an entry of $HOME', 'deleted f - /home/me/.bashrc', /directly in the home/],
    ['an entry of $HOME that is replaced', 'replaced d l /home/me/Documents', /directly in the home/],
  ])('asks before %s goes', (_, line, expected) => {
    expect(reasons(line)?.join()).toMatch(expected);
  });

  it('does not ask about additions, modifications, ignored entries and few deletions', () => {
    expect(
      reasons(
        'added - f /home/me/x',
        'modified f f /home/me/.bashrc',
        'deleted d - /home/me/.cache i',
        'deleted f - /x/y',
      ),
    ).toBeNull();
  });

  it('asks above a thousand entries, with their number', () => {
    const lines = Array.from({ length: 1000 }, (_, i) => `deleted f - /x/${i}`);
    expect(massGuard(ctx, list(...lines), false)).toBeNull();
    expect(massGuard(ctx, list(...lines, 'replaced f l /x/y'), false)).toMatchObject({ count: 1001 });
  });

  it('counts ignored entries that go with a deleted directory, and no others', () => {
    const below = (dir: string) => Array.from({ length: 1001 }, (_, i) => `deleted f - ${dir}/${i} i`);
    expect(reasons('deleted f - /d', ...below('/d2'))).toBeNull();
    expect(massGuard(ctx, list('deleted d - /d', ...below('/d/m')), false)).toMatchObject({ count: 1002 });
  });
});
