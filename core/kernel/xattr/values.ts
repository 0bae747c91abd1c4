/**
 * Extended attributes (ACLs, capabilities, user.*): Node has no call for them, so perl makes the system calls.
 * Where it is missing they are not known, and nothing is said of them.
 */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import type { BytePath } from '../../../shared/bytes.ts';

export interface XattrPair {
  upperPath: BytePath;
  /** The host's path. */
  path: BytePath;
}

/** Pairs in one run: its answer stays far below what one buffer holds, and a run takes some milliseconds. */
const BATCH = 10_000;

/** What a command sets and a copy can keep. Not overlayfs' own marks, nor what a policy or a file system gives by itself. */
const MEANT = /^(?:user\.(?!overlay\.)|system\.posix_acl_)/;
const MEANT_AS_ROOT = /^(?:user\.|trusted\.(?!overlay\.)|security\.capability$|system\.posix_acl_)/;

/** Those pairs whose two sides are known to have other attributes. */
export function withOtherXattrs<T extends XattrPair>(pairs: readonly T[]): T[] {
  return otherXattrs(pairs).map(({ pair }) => pair);
}

/** The same with the attributes of both sides, see `xattrsOf`. */
export function otherXattrs<T extends XattrPair>(
  pairs: readonly T[],
): { pair: T; host: string; upper: string }[] {
  const other: { pair: T; host: string; upper: string }[] = [];
  for (let at = 0; at < pairs.length; at += BATCH) {
    const batch = pairs.slice(at, at + BATCH);
    const texts = xattrsOf(batch.flatMap(({ path, upperPath }) => [path, upperPath]));
    batch.forEach((pair, i) => {
      const [host, upper] = [texts[2 * i], texts[2 * i + 1]];
      if (host !== undefined && upper !== undefined && host !== null && upper !== null && host !== upper)
        other.push({ pair, host, upper });
    });
  }
  return other;
}

/** Changes when the attributes of either side do; see `xattrsOf`. */
export function xattrIdentity({ host, upper }: { host: string; upper: string }): string {
  return hash('sha256', `${host}/${upper}`).slice(0, 16);
}

/**
 * Reads names that end with NUL, and prints for each entry itself (never for what a link leads to) a line of `NAME=VALUE`
 * in hex, or `?`. Perl has no names for the calls, only numbers; those are of 64-bit programs.
 */
const PERL = `
exit 3 unless length(pack("p", "")) == 8;
my ($get, $list) = map { $_ + 0 } @ARGV; my $max = 65536; $/ = "\\0"; binmode STDIN; my $out = "";
my $names = "\\0" x $max; my $v = "\\0" x $max;
while (my $p = <STDIN>) { chomp $p;
  my $n = syscall($list, $p, $names, $max);
  if ($n < 0) { $out .= $!{ENOTSUP} ? "\\n" : "?\\n"; next }
  my @all;
  for my $name (split /\\0/, substr($names, 0, $n)) {
    my $l = syscall($get, $p, "$name", $v, $max);
    push @all, unpack("H*", $name) . "=" . ($l < 0 ? "?" : unpack("H*", substr($v, 0, $l))); }
  $out .= join(" ", @all) . "\\n"; }
print $out;`;

/** Numbers of lgetxattr and llistxattr. */
export const CALLS: Partial<Record<string, readonly [string, string]>> = {
  x64: ['192', '195'],
  arm64: ['9', '12'],
  riscv64: ['9', '12'],
  loong64: ['9', '12'],
};

const ORIGINS = ['user.overlay.origin', 'trusted.overlay.origin'].map(
  (name) => `${Buffer.from(name).toString('hex')}=`,
);

/** Which entries of an upper are known to be copies of the host's: overlayfs marks the inode when it makes one. */
export function areCopies(paths: readonly BytePath[]): boolean[] {
  return readAll(paths).map((line) => ORIGINS.some((origin) => ` ${line}`.includes(` ${origin}`)));
}

/** All attributes of each entry that matter, as text that is equal for equal ones; null = not known. */
export function xattrsOf(paths: readonly BytePath[]): (string | null)[] {
  return readAll(paths).map(meant);
}

/** For each path `NAME=VALUE ...` in hex; `?` = not known. */
function readAll(paths: readonly BytePath[]): string[] {
  if (paths.length === 0) return [];
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
  const calls = CALLS[process.arch];
  return (calls === undefined ? null : ask(calls, input, paths.length)) ?? paths.map(() => '?');
}

/** Null when perl can't be run, or does not answer for every path. */
function ask(calls: readonly string[], input: Buffer, count: number): string[] | null {
  const { status, stdout } = spawnSync('perl', ['-MErrno', '-e', PERL, ...calls], {
    input,
    encoding: 'latin1',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
    maxBuffer: 512 * 1024 * 1024,
  });
  const lines = (stdout ?? '').split('\n').slice(0, -1);
  return status === 0 && lines.length === count ? lines : null;
}

/** Of a line of `NAME=VALUE` in hex what matters, sorted; null = not known. */
export function meant(line: string): string | null {
  if (line === '') return '';
  if (line === '?') return null;
  const pattern = process.getuid?.() === 0 ? MEANT_AS_ROOT : MEANT;
  const all = line.split(' ').filter((one) => {
    return pattern.test(Buffer.from(one.slice(0, one.indexOf('=')), 'hex').toString('latin1'));
  });
  return all.some((one) => one.endsWith('=?')) ? null : all.sort().join(' ');
}
