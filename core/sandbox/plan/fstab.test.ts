import { describe, expect, it } from 'vitest';
import type { BytePath } from '../../../shared/bytes.ts';
import { parseMountinfo, unescapeMount } from '../../kernel/fs/mounts.ts';
import type { CoveredDir } from '../../session/session-context.ts';
import { escapeFstab, fstabText } from './fstab.ts';

describe('fstab and mountinfo', () => {
  it('escape and unescape any byte of a path', () => {
    const path = '/a b\tc\nd\\e#f,g:h"i\'é';
    expect(escapeFstab(path)).not.toMatch(/[\s#]/);
    expect(unescapeMount(escapeFstab(path))).toBe(path);
  });

  it('name directories by short relative paths only, mask the state directory after them, and make read-only what is mounted already last', () => {
    const text = fstabText(
      [
        { do: 'keep', path: '/var/tmp' as BytePath, below: '/var' as BytePath },
        { do: 'overlay', path: '/var' as BytePath },
        { do: 'read-only', path: '/mnt' as BytePath, mounted: false, late: false, flags: ['nodev'] },
        { do: 'read-only', path: '/opt' as BytePath, mounted: false, late: true, flags: [], held: true },
        { do: 'read-only', path: '/' as BytePath, mounted: true, late: true, flags: [] },
      ],
      {
        coveredDirs: [{ n: 3, path: '/var', upper: '', work: '' } as CoveredDir],
        source: 'trai:0:s',
        root: false,
      },
      {
        stateDir: '/s' as BytePath,
        parking: '/s/p' as BytePath,
        doors: [{ from: '/s/i n' as BytePath, spot: 'parking/dir-1', at: '/s/inside' as BytePath }],
      },
    );
    expect(text.trim().split('\n')).toEqual([
      '/s/i\\040n parking/dir-1 none rbind 0 0',
      '/var/tmp /s/p/1 none rbind 0 0',
      'trai:0:s /var overlay lowerdir=3/l,upperdir=3/u,workdir=3/w,userxattr,index=on,volatile 0 0',
      '/s/p/1 /var/tmp none rbind 0 0',
      '/mnt /mnt none rbind,ro,nodev 0 0',
      '/s/mask /s none bind,ro 0 0',
      'parking/dir-1 /s/inside none rbind 0 0',
      '/proc/self/ns/user /s/userns none bind 0 0',
      'trai-late /. none remount,bind,ro 0 0',
    ]);
  });

  it('tell which mounts are out of reach, below one that came later', () => {
    const text = [
      '20 1 8:1 / / rw - ext4 a rw',
      '21 20 0:1 / /mnt/x rw - tmpfs b rw',
      '22 21 0:2 / /mnt/x/deep rw - tmpfs c rw',
      '23 20 0:3 / /mnt rw - tmpfs d rw',
      '24 23 0:4 / /mnt/y rw - tmpfs e rw',
      '25 23 0:5 / /mnt rw - tmpfs f rw',
    ].join('\n');
    expect(
      parseMountinfo(text)
        .filter((mount) => mount.hidden)
        .map((mount) => mount.source),
    ).toEqual(['b', 'c', 'e']);
  });

  it('skip lines of another shape', () => {
    expect(parseMountinfo('nonsense\n\n1 2 3\n20 1 8:1 / /a\\040b rw - ext4 /dev/x rw')).toMatchObject([
      { point: '/a b', type: 'ext4' },
    ]);
  });
});
