/** What follows when Claude Code has ended that ran in the session itself. */
import { setTimeout } from 'node:timers/promises';
import type { BytePath } from '../../shared/bytes.ts';
import { messageOf, TraiError } from '../../shared/errors.ts';
import type { ChangeList } from '../../shared/model/change.ts';
import { sumCounts } from '../../shared/model/change.ts';
import type { SessionProcess } from '../../shared/model/process.ts';
import { clientEndText, leftRunningText, stateLeftText } from '../../shared/terminal/client.ts';
import { sessionContext } from '../sandbox/context.ts';
import { nothingPending } from '../scan/nothing-pending.ts';
import type { Env } from '../session/dirs.ts';
import type { SessionContext } from '../session/session-context.ts';
import { findSession } from '../session/store.ts';
import { endClient, type Following } from './client-files.ts';
import { clientProcesses, lastClientCall } from './client-processes.ts';
import { tidyAlone } from './tidy-alone.ts';

export interface Ending {
  stateDir: string;
  session: string;
  env: Env;
  cwd: BytePath;
  keepsRunning: boolean;
  follows: Following;
  /** For the user's terminal. */
  say: (text: string) => void;
  /** Without asking it: whether a server seems to do the work after calls. */
  isServed: () => boolean;
  /** Of the server that answers; null = none. */
  port: () => Promise<number | null>;
  count: (ctx: SessionContext) => Promise<Pick<ChangeList, 'counts' | 'conflicts'>>;
}

/** Idempotent. What fails is said: the status is the client's, and what is pending stays so. */
export async function endOfClient(ending: Ending): Promise<void> {
  const { stateDir, session, env, say } = ending;
  const remark = (error: unknown): void => {
    const hint = error instanceof TraiError && error.hint !== undefined ? `\n${error.hint}` : '';
    say(`trai: ${messageOf(error)}${hint}`);
  };
  const context = async () => await sessionContext(stateDir, session, env);
  let ctx: SessionContext | null = null;
  try {
    ctx = await context();
  } catch (error) {
    remark(error);
  }
  await ending.follows.stop(ctx);
  if (ctx === null) return;
  try {
    let look = nothingPending(ctx);
    if (await endProcesses(ending, ctx)) {
      // Another call may have made a new plan meanwhile.
      ctx = await context();
      look = nothingPending(ctx);
    }
    const nothing = look();
    const left = await endClient(ctx, env).catch((error: unknown) => {
      remark(error);
      return [];
    });
    if (left.length > 0) say(stateLeftText(left));
    // Once more, as the client's own files are gone by now.
    if ((await nothing) || (await nothingPending(ctx)())) {
      if (!ending.isServed()) await tidyAlone(stateDir, session, env);
      return;
    }
    const port = await ending.port();
    if (port === null) await tidyAlone(stateDir, session, env);
    const { counts, conflicts } = await ending.count(ctx);
    const pending = sumCounts(counts);
    // Reads every session.
    const newest = pending === 0 ? null : await findSession(stateDir, { cwd: ending.cwd });
    const text = clientEndText({
      pending,
      conflicts,
      session: newest?.id === session ? null : session,
      port,
    });
    if (text !== '') say(text);
  } catch (error) {
    remark(error);
  }
}

const LOOKS = 5;
const LOOK_MS = 100;

/** Whether that took time. */
async function endProcesses({ keepsRunning, say }: Ending, ctx: SessionContext): Promise<boolean> {
  let left: SessionProcess[] = [];
  // What is just ending with the client was not left running.
  for (let look = 0; look < LOOKS; look++) {
    if (look > 0) await setTimeout(LOOK_MS);
    left = await clientProcesses(ctx);
    if (left.length === 0) return look > 0;
  }
  if (!(await hasStarted(ctx))) return true;
  say(leftRunningText(left, keepsRunning));
  if (!keepsRunning) {
    const { endAndLog } = await import('./door/outcome.ts');
    await endAndLog(ctx, left);
  }
  return true;
}

/** Else they are of an earlier client, which was told to leave them, and the launcher has named the one that is in the way. */
async function hasStarted({ sessionDir }: SessionContext): Promise<boolean> {
  const call = await lastClientCall(sessionDir);
  return call === undefined || (call.startedAt !== null && call.state !== 'not-entered');
}
