/** What is chosen in the list, and what can be done with it. */

import { OrderButton } from '../orders/OrderButton.tsx';
import type { SessionState } from '../state/session.ts';
import { useActions } from '../ui/actions.ts';
import * as format from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';

export function SelectionBar({ state }: { state: SessionState }) {
  return state.choice.sum.value.count === 0 ? null : <Bar state={state} />;
}

function Bar({ state }: { state: SessionState }) {
  const { choice } = state;
  const { count, bytes } = choice.sum.value;
  useActions({ escape: choice.clear });
  return (
    <section class="selection" aria-label="Selection">
      <p class="selection-sum num" role="status">
        {format.plural(count, 'entry', 'entries')} chosen{bytes > 0 ? `, ${format.bytes(bytes)}` : ''}
      </p>
      <button
        type="button"
        class="button button-quiet button-icon"
        aria-label="Choose nothing"
        title="Choose nothing (Esc)"
        onClick={choice.clear}
      >
        <Icon name="close" />
      </button>
      <OrderButton small state={state} scope={choice.scope} action="discard">
        Discard selection…
      </OrderButton>
      <OrderButton small primary state={state} scope={choice.scope} action="commit">
        Commit selection…
      </OrderButton>
    </section>
  );
}
