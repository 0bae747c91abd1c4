/** Says whether the entry on show was looked at, and changes it. */
import type { Change } from '../../shared/changes/model.ts';
import { runAction } from '../state/actions.ts';
import { useApp } from '../state/app.ts';
import type { SessionState } from '../state/session.ts';
import { Icon } from './Icon.tsx';

export function ViewedButton({ state, change }: { state: SessionState; change: Change }) {
  const { status } = useApp();
  const mark = state.viewed.marks.value.get(change.id);
  return (
    <button
      type="button"
      class="button button-quiet"
      disabled={status.value !== 'connected'}
      aria-pressed={mark === 'viewed'}
      title="Viewed (v); V also goes on to the next"
      onClick={() => runAction('viewed')}
    >
      <Icon name="check" /> {mark === 'updated' ? 'Changed since viewed' : 'Viewed'}
    </button>
  );
}
