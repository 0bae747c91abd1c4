/**
 * From a mount plan to directories on disk, for one call. core/overlay/prepare.ts drives it:
 *
 *     draft.ts         draft the plan for the mounts, config and environment of the launcher     (every call)
 *                      or use one that was made after PreToolUse, if the claim would make the same
 *     binds.ts         sockets that the environment names, ssh's system files                    (every call)
 *     covered-dirs.ts  number the covered directories, make their uppers and work directories    (new plan)
 *     copies.ts        copy the own files of $HOME or of a project that has mounts below         (new plan)
 *     plan-files.ts    write plan/ID, then point plan/current to it                              (new plan)
 */
import { lstatSync } from 'node:fs';
import { type BytePath, fromText } from '../../../shared/bytes.ts';
import type { Config } from '../../../shared/model/config-types.ts';
import { readEntries } from '../../kernel/fs/entry.ts';
import { fsPath } from '../../kernel/fs/port.ts';
import { type Mount, parseMountinfo } from '../../kernel/mounts/mountinfo.ts';
import { knownSilent } from '../../kernel/mounts/silent-mounts.ts';
import { orNull } from '../../kernel/or-null.ts';
import { isRealRoot } from '../../kernel/proc/real-root.ts';
import { isClosed, mayWrite, ownDirectories, takesNoWrite } from '../plan/closed.ts';
import { isUnmapped } from '../plan/groups.ts';
import { draftPlan, type PlanDraft, type PlanFs } from '../plan/plan.ts';
import { type FoundBinds, findBinds, namedSockets, parseEnviron } from './binds.ts';
import { isCopyable } from './copies.ts';
import { type KnownUppers, uppersIn } from './covered-dirs.ts';

/** What decides the mounts of a plan. */
export interface DraftRequest {
  /** Ordinary text, as core/session/dirs.ts makes it. */
  stateDir: string;
  /** Missing for a plan without a session. */
  sessionDir?: string;
  projectRoot: BytePath;
  config: Config;
  /** Text of the launcher's /proc/PID/mountinfo, read as latin1. */
  mountinfo: string;
  /** Like the project shown by a copy of its own files where something is mounted below it. */
  home: BytePath;
}

/** What the claim of a launcher names. */
export interface PlanRequest extends DraftRequest {
  sessionDir: string;
  session: string;
  /** The launcher's /proc/PID/environ, read as latin1, and its /proc/PID/net/unix, which is rarely asked for. */
  environ: string;
  unixSockets: () => string;
  uid: number;
  gid: number;
}

/** All but what only a launcher can tell. */
type ExpectedRequest = Omit<PlanRequest, 'environ' | 'unixSockets'>;

const statOf = (path: BytePath) => lstatSync(fsPath(path), { throwIfNoEntry: false });

const realFs = {
  directories(dir) {
    // What this user can't read holds nothing that could be written by name.
    const entries = orNull(() => readEntries(dir)) ?? [];
    const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name as BytePath);
    return names.sort();
  },
  isDirectory: (path) => statOf(path)?.isDirectory() ?? false,
  isForeign(dir) {
    // All ids exist for root.
    const found = isRealRoot() ? null : orNull(() => statOf(dir));
    return found != null && (found.uid !== process.getuid?.() || isUnmapped(found.gid));
  },
  canReach: (path) => orNull(() => statOf(path)) != null,
  isClosed,
  mayWrite,
  takesNoWrite,
  ownDirectories,
} satisfies Partial<PlanFs>;

export interface Drafted {
  draft: PlanDraft;
  found: FoundBinds;
}

/** The draft for a launcher that asks now; `named` are the sockets that its environment names. */
export function draftFor(request: PlanRequest): Drafted & { named: readonly BytePath[] } {
  const named = namedSockets(parseEnviron(request.environ));
  lastNamed.set(request.sessionDir, named);
  const made = ready.take(request.sessionDir, factsOf(request, named)) ?? drafted(request, named);
  return { ...made, named };
}

