/** Everything that the log says about one call. */
import type { ComponentChildren } from 'preact';
import { REASONS } from '../../shared/decide/types.ts';
import type { CallView } from '../../shared/log/call-view.ts';
import * as format from '../lib/format.ts';
import { visibleOutput, visibleText } from '../lib/visible.ts';
import { useApp } from '../state/app.ts';
import { Badge } from './Badge.tsx';
import { outcomeOf, placeOf, timeOf } from './CallRow.tsx';
import { Icon } from './Icon.tsx';
import { scrolls } from './scrolls.ts';
import { WhyCall } from './WhyCall.tsx';

export function CallDetail({ call }: { call: CallView }) {
  const place = placeOf(call);
  const outcome = outcomeOf(call);
  const time = timeOf(call);
  const session = useApp().session.value;
  const running = call.left.filter((pid) => !call.gone.includes(pid));
  return (
    <article class="call-detail" aria-label="Call">
      <header class="call-head">
        <div class="call-sub">
          <Badge tone={place.tone} title={place.title}>
            {place.text}
          </Badge>
          <span class={`outcome outcome-${outcome.tone}`}>{outcome.text}</span>
          {call.ms === null ? null : <span class="muted">{format.duration(call.ms)}</span>}
        </div>
        <pre class="command" {...scrolls}>
          {visibleText(call.command)}
        </pre>
      </header>
      {call.state === 'unsandboxed' ? (
        <p class="note-danger">
          <Icon name="warning" /> This command ran on the host without trai having let it. What it wrote is
          not pending and cannot be discarded here.
        </p>
      ) : null}
      <dl class="call-facts">
        <Fact name="Why">{whyText(call)}</Fact>
        <Fact name="Directory">
          <span class="mono">{visibleText(call.cwd)}</span>
        </Fact>
        <Fact name="Started">
          {time === null ? 'never' : <time dateTime={time}>{new Date(time).toLocaleString()}</time>}
        </Fact>
        {call.endedAt === null ? null : <Fact name="Ended">{new Date(call.endedAt).toLocaleString()}</Fact>}
        <Fact name="Came from">
          {call.origin}
          {call.agent === '' ? '' : `, agent ${visibleText(call.agent)}`}
          {call.background ? ', in the background' : ''}
        </Fact>
        {call.twins > 0 ? (
          <Fact name="Twins">
            {format.plural(call.twins, 'call')} of the same text ran at the same time: which outcome belongs
            to which is a guess.
          </Fact>
        ) : null}
        {running.length > 0 ? (
          <Fact name="Still running">
            {format.plural(running.length, 'process', 'processes')}:{' '}
            <span class="mono">{running.join(', ')}</span>
          </Fact>
        ) : null}
        {call.gone.length > 0 ? (
          <Fact name="Ended later">
            {format.plural(call.gone.length, 'process', 'processes')} that it had left:{' '}
            <span class="mono">{call.gone.join(', ')}</span>
          </Fact>
        ) : null}
        {call.saved.map((saved) => (
          <Fact name="Kept" key={saved.what + saved.dir}>
            What <span class="mono">{saved.what}</span> threw away
            {saved.text === '' ? ' is kept. ' : ` is not all kept: ${visibleText(saved.text)}. `}
            {saved.restore.length === 0 ? null : 'To take it back, run in a terminal:'}
            {saved.restore.map((line) => (
              <pre class="output" key={line} {...scrolls}>
                {visibleText(line)}
              </pre>
            ))}
          </Fact>
        ))}
      </dl>
      {session === null ? null : <WhyCall key={call.id} session={session.id} call={call.id} />}
      <Output call={call} />
    </article>
  );
}

function whyText(call: CallView): string {
  if (call.text !== '') return visibleText(call.text);
  return call.reason === null ? 'not recorded' : REASONS[call.reason];
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Output({ call }: { call: CallView }) {
  if (call.head === '' && call.tail === '') {
    return (
      <p class="muted output-none">
        {call.state === 'running' ? 'No output recorded yet.' : 'No output recorded.'}
      </p>
    );
  }
  return (
    <section aria-label="Output">
      <h2>Output</h2>
      <pre class="output" {...scrolls}>
        {visibleOutput(call.head)}
      </pre>
      {call.cut > 0 ? <p class="cut">{format.bytes(call.cut)} in the middle were not kept</p> : null}
      {call.tail === '' ? null : (
        <pre class="output" {...scrolls}>
          {visibleOutput(call.tail)}
        </pre>
      )}
    </section>
  );
}
