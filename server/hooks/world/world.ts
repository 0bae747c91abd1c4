/**
 * The session that hooks and claims work on. A `HookWorld` works on the files of the state directory alone:
 * the Node path (../fallback/main.ts) makes one, asks it once and exits. The resident server adds a
 * `Resident`, which knows some answers faster and runs the work after calls by itself.
 *
 * input.ts parses the client's JSON, answer.ts formats answers, requests.ts keeps the open requests,
 * session-files.ts the other small files of a session, list-questions.ts has the questions about a change
 * list.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recoverOverlay } from '../../../core/jobs/door/with-session.ts';
import { noteOverlaps } from '../../../core/jobs/overlaps.ts';
import { replay } from '../../../core/jobs/replay.ts';
import { tidy } from '../../../core/jobs/tidy.ts';
import { ownMounts } from '../../../core/kernel/fs/mounts.ts';
import { orNull } from '../../../core/kernel/fs/port.ts';
import { withFileLock } from '../../../core/kernel/proc/file-lock.ts';
import { parseEnviron, processStat } from '../../../core/kernel/proc/proc.ts';
import { ensurePlan, freshCopies, makeFirstPlan, wantSameMounts } from '../../../core/overlay/prepare.ts';
import { RuleFiles } from '../../../core/rules/files/files.ts';
import { loadRules, type RuleSet } from '../../../core/rules/files/rule-set.ts';
import { readBoxRecord } from '../../../core/sandbox/box-record.ts';
import { hostsOfClient } from '../../../core/sandbox/claude-files.ts';
import { inDoor, insideAt, insideDir, instanceAt, prepareInside } from '../../../core/sandbox/client-door.ts';
import { contextOf, homeOf, sessionContext } from '../../../core/sandbox/context.ts';
import { ensureHostMask } from '../../../core/sandbox/host-mask.ts';
import type { ClientHosts } from '../../../core/sandbox/prepare/binds.ts';
import { hasCoveredDirs, knownCoveredDirs } from '../../../core/sandbox/prepare/covered-dirs.ts';
import { draftAhead, type PlanRequest } from '../../../core/sandbox/prepare/draft.ts';
import { currentId, pointTo, readPlan } from '../../../core/sandbox/prepare/plan-files.ts';
import type { ViewParts } from '../../../core/scan/lookup/resolve.ts';
import { hasPending, scan } from '../../../core/scan/scan.ts';
import { type AttachInput, attachClaude, sessionOfClaude } from '../../../core/session/attach.ts';
import { configFiles, loadConfig } from '../../../core/session/config-file.ts';
import { homeDir, isSessionId, sessionDir } from '../../../core/session/dirs.ts';
import { logTo } from '../../../core/session/log/append.ts';
import { readMeta, type SessionMeta } from '../../../core/session/meta-file.ts';
import type { Project } from '../../../core/session/project.ts';
import type { CoveredDir, Plan, SessionContext } from '../../../core/session/session-context.ts';
import { listSessions } from '../../../core/session/store.ts';
import { type BytePath, bytePath, fromText, isWithin, toDisplay } from '../../../shared/bytes.ts';
import type { Config } from '../../../shared/config/config.ts';
import { TraiError } from '../../../shared/errors.ts';
import type { NewEvent } from '../../../shared/log/events.ts';
import type { Mode } from '../../../shared/model/decision.ts';
import type { Verdict } from '../../../shared/model/rule.ts';
import { message } from '../../messages/hooks.ts';
import type { HookAnswer, HookEvent, HookHeaders } from './answer.ts';
import type { HookInput, ToolInput } from './input.ts';
import { HOOK_QUESTIONS, type HookQuestions } from './list-questions.ts';
import { RequestFiles } from './requests.ts';
import { writeMarker } from './rules-marker.ts';
import { failureText, readOff, readPrograms, rememberPrograms } from './session-files.ts';

/** What PreToolUse found out about a call that it let pass to the client. */
export interface Judged {
  request: string;
  verdict: Verdict;
  runs: Mode | null;
  /** The question of trai's own; empty = it has none. */
  asks: string;
}

