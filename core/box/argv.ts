/** From the rows of a box to bwrap's arguments. Pure. */
import type { BytePath } from '../../shared/bytes.ts';
import type { BoxOptions } from '../../shared/config/box.ts';
import type { BoxRow } from '../../shared/model/box.ts';
import { NAMESPACES } from './bwrap.ts';

interface BoxCommand {
  rows: readonly BoxRow[];
  cwd: BytePath;
  net: BoxOptions['net'];
  /** Away from the terminal, into which it could type. */
  newSession: boolean;
}

/** Those of one row. */
export function rowArgs({ from, to, how }: BoxRow): string[] {
  switch (how) {
    case 'tmpfs':
      return to === '/tmp' ? ['--perms', '1777', '--tmpfs', to] : ['--tmpfs', to];
    case 'proc':
      return ['--proc', to];
    case 'dev':
      return ['--dev', to];
    case 'ro':
    case 'empty':
      return ['--ro-bind', from ?? to, to];
    case 'host':
    case 'pending':
    case 'instance':
      return ['--bind', from ?? to, to];
  }
}

/** Those beside the rows. */
export function fixedArgs({ cwd, net, newSession }: Omit<BoxCommand, 'rows'>): string[][] {
  return [
    ...NAMESPACES.map((name) => [name]),
    // bwrap leaves root those of the box's namespaces, with which the mounts below could be undone.
    ['--cap-drop', 'ALL'],
    ...(net === 'open' ? [] : [['--unshare-net']]),
    ...(newSession ? [['--new-session']] : []),
    ['--chdir', cwd],
  ];
}

/** For `--args FD`: byte strings, each with a NUL behind it. */
export function boxArgs({ rows, ...fixed }: BoxCommand): Buffer {
  const words = [...rows.flatMap(rowArgs), ...fixedArgs(fixed).flat()];
  return Buffer.from(words.map((word) => `${word}\0`).join(''), 'latin1');
}

/**
 * What the launcher starts, with the arguments on descriptor 3: makes the targets that are missing in the merged view,
 * closes all other descriptors, and becomes bwrap, which notes in `status` whether anything ran. `gate`: a FIFO, in which the
 * box waits for a byte before anything runs in it; empty = none.
 */
export const ENTRY = `shopt -s nullglob
t_bwrap=$1 t_status=$2 t_gate=$3
shift 3
t_dirs=() t_files=()
while [[ $1 != -- ]]; do
  case $1 in
    dir) [[ -d $2 ]] || t_dirs+=("$2") ;;
    file) t_files+=("$2") ;;
  esac
  shift 2
done
((!\${#t_dirs[@]})) || /bin/mkdir -p -m 700 -- "\${t_dirs[@]}" || exit 125
for t_file in "\${t_files[@]}"; do [[ -e $t_file ]] || : >"$t_file" || exit 125; done
for t_fd in /proc/self/fd/*; do
  t_fd=\${t_fd##*/}
  ((t_fd <= 3)) || eval "exec $t_fd>&-"
done
exec 4>"$t_status" || exit 125
if [[ -n $t_gate ]]; then
  exec 5<"$t_gate" || exit 125
  set -- --block-fd 5 "$@"
fi
exec "$t_bwrap" --args 3 --json-status-fd 4 "$@"`;
