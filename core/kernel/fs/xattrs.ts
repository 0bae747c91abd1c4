/** Extended attributes, by a perl process because Node has no calls for them. Without perl: unknown. */
import { hash } from 'node:crypto';
import { constants } from 'node:os';
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { askPerl, perl } from '../perl.ts';
import type { XattrChange } from './xattr-text.ts';

/** In a program: the last call failed because the file system has no attributes. Loading Errno doubles perl's start. */
const UNSUPPORTED = `$! == ${constants.errno.ENOTSUP}`;

/** Reads paths that end with NUL; prints a line of `NAME=VALUE` in hex for each, or `?`. */
const READ = `
for my $p (split /\\0/, $input) {
  my $n = syscall($call[1], $p, $names, $max);
  if ($n < 0) { $out .= ${UNSUPPORTED} ? "\\n" : "?\\n"; next }
  my @all;
  for my $name (split /\\0/, substr($names, 0, $n)) {
    my $l = syscall($call[0], $p, "$name", $v, $max);
    push @all, unpack("H*", $name) . "=" . ($l < 0 ? "?" : unpack("H*", substr($v, 0, $l))); }
  $out .= join(" ", @all) . "\\n"; }`;

const READ_HERE = ['lget', 'llist'] as const;
const READ_OPEN = ['get', 'list'] as const;

