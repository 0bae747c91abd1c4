/** Copies entries out of the merged view with one cp(1) for many: it keeps what Node has no calls for. */
import type { BytePath } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { CP_LONGEST, DeepCopy, TOO_LONG } from '../../kernel/fs/deep-copy.ts';
import type { FsPort } from '../../kernel/fs/port.ts';
import { dropInheritedSetgid } from './setgid.ts';

/** Bytes of names for one cp: execve takes about 2 MB of arguments and environment together. */
const ARGUMENT_BYTES = 1_000_000;

/**
 * Reads a directory and names, each ended by NUL, from stdin: Node can't pass arguments that are not UTF-8.
 * Descriptor 3 is the staging directory. `--parents` makes the same tree there.
 */
const SCRIPT =
  'IFS= read -r -d "" how; IFS= read -r -d "" dir; cd -- "$dir" || exit 3; mapfile -d "" -t names; ' +
  'exec cp -a "$how" --parents -t /proc/self/fd/3 -- "$' +
  '{names[@]}"';

/** What cp says of an entry that it may not read. */
const DENIED = /Permission denied$/;

/**
 * Copies `names` (relative to `from`, which lies in a viewer or on the host) into the directory that `to` holds. Overlay marks are
 * hidden by the view, so none is copied; xattrs, ACLs, times, modes, owners and links among the names are kept.
 *
 * As an ordinary user cp joins the view's user namespace: as its root it can read and write own entries of any mode
 * (000, 0555), and nothing that the user could not. What it may not read on the host is copied by a cp in a user namespace
 * of its own: there the file's group has to be the user's primary one.
 *
 * @param how `--link`: files get a second name instead of a copy, directories are made anew
 * @returns what cp complained about; the caller looks at what is there
 * @throws TraiError `no-space`
 */
export async function copyOut(
  port: FsPort,
  from: BytePath,
  names: readonly BytePath[],
  to: number,
  how: '--reflink=auto' | '--link' = '--reflink=auto',
): Promise<string> {
  const run: Run = { port, ...command(from), how };
  const short = names.filter(({ length }) => length < CP_LONGEST);
  let complaint = '';
  let deep = short.length < names.length;
  let closed = false;
  for (const chunk of chunks(short)) {
    const said = await cp(run, `${from}/.`, chunk, [to]);
    if (said.some((line) => TOO_LONG.test(line))) deep = true;
    if (isPlain(run) && said.some((line) => DENIED.test(line))) closed = true;
    complaint ||= said.find((line) => !TOO_LONG.test(line) && !(isPlain(run) && DENIED.test(line))) ?? '';
  }
  // Even after another complaint: what can be copied is.
  if (deep || closed) {
    const said = await copyDeep(closed ? { ...run, ...OWN_ROOT } : run, from, names, to);
    complaint ||= said;
  }
  dropInheritedSetgid(port, from, names, to);
  return complaint;
}

async function copyDeep(run: Run, from: BytePath, names: readonly BytePath[], to: number): Promise<string> {
  const { port } = run;
  const copy = new DeepCopy(port, to, async (source, target, here) => {
    let complaint = '';
    for (const chunk of chunks(here))
      complaint ||= (await cp(run, '/proc/self/fd/4/.', chunk, [target, source]))[0] ?? '';
    return complaint;
  });
  const top = port.openDir(`${from}/.` as BytePath);
  try {
    for (const name of names) await copy.add(top, name);
  } finally {
    port.close(top);
  }
  return copy.complaint;
}

interface Run {
  port: FsPort;
  program: string;
  args: string[];
  how: string;
}

/** What it complained about, line by line; none = all is copied. `fds` are its descriptors 3 and so on. */
async function cp(
  { port, program, args, how }: Run,
  dir: string,
  names: readonly BytePath[],
  fds: readonly number[],
): Promise<string[]> {
  // The dot keeps a name that begins with a dash from being an option of cd; a relative path from being one of cp.
  const input = Buffer.from([how, dir, ...names.map((name) => `./${name}`), ''].join('\0'), 'latin1');
  const { status, stderr } = await port.run(program, args, input, fds);
  if (status === 0) return [];
  const said = stderr.trim().split('\n');
  if (/No space left on device|Disk quota exceeded/.test(stderr)) {
    throw new TraiError('no-space', `The copies for the commit could not be written: ${said[0]}`, {
      hint: 'Nothing was applied. Free some space on the file system of the target and commit again.',
    });
  }
  if (status === 127) throw new TraiError('io', `cp could not be started: ${stderr.trim()}`);
  return said;
}

// Node's pipes are sockets, and bash takes a socket for a remote login, which reads ~/.bashrc.
const SHELL = ['bash', '--norc', '-c', SCRIPT];
const OWN_ROOT = { program: 'unshare', args: ['--user', '--map-root-user', ...SHELL] };

function command(from: BytePath): { program: string; args: string[] } {
  const pid = /^\/proc\/(\d+)\/root\//.exec(from)?.[1];
  if (pid === undefined || process.getuid?.() === 0) return { program: 'bash', args: SHELL.slice(1) };
  return { program: 'nsenter', args: ['--preserve-credentials', '-U', '-t', pid, ...SHELL] };
}

/** Whether cp runs as the ordinary user that we are. */
const isPlain = ({ program }: Run): boolean => program === 'bash' && process.getuid?.() !== 0;

function* chunks(names: readonly BytePath[]): Generator<BytePath[]> {
  let chunk: BytePath[] = [];
  let bytes = 0;
  for (const name of names) {
    // A pointer of eight bytes goes with each argument.
    bytes += name.length + 12;
    if (bytes > ARGUMENT_BYTES && chunk.length > 0) {
      yield chunk;
      chunk = [];
      bytes = name.length + 12;
    }
    chunk.push(name);
  }
  if (chunk.length > 0) yield chunk;
}
