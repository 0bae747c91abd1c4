/** In the head of an entry in conflict: why it is one, and its sides on request. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { toDisplay } from '../../shared/bytes.ts';
import type { Change, ConflictReason } from '../../shared/model/change.ts';
import { RESOLVE_FIRST, reasonText } from '../messages/conflicts.ts';
import { useApp } from '../state/app.ts';
import { createResource } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ErrorPanel } from '../ui/Notice.tsx';
import { ConflictPanes } from './ConflictPanes.tsx';

interface Props {
  state: SessionState;
  change: Change;
  reason: ConflictReason;
}

export function ConflictNote({ state, change, reason }: Props) {
  const { backend } = useApp();
  const [open, setOpen] = useState(false);
  const sides = useMemo(
    () => createResource((abort) => backend.conflict(state.id, { entry: change.id }, abort)),
    [backend, state.id, change],
  );
  useEffect(() => {
    if (open) void sides.load();
    return () => sides.stop();
  }, [open, sides]);
  const view = sides.data.value;
  return (
    <>
      <p class="diff-conflict">
        <Icon name="warning" /> {reasonText(reason)} {RESOLVE_FIRST}{' '}
        <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
          Compare the sides
        </Button>
      </p>
      {!open || sides.error.value === null ? null : <ErrorPanel error={sides.error.value} />}
      {!open || view === null ? null : <ConflictPanes view={view} path={toDisplay(change.path)} />}
    </>
  );
}
