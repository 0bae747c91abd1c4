/** The frame of everything that is confirmed and then runs: what it would do, what stands in the way, how far it is. */

import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { ApiError } from '../../shared/api/api-error.ts';
import { CANCELLING, OBSTACLES } from '../messages/actions.ts';
import { useApp } from '../state/app.ts';
import type { Resource } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorPanel } from '../ui/Notice.tsx';
import { Sheet } from '../ui/Sheet.tsx';

interface Props<T> {
  state: SessionState;
  title: string;
  preview: Resource<T>;
  /** While the preview is on its way. */
  looking: string;
  /** While it runs. */
  doing: string;
  running: ReadonlySignal<boolean>;
  error: ReadonlySignal<ApiError | null>;
  /** Why it cannot be requested yet, a sentence or empty; null = it can. */
  obstacle: string | null;
  /** The list on show is not the one that the preview is about. */
  moved?: boolean;
  /** The job can be stopped between two entries. */
  stoppable?: boolean;
  button: { text: string; tone: 'primary' | 'danger' };
  onConfirm(): void;
  onClose: () => void;
  children: (plan: T) => ComponentChildren;
}

export function JobSheet<T>(props: Props<T>) {
  const { status } = useApp();
  const { title, preview, running, error, onClose } = props;
  const plan = preview.data.value;
  const isOffline = status.value !== 'connected';
  return (
    <Sheet title={title} closable={!running.value} onClose={onClose}>
      {running.value ? (
        <Running {...props} />
      ) : (
        <>
          {error.value === null ? null : <ErrorPanel error={error.value} />}
          {preview.error.value === null ? null : (
            <ErrorPanel error={preview.error.value} retry={() => void preview.load()} />
          )}
          {plan === null ? <p class="muted">{props.looking}</p> : props.children(plan)}
          <footer class="sheet-foot">
            <p class="obstacle" role="status">
              {isOffline ? OBSTACLES.offline : (props.obstacle ?? '')}
            </p>
            {props.moved ? (
              <Button icon="refresh" onClick={() => void props.state.reload().then(() => preview.load())}>
                Refresh
              </Button>
            ) : null}
            <Button onClick={onClose}>Cancel</Button>
            <button
              type="button"
              class={`button button-${props.button.tone}`}
              disabled={plan === null || props.obstacle !== null || isOffline}
              onClick={props.onConfirm}
            >
              {props.button.text}
            </button>
          </footer>
        </>
      )}
    </Sheet>
  );
}

function Running<T>({ state, doing, stoppable }: Props<T>) {
  const { backend } = useApp();
  const stopping = useSignal<'no' | 'asked' | 'too-late'>('no');
  const { done = 0, total = 0, path = '' } = state.progress.value ?? {};
  const stop = async (): Promise<void> => {
    stopping.value = 'asked';
    try {
      const { cancelled } = await backend.cancel(state.id);
      if (!cancelled) stopping.value = 'too-late';
    } catch {
      // The job goes on, and may be asked again.
      stopping.value = 'no';
    }
  };
  return (
    <>
      <div class="job" role="status">
        <p>
          {doing} {total > 0 ? `${done} of ${total}` : ''}
        </p>
        <progress aria-label={doing} {...(total > 0 ? { max: total, value: done } : {})} />
        <p class="mono path muted">{visibleText(path)}</p>
      </div>
      {stoppable ? (
        <footer class="sheet-foot">
          <p class="obstacle" role="status">
            {CANCELLING[stopping.value]}
          </p>
          <Button disabled={stopping.value !== 'no'} onClick={() => void stop()}>
            Stop
          </Button>
        </footer>
      ) : null}
    </>
  );
}
