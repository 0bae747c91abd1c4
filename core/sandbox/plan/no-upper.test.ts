/** File systems that this machine's kernel lacks, by their magic numbers in linux/magic.h. */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { checkStateDir } from '../doctor/check-dirs.ts';

const told = vi.hoisted(() => ({ below: '', type: 0 }));
vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  const here = (dir: unknown): boolean => told.below !== '' && String(dir).startsWith(told.below);
  return {
    ...real,
    statfsSync: (dir: string) => ({ ...real.statfsSync(dir), ...(here(dir) ? { type: told.type } : {}) }),
  };
});

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'trai-no-upper-'));
  told.below = dir;
});
afterEach(() => {
  told.below = '';
  rmSync(dir, { recursive: true, force: true });
});

it.each([
  ['NFS', 0x6969],
  ['9p', 0x01021997],
  ['SMB', 0xfe534d42],
  ['CIFS', 0xff534d42],
  ['FAT', 0x4d44],
  ['exFAT', 0x2011bab0],
  ['NTFS', 0x7366746e],
  ['Ceph', 0x00c36400],
  ['eCryptfs', 0xf15f],
])('a state directory on %s is refused, with a place that would do', (name, type) => {
  told.type = type;
  const check = checkStateDir(join(dir, 'trai'), { HOME: '/root' });
  expect(check).toMatchObject({ ok: false, level: 'error' });
  expect(check.found).toBe(`${dir}/trai is on ${name}, which can't hold an overlay's upper directory`);
  const [, place = ''] = /export TRAI_STATE_HOME='(.+)'/.exec(check.remedy) ?? [];
  expect(place).not.toBe('');
  expect(place.startsWith(dir)).toBe(false);
});

it('the same directory as it is does', () => {
  told.below = '';
  expect(statfsSync(dir).type).not.toBe(0x6969);
  expect(checkStateDir(join(dir, 'trai'), { HOME: '/root' })).toMatchObject({ ok: true });
});
