/** Why a call ran where it ran: the lists and rules its parts fall under, and what was pending. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { concludeWhy, type WhyCall as Why } from '../../shared/model/why-call.ts';
import { useApp } from '../state/app.ts';
import { createResource } from '../state/resource.ts';
import { visibleText } from '../text/visible.ts';
import { Icon } from '../ui/Icon.tsx';
import { ErrorPanel } from '../ui/Notice.tsx';

const PANEL = 'why-call';

const PENDING = {
  yes: 'Something was pending.',
  no: 'Nothing was pending.',
  unasked: 'Not looked at: the decision does not turn on it.',
} as const;

export function WhyCall({ session, call }: { session: string; call: string }) {
  const [open, setOpen] = useState(false);
  return (
    <section class="why-holder" aria-label="Why here">
      <button
        type="button"
        class="button button-quiet"
        aria-expanded={open}
        aria-controls={open ? PANEL : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron" class={open ? 'why-open' : ''} /> Why here?
      </button>
      {open ? <Panel session={session} call={call} /> : null}
    </section>
  );
}

function Panel({ session, call }: { session: string; call: string }) {
  const { backend } = useApp();
  const why = useMemo(
    () => createResource((abort) => backend.whyCall(session, { call }, abort)),
    [backend, session, call],
  );
  useEffect(() => {
    void why.load();
    return () => why.stop();
  }, [why]);
  const found = why.data.value;
  const error = why.error.value;
  return (
    <div class="why" id={PANEL} aria-busy={found === null}>
      {error === null ? null : <ErrorPanel error={error} retry={() => void why.load()} />}
      {found === null && error === null ? <p class="muted">Looking it up…</p> : null}
      {found === null ? null : <Facts why={found} />}
    </div>
  );
}

function Facts({ why }: { why: Why }) {
  const conclusion = concludeWhy(why);
  return (
    <>
      {conclusion === '' ? null : <p class="why-said">{visibleText(conclusion)}</p>}
      <dl class="call-facts">
        <div>
          <dt>Pending then</dt>
          <dd>{why.pending === null ? 'Not on record.' : PENDING[why.pending]}</dd>
        </div>
        <div>
          <dt>Config</dt>
          <dd>
            {why.config === null ? 'Not on record.' : why.config === '' ? 'The defaults.' : null}
            {why.config ? <span class="mono path">{visibleText(why.config)}</span> : null}
            {why.configChanged ? ' Changed since: the parts below go by what it says now.' : ''}
          </dd>
        </div>
        <div>
          <dt>Parts</dt>
          <dd>
            {why.plain ? null : <p>Some part of the text is not understood with certainty.</p>}
            {why.parts.length === 0 ? 'None.' : null}
            <ul class="plain why-parts">
              {why.parts.map((part, i) => (
                <li key={i}>
                  <code>{part.program === '' ? '(no name)' : visibleText(part.program)}</code>{' '}
                  {visibleText(part.why)}
                </li>
              ))}
            </ul>
          </dd>
        </div>
      </dl>
    </>
  );
}
