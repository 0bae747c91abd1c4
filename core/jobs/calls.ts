import { statSync } from 'node:fs';
import type { EventOf } from '../../shared/log/events.ts';
import { foldLog, type LogFold } from '../../shared/log/fold.ts';
import type { WhyCall } from '../../shared/model/why.ts';
import { explainParts } from '../decide/classify.ts';
import { orIfRefused } from '../kernel/fs/port.ts';
import { loadConfig } from '../session/config-file.ts';
import { homeDir } from '../session/dirs.ts';
import { readLog } from '../session/log/read.ts';
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
  const { parts, plain } = explainParts(view.command, { cwd: view.cwd, home: homeDir(env), config });
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
