import { knownCalls, sessionProcesses } from '../../../core/attribution/processes.ts';
import { unfinishedCommit } from '../../../core/commit/recover/recover.ts';
import { diffEntry } from '../../../core/content/diff.ts';
import { lowSpace } from '../../../core/jobs/disk.ts';
import { overlapsOf } from '../../../core/jobs/overlaps.ts';
import { processStat } from '../../../core/kernel/proc/proc.ts';
import { sessionContext } from '../../../core/sandbox/context.ts';
import { liveProcesses } from '../../../core/sandbox/live.ts';
import { expectPlan } from '../../../core/sandbox/prepare/draft.ts';
import { currentId } from '../../../core/sandbox/prepare/plan-files.ts';
import { readLog } from '../../../core/session/log/read.ts';
import type { SessionMeta } from '../../../core/session/types.ts';
import type { BytePath } from '../../../shared/bytes.ts';
import { type CallView, foldCalls } from '../../../shared/log/calls.ts';
import { type Change, type ChangeList, sumCounts } from '../../../shared/model/change.ts';
import type { DiffModel } from '../../../shared/model/diff.ts';
import type { SessionProcess } from '../../../shared/model/process.ts';
import { FileWorld, type FileWorldParts } from '../../hooks/file-tools/file-world.ts';
import { within } from '../../hooks/world/within.ts';
import type { Typed } from '../../hooks/world/world.ts';
import type { SessionManager } from '../index/manager.ts';
import { type AnswerSource, answerText, type Overview } from '../typed/typed-answers.ts';

/** SessionStart has 5 s in all, and may ask for five sessions (ms). */
const COUNT_MS = 400;
/** By then the answer to PreToolUse is out; the client, a shell and the launcher's start come before the claim (ms). */
const EXPECT_MS = 2;

/** The world as the server knows it: the same files, with the manager's lists and its work after calls. */
export class ResidentWorld extends FileWorld implements AnswerSource {
  readonly #manager: SessionManager;
  readonly #report: (thrown: unknown) => void;

  constructor(parts: FileWorldParts, manager: SessionManager, report: (thrown: unknown) => void) {
    super(parts);
    this.#manager = manager;
    this.#report = report;
  }

  override async attach(request: Parameters<FileWorld['attach']>[0]): Promise<SessionMeta> {
    const session = await super.attach(request);
    this.#manager.see(session.id);
    return session;
  }

  /**
   * A list without news since that has something pending says yes at once. Anything else is looked up: the answer must
   * be exact now, since a wrong "nothing" would let a command read the host in place of what is pending.
   */
  override async pending(session: SessionMeta): Promise<boolean> {
    const watched = this.#manager.all().find((one) => one.id === session.id);
    if (watched?.dirty === false && watched.list !== null && sumCounts(watched.list.counts) > 0) return true;
    return await super.pending(session);
  }

  /** One thread, and hooks come to the Node path only while no server answers. */
  override async alone<T>(_session: string, work: () => T): Promise<T> {
    return work();
  }

  override expectCall(session: SessionMeta): void {
    const work = () => {
      try {
        expectPlan(this.planRequest(session, process.pid, this.config().config));
      } catch {
        // The call itself will say what is wrong.
      }
    };
    setTimeout(work, EXPECT_MS).unref();
  }

  /**
   * Made of the client's mounts and environment, which are mostly those of its calls. Whether they are is looked at by
   * the first call, as by every one: it gets this plan only if its own would be the same (`planId`). Not at SessionStart:
   * a client that is closed without a word should leave no overlay behind.
   */
  override expectFirstCall(session: SessionMeta, claude: string): void {
    const client = session.claude.findLast(({ id }) => id === claude);
    const { config } = this.config();
    if (session.off !== null || !config.enabled || client?.pid == null) return;
    const { pid, pidStart } = client;
    if (currentId(this.sessionDir(session.id)) !== null || processStat(pid)?.start !== pidStart) return;
    // What is wrong, the call itself will say.
    const work = () => void this.plan(session, pid, config).catch(() => undefined);
    setTimeout(work, EXPECT_MS).unref();
  }

  /** The list is wanted by the next tab, too. */
  protected override async countPending(session: string): Promise<number | null> {
    const list = await within(COUNT_MS, this.#manager.see(session).changes());
    return list === null ? null : sumCounts(list.counts);
  }

  override async settled(session: string): Promise<void> {
    await this.#manager.settled(session);
  }

  protected override async changes(session: string): Promise<ChangeList> {
    await this.#manager.settled(session);
    return await this.#manager.see(session).changes();
  }

  override async answer(session: SessionMeta, typed: Typed): Promise<string | null> {
    return await answerText(this, session, typed);
  }

  async diff(session: SessionMeta, change: Change): Promise<DiffModel> {
    return await diffEntry(await sessionContext(this.stateDir, session.id, this.parts.env), change);
  }

  async overview(session: SessionMeta): Promise<Overview> {
    const ctx = await sessionContext(this.stateDir, session.id, this.parts.env);
    return {
      list: await this.changes(session.id),
      processes: await liveProcesses(ctx.source),
      unfinished: (await unfinishedCommit(ctx)) !== null,
      overlaps: await overlapsOf(this.stateDir, this.parts.env, session.id),
      low: lowSpace(this.stateDir, this.config().config.disk.warnFreeBytes),
    };
  }

  async processes(session: SessionMeta): Promise<SessionProcess[]> {
    const { source } = await sessionContext(this.stateDir, session.id, this.parts.env);
    const log = async () => (await readLog(this.sessionDir(session.id))).events;
    return await sessionProcesses(source, async () => knownCalls(await log()));
  }

  async calls(session: SessionMeta): Promise<CallView[]> {
    return foldCalls((await readLog(this.sessionDir(session.id))).events);
  }

  override async hostChanged(session: SessionMeta, paths: readonly BytePath[]): Promise<void> {
    await this.#manager.follower.changed(session.id, paths);
  }

  override async later(work: () => Promise<void>): Promise<void> {
    void work().catch(this.#report);
  }
}
