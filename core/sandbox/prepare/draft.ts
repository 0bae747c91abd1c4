/**
 * From a mount plan to directories on disk, for one call. core/overlay/prepare.ts drives it:
 *
 *     draft.ts         draft the plan for the mounts, config and environment of the launcher     (every call; mostly ahead)
 *     binds.ts         sockets that the environment names, ssh's system files                    (every call)
 *     covered-dirs.ts  number the covered directories, make their uppers and work directories    (new plan)
 *     copies.ts        copy the own files of $HOME or of a project that has mounts below         (new plan)
 *     plan-files.ts    write plan/ID, then point plan/current to it                              (new plan)
 */
import { lstatSync } from 'node:fs';
import { type BytePath, fromText } from '../../../shared/bytes.ts';
import type { Config } from '../../../shared/config/config.ts';
import { readEntries } from '../../kernel/fs/entry.ts';
import { knownSilent, type Mount, parseMountinfo } from '../../kernel/fs/mounts.ts';
import { fsPath, orNull } from '../../kernel/fs/port.ts';
import { isRealRoot, parseEnviron } from '../../kernel/proc/proc.ts';
import { isClosed, mayWrite, ownDirectories, takesNoWrite } from '../plan/closed.ts';
import { isUnmapped } from '../plan/groups.ts';
import { draftPlan, type PlanDraft, type PlanFs } from '../plan/plan.ts';
import { type ClientHosts, type FoundBinds, findBinds, namedSockets } from './binds.ts';
import { isCopyable } from './copies.ts';
import { type KnownUppers, uppersIn } from './covered-dirs.ts';

export interface DraftRequest {
  stateDir: string;
  sessionDir?: string;
  projectRoot: BytePath;
  config: Config;
  /** The launcher's /proc/PID/mountinfo, read as latin1. */
  mountinfo: string;
  home: BytePath;
}

export interface PlanRequest extends DraftRequest {
  sessionDir: string;
  session: string;
  /** The launcher's /proc/PID/environ and /proc/PID/net/unix, read as latin1. */
  environ: string;
  unixSockets: () => string;
  uid: number;
  gid: number;
  /** A client will run in this namespace itself, not only its calls. */
  client?: ClientHosts | null;
}

const statOf = (path: BytePath) => lstatSync(fsPath(path), { throwIfNoEntry: false });

const realFs = {
  directories(dir) {
    const entries = orNull(() => readEntries(dir)) ?? [];
    const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name as BytePath);
    return names.sort();
  },
  isDirectory: (path) => statOf(path)?.isDirectory() ?? false,
  isForeign(dir) {
    // All ids exist for real root.
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
  /** When it was begun: `performance.now()`. */
  at: number;
  draft: PlanDraft;
  found: FoundBinds;
}

/** A draft made ahead counts for so long (ms): the host's directories are those of just before the call. */
const AHEAD_MS = 100;
let ahead: { facts: string; at: number; draft: PlanDraft } | null = null;

/** While the client starts a call that is expected; or for the first of a session that is not made yet. */
export function draftAhead(request: DraftRequest): PlanDraft {
  const at = performance.now();
  const draft = draftOf(request);
  keepAhead(request, { at, draft });
  return draft;
}

/** For a call that starts now. */
export function keepAhead(request: DraftRequest, { at, draft }: Pick<Drafted, 'at' | 'draft'>): void {
  ahead = { facts: factsOf(request), at, draft };
}

/**
 * What was drafted ahead for the mounts, config and project of this call, once; with the sockets of now.
 * @param isNew nothing was written in the session: it was drafted before that was made
 */
export function takeAhead(request: PlanRequest, isNew = false): Drafted | null {
  const taken = ahead;
  ahead = null;
  const { sessionDir, ...others } = request;
  const facts = factsOf(isNew ? others : { ...others, sessionDir });
  if (taken === null || performance.now() - taken.at > AHEAD_MS || taken.facts !== facts) return null;
  const { at, draft } = taken;
  return { at, draft, found: bindsOf(request, draft) };
}

function factsOf({ stateDir, sessionDir, projectRoot, config, mountinfo, home }: DraftRequest): string {
  const silent = [...knownSilent()];
  return JSON.stringify([mountinfo, config.scratch, silent, stateDir, sessionDir, projectRoot, home]);
}

export function draftFor(request: PlanRequest): Drafted {
  const at = performance.now();
  const draft = draftOf(request);
  return { at, draft, found: bindsOf(request, draft) };
}

let parsed: { text: string; mounts: readonly Mount[] } | null = null;

function mountsOf(text: string): readonly Mount[] {
  if (parsed?.text !== text) parsed = { text, mounts: parseMountinfo(text) };
  return parsed.mounts;
}

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

export function bindsOf(request: PlanRequest, { steps }: PlanDraft): FoundBinds {
  const { unixSockets, uid } = request;
  const named = namedSockets(parseEnviron(request.environ));
  const mounts = mountsOf(request.mountinfo);
  const ownNames = uppersOf(request.sessionDir).names;
  return findBinds({
    named,
    unixSockets,
    mounts,
    steps,
    ownNames,
    uid,
    root: isRealRoot(),
    client: request.client ?? null,
  });
}
