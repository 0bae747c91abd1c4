/** In the head of an entry in conflict: why it is one, and its sides on request. */

import { useState } from 'preact/hooks';
import { toDisplay } from '../../shared/bytes.ts';
import type { Change, ConflictReason } from '../../shared/model/change.ts';
import { RESOLVE_FIRST, reasonText } from '../messages/conflicts.ts';
import { useApp } from '../state/app.ts';
import { useResource } from '../state/resource.ts';
import { useSession } from '../state/session.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Loaded } from '../ui/Notice.tsx';
import { ConflictPanes } from './ConflictPanes.tsx';

export function ConflictNote({ change, reason }: { change: Change; reason: ConflictReason }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <p class="diff-conflict lines tone-warning">
        <Icon name="warning" /> {reasonText(reason)} {RESOLVE_FIRST}{' '}
        <Button small aria-expanded={open} onClick={() => setOpen(!open)}>
          Compare the sides
        </Button>
      </p>
      {open ? <Sides change={change} /> : null}
    </>
  );
}

function Sides({ change }: { change: Change }) {
  const { backend } = useApp();
  const { id } = useSession();
  const sides = useResource(
    (abort) => backend.conflict(id, { entry: change.id }, abort),
    [backend, id, change],
  );
  return (
    <Loaded resource={sides}>{(view) => <ConflictPanes view={view} path={toDisplay(change.path)} />}</Loaded>
  );
}
