/** File system types by what can be done with them. */

/** Kernel interfaces: nothing in them is a file of the user's. */
export const KERNEL_TYPES: ReadonlySet<string> = new Set(
  (
    'proc sysfs devtmpfs devpts cgroup cgroup2 mqueue debugfs tracefs securityfs bpf pstore configfs efivarfs ' +
    'hugetlbfs binfmt_misc fusectl nsfs rpc_pipefs selinuxfs smackfs'
  ).split(' '),
);

/** A dead server behind these hangs whoever looks: they are never touched, only made read-only. */
const REMOTE_TYPES: ReadonlySet<string> = new Set(
  'fuse cifs smb3 smbfs 9p drvfs afs coda lustre gpfs orangefs gfs2 ocfs2'.split(' '),
);

export function isRemote(type: string): boolean {
  return REMOTE_TYPES.has(type) || type.startsWith('fuse.');
}

/** These can be covered, but a look at one may hang as well: it is taken with a time limit, see `silentMounts`. */
export function isNetwork(type: string): boolean {
  return type === 'nfs' || type === 'nfs4' || type === 'ceph';
}

/**
 * File systems that the kernel takes as a lower directory. FAT, exFAT, NTFS and whatever compares names in its own way
 * are refused (`/boot/efi` is one), and a refused mount would keep every call out: what is not named here is made
 * read-only instead.
 */
export const LOWER_TYPES: ReadonlySet<string> = new Set(
  (
    'ext2 ext3 ext4 xfs btrfs zfs f2fs bcachefs jfs reiserfs nilfs2 tmpfs ramfs overlay squashfs erofs iso9660 udf ' +
    'ecryptfs nfs nfs4 ceph virtiofs'
  ).split(' '),
);
