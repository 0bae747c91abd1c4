/**
 * Extended attributes (ACLs, capabilities, user.*). Node has no call for them: perl makes the system calls in a process of its
 * own. Where it is missing they are not known, and nothing is said of them. xattr-text.ts has their form as text.
 *
 * - `xattrsOf`, `otherXattrs`, `areCopies`: the values of named entries, one process for many
 * - `readOpenXattrs`, `setOpenXattrs`: those of an entry that a descriptor holds
 * - `xattrNames`: the names alone, of everything in some directories
 */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { constants } from 'node:os';
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import type { XattrChange } from './xattr-text.ts';

/** Perl knows system calls by their numbers; these are of 64-bit programs. */
interface SystemCalls {
  get: string;
  list: string;
  set: string;
  remove: string;
  /** Of a link itself. */
  lget: string;
  llist: string;
}
const X64 = { get: '191', list: '194', set: '188', remove: '197', lget: '192', llist: '195' };
const GENERIC = { get: '8', list: '11', set: '5', remove: '14', lget: '9', llist: '12' };
const CALLS: Partial<Record<string, SystemCalls>> = {
  x64: X64,
  arm64: GENERIC,
  riscv64: GENERIC,
  loong64: GENERIC,
};

/** What the programs below begin with. Perl takes no constant as the argument of a system call. */
const PRELUDE = `
exit 3 unless length(pack("p", "")) == 8;
my @call = map { $_ + 0 } @ARGV; my $max = 65536; binmode STDIN;
my $names = "\\0" x $max; my $v = "\\0" x $max; my $out = "";`;

/** The output of a program; null when it can't be run. `fd` is its descriptor 3. */
function perl(program: string, calls: (keyof SystemCalls)[], input: string, fd?: number): string | null {
  const numbers = CALLS[process.arch];
  if (numbers === undefined) return null;
  const args = ['-MErrno', '-e', PRELUDE + program, ...calls.map((call) => numbers[call])];
  const { status, stdout } = spawnSync('perl', args, {
    input: Buffer.from(input, 'latin1'),
    stdio: ['pipe', 'pipe', 'ignore', ...(fd === undefined ? [] : [fd])],
    encoding: 'latin1',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
    cwd: '/',
    maxBuffer: 512 * 1024 * 1024,
  });
  return status === 0 ? stdout : null;
}

/** Reads names that end with NUL; prints for each entry a line of `NAME=VALUE` in hex, or `?`. */
const READ = `
$/ = "\\0";
while (my $p = <STDIN>) { chomp $p;
  my $n = syscall($call[1], $p, $names, $max);
  if ($n < 0) { $out .= $!{ENOTSUP} ? "\\n" : "?\\n"; next }
  my @all;
  for my $name (split /\\0/, substr($names, 0, $n)) {
    my $l = syscall($call[0], $p, "$name", $v, $max);
    push @all, unpack("H*", $name) . "=" . ($l < 0 ? "?" : unpack("H*", substr($v, 0, $l))); }
  $out .= join(" ", @all) . "\\n"; }
print $out;`;

function readAll(paths: readonly BytePath[], fd?: number): string[] {
  if (paths.length === 0) return [];
  const input = paths.map((path) => `${path}\0`).join('');
  const output = perl(READ, fd === undefined ? ['lget', 'llist'] : ['get', 'list'], input, fd);
  const lines = output?.split('\n').slice(0, -1);
  return lines?.length === paths.length ? lines : paths.map(() => '?');
}

/** What a command sets and a copy can keep. Not overlayfs' own marks, nor what a policy or a file system gives by itself. */
const MEANT = /^(?:user\.(?!overlay\.)|system\.posix_acl_)/;
const MEANT_AS_ROOT = /^(?:user\.|trusted\.(?!overlay\.)|security\.capability$|system\.posix_acl_)/;

/** Of a line of `NAME=VALUE` in hex what matters, sorted; null = not known. */
function meant(line: string): string | null {
  if (line === '') return '';
  if (line === '?') return null;
  const pattern = process.getuid?.() === 0 ? MEANT_AS_ROOT : MEANT;
  const all = line.split(' ').filter((one) => pattern.test(fromHex(one.slice(0, one.indexOf('=')))));
  return all.some((one) => one.endsWith('=?')) ? null : all.sort().join(' ');
}

function fromHex(hex: string): string {
  return Buffer.from(hex, 'hex').toString('latin1');
}

/** All attributes of each entry that matter, as text that is equal for equal ones; null = not known. Follows no link. */
export function xattrsOf(paths: readonly BytePath[]): (string | null)[] {
  return readAll(paths).map(meant);
}

/** What a program has as its descriptor 3: no name is looked up again, so no link that came in its place is followed. */
const HELD = '/proc/self/fd/3' as BytePath;

/** The same of an entry that a descriptor holds. */
export function readOpenXattrs(fd: number): string | null {
  return meant(readAll([HELD], fd)[0] ?? '?');
}

const ORIGINS = ['user.overlay.origin', 'trusted.overlay.origin'].map(
  (name) => `${Buffer.from(name).toString('hex')}=`,
);

/** Which entries of an upper are known to be copies of the host's: overlayfs marks the inode when it makes one. */
export function areCopies(paths: readonly BytePath[]): boolean[] {
  return readAll(paths).map((line) => ORIGINS.some((origin) => ` ${line}`.includes(` ${origin}`)));
}

export interface XattrPair {
  upperPath: BytePath;
  /** The host's path. */
  path: BytePath;
}

