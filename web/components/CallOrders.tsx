/** Commit or discard of what a call wrote, asked for from its page. */
import type { Scope } from '../../shared/commit/types.ts';
import type { SessionState } from '../state/session.ts';
import { OrderButton } from './OrderButton.tsx';

export function CallOrders({ state, call }: { state: SessionState; call: string }) {
  const order = (action: 'commit' | 'discard', scope: Scope) => () => {
    state.ordering.value = { action, scope };
  };
  return (
    <div class="call-orders">
      <OrderButton onClick={order('commit', { kind: 'call', call })}>
        Commit what this call wrote…
      </OrderButton>
      <OrderButton onClick={order('commit', { kind: 'up-to', call })}>
        Commit everything up to here…
      </OrderButton>
      <OrderButton onClick={order('discard', { kind: 'call', call })}>
        Discard what this call wrote…
      </OrderButton>
    </div>
  );
}
