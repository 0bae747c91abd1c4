/**
 * The page of one call. Its row in the log gives the head, the facts and the reason; three parts are fetched:
 *
 *     WhyHere      on request: the lists and rules that decided where the call ran
 *     CallWrites   what is pending by it, from the change list: the calls among an entry's last writers
 *     CallOutput   what it printed, once it has ended
 *
 * words.ts has the words for where it ran and how it ended, here, in the list and in marks.
 */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CallView } from '../../shared/log/calls.ts';
import type { Change } from '../../shared/model/change.ts';
import { REASONS } from '../../shared/model/decision.ts';
import { concludeWhy, type WhyCall } from '../../shared/model/why.ts';
import { permissionText } from '../../shared/terminal/calls.ts';
import { ActionButton } from '../actions/ActionDialog.tsx';
import { NO_FILTER } from '../changes/model/filter.ts';
import { useMore } from '../lists/use-more.ts';
import { CallProcesses } from '../processes/Processes.tsx';
import { useApp } from '../state/app.ts';
import { hasAnswered, set, useResource } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import { useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { KIND_TABLE } from '../text/kinds.ts';
import { displayBelow, displayPath } from '../text/paths.ts';
import { visibleOutput, visibleText } from '../text/visible.ts';
import { Badge, KindLetter } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Loaded } from '../ui/Notice.tsx';
import { FactList, type FactRow, scrolls } from '../ui/Panel.tsx';
import { Prose } from '../ui/Prose.tsx';
import { CallCommand } from './CallCommand.tsx';
import { NO_OUTCOME, outcomeOf, timeOf, whereRan } from './words.ts';

