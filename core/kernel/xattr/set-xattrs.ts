/** Extended attributes of an entry that a descriptor holds: perl makes the system calls, as for reading. */
import { spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import type { XattrChange } from './text.ts';
import { meant } from './values.ts';

/** What the program has as its descriptor 3: no name is looked up again, so no link that came in its place is followed. */
const HELD = '/proc/self/fd/3';

/** Prints `NAME=VALUE ...` in hex; or `?`. */
const PERL_READ = `
exit 3 unless length(pack("p", "")) == 8;
my ($get, $list) = map { $_ + 0 } @ARGV; my $p = "${HELD}"; my $max = 65536;
my $names = "\\0" x $max; my $v = "\\0" x $max;
my $n = syscall($list, $p, $names, $max);
if ($n < 0) { print $!{ENOTSUP} ? "\\n" : "?\\n"; exit 0 }
my @all;
for my $name (split /\\0/, substr($names, 0, $n)) {
  my $l = syscall($get, $p, "$name", $v, $max);
  push @all, unpack("H*", $name) . "=" . ($l < 0 ? "?" : unpack("H*", substr($v, 0, $l))); }
print join(" ", @all) . "\\n";`;

/**
 * Reads lines `NAME NEW OLD` (hex after an `=`; `-` = none), sets one after the other, and takes all back when one can't
 * be set. Prints the number of the error, 0 = none.
 */
const PERL_SET = `
exit 3 unless length(pack("p", "")) == 8;
my ($set, $remove) = map { $_ + 0 } @ARGV; my $p = "${HELD}"; my @done;
sub put { my ($name, $to) = @_; my $n = pack("H*", $name);
  return syscall($remove, $p, $n) if $to eq "-";
  my $v = pack("H*", substr($to, 1)); return syscall($set, $p, $n, $v, length($v), 0); }
while (my $line = <STDIN>) { chomp $line; my ($name, $to, $from) = split / /, $line;
  if (put($name, $to) == 0) { unshift @done, [$name, $from]; next }
  my $error = $! + 0; put(@$_) for @done; print "$error\\n"; exit 0 }
print "0\\n";`;

/** Numbers of getxattr, listxattr, setxattr and removexattr. */
const CALLS: Partial<Record<string, readonly [string, string, string, string]>> = {
  x64: ['191', '194', '188', '197'],
  arm64: ['8', '11', '5', '14'],
  riscv64: ['8', '11', '5', '14'],
  loong64: ['8', '11', '5', '14'],
};

/** As text that is equal for equal ones; null = not known. */
export function readOpenXattrs(fd: number): string | null {
  const line = ask(fd, PERL_READ, [0, 1], '');
  return line === null ? null : meant(line);
}

/**
 * Sets and removes attributes: all of them, or none.
 * @throws the errno error of the one that can't be; ENOSYS without perl
 */
export function setOpenXattrs(fd: number, changes: readonly XattrChange[]): void {
  const value = (hex: string | null) => (hex === null ? '-' : `=${hex}`);
  const input = changes.map(({ name, from, to }) => `${name} ${value(to)} ${value(from)}\n`).join('');
  const said = ask(fd, PERL_SET, [2, 3], input);
  if (said === '0') return;
  const number = said === null ? constants.errno.ENOSYS : Number(said);
  const code = Object.entries(constants.errno).find(([, one]) => one === number)?.[0] ?? 'EIO';
  throw Object.assign(new Error(`${code}: extended attributes could not be set`), { code });
}

/** Its one line; null when perl can't be run. */
function ask(
  fd: number,
  code: string,
  [first, second]: readonly [0 | 2, 1 | 3],
  input: string,
): string | null {
  const calls = CALLS[process.arch];
  if (calls === undefined) return null;
  const { status, stdout } = spawnSync('perl', ['-MErrno', '-e', code, calls[first], calls[second]], {
    input,
    stdio: ['pipe', 'pipe', 'ignore', fd],
    encoding: 'latin1',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
    maxBuffer: 64 * 1024 * 1024,
  });
  const line = /^(.*)\n$/.exec(stdout ?? '')?.[1];
  return status === 0 && line !== undefined ? line : null;
}