/** Descriptors of this process, which perl has not. */
const [OWN, OURS] = [/^\/proc\/self\/fd\//, `/proc/${process.pid}/fd/`];

function readAll(paths: readonly BytePath[], fd?: number): string[] {
  if (paths.length === 0) return [];
  const calls = fd === undefined ? READ_HERE : READ_OPEN;
  const named = fd === undefined ? paths.map((path) => path.replace(OWN, OURS)) : paths;
  const input = named.map((path) => `${path}\0`).join('');
  return linesOf(paths, perl({ text: READ, calls }, input, fd));
}

function linesOf(paths: readonly BytePath[], output: string | null): string[] {
  const lines = output?.split('\n').slice(0, -1);
  return lines?.length === paths.length ? lines : paths.map(() => '?');
}

/** What a command sets and a copy can keep: not overlayfs' own, nor those of a policy or file system. */
const MEANT = /^(?:user\.(?!overlay\.)|system\.posix_acl_)/;
const MEANT_AS_ROOT = /^(?:user\.|trusted\.(?!overlay\.)|security\.capability$|system\.posix_acl_)/;
const ACLS = /^system\.posix_acl_/;

/** The attributes in a line of READ that a copy can keep, sorted; null = unknown. */
function meant(line: string): string | null {
  return only(process.getuid?.() === 0 ? MEANT_AS_ROOT : MEANT, line);
}

function only(pattern: RegExp, line: string): string | null {
  if (line === '') return '';
  if (line === '?') return null;
  const all = line.split(' ').filter((one) => pattern.test(fromHex(one.slice(0, one.indexOf('=')))));
  return all.some((one) => one.endsWith('=?')) ? null : all.sort().join(' ');
}

function fromHex(hex: string): string {
  return Buffer.from(hex, 'hex').toString('latin1');
}

/** Text that is equal for equal attributes; null = unknown. Follows no link. */
export function xattrsOf(paths: readonly BytePath[]): (string | null)[] {
  return readAll(paths).map(meant);
}

/** The same of ACLs alone, which are told of entries that may not be read, too. */
export function aclsOf(paths: readonly BytePath[]): (string | null)[] {
  return readAll(paths).map((line) => only(ACLS, line));
}

/** `xattrsOf`, while the caller goes on. */
export async function askXattrs(paths: readonly BytePath[]): Promise<(string | null)[]> {
  return (await askAll(paths)).map(meant);
}

async function askAll(paths: readonly BytePath[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const input = paths.map((path) => `${path}\0`).join('');
  return linesOf(paths, await askPerl({ text: READ, calls: READ_HERE }, input));
}

/** Descriptor 3: no path is resolved again, so no link that replaced the entry is followed. */
const HELD = '/proc/self/fd/3' as BytePath;

export function readOpenXattrs(fd: number): string | null {
  return meant(readAll([HELD], fd)[0] ?? '?');
}

const ORIGINS = ['user.overlay.origin', 'trusted.overlay.origin'].map(
  (name) => `${Buffer.from(name).toString('hex')}=`,
);

const isCopy = (line: string): boolean => ORIGINS.some((origin) => ` ${line}`.includes(` ${origin}`));

/** overlayfs marks the inode of a copy-up. */
export function areCopies(paths: readonly BytePath[]): boolean[] {
  return readAll(paths).map(isCopy);
}

/** The second of each pair is a copy-up, and has the attributes of the first. The caller goes on meanwhile. */
export async function areExactCopies(pairs: readonly (readonly [BytePath, BytePath])[]): Promise<boolean> {
  const lines = await askAll(pairs.flat());
  return pairs.every((_, i) => {
    const [from = '?', copy = '?'] = lines.slice(2 * i);
    return isCopy(copy) && meant(copy) !== null && meant(copy) === meant(from);
  });
}

export interface XattrPair {
  upperPath: BytePath;
  path: BytePath;
}

/** Starting perl takes milliseconds, and its output must fit into a buffer. */
const BATCH = 10_000;

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

export function xattrIdentity({ host, upper }: { host: string; upper: string }): string {
  return hash('sha256', `${host}/${upper}`).slice(0, 16);
}

/** Reads lines `NAME NEW OLD` (hex after `=`; `-` = none). Undoes all when one fails. Prints the errno. */
const SET = `
my $p = "${HELD}"; my @done;
sub put { my ($name, $to) = @_; my $n = pack("H*", $name);
  return syscall($call[1], $p, $n) if $to eq "-";
  my $v = pack("H*", substr($to, 1)); return syscall($call[0], $p, $n, $v, length($v), 0); }
$out = "0";
for my $line (split /\\n/, $input) { my ($name, $to, $from) = split / /, $line;
  if (put($name, $to) == 0) { unshift @done, [$name, $from]; next }
  $out = $! + 0; put(@$_) for @done; last }`;

/** All or none. Throws the errno of the attribute that can't be set; ENOSYS without perl. */
export function setOpenXattrs(fd: number, changes: readonly XattrChange[]): void {
  const value = (hex: string | null) => (hex === null ? '-' : `=${hex}`);
  const input = changes.map(({ name, from, to }) => `${name} ${value(to)} ${value(from)}\n`).join('');
  const output = perl({ text: SET, calls: ['set', 'remove'] }, input, fd);
  if (output === '0') return;
  const number = output === null ? constants.errno.ENOSYS : Number(output);
  const code = Object.entries(constants.errno).find(([, one]) => one === number)?.[0] ?? 'EIO';
  throw Object.assign(new Error(`${code}: extended attributes could not be set`), { code });
}

/**
 * Reads directories that end with NUL; a leading `=` asks for the directory alone. Prints `N NAME ATTRIBUTE
 * ...` in hex for each entry with attributes of the N-th directory (a dot = itself), `N ?` for unknown ones,
 * `N =COUNT`, and at last their number.
 */
const NAMES = `
my $i = -1; my $dot = "."; my $count;
for my $d (split /\\0/, $input) { $i++;
  my $alone = $d =~ s/^=//; my $h; unless (chdir $d and opendir $h, ".") { $out .= "$i ?\\n"; next }
  $count = -1;
  for my $name ($alone ? $dot : readdir $h) { next if $name eq ".."; $count++;
    my $n = syscall($call[0], $name, $names, $max); next if $n == 0 || ($n < 0 && ${UNSUPPORTED});
    $out .= $n < 0 ? "$i ?\\n" : join(" ", $i, map { unpack("H*", $_) } $name, split /\\0/, substr($names, 0, $n)) . "\\n"; }
  $out .= "$i =$count\\n" unless $alone; closedir $h; }
$out .= $i + 1 . "\\n";`;

export interface XattrNames {
  names: ReadonlyMap<BytePath, readonly string[]>;
  /** The attributes of something in these are unknown. */
  unknown: ReadonlySet<BytePath>;
  counts: ReadonlyMap<BytePath, number>;
}

/** Marks of overlayfs, and labels that a policy assigns by place. Also perl's pattern. */
export const OF_THE_PLACE = /^(?:user|trusted)\.overlay\.|^security\.(?!capability$)/;

/**
 * Reads paths that end with NUL; takes the mark of a copy-up off each. Prints 1, or 0 where another mark of
 * overlayfs or a label of a policy is left.
 */
const FREE = `
for my $p (split /\\0/, $input) { my $free = 1;
  my $n = syscall($call[0], $p, $names, $max); $free = 0 if $n < 0 && !(${UNSUPPORTED});
  for my $name ($n > 0 ? split /\\0/, substr($names, 0, $n) : ()) {
    if ($name =~ /^(?:user|trusted)\\.overlay\\.origin$/) { $free = 0 if syscall($call[1], $p, "$name") < 0 }
    elsif ($name =~ /${OF_THE_PLACE.source}/) { $free = 0 } }
  $out .= $free; }`;

/** Takes the mark of a copy-up off files in an upper. False: a mark is left, or is not known. */
export async function freeOfOrigin(paths: readonly BytePath[]): Promise<boolean[]> {
  if (paths.length === 0) return [];
  const input = paths.map((path) => `${path}\0`).join('');
  const output = await askPerl({ text: FREE, calls: ['llist', 'lremove'] }, input);
  return paths.map((_, i) => output?.[i] === '1');
}

/** Which directories are asked about: with their entries (`whole`), or without. */
export interface NamesAsked {
  whole: readonly BytePath[];
  alone: readonly BytePath[];
}

/** One system call an entry. */
export function xattrNames(asked: NamesAsked): XattrNames {
  return namesIn(asked, perl({ text: NAMES, calls: ['llist'] }, namesInput(asked)));
}

/** The same, while the caller goes on. Never rejects. */
export async function askXattrNames(asked: NamesAsked): Promise<XattrNames> {
  if (asked.whole.length + asked.alone.length === 0) return namesIn(asked, null);
  return namesIn(asked, await askPerl({ text: NAMES, calls: ['llist'] }, namesInput(asked)));
}

function namesInput({ whole, alone }: NamesAsked): string {
  return [...whole.map((dir) => `${dir}\0`), ...alone.map((dir) => `=${dir}\0`)].join('');
}

function namesIn({ whole, alone }: NamesAsked, output: string | null): XattrNames {
  const dirs = [...whole, ...alone];
  const found = output === null ? null : parseNames(dirs, output);
  return found ?? { names: new Map(), unknown: new Set(dirs), counts: new Map() };
}

/** Null when the output is incomplete. */
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
