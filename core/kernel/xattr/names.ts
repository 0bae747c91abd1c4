/**
 * Extended attributes. Node has no call for them: perl reads and sets them in a process of its own.
 *
 * - names.ts (here): the names of the attributes of everything in some directories, one system call an entry. It can run while
 *   its caller works.
 * - values.ts: the values of named entries. text.ts: their form in the journal. set-xattrs.ts: sets those of one directory
 *   through a held descriptor.
 */
import { spawn, spawnSync } from 'node:child_process';
import { type BytePath, joinPath } from '../../../shared/bytes.ts';
import { CALLS } from './values.ts';

/** What to ask: directories with all that is in them, and directories alone. */
export interface Asked {
  whole: readonly BytePath[];
  alone: readonly BytePath[];
}

/** By path, the entries that have any. */
export interface XattrNames {
  names: ReadonlyMap<BytePath, readonly string[]>;
  /** Directories of which, or of something in which, it is not known. */
  unknown: ReadonlySet<BytePath>;
  /** How many names are in each directory that was asked for whole. */
  counts: ReadonlyMap<BytePath, number>;
}

/**
 * Reads directories that end with NUL; an equals sign in front of one asks for itself alone. Prints `N NAME ATTRIBUTE ...`
 * in hex for each entry of the N-th that has attributes (NAME is a dot for the directory itself), `N ?` where it can't
 * tell, `N =NAMES` with the number of names in it, and at the end the number of directories. Perl takes no constant as the
 * argument of a system call.
 */
const PERL = `
exit 3 unless length(pack("p", "")) == 8;
my ($list) = map { $_ + 0 } @ARGV; my $max = 65536; $/ = "\\0"; binmode STDIN; my $out = ""; my $i = 0;
my $names = "\\0" x $max; my $dot = "."; my $count;
for (; defined(my $d = <STDIN>); $i++) { chomp $d;
  my $alone = $d =~ s/^=//; my $h; unless (chdir $d and opendir $h, ".") { $out .= "$i ?\\n"; next }
  $count = -1;
  for my $name ($alone ? $dot : readdir $h) { next if $name eq ".."; $count++;
    my $n = syscall($list, $name, $names, $max); next if $n == 0 || ($n < 0 && $!{ENOTSUP});
    $out .= $n < 0 ? "$i ?\\n" : join(" ", $i, map { unpack("H*", $_) } $name, split /\\0/, substr($names, 0, $n)) . "\\n"; }
  $out .= "$i =$count\\n" unless $alone; closedir $h; }
print "$out$i\\n";`;

/** Null on a machine whose system calls have other numbers. */
const argumentsOf = (): string[] | null => {
  const list = CALLS[process.arch]?.[1];
  return list === undefined ? null : ['-MErrno', '-e', PERL, list];
};

const OPTIONS = () => ({ env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' }, cwd: '/' });

/** Where perl can't be run nothing is known. */
export async function xattrNames(asked: Asked): Promise<XattrNames> {
  const dirs = [...asked.whole, ...asked.alone];
  const args = dirs.length === 0 ? null : argumentsOf();
  return (args === null ? null : parse(dirs, await run(args, inputOf(asked)))) ?? unknownAll(dirs);
}

/** The same for a caller that can't wait. */
export function xattrNamesNow(asked: Asked): XattrNames {
  const dirs = [...asked.whole, ...asked.alone];
  const args = dirs.length === 0 ? null : argumentsOf();
  if (args === null) return unknownAll(dirs);
  const { status, stdout } = spawnSync('perl', args, {
    ...OPTIONS(),
    ...{ input: inputOf(asked), encoding: 'latin1', maxBuffer: 512 * 1024 * 1024 },
  });
  return parse(dirs, status === 0 ? stdout : '') ?? unknownAll(dirs);
}

function unknownAll(dirs: readonly BytePath[]): XattrNames {
  return { names: new Map(), unknown: new Set(dirs), counts: new Map() };
}

function inputOf({ whole, alone }: Asked): Buffer {
  const line = (dir: BytePath) => `${dir}\0`;
  return Buffer.from([...whole.map(line), ...alone.map((dir) => `=${line(dir)}`)].join(''), 'latin1');
}

function run(args: readonly string[], text: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn('perl', args, { ...OPTIONS(), stdio: ['pipe', 'pipe', 'ignore'] });
    const chunks: Buffer[] = [];
    child.on('error', () => resolve(''));
    child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks).toString('latin1') : ''));
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    // EPIPE when it ends early: its exit status tells.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
}

/** Null unless it has answered for all. */
function parse(dirs: readonly BytePath[], text: string): XattrNames | null {
  const lines = text.split('\n').slice(0, -1);
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
    else names.set(name === DOT ? dir : joinPath(dir, fromHex(name)), found.map(fromHex));
  }
  return { names, unknown, counts };
}

const DOT = '2e';

function fromHex(hex: string): string {
  return Buffer.from(hex, 'hex').toString('latin1');
}
