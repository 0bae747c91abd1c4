import { describe, expect, it } from 'vitest';
import { type BytePath, isWithin } from '../../../shared/bytes.ts';
import { parseMountinfo } from '../../kernel/fs/mounts.ts';
import { draftPlan, type PlanStep } from './plan.ts';

/** A machine: its directories and mounts (point, type, `ro` or `rw`). */
function plan(
  dirs: string[],
  mounts: [string, string, string?][],
  more: {
    project?: string;
    state?: string;
    scratch?: string[];
    closed?: string[];
    silent?: string[];
    /** Directories that this user cannot write to; `held`: those with something in their uppers. */
    others?: string[];
    held?: string[];
    /** Directories of others whose overlay would take no write. */
    unwritable?: string[];
    /** This user's directories in directories of others, and what is covered already. */
    mine?: Record<string, string[]>;
    places?: string[];
    open?: string[];
    /** Directories whose owners do not exist inside, and this user's that must be writable. */
    foreign?: string[];
    own?: string[];
  } = {},
) {
  const all = new Set<string>(
    dirs.flatMap((dir) =>
      dir
        .split('/')
        .slice(1)
        .map((_, i, parts) => `/${parts.slice(0, i + 1).join('/')}`),
    ),
  );
  const table: [string, string, string?][] = [['/', 'ext4'], ...mounts];
  const text = table
    .map(([point, type, mode = 'rw'], i) => {
      // A mount's parent is the earlier mount that holds its point.
      const parents = table.slice(0, i).map(([other], n) => ({ other, id: n + 20 }));
      const on = parents.filter(({ other }) => other === '/' || `${point}/`.startsWith(`${other}/`));
      const longest = Math.max(...on.map(({ other }) => other.length));
      const parent = on.findLast(({ other }) => other.length === longest)?.id ?? 1;
      return `${i + 20} ${parent} 8:1 / ${point} ${mode},relatime - ${type} none ${mode}`;
    })
    .join('\n');
  const { steps, notes, writable } = draftPlan({
    mounts: parseMountinfo(text),
    scratch: (more.scratch ?? ['/tmp', '/var/tmp', '/run']) as BytePath[],
    projectRoot: (more.project ?? '/home/kim/shop') as BytePath,
    own: (more.own ?? []) as BytePath[],
    stateDir: (more.state ?? '/home/kim/.local/state/trai') as BytePath,
    silent: new Set((more.silent ?? []) as BytePath[]),
    fs: {
      directories: (dir) =>
        [...all]
          .filter(
            (one) =>
              one !== dir &&
              (dir === '/'
                ? one.lastIndexOf('/') === 0
                : one.startsWith(`${dir}/`) && !one.slice(dir.length + 1).includes('/')),
          )
          .map((one) => one.slice(one.lastIndexOf('/') + 1) as BytePath)
          .sort(),
      isDirectory: (path) => all.has(path),
      isForeign: (dir) => (more.foreign ?? []).includes(dir),
      isClosed: (dir) => (more.others ?? []).includes(dir),
      mayWrite: (dir) => (more.open ?? []).includes(dir),
      ownDirectories: (dir) => (more.mine?.[dir] as BytePath[] | undefined) ?? null,
      isCoveredDir: (dir) => (more.places ?? []).includes(dir),
      takesNoWrite: (dir) => (more.unwritable ?? []).includes(dir),
      ownNames: (dir) => ((more.held ?? []).includes(dir) ? ['pending'] : []),
      isCopyable: () => false,
      canReach: (path) => !(more.closed ?? []).some((dir) => isWithin(path, dir) && path !== dir),
    },
  });
  expect(steps.map(word)).toContain('read-only /');
  return {
    steps: steps.map(word).filter((one) => one !== 'read-only /'),
    /** Read-only already, with the mount that holds them. */
    held: steps.flatMap((step) => (step.do === 'read-only' && step.held === true ? [step.path] : [])),
    notes: notes.map((note) => `${note.kind} ${note.path}`),
    writable,
  };
}

const word = (step: PlanStep): string => `${step.do} ${step.path}`;
const HOME = '/home/kim/shop';

