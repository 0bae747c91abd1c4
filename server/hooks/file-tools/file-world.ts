import { readFileSync } from 'node:fs';
import { recoverOverlay } from '../../../core/jobs/door/with-session.ts';
import { noteOverlaps, overlapWith } from '../../../core/jobs/overlaps.ts';
import { tidy } from '../../../core/jobs/tidy.ts';
import { withFileLock } from '../../../core/kernel/locks/file-lock.ts';
import { ensurePlan, freshCopies, wantSameMounts } from '../../../core/overlay/prepare.ts';
import { homeOf, sessionContext } from '../../../core/sandbox/context.ts';
import { ensureHostMask } from '../../../core/sandbox/host-mask.ts';
import { hasCoveredDirs, knownCoveredDirs } from '../../../core/sandbox/prepare/covered-dirs.ts';
import type { PlanRequest } from '../../../core/sandbox/prepare/draft.ts';
import { readPlan } from '../../../core/sandbox/prepare/plan-files.ts';
import { hasPending, scan } from '../../../core/scan/scan.ts';
import { attachClaude, sessionOfClaude } from '../../../core/session/attach.ts';
import { loadConfig } from '../../../core/session/config-file.ts';
import { isSessionId, ownDirectories, sessionDir } from '../../../core/session/dirs.ts';
import { appendEvent } from '../../../core/session/log/append.ts';
import { readMeta, updateMeta } from '../../../core/session/meta-file.ts';
import { projectOf } from '../../../core/session/project.ts';
import type { Plan, SessionContext } from '../../../core/session/session-context.ts';
import { listSessions } from '../../../core/session/store.ts';
import type { SessionMeta } from '../../../core/session/types.ts';
import { type BytePath, bytePath, fromText } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { isLogEvent, type NewEvent } from '../../../shared/log/events.ts';
import type { ChangeList } from '../../../shared/model/change.ts';
import type { Config } from '../../../shared/model/config-types.ts';
import type { Overlap } from '../../../shared/model/overlap-paths.ts';
import { expectPendingInView, planNews } from '../claim/changed-plan.ts';
import { readOff } from '../claim/off.ts';
import { readPrograms, rememberPrograms } from '../claim/programs.ts';
import { replayHost } from '../claim/replay-host.ts';
import { quickVerdict } from '../world/doctor-cache.ts';
import { failureText } from '../world/failure.ts';
import { RequestFiles } from '../world/requests.ts';
import type { AttachRequest, Earlier, Grants, HookWorld, LoadedConfig, Typed } from '../world/world.ts';
import { FileGrants } from './file-grants.ts';

export interface FileWorldParts {
  stateDir: string;
  /** HOME and the XDG variables. */
  env: NodeJS.ProcessEnv;
  /** Spellings of `bin/trai` that belong to this program; empty where that is not known. */
  programs: readonly string[];
}

/** How many earlier sessions are looked at for pending changes: the look costs a walk of each upper. */
const MAX_EARLIER = 5;

/** The world as it lies on disk. Complete in itself: the Node path uses it as it is, the server knows some of it faster. */
export class FileWorld implements HookWorld {
  readonly stateDir: string;
  readonly grants: Grants;
  protected readonly parts: FileWorldParts;

  constructor(parts: FileWorldParts) {
    this.parts = parts;
    this.stateDir = parts.stateDir;
    this.grants = new FileGrants(parts.stateDir);
  }

  now(): Date {
    return new Date();
  }

  config(): LoadedConfig {
    return loadConfig(this.parts.env);
  }

  async session(id: string): Promise<SessionMeta | null> {
    const ours = (await sessionOfClaude(this.stateDir, id)) ?? (isSessionId(id) ? id : null);
    if (ours === null) return null;
    const dir = this.sessionDir(ours);
    try {
      return { ...(await readMeta(dir)), off: readOff(dir) };
    } catch (error) {
      if (error instanceof TraiError && error.code === 'no-session') return null;
      throw error;
    }
  }

  async attach(request: AttachRequest): Promise<SessionMeta> {
    const cwd = fromText(request.cwd === '' ? '/' : request.cwd);
    const { dir } = await attachClaude(this.stateDir, {
      claudeId: request.claude,
      source: request.source,
      pid: request.claudePid,
      pidStart: request.claudePidStart,
      cwd,
      project: projectOf(cwd),
      clientVersion: null,
      transcriptPath: request.transcript === '' ? null : request.transcript,
    });
    rememberPrograms(dir, this.parts.programs);
    const { file, problems } = this.config();
    const off = readOff(dir);
    return await updateMeta(dir, (meta) => ({ ...meta, configFile: file, configProblems: problems, off }));
  }

  async change(session: string, edit: (meta: SessionMeta) => SessionMeta): Promise<SessionMeta> {
    return await updateMeta(this.sessionDir(session), edit);
  }

  sessionDir(session: string): string {
    return sessionDir(this.stateDir, session);
  }

  requests(session: string): RequestFiles {
    return new RequestFiles(this.sessionDir(session));
  }

  async alone<T>(session: string, work: () => T): Promise<T> {
    return await withFileLock(`${this.sessionDir(session)}/.requests.lock`, async () => work());
  }

  async log(session: string, event: NewEvent): Promise<void> {
    const whole: unknown = { v: 1, at: this.now().toISOString(), ...event };
    if (!isLogEvent(whole)) throw new TraiError('internal', `an event of type ${event.t} has a wrong form`);
    appendEvent(this.sessionDir(session), whole);
  }

  async pending(session: SessionMeta): Promise<boolean> {
    const ctx = await this.context(session.id);
    return ctx !== null && (await hasPending(ctx));
  }