/** Questions of the client, for which only a server can wait. */
export interface QuestionDesk {
  judged(session: string, call: ToolInput, judged: Judged): void;
  /** PermissionRequest. Resolves to silence where nobody is waited for, or answers. */
  ask(session: HookSession, call: ToolInput, headers: HookHeaders): Promise<HookAnswer>;
  /**
   * Any event: it may show that a question was answered in the client's own dialog.
   * @param inside the session of the credential, whose client knows of no other session's questions
   */
  saw(event: HookEvent, input: HookInput, inside: string | null): void;
  /** A launcher runs the call of this request. */
  began(request: string): void;
}

export interface Resident {
  readonly questions: QuestionDesk;
  /** A session was created, or a client attached to it. */
  see(session: string): void;
  /** Its list is current and has pending changes; false = not known. */
  hasPending(session: string): boolean;
  /** Without ignored entries; null where counting takes longer than SessionStart may. */
  countPending(session: string): Promise<number | null>;
  /** Waits, with a limit, for the work after the last call. `live`: processes of earlier calls are running. */
  settled(session: string): Promise<{ live: boolean }>;
  /** The host changed at these paths: a live overlay may need a replay. */
  hostChanged(session: string, paths: readonly BytePath[]): Promise<void>;
  ask<K extends keyof HookQuestions>(
    ctx: SessionContext,
    question: K,
    input: HookQuestions[K]['input'],
  ): Promise<HookQuestions[K]['output']>;
  /** The answer to `/trai:NAME`; null where bin/trai has to run. */
  typed(session: HookSession, typed: Typed): Promise<string | null>;
  /** Runs bin/trai for a typed command of a client that cannot, and returns its answer to the prompt. */
  runTyped(session: HookSession, name: string, cwd: string): Promise<string>;
  /** The client that will run in the session gets a credential of its own. */
  openDoor(session: string): void;
  report(thrown: unknown): void;
}

export interface WorldParts {
  stateDir: string;
  env: NodeJS.ProcessEnv;
  /** Paths of this program's `bin/trai`; empty where not known. */
  programs: readonly string[];
  server?: Resident;
}

export interface Typed {
  name: string;
  args: string;
  cwd: string;
}

export interface Earlier {
  id: string;
  /** Without ignored entries; null = not counted. */
  changes: number | null;
}

/** Each costs a walk of its uppers. */
const MAX_EARLIER = 5;
/** The answer to the event is out by then (ms). */
const EXPECT_MS = 2;

/** A failure is the call's own to report. */
function soon(work: () => Promise<void>): void {
  setTimeout(() => void work().catch(() => undefined), EXPECT_MS).unref();
}

export class HookWorld {
  readonly stateDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly programs: readonly string[];
  readonly server: Resident | null;
  readonly #ruleFiles: RuleFiles;

  constructor({ stateDir, env, programs, server }: WorldParts) {
    this.stateDir = stateDir;
    this.env = env;
    this.programs = programs;
    this.server = server ?? null;
    this.#ruleFiles = new RuleFiles(stateDir);
  }

  config(): ReturnType<typeof loadConfig> {
    return loadConfig(this.env);
  }

  /** Permission rules; of the scope `session` only with its id. */
  rules(config: Config, project: Project, session: string | null): RuleSet {
    const { stateDir, env } = this;
    const request = { env, stateDir, project, session, home: homeDir(env), config };
    return loadRules(request, this.#ruleFiles);
  }

  /** By trai's id, or a client's id that is attached to it. */
  async session(id: string): Promise<HookSession | null> {
    const ours = (await sessionOfClaude(this.stateDir, id)) ?? (isSessionId(id) ? id : null);
    if (ours === null) return null;
    const dir = sessionDir(this.stateDir, ours);
    try {
      return new HookSession(this, { ...(await readMeta(dir)), off: readOff(dir) });
    } catch (error) {
      if (error instanceof TraiError && error.code === 'no-session') return null;
      throw error;
    }
  }

  async attach(
    request: AttachInput,
    { file, problems }: ReturnType<typeof loadConfig>,
  ): Promise<HookSession> {
    const { meta, dir } = await attachClaude(this.stateDir, request, (before, at) => ({
      ...before,
      configFile: file,
      configProblems: problems.map(({ text }) => text),
      off: readOff(at),
    }));
    rememberPrograms(dir, this.programs);
    this.server?.see(meta.id);
    return new HookSession(this, meta);
  }
}

export class HookSession {
  readonly world: HookWorld;
  /** As read at the start; `off` is current. */
  readonly meta: SessionMeta;
  readonly id: string;
  readonly dir: string;
  readonly requests: RequestFiles;

