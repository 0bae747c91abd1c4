/** Logs with decisions, for tests and benchmarks of what is made from them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureSession } from '../../core/session/store.ts';
import { fromText } from '../../shared/bytes.ts';
import type { EventOf, LogEvent } from '../../shared/log/events.ts';

type Permission = EventOf<'permission'>;

/** A shell call, with what was decided. `rc` null = it did not run. */
export interface Made {
  command: string;
  at: string;
  rc?: number | null;
  said?: Partial<Permission>;
  ended?: Partial<EventOf<'call.outcome'>>;
  cwd?: string;
}

/** The lines that hooks and launcher write for each call. */
export function linesOf(calls: readonly Made[], prefix = 'r'): LogEvent[] {
  return calls.flatMap(({ command, at, rc = 0, said = {}, ended = {}, cwd = '/p' }, i): LogEvent[] => {
    const request = `${prefix}${i}`;
    const call = `c${request}`;
    const head = { v: 1, at } as const;
    const permission: Permission = {
      ...{ v: 1, t: 'permission', at, request, claude: 'cl', agent: '', tool: 'Bash', subject: command },
      ...{
        cut: 0,
        decision: 'pass',
        by: 'client',
        rule: '',
        hash: '',
        also: [],
        segment: '',
        why: '',
        ms: 1,
      },
      ...said,
    };
    const requested: EventOf<'call.requested'> = {
      ...{ v: 1, t: 'call.requested', at, request, claude: 'cl', tool: 'Bash', command, cwd, agent: '' },
      ...{ background: false, mode: 'sandbox', reason: 'default', text: '', twins: 0 },
    };
    if (rc === null)
      return [permission, requested, { ...head, t: 'call.closed', call: '', request, why: 'not-run' }];
    return [
      permission,
      requested,
      {
        ...{ v: 1, t: 'call.decided', at, call, request, matched: 'exact', origin: 'claude', command, cwd },
        ...{ mode: 'sandbox', reason: 'default', text: '' },
      },
      { ...head, t: 'call.started', call, pid: 1, mode: 'sandbox', overlay: 'mounted' },
      { ...head, t: 'call.ended', call, rc, ms: 5 },
      {
        ...{
          ...head,
          t: 'call.outcome',
          request,
          ok: rc === 0,
          interrupted: false,
          background: '',
          head: rc === 0 ? '' : `Exit code ${rc}`,
        },
        ...{ tail: '', cut: 0, ms: 5, unsandboxed: false },
        ...ended,
      },
    ];
  });
}

/** A session with this log. */
export async function putSession(
  stateDir: string,
  id: string,
  events: readonly LogEvent[],
  project: string,
): Promise<void> {
  await ensureSession(stateDir, id, { cwd: fromText(project) });
  writeFileSync(join(stateDir, 'sessions', id, 'calls.jsonl'), jsonLines(events));
}

const jsonLines = (events: readonly LogEvent[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');
