/**
 * From a mount plan to directories on disk, for one call. core/overlay/prepare.ts drives it:
 *
 *     draft.ts       draft the plan for the mounts, config and environment of the launcher     (every call)
 *     find-binds.ts  sockets that the environment names, ssh's system files                    (every call)
 *     ready.ts       use a draft that was made after PreToolUse, if the claim would make the same
 *     covered-dirs.ts    number the covered directories, make their uppers and work directories    (new plan)
 *     copies.ts      copy the own files of $HOME or of a project that has mounts below         (new plan)
 *     plan-files.ts  write plan/ID, then point plan/current to it                              (new plan)
 */
import { lstatSync, readdirSync } from 'node:fs';
import { type BytePath, fromText } from '../../../shared/bytes.ts';
import type { Config } from '../../../shared/model/config-types.ts';
import { type Mount, parseMountinfo } from '../../kernel/mounts/mountinfo.ts';
import { knownSilent } from '../../kernel/mounts/silent-mounts.ts';
import { isRealRoot } from '../../kernel/proc/real-root.ts';
import { namedSockets, parseEnviron } from '../plan/binds.ts';
import { isClosed, mayWrite, ownDirectories, takesNoWrite } from '../plan/closed.ts';
import { isUnmapped } from '../plan/groups.ts';
import { draftPlan } from '../plan/plan.ts';
import type { PlanDraft, PlanFs } from '../plan/plan-types.ts';
import { isCopyable } from './copies.ts';
import { type KnownUppers, uppersIn } from './covered-dirs.ts';
import { type FoundBinds, findBinds } from './find-binds.ts';
import { ReadyThings } from './ready.ts';

export interface PlanRequest {
  /** Ordinary text, as core/session/dirs.ts makes them. */
  stateDir: string;
  sessionDir: string;
  session: string;
  projectRoot: BytePath;
  config: Config;
  /** Text of the launcher's /proc/PID/mountinfo, read as latin1. */
  mountinfo: string;
  /** Directories that are shown by a copy of their own files where something is mounted below them: $HOME, the project. */
  home: BytePath;
  /** Its /proc/PID/environ, read as latin1, and its /proc/PID/net/unix, which is rarely asked for. */
  environ: string;
  unixSockets: () => string;
  uid: number;
  gid: number;
}

const bytes = (path: string): Buffer => Buffer.from(path, 'latin1');

const realFs: PlanFs = {
  directories(dir) {
    try {
      return readdirSync(bytes(dir), { encoding: 'latin1', withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name as BytePath)
        .sort();
    } catch {
      // Not readable for this user: nothing below it can be written by name either.
      return [];
    }
  },
  isDirectory(path) {
    return lstatSync(bytes(path), { throwIfNoEntry: false })?.isDirectory() ?? false;
  },
  isForeign(dir) {
    // All ids exist for root.
    if (isRealRoot()) return false;
    try {
      const found = lstatSync(bytes(dir), { throwIfNoEntry: false });
      return found !== undefined && (found.uid !== process.getuid?.() || isUnmapped(found.gid));
    } catch {
      return false;
    }
  },
  canReach(path) {
    try {
      return lstatSync(bytes(path), { throwIfNoEntry: false }) !== undefined;
    } catch {
      return false;
    }
  },
};

/** The draft for a launcher that asks now; `named` are the sockets that its environment names. */
export function draftFor(request: PlanRequest): {
  draft: PlanDraft;
  found: FoundBinds;
  named: readonly BytePath[];
} {
  const named = namedSockets(parseEnviron(request.environ));
  lastNamed.set(request.sessionDir, named);
  const made = ready.take(request.sessionDir, factsOf(request, named)) ?? drafted(request, named);
  return { ...made, named };
}

/**
 * The work of `draftFor` for a call that is about to come, while nobody waits for it. Makes nothing on disk. Gives what
 * the call will get if it comes soon; null where the session has had none, so that its environment is not known.
 */
export function expectPlan(request: Omit<PlanRequest, 'environ' | 'unixSockets'>): PlanDraft | null {
  // Of the environment the call before knew all that matters.
  const named = lastNamed.get(request.sessionDir);
  // Who listens on a socket can be told only by a launcher.
  const unixSockets = () => {
    throw new Error('expected a launcher');
  };
  // First the facts: what changes while it is made is other than they say at the claim.
  const facts = factsOf(request, named ?? []);
  const made = drafted({ ...request, unixSockets }, named ?? []);
  // Not in vain before the first call: what it looked at is remembered, and the code has run once.
  if (named === undefined) return null;
  ready.put(request.sessionDir, facts, made);
  return made.draft;
}

const ready = new ReadyThings<ReturnType<typeof drafted>>();
const lastNamed = new Map<string, readonly BytePath[]>();

function drafted(
  request: Omit<PlanRequest, 'environ'>,
  named: readonly BytePath[],
): { draft: PlanDraft; found: FoundBinds } {
  const draft = draftOf(request);
  return { draft, found: bindsOf(request, named, draft) };
}

/**
 * What a draft is made of. Of the disk, what a draft that is older than it would get wrong unseen: a project in scratch
 * that was not there has no place, and what the sandbox has made itself is not to be covered by the host's.
 */
function factsOf(request: Omit<PlanRequest, 'environ' | 'unixSockets'>, named: readonly BytePath[]): string {
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
export function draftOf(
  request: Pick<PlanRequest, 'mountinfo' | 'config' | 'projectRoot' | 'stateDir' | 'home'> & {
    sessionDir?: string;
  },
): PlanDraft {
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
      isClosed,
      mayWrite,
      takesNoWrite,
      ownDirectories,
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
