/** Extended attributes of the host's directories, for directories that an upper is to have like them. */
import { type BytePath, isWithin, parentOf } from '../../../shared/bytes.ts';
import type { FsPort } from '../../kernel/fs/port.ts';
import { coveringDir, type SessionContext } from '../../session/session-context.ts';
import type { Uppers } from './uppers.ts';

/** Reads all that may be asked for with one program, when the first is. */
export class HostXattrs {
  readonly #port: FsPort;
  readonly #ctx: SessionContext;
  readonly #paths: readonly BytePath[];
  #texts: Map<BytePath, string> | null = null;

  /** @param paths entries whose directories may have to be made */
  constructor(port: FsPort, ctx: SessionContext, paths: readonly BytePath[]) {
    this.#port = port;
    this.#ctx = ctx;
    this.#paths = paths;
  }

  /** As core/kernel/xattr/text.ts has them; empty where they are not known. */
  of(dir: BytePath): string {
    this.#texts ??= this.#read(dir);
    return this.#texts.get(dir) ?? '';
  }

  #read(first: BytePath): Map<BytePath, string> {
    const dirs = new Set([first]);
    for (const path of this.#paths) {
      const root = coveringDir(this.#ctx.coveredDirs, path)?.path ?? path;
      for (let dir = path; dir !== root && isWithin(dir, root) && !dirs.has(dir); dir = parentOf(dir))
        dirs.add(dir);
    }
    const all = [...dirs];
    const texts = this.#port.xattrsOf(all);
    return new Map(all.map((dir, i) => [dir, texts[i] ?? '']));
  }
}

/** Which of the directories have other attributes in the upper than on the host: that is no copy of what is there. */
export function otherThanHost(port: FsPort, uppers: Uppers, dirs: readonly BytePath[]): BytePath[] {
  const texts = port.xattrsOf(dirs.flatMap((dir) => [dir, uppers.pathOf(dir)]));
  return dirs.filter((_, i) => {
    const [host, upper] = [texts[2 * i] ?? null, texts[2 * i + 1] ?? null];
    return host !== null && upper !== null && host !== upper;
  });
}