describe('the plan', () => {
  it('covers every top-level directory, the one that holds the state directory last', () => {
    expect(plan([HOME, '/etc', '/usr', '/opt'], []).steps).toEqual([
      'overlay /etc',
      'overlay /opt',
      'overlay /usr',
      'overlay /home',
    ]);
  });

  describe('a directory that is made read-only', () => {
    const dirs = [HOME, '/mnt/a/b', '/tmp/shop/sub', '/tmp/shop/disk', '/data/deep/disk'];

    it('needs no mount of its own where what holds it is read-only too', () => {
      expect(plan(dirs, [['/mnt/a/b', 'ext4']]).held).toEqual(['/mnt', '/mnt/a']);
      const inOther: [string, string][] = [
        ['/data', 'ext4'],
        ['/data/deep/disk', 'ext4'],
      ];
      expect(plan(dirs, inOther).held).toEqual(['/data/deep']);
    });

    it('needs one in scratch, which stays writable', () => {
      const { steps, held } = plan(dirs, [['/tmp/shop/disk', 'ext4']], { project: '/tmp/shop' });
      expect(steps).toContain('read-only /tmp/shop');
      expect(held).toEqual([]);
    });
  });

  describe('where this user can write nothing', () => {
    const dirs = [HOME, '/etc', '/root', '/srv/www', '/var/tmp', '/mnt/disk'];
    const others = ['/root', '/srv', '/srv/www', '/var', '/mnt'];
    const mounts: [string, string][] = [['/mnt/disk', 'ext4']];

    it('needs no overlay: it is as read-only as what holds it', () => {
      const { steps, writable } = plan(dirs, mounts, { others });
      expect(steps).toEqual([
        'overlay /etc',
        'read-only /mnt',
        'overlay /mnt/disk',
        'keep /var/tmp',
        'overlay /var',
        'overlay /home',
      ]);
      // hooks/launcher/enter fails when one of these is a writable mount.
      expect(writable).not.toContain('/root');
      expect(writable).not.toContain('/srv');
    });

    it('needs none either where it is too much to look at: all of it is of others', () => {
      const unwritable = ['/etc', '/root', '/var', '/mnt/disk'];
      const { steps, writable, held } = plan(dirs, mounts, { unwritable });
      expect(steps).toEqual([
        'direct /var/tmp',
        'read-only /mnt',
        'read-only /mnt/disk',
        'overlay /srv',
        'read-only /var',
        'overlay /home',
      ]);
      expect(held).toEqual(['/mnt', '/var']);
      expect(writable).not.toContain('/var');
    });

    it.each([
      ['the sandbox has something in it', { held: ['/etc'] }],
      ['the project lies in it', { project: '/etc/x' }],
      ['the state lies in it', { state: '/etc/trai' }],
    ])('is covered all the same where %s', (_, more) => {
      expect(plan(dirs, mounts, { unwritable: ['/etc'], ...more }).steps).toContain('overlay /etc');
    });

    it('is covered as soon as that changes, or where the sandbox has something in it', () => {
      expect(plan(dirs, mounts, { others: ['/root'] }).steps).toContain('overlay /srv');
      expect(plan(dirs, mounts, { others, held: ['/srv'] }).steps).toContain('overlay /srv');
    });

    it('is covered where the project or the state lies in it', () => {
      expect(plan(dirs, mounts, { others, project: '/srv/www' }).steps).toContain('overlay /srv');
      expect(plan(dirs, mounts, { others, state: '/srv/www' }).steps).toContain('overlay /srv');
    });
  });

  describe('a directory of others that holds what is this user’s', () => {
    const homes = ['/home/ann', '/home/bob', '/home/shared'];
    const foreign = ['/home', '/home/bob', '/home/shared', '/etc'];
    const mine = { '/home': ['ann'] };
    const made = (more: Parameters<typeof plan>[2], mounts: [string, string][] = []) =>
      plan([...homes, '/etc'], mounts, { project: '/home/ann/p', foreign, mine, ...more });

    it('is read-only as it is, and covered are those, at no more mounts', () => {
      const { steps, held } = made({});
      expect(steps).toEqual(['overlay /etc', 'read-only /home', 'overlay /home/ann']);
      expect(held).toEqual(['/home']);
    });

    it('so are those of others to write in, and what has to be reached', () => {
      expect(made({ open: ['/home/shared'] }).steps).toContain('overlay /home/shared');
      expect(made({ project: '/home/bob/p' }).steps).toContain('overlay /home/bob');
    });

    it('so is one that is a mount', () => {
      expect(made({}, [['/home', 'ext4']]).steps).toEqual([
        'overlay /etc',
        'read-only /home',
        'overlay /home/ann',
      ]);
    });

    it.each<[string, Parameters<typeof plan>[2]]>([
      ['a session began with it', { places: ['/home'] }],
      ['a file is this user’s, too, or it may be written to', { mine: {} }],
      ['there are many', { mine: { '/home': [...Array(9).keys()].map((n) => `u${n}`) } }],
      ['it is the project', { project: '/home' }],
    ])('is covered as a whole where %s', (_, more) => {
      const many = [...Array(9).keys()].map((n) => `/home/u${n}`);
      const { steps } = plan([...homes, ...many], [], { project: '/home/ann/p', foreign, mine, ...more });
      expect(steps).toEqual(['overlay /home']);
    });

    it('stays in parts where a session began so, whatever the host’s look like by now', () => {
      expect(made({ mine: {}, places: ['/home/ann'] }).steps).toContain('overlay /home/ann');
      expect(made({ mine: {}, places: ['/home/bob'] }).steps).toContain('overlay /home');
    });
  });

  it('leaves kernel interfaces and scratch to the host', () => {
    const made = plan(
      [HOME, '/proc', '/sys', '/dev', '/tmp', '/run'],
      [
        ['/proc', 'proc'],
        ['/sys', 'sysfs'],
        ['/dev', 'devtmpfs'],
        ['/dev/pts', 'devpts'],
      ],
    );
    expect(made.steps).toEqual(['direct /run', 'direct /tmp', 'overlay /home']);
    expect(made.notes).toEqual(['direct /run', 'direct /tmp']);
  });

  it('keeps scratch below a covered directory', () => {
    expect(plan([HOME, '/var/tmp', '/var/log'], []).steps).toEqual([
      'keep /var/tmp',
      'overlay /var',
      'overlay /home',
    ]);
  });

  it('descends where something is mounted below, and makes the directory itself read-only', () => {
    const made = plan([HOME, '/mnt/a', '/mnt/b/deep', '/srv'], [['/mnt/b', 'ext4']]);
    expect(made.steps).toEqual([
      'read-only /mnt',
      'overlay /mnt/a',
      'overlay /mnt/b',
      'overlay /srv',
      'overlay /home',
    ]);
    expect(made.notes).toEqual(['read-only /mnt']);
  });

  it('covers a file system that is mounted as a whole, and not what is read-only anyway', () => {
    expect(
      plan(
        [HOME, '/data', '/snap'],
        [
          ['/data', 'xfs'],
          ['/home', 'btrfs'],
          ['/snap', 'squashfs', 'ro'],
        ],
      ).steps,
    ).toEqual(['overlay /data', 'overlay /home']);
  });

  it.each(['fuse', 'fuse.sshfs', 'cifs', '9p'])(
    'never looks into a %s mount, and makes it read-only',
    (type) => {
      const made = plan([HOME, '/mnt/far/x'], [['/mnt/far', type]]);
      expect(made.steps).toEqual(['read-only /mnt', 'read-only /mnt/far', 'overlay /home']);
    },
  );

  it.each(['vfat', 'exfat', 'ntfs3', 'fuseblk', 'something-new'])(
    'makes a %s mount read-only: the kernel does not take it as a lower directory',
    (type) => {
      const made = plan([HOME, '/boot/efi', '/boot/grub'], [['/boot/efi', type]]);
      expect(made.steps).toEqual([
        'read-only /boot',
        'read-only /boot/efi',
        'overlay /boot/grub',
        'overlay /home',
      ]);
      expect(made.writable).not.toContain('/boot/efi');
    },
  );

  it('leaves out what no path of this user leads to, as below the Docker engine’s own directory', () => {
    const merged = '/var/lib/docker/overlay2/1/merged';
    const made = plan([HOME, merged, '/var/log'], [[merged, 'overlay']], { closed: ['/var/lib/docker'] });
    expect(made.steps).toEqual([
      'read-only /var',
      'read-only /var/lib',
      'read-only /var/lib/docker',
      'overlay /var/log',
      'overlay /home',
    ]);
    expect(made.writable).toContain(merged);
  });

  it('with a mount in $HOME goes down to where the state directory lies, and puts that last', () => {
    const made = plan(
      ['/home/kim/.local/state', '/home/kim/shop', '/home/kim/remote'],
      [['/home/kim/remote', 'fuse.sshfs']],
    );
    expect(made.steps).toEqual([
      'read-only /home',
      'read-only /home/kim',
      'read-only /home/kim/remote',
      'overlay /home/kim/shop',
      'overlay /home/kim/.local',
    ]);
  });

  it('goes by what is mounted below an automounter, and never asks for a name in it', () => {
    const made = plan(
      ['/home/kim/shop', '/home/asleep/x', '/net/far/x'],
      [
        ['/home', 'autofs'],
        ['/home/kim', 'nfs4'],
        ['/net', 'autofs'],
      ],
    );
    expect(made.steps).toEqual(['overlay /home/kim']);
    expect(made.writable).toContain('/home');
    expect(made.writable).not.toContain('/net/far');
  });

  it('makes a network mount that does not answer read-only', () => {
    const made = plan([HOME, '/mnt/nfs/x'], [['/mnt/nfs', 'nfs4']], { silent: ['/mnt/nfs'] });
    expect(made.steps).toEqual(['read-only /mnt', 'read-only /mnt/nfs', 'overlay /home']);
  });

  it('covers what is Linux’s on a WSL2 machine, and makes the Windows drives read-only', () => {
    const made = plan(
      [
        HOME,
        '/mnt/c/Users',
        '/mnt/wsl',
        '/mnt/wslg',
        '/usr/lib/wsl/drivers',
        '/usr/lib/wsl/lib',
        '/etc',
        '/init',
      ],
      [
        ['/mnt/wsl', 'tmpfs'],
        ['/usr/lib/wsl/drivers', '9p', 'ro'],
        ['/usr/lib/wsl/lib', 'overlay', 'ro'],
        ['/mnt/wslg', 'tmpfs'],
        ['/mnt/c', '9p'],
      ],
      { project: '/mnt/c/Users/kim/shop' },
    );
    expect(made.steps).toEqual([
      'overlay /etc',
      'overlay /init',
      'read-only /mnt',
      'read-only /mnt/c',
      'overlay /mnt/wsl',
      'overlay /mnt/wslg',
      'read-only /usr',
      'read-only /usr/lib',
      'read-only /usr/lib/wsl',
      'read-only /usr/lib/wsl/drivers',
      'overlay /home',
    ]);
  });

  it('begins a place where directories of others end, so that the project and $HOME can be written below them', () => {
    const dirs = ['/home/REALM/kim', '/home/lost', '/opt', '/var/lib', '/var/www/html/site'];
    const found = plan(dirs, [], {
      project: '/var/www/html/site',
      state: '/home/REALM/kim/.local/state/trai',
      foreign: ['/home', '/home/REALM', '/var', '/var/www', '/var/www/html'],
      own: ['/var/www/html/site', '/home/REALM/kim'],
      others: ['/home/lost'],
    });
    expect(found.steps).toEqual([
      'read-only /home',
      'overlay /opt',
      'read-only /var',
      'overlay /var/lib',
      'read-only /var/www',
      'overlay /var/www/html',
      'overlay /home/REALM',
    ]);
    expect(found.notes).toContain('read-only /var/www');
  });

  it('covers a directory as a whole where only it, or the project itself, is somebody else’s', () => {
    const more = { foreign: ['/home', '/srv', '/srv/team'], own: ['/srv/team', '/home/kim'] };
    expect(plan(['/home/kim', '/srv/team'], [], { project: '/srv/team', ...more }).steps).toEqual([
      'overlay /srv',
      'overlay /home',
    ]);
    // Scratch is the host's, so what is below it is covered by itself.
    const scratch = { project: '/var/tmp/x/p', foreign: ['/var/tmp/x'], own: ['/var/tmp/x/p'] };
    expect(plan(['/var/tmp/x/p'], [], scratch).steps).toEqual([
      ...plan(['/var/tmp/x/p'], [], { project: '/var/tmp/x/p' }).steps,
    ]);
  });

  it('gives a project below scratch an overlay of its own', () => {
    expect(plan(['/tmp/shop', '/home/kim'], [], { project: '/tmp/shop' }).steps).toEqual([
      'direct /tmp',
      'overlay /tmp/shop',
      'overlay /home',
    ]);
    expect(plan(['/var/tmp/shop', '/home/kim'], [], { project: '/var/tmp/shop' }).steps).toEqual([
      'keep /var/tmp',
      'overlay /var',
      'overlay /var/tmp/shop',
      'overlay /home',
    ]);
  });

  it('says that a project which is a scratch directory itself is written directly', () => {
    const made = plan(['/tmp', '/home/kim'], [], { project: '/tmp' });
    expect(made.steps).toEqual(['direct /tmp', 'overlay /home']);
    expect(made.notes.filter((note) => note === 'direct /tmp')).toHaveLength(2);
  });

  it('descends where scratch lies beside the state directory: it could not be parked', () => {
    expect(
      plan(['/home/kim/.local/state', '/home/kim/scratch'], [], { scratch: ['/home/kim/scratch'] }).steps,
    ).toEqual([
      'direct /home/kim/scratch',
      'read-only /home',
      'read-only /home/kim',
      'overlay /home/kim/.local',
    ]);
  });
});