/**
 * The work of `draftFor` for a call that is about to come, while nobody waits for it. Makes nothing on disk. Gives what
 * the call will get if it comes soon; null where the session has had none, so that its environment is not known.
 */
export function expectPlan(request: ExpectedRequest): PlanDraft | null {
  // Of the environment the call before knew all that matters.
  const named = lastNamed.get(request.sessionDir);
  const unixSockets = () => {
    throw new Error('expected a launcher: only it can tell who listens on a socket');
  };
  // First the facts: what changes during the draft differs from them at the claim.
  const facts = factsOf(request, named ?? []);
  const made = drafted({ ...request, unixSockets }, named ?? []);
  // Not in vain before the first call: verdicts on directories are cached, and the code has run once.
  if (named === undefined) return null;
  ready.put(request.sessionDir, facts, made);
  return made.draft;
}

/** How old a draft made ahead may be (ms): between a hook's answer and the claim lie some 20 ms, more on a busy machine. */
const READY_MS = 150;

/** Keeps one thing a key. It is given once, and only while it is fresh and was made of the same facts. */
export class ReadyThings<T> {
  readonly #things = new Map<string, { facts: string; at: number; made: T }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  put(key: string, facts: string, made: T): void {
    this.#things.set(key, { facts, at: this.#now(), made });
  }

  take(key: string, facts: string): T | null {
    const found = this.#things.get(key);
    this.#things.delete(key);
    return found?.facts === facts && this.#now() - found.at <= READY_MS ? found.made : null;
  }
}

const ready = new ReadyThings<Drafted>();
const lastNamed = new Map<string, readonly BytePath[]>();

function drafted(request: Omit<PlanRequest, 'environ'>, named: readonly BytePath[]): Drafted {
  const draft = draftOf(request);
  return { draft, found: bindsOf(request, named, draft) };
}

/**
 * What a draft is made of. Of the disk, what a draft that is older than it would get wrong unseen: a project in scratch
 * that was not there is not covered, and what the sandbox has made itself must not be hidden by the host's.
 */
function factsOf(request: ExpectedRequest, named: readonly BytePath[]): string {
  const { mountinfo, config, projectRoot, stateDir, home, uid, gid } = request;
  const own = uppersOf(request.sessionDir).names;
  const disk = [realFs.canReach(projectRoot), own(projectRoot), own(home)];
  return JSON.stringify([mountinfo, config, projectRoot, stateDir, home, uid, gid, named, disk]);
}

let parsed: { text: string; mounts: readonly Mount[] } | null = null;

/** At nearly every call the table is the one of the call before. */
function mountsOf(text: string): readonly Mount[] {
  if (parsed?.text !== text) parsed = { text, mounts: parseMountinfo(text) };
  return parsed.mounts;
}

/** What would be mounted, without making anything. */
export function draftOf(request: DraftRequest): PlanDraft {
  const { sessionDir, home, projectRoot } = request;
  const uppers = uppersOf(sessionDir);
  return draftPlan({
    mounts: mountsOf(request.mountinfo),
    scratch: request.config.scratch.map(fromText),
    projectRoot,
    own: [projectRoot, home],
    stateDir: fromText(request.stateDir),
    silent: knownSilent(),
    fs: {
      ...realFs,
      isCopyable: (dir) => (dir === home || dir === projectRoot) && isCopyable(dir),
      ownNames: uppers.names,
      isCoveredDir: uppers.has,
    },
  });
}

const NO_UPPERS: KnownUppers = { has: () => false, names: () => [] };

const uppersOf = (sessionDir: string | undefined): KnownUppers =>
  sessionDir === undefined ? NO_UPPERS : uppersIn(fromText(`${sessionDir}/overlay`));

export function bindsOf(
  request: Omit<PlanRequest, 'environ'>,
  named: readonly BytePath[],
  draft: PlanDraft,
): FoundBinds {
  const { unixSockets, uid } = request;
  const mounts = mountsOf(request.mountinfo);
  const ownNames = uppersOf(request.sessionDir).names;
  return findBinds({ named, unixSockets, mounts, steps: draft.steps, ownNames, uid, root: isRealRoot() });
}
