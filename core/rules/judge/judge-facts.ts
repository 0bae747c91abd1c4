/** What rules ask about the machine: the host, and the merged view where there is a session. */
import { type BytePath, fromText, isWithin, joinPath, toText } from '../../../shared/bytes.ts';
import type { Config } from '../../../shared/config/config.ts';
import type { Mode } from '../../../shared/model/decision.ts';
import { isWhiteout } from '../../../shared/model/identity.ts';
import { decide } from '../../decide/decide.ts';
import { lstatOrNone, namesOrNone } from '../../kernel/fs/entry.ts';
import { orNull } from '../../kernel/fs/port.ts';
import { resolvePath, upperOf, type ViewParts } from '../../scan/lookup/resolve.ts';

/** Paths are ordinary text. */
export interface JudgeFacts {
  home: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** The config's list. */
  readOnly: readonly string[];
  /**
   * Where core/decide says that a command will run; null for other tools, and where it is not known. A call that only
   * reads counts as `sandbox`, wherever it runs.
   */
  runs: Mode | null;
  /**
   * The paths that an absolute path leads to, without links, on the host and in the merged view; also for a path that
   * does not exist. Null = not known.
   */
  resolve(path: string): readonly string[] | null;
  /** The names in a directory, on the host and in the merged view; null = not known, or too many. */
  names(dir: string): readonly string[] | null;
  /** What this call writes to an absolute path stays pending. */
  isPending(path: string): boolean;
}

/** More names in one directory are not looked through. */
const MAX_NAMES = 2_000;

export interface FactsRequest {
  /**
   * Asked when a path has to be looked at; null = before the first call. `none`: there is no session, and the config
   * alone tells what would stay pending.
   */
  view: 'none' | (() => ViewParts | null);
  home: string;
  config: Pick<Config, 'readOnly' | 'enabled' | 'scratch'>;
  runs: Mode | null;
}

export function judgeFacts({ view, home, config, runs }: FactsRequest): JudgeFacts {
  let seen: ViewParts | null | 'damaged' | undefined;
  const parts = (): ViewParts | null | 'damaged' => {
    if (seen === undefined) seen = view === 'none' ? null : viewOrDamaged(view);
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
      const pending = parts() === null ? onHost : textOf(inView(path));
      return onHost === null || pending === null ? null : [...new Set([onHost, pending])];
    },
    names(dir) {
      const [at, side] = [inView(dir), parts()];
      return at === null || side === 'damaged' ? null : namesIn(side, at);
    },
    isPending(path) {
      const at = inView(path);
      if (view === 'none') return runs === 'sandbox' && at !== null && staysPending(at, config);
      const side = parts();
      return at !== null && side !== null && side !== 'damaged' && upperOf(side, at) !== null;
    },
  };
}

/** Of a call that is made up, or of the past. A reader counts as sandboxed: what is pending by then is not known. */
export function whereItRuns(
  command: string,
  cwd: string,
  { home, config }: { home: string; config: Config },
): Mode {
  const about = { cwd, home, ownPrograms: [], ownPermit: false, oneShot: false };
  return decide(command, { ...about, pending: true, config }).mode;
}

const KERNEL_DIRS = ['/dev', '/proc', '/sys'];

/** As far as the config tells: the mount plan of a session knows better. */
function staysPending(path: BytePath, { enabled, scratch }: FactsRequest['config']): boolean {
  return enabled && ![...KERNEL_DIRS, ...scratch.map(fromText)].some((dir) => isWithin(path, dir));
}

/** A damaged plan refuses commands at the claim; here it must not stop other tools. */
function viewOrDamaged(view: () => ViewParts | null): ViewParts | null | 'damaged' {
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
  const text = toText(path);
  return fromText(text) === path ? text : null;
}
