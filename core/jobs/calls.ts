import { statSync } from 'node:fs';
import type { EventOf } from '../../shared/log/events.ts';
import { foldLog, type LogFold } from '../../shared/log/fold.ts';
import type { LiveProcess } from '../../shared/model/commit.ts';
import type { SessionProcess } from '../../shared/model/process.ts';
import type { WhyCall } from '../../shared/model/why.ts';
import { endThese, sessionProcesses } from '../attribution/processes.ts';
import { explainParts } from '../decide/classify.ts';
import { orIfRefused } from '../kernel/fs/port.ts';
import { loadConfig } from '../session/config-file.ts';
import { readFold, readLog } from '../session/log/read.ts';
import type { SessionContext } from '../session/session-context.ts';
import { log } from './door/outcome.ts';
import { notOneCall } from './messages/errors.ts';

/**
 * Why a call ran where it did, from the log and from the lists as they are now.
 * @param id an unambiguous prefix, or the position from the end: `1` = the newest
 * @throws TraiError `not-found`, `io`
 */
export async function whyCall(
  session: { id: string; dir: string },
  id: string,
  env: NodeJS.ProcessEnv,
): Promise<WhyCall> {
  const { events } = await readLog(session.dir);
  const view = chosen(foldLog(events), session.id, id);
  let grounds: EventOf<'call.grounds'> | undefined;
  for (const event of events) if (event.t === 'call.grounds' && event.call === view.id) grounds = event;
  const { config } = loadConfig(env);
  const at = grounds?.at ?? view.requestedAt;
  const { parts, plain } = explainParts(view.command, { cwd: view.cwd, home: env['HOME'] ?? '/', config });
  const { command, cwd, origin, mode, reason, text, permission } = view;
  return {
    session: session.id,
    call: view.id,
    command,
    cwd,
    origin,
    mode,
    reason,
    text,
    at,
    pending: grounds?.pending ?? null,
    config: grounds?.config ?? null,
    configChanged: at !== null && changedSince(grounds?.config ?? '', at),
    parts,
    plain,
    permission,
  };
}

function chosen(fold: LogFold, session: string, id: string) {
  const exact = fold.view(id);
  if (exact !== null) return exact;
  const calls = fold.views();
  const back = /^[1-9]\d{0,4}$/.test(id) ? calls.at(-Number(id)) : undefined;
  if (back !== undefined) return back;
  const matches = calls.filter((call) => call.id.startsWith(id));
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  throw notOneCall(id, session, matches.length);
}

/** A file that is gone counts as changed. */
function changedSince(file: string, at: string): boolean {
  return file !== '' && orIfRefused(() => statSync(file).mtimeMs > Date.parse(at), true);
}

/** Of the session's client and what it started; not of `trai exec` and `trai explore` in other terminals. */
export async function clientProcesses(ctx: SessionContext): Promise<SessionProcess[]> {
  const fold = async () => await readFold(ctx.sessionDir);
  const found = await sessionProcesses(ctx.source, async () => (await fold()).spans());
  if (found.length === 0) return [];
  const others = new Set(
    (await fold())
      .views()
      .flatMap(({ id, origin }) => (origin === 'exec' || origin === 'explore' ? [id] : [])),
  );
  return found.filter(({ call }) => call === null || !others.has(call));
}

/**
 * Ends these processes, logged before the first signal, and returns the pids signalled.
 * @throws TraiError `live` with those that could not be ended
 */
export async function endAndLog(ctx: SessionContext, processes: readonly LiveProcess[]): Promise<number[]> {
  if (processes.length === 0) return [];
  const pids = processes.map(({ pid }) => pid);
  const commands = processes.map(({ command }) => command);
  await log(ctx, { t: 'processes', state: 'ending', pids, commands, quiet: false });
  return await endThese(ctx.source, processes);
}