  constructor(world: HookWorld, meta: SessionMeta) {
    this.world = world;
    this.meta = meta;
    this.id = meta.id;
    this.dir = sessionDir(world.stateDir, meta.id);
    this.requests = new RequestFiles(this.dir);
  }

  async log(event: NewEvent): Promise<void> {
    logTo(this.dir, event);
  }

  /** The permission rules; also writes the hook's marker of them. */
  rules(config: Config): RuleSet {
    const readAt = Date.now();
    const { world, meta, id, dir } = this;
    const rules = world.rules(config, { root: bytePath(meta.projectRoot), id: meta.projectId }, id);
    const also = [...configFiles(world.env), join(world.stateDir, 'trust.json')];
    const renew = (): void => {
      let written = false;
      const write = (...places: string[]): void => {
        written = true;
        writeMarker({ sessionDir: dir, places, rules, also, readAt });
      };
      if (existsSync(insideDir(dir))) orNull(() => inDoor(dir, ['sessions', id], (own) => write(dir, own)));
      if (!written) write(dir);
    };
    // Until then the hook asks.
    if (world.server === null) renew();
    else soon(async () => renew());
    return rules;
  }

  /** As `context`, at once. Throws for a damaged plan. */
  view(): ViewParts | null {
    const { world, dir, meta } = this;
    const plan = readPlan(dir);
    if (plan === null && !hasCoveredDirs(dir)) return null;
    return contextOf(world.stateDir, meta, world.env, plan ?? undefined);
  }

  /** Null before the first call. */
  async context(): Promise<SessionContext | null> {
    return await contextOrNull(this.world.stateDir, this.id, this.world.env);
  }

  /** Without ignored ones. Exact: a wrong "nothing" would let a command read the host instead. */
  async pending(): Promise<boolean> {
    if (this.world.server?.hasPending(this.id) === true) return true;
    const ctx = await this.context();
    return ctx !== null && (await hasPending(ctx));
  }

  /** About what is pending now, after the work after the last call. */
  async ask<K extends keyof HookQuestions>(
    question: K,
    input: HookQuestions[K]['input'],
  ): Promise<HookQuestions[K]['output']> {
    const { server, stateDir, env } = this.world;
    const ctx = await sessionContext(stateDir, this.id, env);
    if (server === null) return await HOOK_QUESTIONS[question](ctx, await scan(ctx), input);
    await server.settled(this.id);
    return await server.ask(ctx, question, input);
  }

  /** Exclusive among the session's hooks: `work` reads the open requests and writes one. */
  async alone<T>(work: () => T): Promise<T> {
    // The server has one thread, and the Node path runs only without a server.
    if (this.world.server !== null) return work();
    return await withFileLock(`${this.dir}/.requests.lock`, async () => work());
  }

  /** The answer does not wait for it, except on the Node path, which ends with its answer. */
  async later(work: () => Promise<void>): Promise<void> {
    const { server } = this.world;
    if (server === null) await work();
    else void work().catch(server.report);
  }

  ownPrograms(): readonly string[] {
    return [...new Set([...this.world.programs, ...readPrograms(this.dir)])];
  }

