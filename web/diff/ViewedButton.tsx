/** Says whether an entry was looked at, and changes it. */
import type { Change } from '../../shared/model/change.ts';
import { useApp } from '../state/app.ts';
import type { SessionState } from '../state/session.ts';
import { Button } from '../ui/Button.tsx';

interface Props {
  state: SessionState;
  change: Change;
  title?: string;
  /** Something is on show: a mark is for what was seen. */
  ready?: boolean;
  onClick(): void;
}

export function ViewedButton({ state, change, title, ready = true, onClick }: Props) {
  const { status } = useApp();
  const mark = state.viewed.marks.value.get(change.id);
  return (
    <Button
      kind="quiet"
      icon={mark === 'viewed' ? 'checked' : 'box'}
      disabled={status.value !== 'connected' || !ready}
      aria-pressed={mark === 'viewed'}
      title={title}
      onClick={onClick}
    >
      {mark === 'updated' ? 'Changed since viewed' : 'Viewed'}
    </Button>
  );
}
