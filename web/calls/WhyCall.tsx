/** Why a call ran where it ran: the lists and rules its parts fall under, and what was pending. */

import { useState } from 'preact/hooks';
import { concludeWhy, type WhyCall as Why } from '../../shared/model/why.ts';
import { useApp } from '../state/app.ts';
import { useResource } from '../state/resource.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Loaded } from '../ui/Notice.tsx';
import { Fact } from '../ui/Panel.tsx';

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
      <Button
        kind="quiet"
        aria-expanded={open}
        aria-controls={open ? PANEL : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron" class={open ? 'why-open' : ''} /> Why here?
      </Button>
      {open ? <Panel session={session} call={call} /> : null}
    </section>
  );
}

function Panel({ session, call }: { session: string; call: string }) {
  const { backend } = useApp();
  const why = useResource((abort) => backend.whyCall(session, { call }, abort), [backend, session, call]);
  return (
    <div class="why" id={PANEL} aria-busy={why.data.value === null}>
      <Loaded resource={why} waiting={<p class="muted">Loading…</p>}>
        {(found) => <Facts why={found} />}
      </Loaded>
    </div>
  );
}

function Facts({ why }: { why: Why }) {
  const conclusion = concludeWhy(why);
  return (
    <>
      {conclusion === '' ? null : <p class="why-said">{visibleText(conclusion)}</p>}
      <dl class="call-facts">
        <Fact name="Pending then">{why.pending === null ? 'Not on record.' : PENDING[why.pending]}</Fact>
        <Fact name="Config">
          {why.config === null ? 'Not on record.' : why.config === '' ? 'The defaults.' : null}
          {why.config ? <span class="mono path">{visibleText(why.config)}</span> : null}
          {why.configChanged ? ' Changed since: the parts below go by what it says now.' : ''}
        </Fact>
        <Fact name="Parts">
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
        </Fact>
      </dl>
    </>
  );
}
