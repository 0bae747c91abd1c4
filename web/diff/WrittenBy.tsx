/** From an entry to the call that wrote it last, in one step. */
import type { Change } from '../../shared/model/change.ts';
import { useApp } from '../state/app.ts';
import { formatRoute } from '../state/router.ts';
import type { SessionState } from '../state/session.ts';
import { useActions } from '../ui/actions.ts';
import * as format from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { visibleText } from '../ui/visible.ts';

/** Candidates that are named; the panel "Why?" has them all. */
const MOST = 3;
/** Of a command. */
const MOST_CHARS = 100;

export function WrittenBy({ state, change }: { state: SessionState; change: Change }) {
  const { go } = useApp();
  const by = change.by ?? [];
  const last = by.at(-1);
  useActions(
    last === undefined ? {} : { 'go-call': () => go({ view: 'calls', session: state.id, call: last }) },
  );
  if (last === undefined) return null;
  const calls = state.calls.data.value?.calls ?? [];
  const shown = by.slice(-MOST);
  return (
    <p class="written-by">
      <Icon name="terminal" /> {by.length === 1 ? 'Written by' : 'Written by one of'}{' '}
      {shown.map((id) => (
        <a key={id} href={formatRoute({ view: 'calls', session: state.id, call: id })}>
          <code>{shorten(calls.find((call) => call.id === id)?.command ?? id)}</code>
        </a>
      ))}
      {by.length > MOST ? <span class="muted">and {format.count(by.length - MOST)} more</span> : null}
    </p>
  );
}

function shorten(command: string): string {
  return visibleText(command.length > MOST_CHARS ? `${command.slice(0, MOST_CHARS)}…` : command);
}
