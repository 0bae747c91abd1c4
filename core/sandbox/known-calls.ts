import type { LogEvent } from '../../shared/log/events.ts';
import type { KnownCall } from '../../shared/model/process.ts';

/** The calls that entered the sandbox, in the order of the log. */
export function knownCalls(events: Iterable<LogEvent>): KnownCall[] {
  const calls: KnownCall[] = [];
  for (const event of events) {
    if (event.t !== 'call.started' || event.mode !== 'sandbox') continue;
    calls.push({ id: event.call, pid: event.pid, at: Date.parse(event.at) });
  }
  return calls;
}