  /** The directory of the mount plan; `client`: for a client that runs in it itself. Throws when the sandbox cannot be entered. */
  async plan(launcher: number, config: Config, client = false): Promise<string> {
    const { stateDir, env } = this.world;
    wantSameMounts(launcher);
    if (client) {
      prepareInside(stateDir, this.dir, this.id);
      this.world.server?.openDoor(this.id);
    }
    await recoverOverlay({ stateDir, session: this.id, env });
    const before = currentId(this.dir);
    const { plan, dir } = await ensurePlan(this.#planRequest(launcher, config, client));
    // For this call's plan: another call may have made the next one meanwhile.
    const context = async () => await sessionContext(stateDir, this.id, env, plan);
    const planned = new Set(plan.coveredDirs.map(({ n }) => n));
    const left = knownCoveredDirs(this.dir, plan.coveredDirs).filter(({ n }) => !planned.has(n));
    if (left.length > 0) await expectPendingInView(await context(), left);
    // Of a refused call never: what is pending is found, and committed, by the plan that it was written with. Mounts that
    // come and go lead back to an earlier plan.
    if (currentId(this.dir) !== plan.id) pointTo(this.dir, plan.id);
    if (plan.coveredDirs.some(({ copied }) => copied !== undefined)) await freshCopies(await context());
    const old = before === plan.id ? null : readPlan(this.dir, before);
    const news = old === null ? null : planNews(old, plan);
    if (news !== null) await this.log({ t: 'notice', code: 'mounts', text: news });
    return dir;
  }

  /**
   * The same for the client of a session that is being made in `place`, so that the claim finds it.
   * @param environ the launcher's, as /proc will have it; null: that of the process
   */
  async firstPlan(place: string, launcher: number, config: Config, environ: string | null): Promise<void> {
    wantSameMounts(launcher);
    prepareInside(this.world.stateDir, place, this.id);
    const request = this.#planRequest(launcher, config, true, place);
    await makeFirstPlan(environ === null ? request : { ...request, environ }, place);
  }

  /** Directory of the files that hide trai's own directories from a host call. Throws on failure. */
  hostMask(launcher: number): string {
    const { stateDir, env } = this.world;
    return ensureHostMask({ stateDir, sessionDir: this.dir, env, ...factsOf(launcher) });
  }

  /**
   * Makes the plan of a first call while the model thinks, from the client's mounts and environment, which
   * mostly equal those of its calls. A call uses it only if its own would be the same (`planId`). Not at
   * SessionStart: a client that is closed without a prompt should leave no overlay.
   */
  expectFirstCall(claude: string): void {
    if (currentId(this.dir) !== null) return;
    const { config } = this.world.config();
    const pid = config.enabled ? this.#expectedClient(claude) : null;
    if (pid !== null) soon(async () => void (await this.plan(pid, config)));
  }

  /** PreToolUse has let a call pass: drafts its plan while the client starts it (`takeAhead`). */
  expectCall(claude: string, config: Config): void {
    const pid = this.#expectedClient(claude);
    if (pid !== null) soon(async () => void draftAhead(this.#planRequest(pid, config, false)));
  }

  /** The process of a client whose calls the server waits for; its mounts mostly equal theirs. */
  #expectedClient(claude: string): number | null {
    const client = this.meta.claude.findLast(({ id }) => id === claude);
    if (this.world.server === null || this.meta.off !== null || client?.pid == null) return null;
    return processStat(client.pid)?.start === client.pidStart ? client.pid : null;
  }

  #planRequest(launcher: number, config: Config, client: boolean, place = this.dir): PlanRequest {
    const home = homeOf(this.world.env);
    const facts = factsOf(launcher);
    return {
      stateDir: this.world.stateDir,
      sessionDir: this.dir,
      session: this.id,
      projectRoot: bytePath(this.meta.projectRoot),
      config,
      home,
      unixSockets: () => readFileSync(`/proc/${launcher}/net/unix`, 'latin1'),
      ...facts,
      client: client ? this.#clientHosts(home, parseEnviron(facts.environ), place) : null,
    };
  }

  #clientHosts(home: BytePath, env: ReadonlyMap<string, string>, place: string): ClientHosts {
    const { stateDir } = this.world;
    const doors = [{ from: fromText(insideDir(this.dir)), at: fromText(insideAt(stateDir)) }];
    const box = readBoxRecord(place);
    if (box === null) return { ...hostsOfClient(home, env), doors };
    doors.push({ from: fromText(box.instance), at: fromText(instanceAt(stateDir)) });
    return { dirs: box.direct, files: box.directFiles, direct: true, doors };
  }

  /** Waits for the work after the last call; without a server it is done now. A failure is logged only. */
  async settled(): Promise<{ live: boolean }> {
    const { server, stateDir, env } = this.world;
    if (server !== null) return await server.settled(this.id);
    const ctx = await this.context();
    if (ctx === null) return { live: false };
    let live = false;
    try {
      const { left } = await tidy(ctx, null);
      live = left.length > 0;
      if (live) await this.#replay(ctx, [], true);
      await noteOverlaps(stateDir, env, this.id);
    } catch (error) {
      const text = message('untidy', { why: failureText(error, stateDir) });
      await this.log({ t: 'notice', code: 'untidy', text });
    }
    return { live };
  }

