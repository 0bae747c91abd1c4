/** What stands above a session's tabs: undo, off, caught outside, unfinished commit, problems of the config, others. */
import { useSignal } from '@preact/signals';
import { ApiError } from '../../shared/api/api-error.ts';
import { useApp } from '../state/app.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { Banner, ErrorPanel } from '../ui/Notice.tsx';
import { visibleText } from '../ui/visible.ts';
import { OtherSessions } from './OtherSessions.tsx';

export function SessionBanners({ state }: { state: SessionState }) {
  const detail = state.detail.data.value;
  if (detail === null) return null;
  return (
    <div class="banners">
      {detail.caught ? (
        <Banner tone="danger" icon="warning">
          <strong>NOT SANDBOXED.</strong> A command of this session ran on the host without trai having let
          it. What it wrote is not listed here. The timeline shows which.
        </Banner>
      ) : null}
      {detail.off === null ? null : (
        <Banner tone="warning" icon="off">
          <strong>The sandbox is off for this session:</strong> {visibleText(detail.off)}. Commands write to
          the host directly.
        </Banner>
      )}
      {detail.unfinished ? (
        <Banner tone="warning" icon="warning">
          A commit stopped in the middle. Nothing is lost: commit again, and it is finished first.
        </Banner>
      ) : null}
      {detail.configProblems.length > 0 ? (
        <Banner tone="warning" icon="warning">
          The config is not valid, so the defaults are used: {visibleText(detail.configProblems.join('; '))}
        </Banner>
      ) : null}
      <OtherSessions detail={detail} list={state.changes.data.value} />
      <UndoBanner state={state} />
    </div>
  );
}

function UndoBanner({ state }: { state: SessionState }) {
  const { backend, now, status, announcement } = useApp();
  const error = useSignal<ApiError | null>(null);
  const running = useSignal(false);
  const undo = state.detail.data.value?.undo ?? null;
  if (undo === null) return null;
  const run = async (): Promise<void> => {
    running.value = true;
    error.value = null;
    try {
      const report = await backend.undo(state.id, { trash: undo.trash });
      announcement.value = `${format.plural(report.entries, 'entry is', 'entries are')} pending again.`;
      await state.reload();
    } catch (thrown) {
      error.value = ApiError.from(thrown);
    } finally {
      running.value = false;
    }
  };
  return (
    <>
      <Banner
        tone="info"
        icon="undo"
        action={
          <button
            type="button"
            class="button"
            disabled={running.value || status.value !== 'connected'}
            onClick={() => void run()}
          >
            <Icon name="undo" /> Undo discard
          </button>
        }
      >
        Discarded {format.plural(undo.entries, 'entry', 'entries')} {format.ago(undo.at, now.value)}.
      </Banner>
      {error.value === null ? null : <ErrorPanel error={error.value} />}
    </>
  );
}
