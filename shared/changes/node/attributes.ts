/** Entries that view and host both have, and that may differ in their extended attributes alone. */
import type { BytePath } from '../../bytes.ts';
import type { Entry } from './entry.ts';
import type { Found } from './found.ts';
import type { Steps } from './walk-parts.ts';
import { withOtherXattrs } from './xattrs.ts';

interface Both {
  path: BytePath;
  upperPath: BytePath;
  upper: Entry;
  host: Entry;
}

interface Asked extends Both {
  /** What was found of the entry, or null. */
  found: Found | null;
  make: () => Found;
}

/** Collects them, since one program looks at all. */
export class Attributes {
  readonly #asked: Asked[] = [];

  /** @param make the change that it is, if the attributes alone differ */
  ask({ path, upperPath, upper, host }: Both, found: Found | null, make: () => Found): void {
    this.#asked.push({ path, upperPath, upper, host, found, make });
  }

  /** Yields the entries that differ in nothing else, and marks those that were found before. */
  *compare(): Steps {
    yield null;
    for (const { upper, host, found, make } of withOtherXattrs(this.#asked)) {
      const other = found ?? make();
      const { change } = other;
      change.xattrs = true;
      // The host's names and its attributes move the same time: whose doing it is can't be told then.
      if (host.type === 'dir' && host.ctimeNs >= upper.birthNs) change.conflict ??= 'unknown-base';
      other.identity += ' x';
      if (found === null) yield other;
    }
  }
}
