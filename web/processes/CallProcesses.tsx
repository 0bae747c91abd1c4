/** What a call left behind: processes that still run, with the order to end them, and those that have ended. */
import type { CallView } from '../../shared/log/call-view.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../ui/format.ts';
import { Running } from './Running.tsx';

export function CallProcesses({ state, call }: { state: SessionState; call: CallView }) {
  const left = call.left.filter((pid) => !call.gone.includes(pid));
  const processes = (state.detail.data.value?.processes ?? []).filter((one) => one.call === call.id);
  if (call.left.length === 0 && processes.length === 0) return null;
  const known = new Set(processes.map(({ pid }) => pid));
  const others = left.filter((pid) => !known.has(pid));
  return (
    <section aria-label="Processes of it">
      <h2>In the background</h2>
      {processes.length > 0 ? <Running state={state} processes={processes} /> : null}
      {others.length > 0 ? (
        <p>
          {format.plural(others.length, 'process', 'processes')} still running:{' '}
          <span class="mono">{others.join(', ')}</span>
        </p>
      ) : null}
      {call.gone.length > 0 ? (
        <p class="muted">
          {format.plural(call.gone.length, 'process', 'processes')} that it had left ended later:{' '}
          <span class="mono">{call.gone.join(', ')}</span>
        </p>
      ) : null}
    </section>
  );
}
