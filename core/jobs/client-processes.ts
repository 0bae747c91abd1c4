/** Apart from what explains calls (calls.ts): `trai claude` loads this at every start. */
import type { SessionProcess } from '../../shared/model/process.ts';
import { sessionProcesses } from '../attribution/processes.ts';
import { readFold } from '../session/log/read.ts';
import type { SessionContext } from '../session/session-context.ts';

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
