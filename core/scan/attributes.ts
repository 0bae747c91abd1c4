/** Entries that view and host both have, and that may differ in their extended attributes alone. */

import type { BytePath } from '../../shared/bytes.ts';
import type { BaseState } from '../../shared/model/base-record.ts';
import type { Change } from '../../shared/model/change.ts';
import { TIMES_RULE } from '../../shared/model/ignore.ts';
import type { Stat } from '../kernel/fs/port.ts';
import { otherXattrs, xattrIdentity } from '../kernel/xattr/values.ts';
import { xattrHash } from '../overlay/base-of.ts';
import { timeChanged } from './judge.ts';
import type { Steps } from './walk-parts.ts';

interface Both {
  path: BytePath;
  upperPath: BytePath;
  upper: Stat;
  host: Stat;
  base: BaseState;
}

interface Asked extends Both {
  /** What was found of the entry, or null. */
  found: Change | null;
  make: () => Change;
}

/** Collects them, since one program looks at all. */
export class Attributes {
  /** Files that differ in their modification time alone. */
  readonly times: Change[] = [];
  readonly #asked: Asked[] = [];

  /** @param make the change that it is, if the attributes alone differ */
  ask({ path, upperPath, upper, host, base }: Both, found: Change | null, make: () => Change): void {
    this.#asked.push({ path, upperPath, upper, host, base, found, make });
    if (found !== null || !timeChanged({ host, upper })) return;
    const change = make();
    // Never over what the host has made of it since, and not where a rule leaves it out.
    if (change.kind !== 'meta' || change.conflict !== null || change.ignored !== null) return;
    this.times.push({ ...change, ignored: TIMES_RULE });
  }

  /** Yields the entries that differ in nothing else, and marks those that were found before. */
  *compare(): Steps {
    yield null;
    for (const { pair, ...both } of otherXattrs(this.#asked)) {
      const { upper, host, base, found, make } = pair;
      const from = base.state === 'known' ? base.xattrs : undefined;
      // The copy in the upper has those that the host had: other ones since are the host's doing.
      if (from === xattrHash(both.upper)) continue;
      const change = found ?? make();
      change.xattrs = true;
      change.xattrIdentity = xattrIdentity(both);
      if (from !== undefined && from !== xattrHash(both.host)) change.conflict ??= 'host-changed';
      // The host's names and its attributes move the same time: whose doing it is can't be told then.
      if (from === undefined && host.type === 'dir' && host.ctimeNs >= upper.birthNs)
        change.conflict ??= 'unknown-base';
      if (found === null) yield change;
    }
  }
}
