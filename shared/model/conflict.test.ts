import { describe, expect, test } from 'vitest';
import { bytePath } from '../bytes.ts';
import type { BaseState, HostStat } from './base-record.ts';
import type { Change, ConflictReason } from './change.ts';
import { type ConflictInput, conflictOf, sameEntry, setGroups, spreadGroupConflicts } from './conflict.ts';

const file: HostStat = {
  type: 'file',
  mode: 0o644,
  uid: 1,
  gid: 1,
  size: 3,
  nlink: 1,
  dev: '7',
  ino: '70',
  mtimeNs: '100',
  ctimeNs: '200',
};
const dir: HostStat = { ...file, type: 'dir', mode: 0o755, nlink: 2, size: 4096 };
const known = (host: HostStat): BaseState => ({ state: 'known', host });

describe('conflicts', () => {
  const rows: [string, Partial<ConflictInput>, ConflictReason | null][] = [
    ['new in both worlds is none', { base: { state: 'absent' }, host: null }, null],
    ['the host made the name since', { base: { state: 'absent' }, host: file }, 'host-created'],
    [
      'the host made it below a deleted directory',
      { base: { state: 'absent' }, host: file, below: true },
      'host-new-below',
    ],
    ['the host is as it was', { base: known(file), host: file }, null],
    [
      'the host wrote it',
      { base: known(file), host: { ...file, mtimeNs: '101', ctimeNs: '201' } },
      'host-changed',
    ],
    [
      'the host replaced it with equal times',
      { base: known(file), host: { ...file, ino: '71' } },
      'host-changed',
    ],
    [
      'the host restored its time after writing',
      { base: known(file), host: { ...file, ctimeNs: '201' } },
      'host-changed',
    ],
    ['the host made a directory of it', { base: known(file), host: dir }, 'host-changed'],
    ['the host removed it', { base: known(file), host: null }, 'host-deleted'],
    ['it had an unknown base and is gone', { base: { state: 'unknown' }, host: null }, 'host-deleted'],
    [
      'the directory above is gone',
      { base: { state: 'none' }, host: null, parentGone: true },
      'host-parent-gone',
    ],
    ['unrecorded, last changed before the copy', { base: { state: 'none' }, host: file, since: 201n }, null],
    [
      'unrecorded, changed at the time of the copy',
      { base: { state: 'none' }, host: file, since: 200n },
      'unknown-base',
    ],
    [
      'unrecorded, changed after the copy',
      { base: { state: 'none' }, host: file, since: 199n },
      'unknown-base',
    ],
    ['a recorded doubt stays one', { base: { state: 'unknown' }, host: file, since: 200n }, 'unknown-base'],
    [
      'a directory in which names came and went',
      { base: known(dir), host: { ...dir, mtimeNs: '9', ctimeNs: '9', nlink: 5 } },
      null,
    ],
    [
      'a directory that got another mode',
      { base: known(dir), host: { ...dir, mode: 0o700 } },
      'host-changed',
    ],
    ['a directory that got another owner', { base: known(dir), host: { ...dir, gid: 2 } }, 'host-changed'],
  ];
  test.each(rows)('%s', (_name, input, expected) => {
    const full = {
      base: { state: 'none' },
      host: null,
      since: 0n,
      parentGone: false,
      below: false,
      ...input,
    } as const;
    expect(conflictOf(full)).toBe(expected);
  });

  test('another device number alone is no change: it moves with a reboot', () => {
    expect(sameEntry(file, { ...file, dev: '8' })).toBe(true);
  });

  test('another link target is a change', () => {
    const link = { ...file, type: 'symlink' as const, target: bytePath('a') };
    expect(sameEntry(link, { ...link, target: bytePath('b') })).toBe(false);
  });
});

describe('groups', () => {
  function change(path: string, conflict: ConflictReason | null = null): Change {
    return {
      id: path,
      path: bytePath(path),
      kind: 'added',
      pending: null,
      host: null,
      ignored: null,
      conflict,
      group: null,
    };
  }

  test('one conflict in a .git or database makes all of it conflict, and nothing else', () => {
    const changes = [
      change('/p/.git/HEAD'),
      change('/p/.git/index', 'host-changed'),
      change('/p/a.db'),
      change('/p/a.db-wal', 'host-created'),
      change('/p/b.db'),
      change('/q/.git/HEAD'),
      change('/p/.github/x'),
    ];
    setGroups(changes);
    spreadGroupConflicts(changes);
    expect(changes.map(({ conflict }) => conflict)).toEqual([
      'host-changed',
      'host-changed',
      'host-created',
      'host-created',
      null,
      null,
      null,
    ]);
  });
});