  async plan(session: SessionMeta, launcher: number, config: Config): Promise<string> {
    wantSameMounts(launcher);
    await recoverOverlay({ stateDir: this.stateDir, session: session.id, env: this.parts.env });
    const before = readPlan(this.sessionDir(session.id));
    const { plan, dir } = await ensurePlan(this.planRequest(session, launcher, config));
    if (knownCoveredDirs(this.sessionDir(session.id), plan.coveredDirs).length > plan.coveredDirs.length) {
      await expectPendingInView(await this.#contextOf(session, plan), plan);
    }
    if (plan.coveredDirs.some((covered) => covered.copied !== undefined)) {
      await freshCopies(await this.#contextOf(session, plan));
    }
    const news = before === null || before.id === plan.id ? null : planNews(before, plan);
    if (news !== null) await this.log(session.id, { t: 'notice', code: 'mounts', text: news });
    return dir;
  }

  hostMask(session: SessionMeta, launcher: number): string {
    return ensureHostMask({
      stateDir: this.stateDir,
      sessionDir: this.sessionDir(session.id),
      env: this.parts.env,
      mountinfo: readFileSync(`/proc/${launcher}/mountinfo`, 'latin1'),
      environ: readFileSync(`/proc/${launcher}/environ`, 'latin1'),
      uid: process.getuid?.() ?? 0,
      gid: process.getgid?.() ?? 0,
    });
  }

  ownDirectories(): readonly string[] {
    return ownDirectories(this.stateDir, this.parts.env);
  }

  /** Of the plan that a call gets, also when another call has got the next one meanwhile. */
  #contextOf(session: SessionMeta, plan: Plan): Promise<SessionContext> {
    return sessionContext(this.stateDir, session.id, this.parts.env, plan);
  }

  protected planRequest(session: SessionMeta, launcher: number, config: Config): PlanRequest {
    return {
      stateDir: this.stateDir,
      sessionDir: this.sessionDir(session.id),
      session: session.id,
      projectRoot: bytePath(session.projectRoot),
      config,
      home: homeOf(this.parts.env),
      // The launcher's mounts, not ours: a client may run in a mount namespace of its own.
      mountinfo: readFileSync(`/proc/${launcher}/mountinfo`, 'latin1'),
      environ: readFileSync(`/proc/${launcher}/environ`, 'latin1'),
      unixSockets: () => readFileSync(`/proc/${launcher}/net/unix`, 'latin1'),
      uid: process.getuid?.() ?? 0,
      gid: process.getgid?.() ?? 0,
    };
  }

  /** The Node path ends with its answer. */
  expectCall(_session: SessionMeta): void {}

  expectFirstCall(_session: SessionMeta, _claude: string): void {}

  async answer(_session: SessionMeta, _typed: Typed): Promise<string | null> {
    return null;
  }

  async changeList(session: SessionMeta): Promise<ChangeList> {
    const ctx = await sessionContext(this.stateDir, session.id, this.parts.env);
    return await this.changes(session.id, ctx);
  }

  protected async changes(_session: string, ctx: SessionContext): Promise<ChangeList> {
    return await scan(ctx);
  }

  /**
   * Nobody else has done the work after the last call, nor followed the host while a process was left: it is done now. What
   * fails is told and tried again by the next call, as the server does it: the sandbox is no less sound with a copy too many
   * in it.
   */
  async settled(session: string): Promise<void> {
    const ctx = await this.context(session);
    if (ctx === null) return;
    try {
      const { left } = await tidy(ctx, null);
      if (left.length > 0) await this.#replay(ctx, [], true);
      await noteOverlaps(this.stateDir, this.parts.env, session);
    } catch (error) {
      const text = `the work after a call could not be done: ${failureText(error, this.stateDir)}`;
      await this.log(session, { t: 'notice', code: 'untidy', text });
    }
  }

  async hostChanged(session: SessionMeta, paths: readonly BytePath[]): Promise<void> {
    const ctx = await this.context(session.id);
    if (ctx !== null) await this.#replay(ctx, paths, false);
  }

  async #replay(ctx: SessionContext, paths: readonly BytePath[], everything: boolean): Promise<void> {
    await replayHost(ctx, { paths, everything }, (event) => this.log(ctx.session, event));
  }

  async later(work: () => Promise<void>): Promise<void> {
    await work();
  }

  ownPrograms(session: string): readonly string[] {
    return [...new Set([...this.parts.programs, ...readPrograms(this.sessionDir(session))])];
  }

  async unable(): Promise<string | null> {
    return await quickVerdict(this.stateDir, this.parts.env);
  }

  async earlierPending(session: SessionMeta): Promise<Earlier[]> {
    const { sessions } = await listSessions(this.stateDir);
    const earlier = sessions.filter(
      (other) => other.id !== session.id && other.projectId === session.projectId,
    );
    const pending: Earlier[] = [];
    for (const other of earlier.slice(0, MAX_EARLIER)) {
      if (await this.pending(other))
        pending.push({ id: other.id, changes: await this.countPending(other.id) });
    }
    return pending;
  }

  /** Null where counting would take longer than SessionStart may. */
  protected async countPending(_session: string): Promise<number | null> {
    return null;
  }

  async overlapWith(session: SessionMeta, other: string): Promise<Overlap> {
    return await overlapWith(this.stateDir, this.parts.env, session.id, other);
  }

  /** Null before there is a plan (see `expectFirstCall`). An adopted overlay has places, and no plan yet. */
  async context(session: string): Promise<SessionContext | null> {
    const dir = this.sessionDir(session);
    if (readPlan(dir) === null && !hasCoveredDirs(dir)) return null;
    return await sessionContext(this.stateDir, session, this.parts.env);
  }
}
