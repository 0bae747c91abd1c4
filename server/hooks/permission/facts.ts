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
  /** Asked when a path has to be looked at. Null = before the first call, and without a session. */
  view: () => ViewParts | null;
  home: string;
  config: Pick<Config, 'readOnly'>;
  runs: Mode | null;
}

export function judgeFacts({ view, home, config, runs }: FactsRequest): JudgeFacts {
  let seen: ViewParts | null | 'damaged' | undefined;
  const parts = (): ViewParts | null | 'damaged' => {
    if (seen === undefined) seen = viewOrDamaged(view);
    return seen;
  };
  // What cannot be looked at is not known.
  const inView = (path: string): BytePath | null => {
    const side = parts();
    return side === 'damaged' ? null : orNull(() => resolvePath(side, fromText(path)));
  };
  return {
    home,
    now: Date.now(),
    readOnly: config.readOnly,
    runs,
    resolve(path) {
      const onHost = textOf(orNull(() => resolvePath(null, fromText(path))));
      const pending = textOf(inView(path));
      return onHost === null || pending === null ? null : [...new Set([onHost, pending])];
    },
    names(dir) {
      const [at, side] = [inView(dir), parts()];
      return at === null || side === 'damaged' ? null : namesIn(side, at);
    },
    isPending(path) {
      const [at, side] = [inView(path), parts()];
      return at !== null && side !== null && side !== 'damaged' && upperOf(side, at) !== null;
    },
  };
}

/** A damaged plan refuses commands at the claim; here it must not stop other tools. */
function viewOrDamaged(view: FactsRequest['view']): ViewParts | null | 'damaged' {
  try {
    return view();
  } catch {
    return 'damaged';
  }
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