/** Pairs in one run: its answer stays far below what one buffer holds, and a run takes some milliseconds. */
const BATCH = 10_000;

/** Those pairs whose two sides are known to have other attributes, with both. */
export function otherXattrs<T extends XattrPair>(
  pairs: readonly T[],
): { pair: T; host: string; upper: string }[] {
  const other: { pair: T; host: string; upper: string }[] = [];
  for (let at = 0; at < pairs.length; at += BATCH) {
    const batch = pairs.slice(at, at + BATCH);
    const texts = xattrsOf(batch.flatMap(({ path, upperPath }) => [path, upperPath]));
    batch.forEach((pair, i) => {
      const [host, upper] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
      if (host !== null && upper !== null && host !== upper) other.push({ pair, host, upper });
    });
  }
  return other;
}

/** Changes when the attributes of either side do. */
export function xattrIdentity({ host, upper }: { host: string; upper: string }): string {
  return hash('sha256', `${host}/${upper}`).slice(0, 16);
}

/**
 * Reads lines `NAME NEW OLD` (hex after an `=`; `-` = none), sets one after the other, and takes all back when one can't
 * be set. Prints the number of the error, 0 = none.
 */
const SET = `
my $p = "${HELD}"; my @done;
sub put { my ($name, $to) = @_; my $n = pack("H*", $name);
  return syscall($call[1], $p, $n) if $to eq "-";
  my $v = pack("H*", substr($to, 1)); return syscall($call[0], $p, $n, $v, length($v), 0); }
while (my $line = <STDIN>) { chomp $line; my ($name, $to, $from) = split / /, $line;
  if (put($name, $to) == 0) { unshift @done, [$name, $from]; next }
  my $error = $! + 0; put(@$_) for @done; print $error; exit 0 }
print 0;`;

/**
 * Sets and removes attributes: all of them, or none.
 * @throws the errno error of the one that can't be; ENOSYS without perl
 */
export function setOpenXattrs(fd: number, changes: readonly XattrChange[]): void {
  const value = (hex: string | null) => (hex === null ? '-' : `=${hex}`);
  const input = changes.map(({ name, from, to }) => `${name} ${value(to)} ${value(from)}\n`).join('');
  const output = perl(SET, ['set', 'remove'], input, fd);
  if (output === '0') return;
  const number = output === null ? constants.errno.ENOSYS : Number(output);
  const code = Object.entries(constants.errno).find(([, one]) => one === number)?.[0] ?? 'EIO';
  throw Object.assign(new Error(`${code}: extended attributes could not be set`), { code });
}

/**
 * Reads directories that end with NUL; an equals sign in front of one asks for itself alone. Prints `N NAME ATTRIBUTE ...`
 * in hex for each entry of the N-th that has attributes (NAME is a dot for the directory itself), `N ?` where it can't
 * tell, `N =NAMES` with the number of names in it, and at the end the number of directories.
 */
const NAMES = `
$/ = "\\0"; my $i = 0; my $dot = "."; my $count;
for (; defined(my $d = <STDIN>); $i++) { chomp $d;
  my $alone = $d =~ s/^=//; my $h; unless (chdir $d and opendir $h, ".") { $out .= "$i ?\\n"; next }
  $count = -1;
  for my $name ($alone ? $dot : readdir $h) { next if $name eq ".."; $count++;
    my $n = syscall($call[0], $name, $names, $max); next if $n == 0 || ($n < 0 && $!{ENOTSUP});
    $out .= $n < 0 ? "$i ?\\n" : join(" ", $i, map { unpack("H*", $_) } $name, split /\\0/, substr($names, 0, $n)) . "\\n"; }
  $out .= "$i =$count\\n" unless $alone; closedir $h; }
print "$out$i\\n";`;

export interface XattrNames {
  /** By path, of the entries that have any. */
  names: ReadonlyMap<BytePath, readonly string[]>;
  /** Directories of which, or of something in which, it is not known. */
  unknown: ReadonlySet<BytePath>;
  /** How many names are in each directory that was asked for whole. */
  counts: ReadonlyMap<BytePath, number>;
}

/**
 * Names of the attributes of everything in some directories, one system call an entry.
 * @param whole directories with all that is in them
 * @param alone directories without
 */
export function xattrNames(whole: readonly BytePath[], alone: readonly BytePath[]): XattrNames {
  const dirs = [...whole, ...alone];
  const input = [...whole.map((dir) => `${dir}\0`), ...alone.map((dir) => `=${dir}\0`)].join('');
  const output = dirs.length === 0 ? null : perl(NAMES, ['llist'], input);
  const found = output === null ? null : parseNames(dirs, output);
  return found ?? { names: new Map(), unknown: new Set(dirs), counts: new Map() };
}

/** Null unless it has answered for all. */
function parseNames(dirs: readonly BytePath[], output: string): XattrNames | null {
  const lines = output.split('\n').slice(0, -1);
  if (lines.pop() !== String(dirs.length)) return null;
  const names = new Map<BytePath, readonly string[]>();
  const unknown = new Set<BytePath>();
  const counts = new Map<BytePath, number>();
  for (const line of lines) {
    const [i, name = '', ...found] = line.split(' ');
    const dir = dirs[Number(i)];
    if (dir === undefined) return null;
    if (name === '?') unknown.add(dir);
    else if (name.startsWith('=')) counts.set(dir, Number(name.slice(1)));
    else names.set(fromHex(name) === '.' ? dir : joinPath(dir, fromHex(name)), found.map(fromHex));
  }
  return { names, unknown, counts };
}
