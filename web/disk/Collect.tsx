/** Making room: first what would go, then the order for exactly that. */
import { useSignal } from '@preact/signals';
import { ApiError } from '../../shared/api/api-error.ts';
import type { GarbageItem, GcPreview, GcReport } from '../../shared/api/disk.ts';
import { toggled } from '../lists/lists.ts';
import { useApp } from '../state/app.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Icon } from '../ui/Icon.tsx';
import { Banner, ErrorPanel } from '../ui/Notice.tsx';
import { garbageKey, garbageName, gcOrder } from './disk.ts';

export function Collect({ onDone }: { onDone: () => void }) {
  const { backend, status, announcement } = useApp();
  const found = useSignal<GcPreview | null>(null);
  const report = useSignal<GcReport | null>(null);
  const left = useSignal<ReadonlySet<string>>(new Set());
  const error = useSignal<ApiError | null>(null);
  const busy = useSignal(false);
  const off = busy.value || status.value !== 'connected';

  const run = async (work: () => Promise<void>): Promise<void> => {
    busy.value = true;
    error.value = null;
    try {
      await work();
    } catch (thrown) {
      error.value = ApiError.from(thrown);
    } finally {
      busy.value = false;
    }
  };
  const look = (): Promise<void> =>
    run(async () => {
      report.value = null;
      left.value = new Set();
      found.value = await backend.gcPreview();
    });
  const remove = (): Promise<void> =>
    run(async () => {
      const done = await backend.gc(gcOrder(found.value?.found ?? [], left.value).order);
      found.value = null;
      report.value = done;
      announcement.value = `Removed ${format.plural(done.removed.length, 'item')}.`;
      onDone();
    });

  return (
    <>
      {error.value === null ? null : <ErrorPanel error={error.value} />}
      {report.value === null ? null : <Report report={report.value} />}
      {found.value === null ? (
        <button type="button" class="button" disabled={off} onClick={() => void look()}>
          <Icon name="search" /> {busy.value ? 'Looking…' : 'Show what can be removed'}
        </button>
      ) : (
        <Found found={found.value} left={left} off={off} onRemove={() => void remove()} />
      )}
    </>
  );
}

interface FoundProps {
  found: GcPreview;
  /** Keys of what the person wants to keep. */
  left: { value: ReadonlySet<string> };
  off: boolean;
  onRemove: () => void;
}

function Found({ found, left, off, onRemove }: FoundProps) {
  if (found.found.length === 0) return <p>There is nothing to remove.</p>;
  const { order, bytes } = gcOrder(found.found, left.value);
  const toggle = (item: GarbageItem): void => {
    left.value = toggled(left.value, garbageKey(item));
  };
  return (
    <>
      <ul class="garbage plain" aria-label="What can be removed">
        {found.found.map((item) => (
          <li key={garbageKey(item)}>
            <label class="check">
              <input
                type="checkbox"
                checked={!left.value.has(garbageKey(item))}
                onChange={() => toggle(item)}
              />
              <span class="garbage-text">
                <span>
                  <span class="mono">{item.session}</span>: {garbageName(item)}
                  {item.at === '' ? '' : `, ${format.dateTime(item.at)}`}
                </span>
                <span class="muted">{visibleText(item.why)}</span>
              </span>
              <span class="num">{format.bytes(item.bytes)}</span>
            </label>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="button button-danger"
        disabled={off || order.items.length === 0}
        onClick={onRemove}
      >
        <Icon name="trash" /> Remove {format.plural(order.items.length, 'item')}, {format.bytes(bytes)}
      </button>
    </>
  );
}

function Report({ report }: { report: GcReport }) {
  return (
    <div class="page-banner" role="status">
      <Banner tone={report.kept.length === 0 ? 'good' : 'warning'} icon="check">
        Removed {format.plural(report.removed.length, 'item')}, {format.bytes(report.freed)}.
        {report.kept.map((item) => (
          <span key={garbageKey(item)} class="banner-part">
            Of session {item.session} stayed: {visibleText(item.why)}
          </span>
        ))}
      </Banner>
    </div>
  );
}
