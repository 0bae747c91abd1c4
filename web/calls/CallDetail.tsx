/** The page of one call: what ran, where and why, what it printed, wrote and left behind. */

import type { CallView } from '../../shared/log/call-view.ts';
import { REASONS } from '../../shared/model/decision.ts';
import { CallProcesses } from '../processes/CallProcesses.tsx';
import { isSettled } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import { Badge } from '../ui/Badge.tsx';
import { Fact } from '../ui/Fact.tsx';
import * as format from '../ui/format.ts';
import { Icon } from '../ui/Icon.tsx';
import { scrolls } from '../ui/scroll-area.ts';
import { visibleText } from '../ui/visible.ts';
import { CallCommand } from './CallCommand.tsx';
import { CallOutput } from './CallOutput.tsx';
import { NO_OUTCOME, outcomeOf, placeOf, timeOf } from './CallRow.tsx';
import { CallWrites } from './CallWrites.tsx';
import { WhyCall } from './WhyCall.tsx';

export function CallDetail({ state, call }: { state: SessionState; call: CallView }) {
  const place = placeOf(call);
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
      {isSettled(state.changes) ? (
        <>
          <CallWrites key={`wrote ${call.id}`} state={state} call={call.id} />
          <CallProcesses state={state} call={call} />
          <CallOutput key={`output ${call.id}`} session={state.id} call={call} />
        </>
      ) : (
        <p class="muted" role="status">
          Looking at what it wrote…
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
      <Fact name="Came from">
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
          {saved.restore.length === 0 ? null : 'To take it back, run in a terminal:'}
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
