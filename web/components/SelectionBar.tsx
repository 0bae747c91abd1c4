/** What is chosen in the list, and what can be done with it. */
import type { Scope } from '../../shared/commit/types.ts';
import { MAX_SCOPE_PATHS } from '../../shared/limits.ts';
import * as format from '../lib/format.ts';
import { pathsOf } from '../lib/selection.ts';
import { useActions } from '../state/actions.ts';
import { useApp } from '../state/app.ts';
import type { SessionState } from '../state/session.ts';
import { Icon } from './Icon.tsx';
import { OrderButton } from './OrderButton.tsx';

export function SelectionBar({ state }: { state: SessionState }) {
  return state.choice.sum.value.count === 0 ? null : <Bar state={state} />;
}

function Bar({ state }: { state: SessionState }) {
  const { announcement } = useApp();
  const { choice } = state;
  const { count, bytes } = choice.sum.value;
  useActions({ escape: choice.clear });
  const scope = (): Scope | null => {
    const paths = pathsOf(state.changes.data.value?.changes ?? [], choice.selection.value);
    if (paths.length > MAX_SCOPE_PATHS) {
      announcement.value = `Too many single entries: at most ${format.count(MAX_SCOPE_PATHS)} can be ordered at once. Choose whole directories.`;
      return null;
    }
    return { kind: 'paths', paths };
  };
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
      <OrderButton small {...{ state, scope }} action="discard">
        Discard selection…
      </OrderButton>
      <OrderButton small primary {...{ state, scope }} action="commit">
        Commit selection…
      </OrderButton>
    </section>
  );
}
