/**
 * Extended attributes (ACLs, capabilities, user.*): Node has no call for them. Where getfattr is missing they are not
 * known, and nothing is said of them.
 */
import { spawnSync } from 'node:child_process';
import type { BytePath } from '../../bytes.ts';

export interface XattrPair {
  upperPath: BytePath;
  /** The host's path. */
  path: BytePath;
}

/** Pairs in one run of getfattr: far below the limit of an argument list (2 MB, a path has at most 4 kB). */
const BATCH = 200;

/** Overlayfs' own marks, and a label that policy gives and no command chose. */
const NOT_MEANT = /^(?:(?:user|trusted)\.overlay\.|security\.selinux=)/;

/** Those pairs whose two sides are known to have other attributes. */
export function withOtherXattrs<T extends XattrPair>(pairs: readonly T[]): T[] {
  const other: T[] = [];
  for (let at = 0; at < pairs.length; at += BATCH) {
    const batch = pairs.slice(at, at + BATCH);
    // Almost nothing has any: one run settles it for all.
    const any = xattrsOf(batch.flatMap(({ path, upperPath }) => [path, upperPath]));
    if (any !== '')
      other.push(...batch.filter((pair) => xattrsOf([pair.path]) !== xattrsOf([pair.upperPath])));
  }
  return other;
}

/** Turns its arguments, written for printf %b, into bytes. The x keeps a newline at a name's end. */
const WITH_BYTES = `
for name; do shift; set -- "$@" "$(printf '%bx' "$name")"; done
for name; do shift; set -- "$@" "\${name%x}"; done
exec getfattr "$@"`;

/** All attributes of the entries themselves, never of what a link leads to, in one text; empty when there are none. */
function xattrsOf(paths: readonly BytePath[]): string {
  const args = ['-h', '-d', '-m', '-', '-e', 'hex', '--absolute-names', '--', ...paths];
  const options = {
    encoding: 'latin1' as const,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
    maxBuffer: 64 * 1024 * 1024,
  };
  // Node passes arguments as UTF-8, and a name's bytes may be anything: those go through a shell, which is slower.
  const { stdout } = args.every((arg) => ASCII.test(arg))
    ? spawnSync('getfattr', args, options)
    : spawnSync('sh', ['-c', WITH_BYTES, 'sh', ...args.map(octal)], options);
  const lines = (stdout ?? '').split('\n').filter((line) => /^[a-z]/.test(line) && !NOT_MEANT.test(line));
  return lines.sort().join('\n');
}

const ASCII = /^[\x20-\x7e]*$/;

/** For printf %b: every byte that is not a plain letter, digit, dot or slash. */
function octal(path: string): string {
  return path.replace(/[^A-Za-z0-9./-]/g, (byte) => `\\0${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);
}
