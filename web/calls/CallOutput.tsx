/** What a call printed, as far as it was kept. Fetched when it is on show: lists leave it out. */
import { useEffect, useMemo } from 'preact/hooks';
import type { CallView } from '../../shared/log/call-view.ts';
import { useApp } from '../state/app.ts';
import { createResource } from '../state/resource.ts';
import * as format from '../ui/format.ts';
import { ErrorPanel } from '../ui/Notice.tsx';
import { scrolls } from '../ui/scroll-area.ts';
import { visibleOutput } from '../ui/visible.ts';

export function CallOutput({ session, call }: { session: string; call: CallView }) {
  const { backend } = useApp();
  const whole = useMemo(
    () => createResource((abort) => backend.call(session, { call: call.id }, abort)),
    [backend, session, call.id],
  );
  // Again when it has ended: only then there is an output.
  useEffect(() => {
    void whole.load();
    return () => whole.stop();
  }, [whole, call.state, call.ok, call.endedAt]);
  const found = whole.data.value;
  const error = whole.error.value;
  return (
    <section aria-label="Output" aria-busy={found === null}>
      <h2>Output</h2>
      {error === null ? null : <ErrorPanel error={error} retry={() => void whole.load()} />}
      {found === null ? null : <Excerpt call={found} />}
    </section>
  );
}

function Excerpt({ call: { state, head, tail, cut } }: { call: CallView }) {
  if (head === '' && tail === '')
    return <p class="muted">{state === 'running' ? 'None recorded yet.' : 'None recorded.'}</p>;
  return (
    <>
      <pre class="output" {...scrolls}>
        {visibleOutput(head)}
      </pre>
      {cut > 0 ? <p class="cut">{format.bytes(cut)} in the middle were not kept</p> : null}
      {tail === '' ? null : (
        <pre class="output" {...scrolls}>
          {visibleOutput(tail)}
        </pre>
      )}
    </>
  );
}
