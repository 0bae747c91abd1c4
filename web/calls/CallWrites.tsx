/** What is pending by a call: each entry leads to its diff. */
import { useState } from 'preact/hooks';
import type { BytePath } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import { ActionButton } from '../actions/ActionButton.tsx';
import { NO_FILTER } from '../changes/model/filter.ts';
import { set } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../text/format.ts';
import { KIND_TABLE } from '../text/kinds.ts';
import { displayBelow, displayPath } from '../text/paths.ts';
import { Button } from '../ui/Button.tsx';

/** More would make the page slow; the rest is in the tree. */
const STEP = 200;

export function CallWrites({ state, call }: { state: SessionState; call: string }) {
  const [most, setMost] = useState(STEP);
  const changes = state.timeline.wrote.value.get(call) ?? [];
  const shared = changes.filter(({ by }) => (by?.length ?? 0) > 1).length;
  if (changes.length === 0) return null;
  const root = state.detail.data.value?.projectRoot;
  return (
    <section aria-label="Files that it wrote">
      <h2>
        Wrote {format.plural(changes.length, 'entry', 'entries')} that {changes.length === 1 ? 'is' : 'are'}{' '}
        pending
      </h2>
      {shared > 0 ? (
        <p class="muted">
          {format.count(shared)} of them another call can have written as well: they overlapped in time.
        </p>
      ) : null}
      <ul class="plain call-files" aria-label="Files">
        {changes.slice(0, most).map((change) => (
          <li key={change.id}>
            <FileLink session={state.id} change={change} root={root} />
          </li>
        ))}
      </ul>
      {changes.length > most ? (
        <Button onClick={() => setMost(most + STEP)}>
          Show {format.count(Math.min(STEP, changes.length - most))} more
        </Button>
      ) : null}
      <ShowInTree state={state} call={call} />
      <CallActions state={state} call={call} />
    </section>
  );
}

/** The tree with only these, to read them one after the other. */
function ShowInTree({ state, call }: { state: SessionState; call: string }) {
  return (
    <p class="call-tree">
      <a
        href={formatRoute({ view: 'changes', session: state.id, path: null })}
        onClick={() => set(state.filter, { ...NO_FILTER, call })}
      >
        Show only these in Changes
      </a>
    </p>
  );
}

interface FileProps {
  session: string;
  change: Change;
  /** Paths below it are shown without it. */
  root: BytePath | undefined;
}

function FileLink({ session, change, root }: FileProps) {
  const { tone, word } = KIND_TABLE[change.kind];
  const path = displayPath(change.path);
  return (
    <a
      class="call-file"
      href={formatRoute({ view: 'changes', session, path: change.path })}
      title={`${word}: ${path}`}
    >
      <span class={`kind tone-${tone}`} aria-hidden="true">
        {KIND_TABLE[change.kind].letter}
      </span>
      <span class="sr-only">{word} </span>
      <span class="mono path">{displayBelow(change.path, root)}</span>
      {(change.by?.length ?? 0) > 1 ? <span class="muted">perhaps</span> : null}
    </a>
  );
}

function CallActions({ state, call }: { state: SessionState; call: string }) {
  return (
    <div class="call-actions">
      <ActionButton state={state} action="commit" scope={{ kind: 'call', call }}>
        Commit what this call wrote…
      </ActionButton>
      <ActionButton state={state} action="commit" scope={{ kind: 'up-to', call }}>
        Commit everything up to here…
      </ActionButton>
      <ActionButton state={state} action="discard" scope={{ kind: 'call', call }}>
        Discard what this call wrote…
      </ActionButton>
    </div>
  );
}