export function CallDetail({ call }: { call: CallView }) {
  const { changes } = useSession();
  const place = whereRan(call);
  const outcome = outcomeOf(call);
  return (
    <article class="call-detail" aria-label="Call">
      <header class="stack">
        <div class="call-sub inline small">
          <Badge tone={place.tone} title={place.title}>
            {place.text}
          </Badge>
          {outcome.text === NO_OUTCOME ? null : (
            <span class={`medium tone-${outcome.tone}`}>{outcome.text}</span>
          )}
          {call.ms === null ? null : <span class="muted">{format.duration(call.ms)}</span>}
        </div>
        <CallCommand command={call.command} />
      </header>
      {call.state === 'unsandboxed' ? (
        <p class="lines tone-danger">
          <Icon name="warning" /> This command ran on the host although trai did not allow it. What it wrote
          is not pending and cannot be discarded here.
        </p>
      ) : null}
      <Facts call={call} />
      <WhyHere key={call.id} call={call.id} />
      {/* CallWrites needs the change list; drawing the parts below it earlier would make them jump. */}
      {hasAnswered(changes) ? (
        <>
          <CallWrites key={`wrote ${call.id}`} call={call.id} />
          <CallProcesses call={call} />
          <CallOutput key={`output ${call.id}`} call={call} />
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
  const source = [
    call.origin,
    call.agent === '' ? '' : `agent ${visibleText(call.agent)}`,
    call.background ? 'in the background' : '',
  ];
  const twins = `${format.plural(call.twins, 'call')} of the same text ran at the same time: which outcome belongs to which is a guess.`;
  return (
    <FactList
      facts={[
        ['Why', whyText(call)],
        ['Permission', permissionOf(call)],
        ['Directory', <span class="mono">{visibleText(call.cwd)}</span>],
        ['Started', time === null ? 'never' : <time dateTime={time}>{format.dateTime(time)}</time>],
        ['Ended', call.endedAt === null ? null : format.dateTime(call.endedAt)],
        ['Source', source.filter((part) => part !== '').join(', ')],
        ['Twins', call.twins === 0 ? null : twins],
        ...call.saved.map((saved): FactRow => ['Kept', <Saved saved={saved} />]),
      ]}
    />
  );
}

function Saved({ saved: { what, text, restore } }: { saved: CallView['saved'][number] }) {
  return (
    <>
      What <span class="mono">{what}</span> threw away
      {text === '' ? ' is kept. ' : ` is not all kept: ${visibleText(text)}. `}
      {restore.length === 0 ? null : 'To restore it, run in a terminal:'}
      {restore.map((line) => (
        <pre class="excerpt output" key={line} {...scrolls}>
          {visibleText(line)}
        </pre>
      ))}
    </>
  );
}

function permissionOf({ permission }: CallView): ComponentChildren {
  if (permission === null) return null;
  const { why } = permission;
  return <Prose text={`${format.capital(permissionText(permission))}${why === '' ? '' : `: ${why}`}`} />;
}

function whyText(call: CallView): ComponentChildren {
  if (call.text !== '') return <Prose text={format.capital(call.text)} />;
  return call.reason === null ? 'Not recorded' : format.capital(REASONS[call.reason]);
}

function CallOutput({ call }: { call: CallView }) {
  const { backend } = useApp();
  const { id } = useSession();
  // Fetched again at the end of the call, when there is an output.
  const whole = useResource(
    (abort) => backend.call(id, { call: call.id }, abort),
    [backend, id, call.id],
    [call.state, call.ok, call.endedAt],
  );
  return (
    <section aria-label="Output" aria-busy={whole.data.value === null}>
      <h2>Output</h2>
      <Loaded resource={whole}>
        {({ state, head, tail, cut }) =>
          head === '' && tail === '' ? (
            <p class="muted">{state === 'running' ? 'None recorded yet.' : 'None recorded.'}</p>
          ) : (
            <>
              <Output text={head} />
              {cut > 0 ? <p class="cut muted">{format.bytes(cut)} in the middle were not kept</p> : null}
              {tail === '' ? null : <Output text={tail} />}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function Output({ text }: { text: string }) {
  return (
    <pre class="excerpt output" {...scrolls}>
      {visibleOutput(text)}
    </pre>
  );
}

const PENDING = {
  yes: 'Something was pending.',
  no: 'Nothing was pending.',
  unasked: 'Not checked: the decision does not depend on it.',
} as const;

/** The decision in detail: lists and rules for each part of the command, and what was pending. */
function WhyHere({ call }: { call: string }) {
  const [open, setOpen] = useState(false);
  return (
    <section class="why-holder" aria-label="Why here">
      <Button
        kind="quiet"
        aria-expanded={open}
        aria-controls={open ? 'why-call' : undefined}
        onClick={() => setOpen(!open)}
      >
        <Icon name="chevron" class={open ? 'turned' : ''} /> Why here?
      </Button>
      {open ? <WhyPanel call={call} /> : null}
    </section>
  );
}

function WhyPanel({ call }: { call: string }) {
  const { backend } = useApp();
  const { id } = useSession();
  const why = useResource((abort) => backend.whyCall(id, { call }, abort), [backend, id, call]);
  return (
    <div class="why" id="why-call" aria-busy={why.data.value === null}>
      <Loaded resource={why} waiting={<p class="muted">Loading…</p>}>
        {(found) => (
          <>
            <Conclusion text={concludeWhy(found)} />
            <FactList
              facts={[
                ['Pending then', found.pending === null ? 'Not on record.' : PENDING[found.pending]],
                ['Config', <Config why={found} />],
                ['Parts', <Parts why={found} />],
              ]}
            />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Conclusion({ text }: { text: string }) {
  return text === '' ? null : (
    <p class="why-said">
      <Prose text={text} />
    </p>
  );
}

function Config({ why: { config, configChanged } }: { why: WhyCall }) {
  return (
    <>
      {config === null ? 'Not on record.' : config === '' ? 'The defaults.' : null}
      {config ? <span class="mono path">{visibleText(config)}</span> : null}
      {configChanged ? ' Changed since: the parts below use its current content.' : ''}
    </>
  );
}

function Parts({ why: { plain, parts } }: { why: WhyCall }) {
  return (
    <>
      {plain ? null : <p>Part of the command was not understood with certainty.</p>}
      {parts.length === 0 ? 'None.' : null}
      <ul class="plain why-parts">
        {parts.map(({ program, why }, i) => (
          <li key={i}>
            <code>{program === '' ? '(no name)' : visibleText(program)}</code> <Prose text={why} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** More would make the page slow; the tree has the rest. */
const WRITES_STEP = 200;

function CallWrites({ call }: { call: string }) {
  const state = useSession();
  const [most, setMost] = useState(WRITES_STEP);
  const { box, more } = useMore<HTMLUListElement>('a');
  const changes = state.timeline.wrote.value.get(call) ?? [];
  const shared = changes.filter(({ by }) => (by?.length ?? 0) > 1).length;
  if (changes.length === 0) return null;
  return (
    <section aria-label="Files that it wrote">
      <h2>
        Wrote {format.plural(changes.length, 'entry', 'entries')} that {changes.length === 1 ? 'is' : 'are'}{' '}
        pending
      </h2>
      {shared > 0 ? (
        <p class="muted">
          {format.count(shared)} of them may also have been written by another call that ran at the same time.
        </p>
      ) : null}
      <ul ref={box} class="plain framed call-files" aria-label="Files">
        {changes.slice(0, most).map((change) => (
          <li key={change.id}>
            <FileLink change={change} />
          </li>
        ))}
      </ul>
      {changes.length > most ? (
        <Button onClick={() => more(() => setMost(most + WRITES_STEP))}>
          Show {format.count(Math.min(WRITES_STEP, changes.length - most))} more
        </Button>
      ) : null}
      <p class="call-tree">
        <a
          href={formatRoute({ view: 'changes', session: state.id, path: null })}
          onClick={() => set(state.filter, { ...NO_FILTER, call })}
        >
          Show only these in Changes
        </a>
      </p>
      <div class="actions flex wrap">
        <ActionButton action="commit" scope={{ kind: 'call', call }}>
          Commit what this call wrote…
        </ActionButton>
        <ActionButton action="commit" scope={{ kind: 'up-to', call }}>
          Commit everything up to here…
        </ActionButton>
        <ActionButton action="discard" scope={{ kind: 'call', call }}>
          Discard what this call wrote…
        </ActionButton>
      </div>
    </section>
  );
}

function FileLink({ change }: { change: Change }) {
  const { id, detail } = useSession();
  const { tone, word, letter } = KIND_TABLE[change.kind];
  return (
    <a
      class="call-file quiet-link lines"
      href={formatRoute({ view: 'changes', session: id, path: change.path })}
      title={`${word}: ${displayPath(change.path)}`}
    >
      <KindLetter tone={tone} letter={letter} word={word} />{' '}
      <span class="mono path grow">{displayBelow(change.path, detail.data.value?.projectRoot)}</span>
      {(change.by?.length ?? 0) > 1 ? <span class="muted">perhaps</span> : null}
    </a>
  );
}
