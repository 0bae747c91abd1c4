/** Commit or discard of what a call wrote, asked for from its page. */

import { OrderButton } from '../orders/OrderButton.tsx';
import type { SessionState } from '../state/session.ts';

export function CallOrders({ state, call }: { state: SessionState; call: string }) {
  return (
    <div class="call-orders">
      <OrderButton state={state} action="commit" scope={{ kind: 'call', call }}>
        Commit what this call wrote…
      </OrderButton>
      <OrderButton state={state} action="commit" scope={{ kind: 'up-to', call }}>
        Commit everything up to here…
      </OrderButton>
      <OrderButton state={state} action="discard" scope={{ kind: 'call', call }}>
        Discard what this call wrote…
      </OrderButton>
    </div>
  );
}
