/** Commit or discard of what a call wrote, asked for from its page. */
import type { Scope } from '../../shared/commit/types.ts';
import { useApp } from '../state/app.ts';
import type { SessionState } from '../state/session.ts';

export function CallOrders({ state, call }: { state: SessionState; call: string }) {
  const { status } = useApp();
  const offline = status.value !== 'connected';
  const order = (action: 'commit' | 'discard', scope: Scope) => () => {
    state.ordering.value = { action, scope };
  };
  return (
    <div class="call-orders">
      <button
        type="button"
        class="button"
        aria-haspopup="dialog"
        disabled={offline}
        onClick={order('commit', { kind: 'call', call })}
      >
        Commit what this call wrote…
      </button>
      <button
        type="button"
        class="button"
        aria-haspopup="dialog"
        disabled={offline}
        onClick={order('commit', { kind: 'up-to', call })}
      >
        Commit everything up to here…
      </button>
      <button
        type="button"
        class="button"
        aria-haspopup="dialog"
        disabled={offline}
        onClick={order('discard', { kind: 'call', call })}
      >
        Discard what this call wrote…
      </button>
    </div>
  );
}
