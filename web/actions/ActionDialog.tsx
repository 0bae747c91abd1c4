/**
 * Commit, discard and undo are confirmed and run in one dialog; each is an `Action`.
 *
 *     preview    what the request would do (plan.tsx draws it), of the list's revision
 *     obstacle   the first open decision disables the button: conflicts, stale list, a number to type
 *     request    sent once; progress until it ends, and Stop where the job can stop between two entries
 *     after      the session is fetched again; when the request failed, the preview too
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { MAX_SCOPE_PATHS } from '../../shared/limits.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { CANCELLING, OBSTACLES } from '../messages/actions.ts';
import { tooManyText } from '../messages/changes.ts';
import { useApp } from '../state/app.ts';
import { parseTyped, typedObstacle } from '../state/commit-flow.ts';
import { type Resource, set, type Work } from '../state/resource.ts';
import { useSession } from '../state/session.ts';
import { count } from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Button, type ButtonProps } from '../ui/Button.tsx';
import { Banner, ErrorPanel, PathList } from '../ui/Notice.tsx';
import { Sheet, Ticked, TypedCount } from '../ui/Sheet.tsx';

/** An action confirmed by typing a number, or by a tick where all of it is named. */
export interface Guard {
  count: number;
  tick?: string;
  /** What would happen, a sentence. */
  what: string;
  more?: ComponentChildren;
}

export interface Action<T> {
  title: string;
  /** Texts while the preview is fetched and while the action runs. */
  loading: string;
  doing: string;
  preview: Resource<T>;
  work: Work;
  /** The first open decision, a sentence or empty; null = none. */
  obstacle(plan: T): string | null;
  guard(plan: T): Guard | null;
  /** The job can stop between two entries. */
  stoppable?: boolean;
  button: { text: string; kind: 'primary' | 'danger' };
  body(plan: T): ComponentChildren;
  /** Resolves to null when the action goes on without the dialog. */
  request(plan: T, typedCount: number | null): Promise<Outcome | null>;
}

export interface Outcome {
  /** Announced. */
  text: string;
  /** What did not become as it was asked for: keeps the dialog open. */
  others?: readonly string[];
}

interface Props<T> {
  action: Action<T>;
  /** Of the previewed list; undefined when the preview is about no list. */
  revision?: string | undefined;
  onClose(): void;
}

export function ActionDialog<T>({ action, revision, onClose }: Props<T>) {
  const { status, announcement } = useApp();
  const state = useSession();
  const typed = useSignal('');
  const outcome = useSignal<Outcome | null>(null);
  const { title, preview, work, button } = action;
  const plan = preview.data.value;
  const guard = plan === null ? null : action.guard(plan);
  const isMoved = revision !== undefined && revision !== state.changes.data.value?.revision;
  const obstacle = ((): string | null => {
    if (status.value !== 'connected') return OBSTACLES.offline;
    if (plan === null) return '';
    if (preview.loading.value) return action.loading;
    if (isMoved) return OBSTACLES.stale;
    return action.obstacle(plan) ?? typedObstacle(guard, typed.value);
  })();

  const confirm = async (): Promise<void> => {
    if (plan === null || obstacle !== null) return;
    state.progress.value = null;
    await work.run(
      async () => {
        const done = await action.request(plan, guard === null ? null : parseTyped(typed.value));
        await state.reload();
        if (done === null) return;
        const { text, others = [] } = done;
        announcement.value = [text, ...others.slice(0, 1)].join(' ');
        if (others.length === 0) onClose();
        else set(outcome, done);
      },
      () => {
        void preview.load();
        void state.reload();
      },
    );
    state.progress.value = null;
  };

  return (
    <Sheet title={title} closable={!work.running.value} onClose={onClose}>
      {work.running.value ? (
        <Running {...action} />
      ) : outcome.value !== null ? (
        <Ended outcome={outcome.value} onClose={onClose} />
      ) : (
        <>
          <ErrorPanel error={work.error.value} />
          <ErrorPanel error={preview.error.value} retry={() => void preview.load()} />
          {plan === null ? <p class="muted">{action.loading}</p> : action.body(plan)}
          {guard === null ? null : guard.tick !== undefined ? (
            <Ticked
              tick={guard.tick}
              ticked={parseTyped(typed.value) === guard.count}
              onTick={(ticked) => set(typed, ticked ? String(guard.count) : '')}
              what={guard.what}
            >
              {guard.more}
            </Ticked>
          ) : (
            <TypedCount count={guard.count} typed={typed} what={guard.what}>
              {guard.more}
            </TypedCount>
          )}
          <footer class="sheet-foot flex">
            <p class="obstacle muted" role="status">
              {obstacle}
            </p>
            {isMoved ? (
              <Button icon="refresh" onClick={() => void state.reload().then(() => preview.load())}>
                Refresh
              </Button>
            ) : null}
            <Button onClick={onClose}>Cancel</Button>
            <Button kind={button.kind} disabled={obstacle !== null} onClick={() => void confirm()}>
              {button.text}
            </Button>
          </footer>
        </>
      )}
    </Sheet>
  );
}

function Ended({ outcome: { text, others = [] }, onClose }: { outcome: Outcome; onClose(): void }) {
  return (
    <>
      <Banner boxed tone="warning" icon="warning">
        {text}
        <PathList paths={others} />
      </Banner>
      <footer class="sheet-foot flex">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </footer>
    </>
  );
}

function Running({ doing, stoppable }: { doing: string; stoppable?: boolean }) {
  const { backend } = useApp();
  const { id, progress } = useSession();
  const stopping = useSignal<'no' | 'asked' | 'too-late'>('no');
  const { done = 0, total = 0, path = '' } = progress.value ?? {};
  const stop = async (): Promise<void> => {
    stopping.value = 'asked';
    try {
      const { cancelled } = await backend.cancel(id);
      if (!cancelled) stopping.value = 'too-late';
    } catch {
      // The job goes on; the user may try again.
      stopping.value = 'no';
    }
  };
  return (
    <>
      <div class="job stack" role="status">
        <p>
          {doing} {total > 0 ? `${count(done)} of ${count(total)}` : ''}
        </p>
        <progress aria-label={doing} {...(total > 0 ? { max: total, value: done } : {})} />
        <p class="mono path muted">{visibleText(path)}</p>
      </div>
      {stoppable ? (
        <footer class="sheet-foot flex">
          <p class="obstacle muted" role="status">
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

interface ActionButtonProps extends ButtonProps {
  action: 'commit' | 'discard';
  /** A function is evaluated at the click; null = more paths than a request may name. */
  scope: Scope | (() => Scope | null);
}

/** Opens the dialog of a commit or discard; disabled without a server. */
export function ActionButton({ action, scope, disabled = false, ...looks }: ActionButtonProps) {
  const { status, announcement } = useApp();
  const { request } = useSession();
  const onClick = (): void => {
    const meant = typeof scope === 'function' ? scope() : scope;
    if (meant !== null) set(request, { action, scope: meant });
    else set(announcement, tooManyText(MAX_SCOPE_PATHS));
  };
  return (
    <Button
      aria-haspopup="dialog"
      disabled={disabled || status.value !== 'connected'}
      onClick={onClick}
      {...looks}
    />
  );
}
