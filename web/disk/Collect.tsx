/** Making room: first what would go, then the request for exactly that. */

import { useSignal } from '@preact/signals';
import type { GarbageItem, GcPreview, GcReport } from '../../shared/api/disk.ts';
import { toggled } from '../lists/lists.ts';
import { useApp } from '../state/app.ts';
import { useWork } from '../state/resource.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Button, Check } from '../ui/Button.tsx';
import { Banner, ErrorPanel } from '../ui/Notice.tsx';
import { garbageKey, garbageName, gcRequest } from './disk.ts';

export function Collect({ onDone }: { onDone: () => void }) {
  const { backend, status, announcement } = useApp();
  const found = useSignal<GcPreview | null>(null);
  const report = useSignal<GcReport | null>(null);
  const left = useSignal<ReadonlySet<string>>(new Set());
  const { running, error, run } = useWork();
  const off = running.value || status.value !== 'connected';

  const preview = (): Promise<void> =>
    run(async () => {
      report.value = null;
      left.value = new Set();
      found.value = await backend.gcPreview();
    });
  const remove = (): Promise<void> =>
    run(async () => {
      const done = await backend.gc(gcRequest(found.value?.found ?? [], left.value).request);
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
        <Button icon="search" disabled={off} onClick={() => void preview()}>
          {running.value ? 'Loading…' : 'Show what can be removed'}
        </Button>
      ) : (
        <Found found={found.value} left={left} off={off} onRemove={() => void remove()} />
      )}
    </>
  );
}

interface FoundProps {
  found: GcPreview;
  /** Keys of what the user wants to keep. */
  left: { value: ReadonlySet<string> };
  off: boolean;
  onRemove: () => void;
}

function Found({ found, left, off, onRemove }: FoundProps) {
  if (found.found.length === 0) return <p>There is nothing to remove.</p>;
  const { request, bytes } = gcRequest(found.found, left.value);
  const toggle = (item: GarbageItem): void => {
    left.value = toggled(left.value, garbageKey(item));
  };
  return (
    <>
      <ul class="garbage plain" aria-label="What can be removed">
        {found.found.map((item) => (
          <li key={garbageKey(item)}>
            <Check checked={!left.value.has(garbageKey(item))} onChange={() => toggle(item)}>
              <span class="garbage-text">
                <span>
                  <span class="mono">{item.session}</span>: {garbageName(item)}
                  {item.at === '' ? '' : `, ${format.dateTime(item.at)}`}
                </span>
                <span class="muted">{visibleText(item.why)}</span>
              </span>
              <span class="num">{format.bytes(item.bytes)}</span>
            </Check>
          </li>
        ))}
      </ul>
      <Button kind="danger" icon="trash" disabled={off || request.items.length === 0} onClick={onRemove}>
        Remove {format.plural(request.items.length, 'item')}, {format.bytes(bytes)}
      </Button>
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
