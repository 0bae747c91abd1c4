/** Is there room for the copies, before the first is made? */
import { type BytePath, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { Dirs } from '../../kernel/fs/dir-handles.ts';
import { at, type FsPort } from '../../kernel/fs/port.ts';
import type { CheckedStep } from './check-steps.ts';

/** Left free beyond the copies: directories, inodes and the journal take some (bytes). */
const RESERVE = 256 * 1024;

/** statfs(2) numbers of btrfs, xfs and bcachefs: there a copy shares its blocks, and is tried rather than counted. */
const SHARING = new Set([0x9123683e, 0x58465342, 0xca451a4e]);

/** @throws TraiError `no-space` naming the directory, what it takes and what is there */
export function checkSpace(port: FsPort, dirs: Dirs, bases: ReadonlyMap<CheckedStep, BytePath>): void {
  const needed = new Map<BytePath, number>();
  for (const [{ upper }, base] of bases) {
    let bytes = needed.get(base) ?? RESERVE;
    for (const stat of upper.values()) bytes += stat.disk;
    needed.set(base, bytes);
  }
  for (const [base, bytes] of needed) {
    const { free, kind } = port.space(at(dirs.open(base)));
    if (bytes <= free || SHARING.has(kind)) continue;
    const shown = toDisplay(base);
    throw new TraiError('no-space', `The commit needs ${bytes} bytes below ${shown}; ${free} are free.`, {
      hint: 'Nothing was applied. Free some space there and commit again.',
      path: shown,
      data: { needed: bytes, free },
    });
  }
}
