/** Which of the pending changes a commit of git can hold. */
import { type BytePath, isWithin, parentOf } from '../../shared/bytes.ts';
import { type Change, type ChangeList, CONFLICT_REASONS } from '../../shared/model/change.ts';
import type { Told } from '../../shared/model/commit.ts';
import { nodePort } from '../kernel/fs/port.ts';

export interface ExportNames {
  /** Relative to the repository's top: files and links that are there. */
  names: BytePath[];
  /** What is not there any more. */
  gone: BytePath[];
  left: Told[];
}

/** Sorts the changes below `top` out; the others are not the repository's. */
export function splitNames(list: ChangeList, going: readonly Change[], top: BytePath): ExportNames {
  const foreign = new Foreign(list, top);
  const split: ExportNames = { names: [], gone: [], left: [] };
  for (const { path, pending, host, conflict } of going) {
    if (path === top || !isWithin(path, top)) continue;
    const name = path.slice(top === '/' ? 1 : top.length + 1) as BytePath;
    const why = foreign.why(path);
    if (why !== '') {
      if (why !== OWN_DATA) split.left.push({ path, why });
    } else if (conflict === 'unreadable') split.left.push({ path, why: CONFLICT_REASONS.unreadable });
    else if (pending?.type === 'file' || pending?.type === 'symlink') split.names.push(name);
    else {
      if (host !== null && host.type !== 'dir') split.gone.push(name);
      if (pending !== null && pending.type !== 'dir')
        split.left.push({ path, why: `git has no entries of this type (${pending.type})` });
    }
  }
  return split;
}

const OWN_DATA = 'it is the repository’s own data';

/** Directories that are repositories of their own, on the host or in the session. */
class Foreign {
  readonly #top: BytePath;
  readonly #pending: ReadonlySet<BytePath>;
  readonly #known = new Map<BytePath, string>();

  constructor(list: ChangeList, top: BytePath) {
    this.#top = top;
    this.#pending = new Set(list.changes.map(({ path }) => path));
  }

  why(path: BytePath): string {
    if (isWithin(path, `${this.#top === '/' ? '' : this.#top}/.git`)) return OWN_DATA;
    return this.#inside(parentOf(path));
  }

  #inside(dir: BytePath): string {
    if (dir === this.#top || !isWithin(dir, this.#top)) return '';
    const known = this.#known.get(dir);
    if (known !== undefined) return known;
    const own = `${dir}/.git` as BytePath;
    const isRepository = dir.endsWith('/.git') || this.#pending.has(own) || nodePort.lstat(own) !== null;
    const why = isRepository ? 'it belongs to another repository' : this.#inside(parentOf(dir));
    this.#known.set(dir, why);
    return why;
  }
}
