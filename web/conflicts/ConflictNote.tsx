/** In the head of an entry in conflict: why it is one, and its sides on request. */

import { useState } from 'preact/hooks';
import { toDisplay } from '../../shared/bytes.ts';
import type { Change, ConflictReason } from '../../shared/model/change.ts';
import { RESOLVE_FIRST, reasonText } from '../messages/conflicts.ts';
import { useApp } from '../state/app.ts';
import { useResource } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Loaded } from '../ui/Notice.tsx';
import { ConflictPanes } from './ConflictPanes.tsx';

interface Props {
  state: SessionState;
  change: Change;
  reason: ConflictReason;
}

export function ConflictNote({ state, change, reason }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <p class="diff-conflict flex tone-warning">
        <Icon name="warning" /> {reasonText(reason)} {RESOLVE_FIRST}{' '}
        <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
          Compare the sides
        </Button>
      </p>
      {open ? <Sides state={state} change={change} /> : null}
    </>
  );
}

function Sides({ state, change }: Omit<Props, 'reason'>) {
  const { backend } = useApp();
  const sides = useResource(
    (abort) => backend.conflict(state.id, { entry: change.id }, abort),
    [backend, state.id, change],
  );
  return (
    <Loaded resource={sides}>{(view) => <ConflictPanes view={view} path={toDisplay(change.path)} />}</Loaded>
  );
}
