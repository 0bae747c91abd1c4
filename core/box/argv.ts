/** From the rows of a box to bwrap's arguments. Pure. */
import type { BytePath } from '../../shared/bytes.ts';
import type { BoxOptions } from '../../shared/config/box.ts';
import type { BoxRow } from '../../shared/model/box.ts';
import { programPath } from '../kernel/programs.ts';
import { NAMESPACES, RESETS } from './bwrap.ts';
import { rowOrder } from './table.ts';

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

/** For `--args FD`: byte strings, each with a NUL behind it. Without what is hidden: `ENTRY` adds that. */
export function boxArgs({ rows, ...fixed }: BoxCommand): Buffer {
  const shown = rows.filter(({ how }) => how !== 'empty');
  const words = [...shown.flatMap(rowArgs), ...fixedArgs(fixed).flat()];
  return Buffer.from(words.map((word) => `${word}\0`).join(''), 'latin1');
}

/** For `ENTRY`: directories before what is below them. @param unseen what is not on the host; it may be pending */
export function hiddenPaths(rows: readonly BoxRow[], unseen: readonly BytePath[]): BytePath[] {
  const hidden = rows.filter(({ how }) => how === 'empty').map(({ to }) => to);
  const paths = [...new Set([...hidden, ...unseen])];
  return paths.sort((a, b) => (rowOrder(a) < rowOrder(b) ? -1 : 1));
}

/** Beside bwrap, what `ENTRY` starts. */
export const ENTRY_PROGRAMS = ['bash', 'env', 'mkdir', 'readlink', 'true'].map(programPath) as BytePath[];

/**
 * What the launcher starts, with the arguments on descriptor 3: makes the targets that are missing in the merged view,
 * closes all other descriptors, and becomes bwrap, which notes in `status` whether anything ran. `gate`: a FIFO, in which the
 * box waits for a byte before anything runs in it; empty = none. What is to be hidden is looked at here: bwrap would make what
 * is only on the host, and the host does not have what is pending. Of a pending link what it leads to in the project is hidden,
 * and a directory is hidden whole that cannot be looked into: the program could change its mode. Ctrl-C and Ctrl-\\ are left to
 * the command: bwrap would end, and the box with it, as it does where env(1) has no `--default-signal` (GNU's before 8.31,
 * BusyBox's); `resets`: `yes` where that is known, and need not be tried.
 */
export const ENTRY = `shopt -s nullglob
t_bwrap=$1 t_status=$2 t_gate=$3 t_none=$4 t_resets=$6
printf -v t_project %b "$5"
shift 6
t_dirs=() t_files=() t_hide=() t_hidden=()
while [[ $1 != -- ]]; do
  t_what=$1
  printf -v t_path %b "$2"
  shift 2
  case $t_what in
    dir) [[ -d $t_path ]] || t_dirs+=("$t_path") ;;
    file) t_files+=("$t_path") ;;
    hide)
      t_given=$t_path t_dir=\${t_path%/*}
      while [[ ! -d \${t_dir:=/} ]]; do t_dir=\${t_dir%/*}; done
      if [[ ! -x $t_dir ]]; then t_given=$t_dir t_path=$t_dir; fi
      [[ -e $t_path ]] || continue
      cd -P -- "\${t_path%/*}/" || exit 125
      t_path=\${PWD%/}/\${t_path##*/}
      if [[ -L $t_path ]]; then
        t_path=$(${programPath('readlink')} -f -- "$t_path" && printf x) || exit 125
        t_path=\${t_path%$'\\nx'}
      fi
      [[ $t_path == "$t_given" || $t_path == "$t_project"/* ]] || continue
      for t_one in "\${t_hidden[@]}"; do [[ $t_path/ != "$t_one"/* ]] || continue 2; done
      t_hidden+=("$t_path")
      if [[ -d $t_path ]]; then t_hide+=(--ro-bind "$t_none/dir" "$t_path")
      else t_hide+=(--ro-bind "$t_none/file" "$t_path"); fi
      ;;
  esac
done
((!\${#t_dirs[@]})) || ${programPath('mkdir')} -p -m 700 -- "\${t_dirs[@]}" || exit 125
for t_file in "\${t_files[@]}"; do [[ -e $t_file ]] || : >"$t_file" || exit 125; done
for t_fd in /proc/self/fd/*; do
  t_fd=\${t_fd##*/}
  ((t_fd <= 3)) || eval "exec $t_fd>&-"
done
exec 4>"$t_status" || exit 125
if [[ $t_resets == yes ]] || ${programPath('env')} ${RESETS.join(' ')} ${programPath('true')} 2>/dev/null; then
  trap '' INT QUIT
  shift
  set -- -- ${programPath('env')} ${RESETS.join(' ')} "$@"
fi
if [[ -n $t_gate ]]; then
  exec 5<"$t_gate" || exit 125
  set -- --block-fd 5 "$@"
fi
exec "$t_bwrap" --args 3 --json-status-fd 4 "\${t_hide[@]}" "$@"`;
