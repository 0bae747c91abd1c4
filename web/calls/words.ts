/** Words for a call: where it ran, how it ended, when. */
import type { CallView } from '../../shared/log/calls.ts';
import type { BadgeTone } from '../ui/Badge.tsx';

/** An unnoticed run outside the sandbox has the loudest tone of the page. */
export function whereRan(call: CallView): { text: string; tone: BadgeTone; title: string } {
  switch (call.state) {
    case 'unsandboxed':
      return {
        text: 'NOT SANDBOXED',
        tone: 'danger',
        title: 'Ran on the host although trai did not allow it',
      };
    case 'refused':
      return { text: 'refused', tone: 'warning', title: 'trai did not allow it to run' };
    case 'not-run':
      return { text: 'not run', tone: 'neutral', title: 'Requested, never started' };
    case 'not-entered':
      return { text: 'not run', tone: 'warning', title: 'The sandbox could not be entered, so nothing ran' };
    case 'requested':
      return { text: 'waiting', tone: 'neutral', title: 'Requested, not started yet' };
    default:
      if (call.mode === 'host')
        return { text: 'host', tone: 'modified', title: 'Ran on the host: what it wrote is not pending' };
      return { text: 'sandbox', tone: 'accent', title: 'Ran in the overlay: what it wrote is pending' };
  }
}

interface Outcome {
  text: string;
  /** For a row, which also has what the call wrote and left. */
  short?: string;
  tone: 'neutral' | 'deleted' | 'added';
}

/** For a call that did not run. */
export const NO_OUTCOME = '–';

export function outcomeOf(call: CallView): Outcome {
  if (call.state === 'running') return { text: 'running', tone: 'added' };
  if (call.state === 'lost') return { text: 'end unknown', tone: 'deleted' };
  if (call.interrupted) return { text: 'interrupted', tone: 'deleted' };
  if (call.rc !== null) return { ...endText(call.rc), tone: call.rc === 0 ? 'neutral' : 'deleted' };
  if (call.ok !== null) return { text: call.ok ? 'done' : 'failed', tone: call.ok ? 'neutral' : 'deleted' };
  return { text: NO_OUTCOME, tone: 'neutral' };
}

const SIGNALS: Record<number, string> = {
  1: 'HUP',
  2: 'INT',
  3: 'QUIT',
  6: 'ABRT',
  9: 'KILL',
  11: 'SEGV',
  13: 'PIPE',
  15: 'TERM',
};

function endText(rc: number): { text: string; short?: string } {
  const name = SIGNALS[rc - 128];
  return name === undefined
    ? { text: `exit ${rc}` }
    : { text: `exit ${rc} (SIG${name})`, short: `SIG${name}` };
}

/** The time that calls are sorted by: the start, else the request. */
export function timeOf(call: CallView): string | null {
  return call.startedAt ?? call.requestedAt;
}
