/** The page of one call: what ran, where and why, what it printed, wrote and left behind. */
import { useEffect, useState } from 'preact/hooks';
import type { CallView } from '../../shared/log/calls.ts';
import { REASONS } from '../../shared/model/decision.ts';
import type { Token } from '../diff/rows/highlight.ts';
import { shellColours } from '../diff/rows/highlighter.ts';
import { CallProcesses } from '../processes/Running.tsx';
import { useApp } from '../state/app.ts';
import { hasAnswered, useResource } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../text/format.ts';
import { visibleOutput, visibleText } from '../text/visible.ts';
import { Badge } from '../ui/Badge.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Loaded } from '../ui/Notice.tsx';
import { Fact, scrolls } from '../ui/Panel.tsx';
import { NO_OUTCOME, outcomeOf, timeOf, whereRan } from './CallRow.tsx';
import { CallWrites } from './CallWrites.tsx';
import { WhyCall } from './WhyCall.tsx';

export function CallDetail({ state, call }: { state: SessionState; call: CallView }) {
  const place = whereRan(call);
  const outcome = outcomeOf(call);
  return (
    <article class="call-detail" aria-label="Call">
      <header class="call-head">
        <div class="call-sub">
          <Badge tone={place.tone} title={place.title}>
            {place.text}
          </Badge>
          {outcome.text === NO_OUTCOME ? null : (
            <span class={`outcome outcome-${outcome.tone}`}>{outcome.text}</span>
          )}
          {call.ms === null ? null : <span class="muted">{format.duration(call.ms)}</span>}
        </div>
        <CallCommand command={call.command} />
      </header>
      {call.state === 'unsandboxed' ? (
        <p class="note-danger">
          <Icon name="warning" /> This command ran on the host without trai having let it. What it wrote is
          not pending and cannot be discarded here.
        </p>
      ) : null}
      <Facts call={call} />
      <WhyCall key={call.id} session={state.id} call={call.id} />
      {/* What it wrote comes with the list of changes: drawing what is below it earlier would make it jump. */}
      {hasAnswered(state.changes) ? (
        <>
          <CallWrites key={`wrote ${call.id}`} state={state} call={call.id} />
          <CallProcesses state={state} call={call} />
          <CallOutput key={`output ${call.id}`} session={state.id} call={call} />
        </>
      ) : (
        <p class="muted" role="status">
          Loading what it wrote…
        </p>
      )}
    </article>
  );
}

function Facts({ call }: { call: CallView }) {
  const time = timeOf(call);
  return (
    <dl class="call-facts">
      <Fact name="Why">{whyText(call)}</Fact>
      <Fact name="Directory">
        <span class="mono">{visibleText(call.cwd)}</span>
      </Fact>
      <Fact name="Started">
        {time === null ? 'never' : <time dateTime={time}>{format.dateTime(time)}</time>}
      </Fact>
      {call.endedAt === null ? null : <Fact name="Ended">{format.dateTime(call.endedAt)}</Fact>}
      <Fact name="Source">
        {call.origin}
        {call.agent === '' ? '' : `, agent ${visibleText(call.agent)}`}
        {call.background ? ', in the background' : ''}
      </Fact>
      {call.twins > 0 ? (
        <Fact name="Twins">
          {format.plural(call.twins, 'call')} of the same text ran at the same time: which outcome belongs to
          which is a guess.
        </Fact>
      ) : null}
      {call.saved.map((saved) => (
        <Fact name="Kept" key={saved.what + saved.dir}>
          What <span class="mono">{saved.what}</span> threw away
          {saved.text === '' ? ' is kept. ' : ` is not all kept: ${visibleText(saved.text)}. `}
          {saved.restore.length === 0 ? null : 'To restore it, run in a terminal:'}
          {saved.restore.map((line) => (
            <pre class="output" key={line} {...scrolls}>
              {visibleText(line)}
            </pre>
          ))}
        </Fact>
      ))}
    </dl>
  );
}

function whyText(call: CallView): string {
  if (call.text !== '') return visibleText(call.text);
  return call.reason === null ? 'not recorded' : REASONS[call.reason];
}

function CallOutput({ session, call }: { session: string; call: CallView }) {
  const { backend } = useApp();
  // Again when it has ended: only then there is an output.
  const whole = useResource(
    (abort) => backend.call(session, { call: call.id }, abort),
    [backend, session, call.id],
    [call.state, call.ok, call.endedAt],
  );
  return (
    <section aria-label="Output" aria-busy={whole.data.value === null}>
      <h2>Output</h2>
      <Loaded resource={whole}>{(found) => <Excerpt call={found} />}</Loaded>
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

function CallCommand({ command }: { command: string }) {
  const text = visibleText(command);
  const [colours, setColours] = useState<{ text: string; lines: Token[][] } | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    void shellColours(text, abort.signal).then((lines) => {
      if (!abort.signal.aborted) setColours({ text, lines });
    });
    return () => abort.abort();
  }, [text]);
  const colouring = colours?.text === text ? colours.lines : [];
  const lines = text.split('\n');
  return (
    <pre class="command" {...scrolls}>
      {lines.map((line, i) => (
        <Line key={i} text={line} tokens={colouring[i] ?? []} last={i === lines.length - 1} />
      ))}
    </pre>
  );
}

function Line({ text, tokens, last }: { text: string; tokens: readonly Token[]; last: boolean }) {
  const parts = [];
  let at = 0;
  for (const { start, end, className } of tokens) {
    if (start > at) parts.push(text.slice(at, start));
    parts.push(
      <span key={start} class={className}>
        {text.slice(start, end)}
      </span>,
    );
    at = end;
  }
  parts.push(text.slice(at));
  return (
    <>
      {parts}
      {last ? '' : '\n'}
    </>
  );
}
