/** Why an entry is as it is: the calls that wrote it, what the host had and has. Fetched on request. */
import { signal } from '@preact/signals';
import { toDisplay } from '../../shared/bytes.ts';
import type { Change, Side } from '../../shared/model/change.ts';
import {
  PLACE_WORDS,
  type WhyPath as Why,
  type WhyWrite,
  type WhyWriter,
  WRITE_WORDS,
} from '../../shared/model/why.ts';
import { useApp } from '../state/app.ts';
import { set, useResource } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import { useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Loaded } from '../ui/Notice.tsx';
import { Fact, scrolls } from '../ui/Panel.tsx';

const PANEL = 'why-path';
/** Kept from entry to entry. */
const isOpen = signal(false);

const BASES = {
  known: '',
  absent: 'The host had no entry of that name.',
  unknown: 'Unknown: the host changed it at about the time of the copy-up.',
  none: 'Not recorded.',
} as const satisfies Record<Why['base'], string>;

export function WhyButton() {
  return (
    <Button
      kind="quiet"
      aria-expanded={isOpen.value}
      aria-controls={isOpen.value ? PANEL : undefined}
      title="Which call wrote it, and what the host had"
      onClick={() => set(isOpen, !isOpen.value)}
    >
      Why?
    </Button>
  );
}

export function WhyPath({ change }: { change: Change }) {
  return isOpen.value ? <Panel change={change} /> : null;
}

function Panel({ change }: { change: Change }) {
  const { backend } = useApp();
  const { id, changes } = useSession();
  const why = useResource(
    (abort) => backend.why(id, { entry: change.id }, abort),
    [backend, id, change.id],
    [changes.data.value?.revision],
  );
  return (
    <section class="why" id={PANEL} aria-label="Why" aria-busy={why.data.value === null} {...scrolls}>
      <Loaded resource={why} waiting={<p class="muted">Loading…</p>}>
        {(found) => <Facts why={found} />}
      </Loaded>
    </section>
  );
}

function Facts({ why }: { why: Why }) {
  const { change } = why;
  return (
    <dl class="fact-list">
      {why.writes.map((write) => (
        <Fact name={format.capital(WRITE_WORDS[write.what])} key={write.what}>
          <When write={write} />
          <Writers write={write} session={why.session} />
        </Fact>
      ))}
      {change?.ignored == null ? null : (
        <Fact name="Ignored">
          by the rule <code>{visibleText(change.ignored)}</code>
        </Fact>
      )}
      {change?.group == null ? null : (
        <Fact name="Group">
          committed or refused as one with all of{' '}
          <span class="mono path">{visibleText(change.group.replace(/^[a-z]+:/, ''))}</span>
        </Fact>
      )}
      <Fact name="Host had">
        {why.baseHost === null ? BASES[why.base] : <SideText side={why.baseHost} />}
      </Fact>
      <Fact name="Host has">{why.host === null ? 'no entry' : <SideText side={why.host} />}</Fact>
      <Fact name="Pending">{change?.pending == null ? 'no entry' : <SideText side={change.pending} />}</Fact>
      <Fact name="Overlay">
        {PLACE_WORDS[why.place.kind]}
        {why.place.kind === 'none' ? null : <span class="mono path"> {toDisplay(why.place.path)}</span>}
        {why.place.why === '' ? '' : ` (${visibleText(why.place.why)})`}
      </Fact>
    </dl>
  );
}

function When({ write: { from, to } }: { write: WhyWrite }) {
  const time = (at: string) => <time dateTime={at}>{format.dateTime(at)}</time>;
  if (from === to) return <>{time(to)}, </>;
  return (
    <>
      between {time(from)} and {time(to)},{' '}
    </>
  );
}

function Writers({ write: { writers }, session }: { write: WhyWrite; session: string }) {
  if (writers.length === 0) return <>when no call of the log was running</>;
  const links = writers.map((writer) => (
    <WriterLink key={`${writer.session} ${writer.call}`} writer={writer} session={session} />
  ));
  if (links.length === 1) return <>by {links}</>;
  return (
    <>
      by one of {format.count(links.length)} calls that ran then:
      <ul class="plain why-parts">
        {links.map((link) => (
          <li key={link.key}>{link}</li>
        ))}
      </ul>
    </>
  );
}

function WriterLink({ writer, session }: { writer: WhyWriter; session: string }) {
  return (
    <>
      <a
        class="why-call lines"
        href={formatRoute({ view: 'calls', session: writer.session, call: writer.call })}
      >
        <Icon name="terminal" /> <code>{visibleText(format.cut(writer.command, 120))}</code>
      </a>
      {writer.by === 'process' ? <span class="muted"> (a process that it left)</span> : null}
      {writer.session === session ? null : (
        <span class="muted"> in session {visibleText(writer.session)}</span>
      )}
    </>
  );
}

function SideText({ side }: { side: Pick<Side, 'type' | 'size' | 'mode' | 'uid' | 'gid' | 'target'> }) {
  return (
    <>
      {side.type}
      {side.type === 'file' ? `, ${format.bytes(side.size)}` : ''}, mode {format.octal(side.mode)}, owner{' '}
      {side.uid}:{side.gid}
      {side.target === undefined ? null : <span class="mono path"> → {toDisplay(side.target)}</span>}
    </>
  );
}
