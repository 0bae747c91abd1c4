/** What permission rules ask about the machine, for the calls of a session. */
import { lstatOrNone, namesOrNone } from '../../../core/kernel/fs/entry.ts';
import { orNull } from '../../../core/kernel/fs/port.ts';
import type { JudgeFacts } from '../../../core/rules/judge/judge-facts.ts';
import { resolvePath, upperOf, type ViewParts } from '../../../core/scan/lookup/resolve.ts';
import { type BytePath, fromText, joinPath } from '../../../shared/bytes.ts';
import type { Config } from '../../../shared/config/config.ts';
import type { Mode } from '../../../shared/model/decision.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';

/** More names in one directory are not looked through. */
const MAX_NAMES = 2_000;

export interface FactsRequest {
  /** Null = before the first call, and without a session. */
  view: ViewParts | null;
  home: string;
  config: Pick<Config, 'readOnly'>;
  runs: Mode | null;
}

export function judgeFacts({ view, home, config, runs }: FactsRequest): JudgeFacts {
  const inView = (path: string): BytePath | null => orNull(() => resolvePath(view, fromText(path)));
  return {
    home,
    now: Date.now(),
    readOnly: config.readOnly,
    runs,
    resolve(path) {
      const sides = view === null ? [null] : [null, view];
      const found = sides.map((side) => textOf(orNull(() => resolvePath(side, fromText(path)))));
      const known = found.filter((one) => one !== null);
      return known.length < found.length ? null : [...new Set(known)];
    },
    names(dir) {
      const at = inView(dir);
      return at === null ? null : namesIn(view, at);
    },
    isPending(path) {
      const at = inView(path);
      return view !== null && at !== null && upperOf(view, at) !== null;
    },
  };
}

function namesIn(view: ViewParts | null, dir: BytePath): string[] | null {
  const names = new Set(namesOrNone(dir));
  const upper = view === null ? null : upperOf(view, dir);
  if (upper !== null) {
    for (const name of namesOrNone(upper)) {
      const entry = lstatOrNone(joinPath(upper, name));
      if (entry !== null && !isWhiteout(entry)) names.add(name);
    }
  }
  if (names.size > MAX_NAMES) return null;
  const texts = [...names].map((name) => textOf(name as BytePath));
  return texts.includes(null) ? null : texts.filter((text) => text !== null);
}

/** Null for bytes that are no UTF-8: no text is them. */
function textOf(path: BytePath | null): string | null {
  if (path === null) return null;
  const text = Buffer.from(path, 'latin1').toString('utf8');
  return fromText(text) === path ? text : null;
}
