/** One call in the timeline's list, and the words for where it ran. */
import { type CallView, shownCommand } from '../../shared/log/calls.ts';
import * as format from '../text/format.ts';
import { oneLine, visibleText } from '../text/visible.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';

interface Whereabouts {
  text: string;
  tone: BadgeTone;
  title: string;
}

/** Where a call ran. What ran outside unnoticed is the loudest thing on the page. */
export function whereRan(call: CallView): Whereabouts {
  switch (call.state) {
    case 'unsandboxed':
      return { text: 'NOT SANDBOXED', tone: 'danger', title: 'It ran on the host, and trai did not let it' };
    case 'refused':
      return { text: 'refused', tone: 'warning', title: 'trai did not let it run' };
    case 'not-run':
      return { text: 'not run', tone: 'neutral', title: 'It was asked for and never started' };
    case 'not-entered':
      return { text: 'not run', tone: 'warning', title: 'The sandbox could not be entered, so nothing ran' };
    case 'requested':
      return { text: 'waiting', tone: 'neutral', title: 'It was asked for and has not started' };
    default:
      if (call.mode === 'host')
        return { text: 'host', tone: 'modified', title: 'It ran on the host: what it wrote is not pending' };
      return { text: 'sandbox', tone: 'accent', title: 'It ran in the overlay: what it wrote is pending' };
  }
}

interface Outcome {
  text: string;
  /** For a row: beside it stands what the call wrote and left, which is more. */
  short?: string;
  tone: 'good' | 'bad' | 'running' | 'plain';
}

/** It did not run. */
export const NO_OUTCOME = '–';

export function outcomeOf(call: CallView): Outcome {
  if (call.state === 'running') return { text: 'running', tone: 'running' };
  if (call.state === 'lost') return { text: 'end unknown', tone: 'bad' };
  if (call.interrupted) return { text: 'interrupted', tone: 'bad' };
  if (call.rc !== null)
    return {
      ...endText(call.rc),
      tone: call.rc === 0 ? 'good' : 'bad',
    };
  if (call.ok !== null) return { text: call.ok ? 'done' : 'failed', tone: call.ok ? 'good' : 'bad' };
  return { text: NO_OUTCOME, tone: 'plain' };
}

const SIGNALS: Record<number, string> = {
  1: 'HUP',
  2: 'INT',
  3: 'QUIT',
  6: 'ABRT',
  9: 'KILL',
  11: 'SEGV',
  13: 'PIPE',
  15: 'TERM',
};

function endText(rc: number): { text: string; short?: string } {
  const name = SIGNALS[rc - 128];
  return name === undefined
    ? { text: `exit ${rc}` }
    : { text: `exit ${rc} (SIG${name})`, short: `SIG${name}` };
}

/** The time a call is sorted by: when it began, or was asked for. */
export function timeOf(call: CallView): string | null {
  return call.startedAt ?? call.requestedAt;
}

/** A sandboxed call with a text hands work to a server on the host (core/decide/host-reach.ts). */
function mayActOnHost(call: CallView): boolean {
  return call.mode === 'sandbox' && call.state !== 'unsandboxed' && call.text !== '';
}

interface Props {
  call: CallView;
  top: number;
  index: number;
  selected: boolean;
  size: number;
  /** Pending changes that it is among the last writers of. */
  wrote: number;
}

export function CallRow({ call, top, index, selected, size, wrote }: Props) {
  const place = whereRan(call);
  const outcome = outcomeOf(call);
  const time = timeOf(call);
  return (
    <div
      role="option"
      id={`call-${index}`}
      data-index={index}
      tabIndex={-1}
      class={`call-row ${selected ? 'row-selected' : ''} ${call.state === 'unsandboxed' ? 'call-caught' : ''}`}
      style={{ top: `${top}px` }}
      aria-selected={selected}
      aria-posinset={index + 1}
      aria-setsize={size}
    >
      <time class="call-time mono" dateTime={time ?? undefined} title={time ?? undefined}>
        {time === null ? '–' : format.clock(time)}
      </time>
      <div class="call-main">
        <code class="call-command">{oneLine(shownCommand(call))}</code>
        <div class="call-sub">
          <Badge tone={place.tone} title={place.title}>
            {place.text}
          </Badge>
          <span class={`outcome outcome-${outcome.tone}`} title={outcome.short && outcome.text}>
            {outcome.short ?? outcome.text}
          </span>
          {call.ms === null ? null : <span class="muted">{format.duration(call.ms)}</span>}
          {wrote > 0 ? <span class="call-wrote">{format.plural(wrote, 'change')}</span> : null}
          {mayActOnHost(call) ? (
            <span class="warn-text" title={visibleText(call.text)}>
              may act on the host
            </span>
          ) : null}
          {call.background ? <span class="muted">background</span> : null}
          {call.left.length > call.gone.length ? (
            <span class="warn-text">
              {format.plural(call.left.length - call.gone.length, 'process', 'processes')} left
            </span>
          ) : null}
        </div>
      </div>
    </div>
  );
}