  /** Replays these files (symlinks resolved) into a live session. A path that is gone is no error. */
  async hostChanged(paths: readonly BytePath[]): Promise<void> {
    const { server } = this.world;
    if (server !== null) return await server.hostChanged(this.id, paths);
    const ctx = await this.context();
    if (ctx !== null) await this.#replay(ctx, paths, false);
  }

  async #replay(ctx: SessionContext, paths: readonly BytePath[], everything: boolean): Promise<void> {
    try {
      const { saved } = await replay(ctx, { paths, everything });
      for (const path of saved) await this.log(savedNotice(path));
    } catch (error) {
      const text = message('not-replayed', { why: failureText(error, ctx.stateDir) });
      await this.log({ t: 'notice', code: 'not-replayed', text });
    }
  }

  async earlierPending(): Promise<Earlier[]> {
    const { sessions } = await listSessions(this.world.stateDir);
    const { server } = this.world;
    const earlier = sessions.filter(
      ({ id, projectId }) => id !== this.id && projectId === this.meta.projectId,
    );
    const pending: Earlier[] = [];
    for (const other of earlier.slice(0, MAX_EARLIER)) {
      try {
        if (!(await new HookSession(this.world, other).pending())) continue;
        const changes = server === null ? null : await server.countPending(other.id);
        pending.push({ id: other.id, changes });
      } catch {
        // It may have some; its own commands say why it cannot be read.
        pending.push({ id: other.id, changes: null });
      }
    }
    return pending;
  }
}

/** Null before the first call. An adopted overlay has covered directories but no plan yet. */
export async function contextOrNull(
  stateDir: string,
  session: string,
  env: NodeJS.ProcessEnv,
): Promise<SessionContext | null> {
  const dir = sessionDir(stateDir, session);
  const plan = readPlan(dir);
  if (plan === null && !hasCoveredDirs(dir)) return null;
  return await sessionContext(stateDir, session, env, plan ?? undefined);
}

/** Of the launcher's mounts: a client may run in its own mount namespace. */
function factsOf(launcher: number): Pick<PlanRequest, 'mountinfo' | 'environ' | 'uid' | 'gid'> {
  return {
    mountinfo: readFileSync(`/proc/${launcher}/mountinfo`, 'latin1'),
    environ: readFileSync(`/proc/${launcher}/environ`, 'latin1'),
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
  };
}

/** A process wrote while the host's version replaced the file: its version is pending under this name. */
export function savedNotice(path: BytePath): NewEvent {
  return { t: 'notice', code: 'replay-saved', text: message('replay-saved', { path: toDisplay(path) }) };
}

/**
 * Mounts change, and with them the covered directories: an overlay cannot lie over a directory with another
 * mount below it. Pending changes there would silently be missing from the merged view, and be written a
 * second time elsewhere. So the call is refused until the mounts are as before.
 * @param left covered directories that are not in the plan
 * @throws TraiError `unsupported`, with the directory and the mount, where there is one
 */
async function expectPendingInView(ctx: SessionContext, left: readonly CoveredDir[]): Promise<void> {
  for (const covered of left) {
    // What cannot be read may be pending.
    if (!(await hasPending({ ...ctx, coveredDirs: [covered] }).catch(() => true))) continue;
    const mounts = ownMounts();
    const below = mounts.find(({ point }) => point !== covered.path && isWithin(point, covered.path));
    const why =
      below === undefined
        ? `what was mounted at ${toDisplay(covered.path)} is gone`
        : `${toDisplay(below.point)} was mounted below ${toDisplay(covered.path)}`;
    const undo = below === undefined ? 'Mount it again' : 'Unmount it';
    throw new TraiError('unsupported', message('not-in-view', { why, undo }));
  }
}

/** Directories that are read-only since the last plan, as a notice; or null. */
function planNews(before: Plan, now: Plan): string | null {
  const closed = (plan: Plan) => plan.notes.filter((note) => note.kind === 'read-only');
  const known = new Set(closed(before).map((note) => note.path));
  const fresh = closed(now).filter((note) => !known.has(note.path));
  // Only the innermost: what contains it is read-only for the same reason.
  const inner = fresh.filter(
    (note) => !fresh.some((other) => other !== note && isWithin(other.path, note.path)),
  );
  if (inner.length === 0) return null;
  const lines = inner.map((note) => `${toDisplay(note.path)} is read-only in the sandbox now: ${note.why}`);
  return `the mounts changed. ${lines.join('; ')}`;
}
