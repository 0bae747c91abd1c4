/** When the session's latest calls in the sandbox began: from then on it saw the host anew. A call on the host mounts nothing. */
import { readTail } from '../kernel/fs/plain-file.ts';
import type { SessionContext } from '../session/session-context.ts';

/** How much of the log's end is read. Calls before that are older than any entry without a record. */
const TAIL_BYTES = 256 * 1024;

const STARTED = /"t":"call\.started"/;
const IN_SANDBOX = /"mode":"sandbox"/;
const AT = /"at":"([^"]+)"/;

/** Milliseconds since the epoch, ascending; none when there is no log. */
export function callStarts(ctx: SessionContext): number[] {
  const starts: number[] = [];
  for (const line of logTail(`${ctx.sessionDir}/calls.jsonl`).split('\n')) {
    const at =
      STARTED.test(line) && IN_SANDBOX.test(line) ? Date.parse(AT.exec(line)?.[1] ?? '') : Number.NaN;
    if (Number.isFinite(at)) starts.push(at);
  }
  return starts.sort((a, b) => a - b);
}

/** Without a log the caller goes by its last pass, which calls more of the host's changes unknown. */
function logTail(path: string): string {
  try {
    return readTail(path, TAIL_BYTES)?.toString('latin1') ?? '';
  } catch {
    return '';
  }
}
