/**
 * Processes of a session: the calls that started them, how long they run, where they listen.
 *
 *     Running         the table in the details and of a box, with buttons to end one or all
 *     CallProcesses   those that one call left, and which have ended
 *     EndProcesses    in a dialog: may the processes that block the request be ended?
 */
import { type Signal, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CallView } from '../../shared/log/calls.ts';
import type { LiveProcess } from '../../shared/model/commit.ts';
import type { SessionProcess } from '../../shared/model/process.ts';
import { useApp } from '../state/app.ts';
import { set, useWork } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import { useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Button, Check } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Banner, ErrorPanel } from '../ui/Notice.tsx';
import { type Column, FoldedTable, scrolls, useFolded } from '../ui/Panel.tsx';

const PROCESSES = ['process', 'processes'] as const;

interface RunningProps {
  processes: readonly SessionProcess[];
  /** What all of them are together, and what their end does besides. */
  whole?: { name: string; effect: string };
}

/** What is to be confirmed. `all`: by the button for all of them. */
interface Asked {
  processes: readonly SessionProcess[];
  all: boolean;
}

export function Running({ processes, whole }: RunningProps) {
  const { backend, status, announcement } = useApp();
  const { id, detail } = useSession();
  const asked = useSignal<Asked | null>(null);
  const { running, error, run } = useWork();
  const actions = useRef<HTMLDivElement>(null);
  const wasAsked = useRef(false);
  const question = asked.value;
  // What held the focus is gone with the question.
  useLayoutEffect(() => {
    if (wasAsked.current && question === null) actions.current?.focus();
    wasAsked.current = question !== null;
  }, [question]);

  const end = ({ processes: these }: Asked): Promise<void> =>
    run(async () => {
      const keys = these.map(({ pid, start }) => ({ pid, start }));
      const { ended } = await backend.endProcesses(id, { processes: keys });
      announcement.value = `Ended ${format.plural(ended.length, 'process', 'processes')}.`;
      asked.value = null;
      await detail.load();
    });

  if (processes.length === 0) return <p class="muted">Nothing.</p>;
  const locked = running.value || status.value !== 'connected';
  const columns: Column<SessionProcess>[] = [
    { title: 'PID', class: 'mono num', cell: ({ pid }) => pid },
    { title: 'Command', plain: true, class: 'mono path', cell: ({ command }) => visibleText(command) },
    { title: 'Runs for', class: 'num', cell: ({ seconds }) => format.duration(seconds * 1000) },
    { title: 'Listens on', class: 'mono', cell: ({ ports }) => ports.map((port) => `:${port}`).join(' ') },
    { title: 'Started by', class: 'path', cell: ({ call }) => <StartedBy call={call} /> },
    {
      title: 'Actions',
      silent: true,
      cell: (process) => (
        <Button
          small
          aria-label={`End process ${process.pid}`}
          disabled={locked}
          onClick={() => set(asked, { processes: [process], all: false })}
        >
          End
        </Button>
      ),
    },
  ];
  return (
    <>
      <ErrorPanel error={error.value} />
      <FoldedTable
        class="running"
        columns={columns}
        rows={processes}
        keyOf={({ pid, start }) => `${pid} ${start}`}
        more={PROCESSES}
      />
      {question === null ? (
        <div ref={actions} tabIndex={-1} class="actions flex wrap">
          <Button disabled={locked} onClick={() => set(asked, { processes, all: true })}>
            End {whole?.name ?? 'all'}
          </Button>
        </div>
      ) : (
        <Confirm
          asked={question}
          whole={whole}
          locked={locked}
          end={() => void end(question)}
          cancel={() => set(asked, null)}
        />
      )}
    </>
  );
}

interface ConfirmProps {
  asked: Asked;
  whole: RunningProps['whole'] | undefined;
  locked: boolean;
  end(): void;
  cancel(): void;
}

function Confirm({ asked: { processes, all }, whole, locked, end, cancel }: ConfirmProps) {
  const box = useRef<HTMLElement>(null);
  // It may take the place of the button that had the focus.
  useLayoutEffect(() => box.current?.focus(), [processes]);
  const count = format.plural(processes.length, 'process', 'processes');
  const named = processes.length === 1 ? `process ${processes[0]?.pid}` : count;
  const of = all && whole !== undefined ? whole : null;
  const what = of?.name ?? named;
  return (
    <section ref={box} tabIndex={-1} class="actions flex wrap" aria-label={`End ${what}`}>
      <p>
        Sends SIGTERM to {of === null ? named : `${count} of ${of.name}`}; killed after two seconds.{' '}
        {of?.effect ?? 'What was written stays pending.'}
      </p>
      {all ? <ProcessList processes={processes} /> : null}
      <Button kind="danger" disabled={locked} onClick={end}>
        End {what}
      </Button>
      <Button disabled={locked} onClick={cancel}>
        Cancel
      </Button>
    </section>
  );
}

function StartedBy({ call }: { call: string | null }) {
  const { id, calls } = useSession();
  if (call === null) return <span class="muted">not known</span>;
  const command = calls.data.value?.calls.find((one) => one.id === call)?.command;
  return (
    <a class="why-call lines" href={formatRoute({ view: 'calls', session: id, call })}>
      <Icon name="terminal" /> <code>{visibleText(format.cut(command ?? call, 80))}</code>
    </a>
  );
}

export function CallProcesses({ call }: { call: CallView }) {
  const processes = (useSession().detail.data.value?.processes ?? []).filter((one) => one.call === call.id);
  if (call.left.length === 0 && processes.length === 0) return null;
  const known = new Set([...call.gone, ...processes.map(({ pid }) => pid)]);
  const others = call.left.filter((pid) => !known.has(pid));
  return (
    <section aria-label="Its processes">
      <h2>In the background</h2>
      {processes.length > 0 ? <Running processes={processes} /> : null}
      {others.length > 0 ? (
        <p>
          {format.plural(others.length, 'process', 'processes')} still running:{' '}
          <span class="mono">{others.join(', ')}</span>
        </p>
      ) : null}
      {call.gone.length > 0 ? (
        <p class="muted">
          {format.plural(call.gone.length, 'process', 'processes')} that it left ended later:{' '}
          <span class="mono">{call.gone.join(', ')}</span>
        </p>
      ) : null}
    </section>
  );
}

interface EndProps {
  /** Why no process may run. */
  why: string;
  processes: readonly LiveProcess[];
  ends: Signal<boolean>;
}

export function EndProcesses({ why, processes, ends }: EndProps) {
  return (
    <Banner tone="warning" icon="terminal">
      <p>{why}</p>
      <ProcessList processes={processes} />
      <Check checked={ends}>
        <span>
          End {processes.length === 1 ? 'this process' : `these ${format.count(processes.length)} processes`}
        </span>
      </Check>
    </Banner>
  );
}

export function ProcessList({ processes }: { processes: readonly LiveProcess[] }) {
  const { box, shown, button } = useFolded<LiveProcess, HTMLUListElement>(processes, PROCESSES, 'li');
  if (processes.length === 0) return null;
  return (
    <>
      <ul ref={box} class="processes plain" {...scrolls} aria-label="Processes">
        {shown.map((process) => (
          <li key={`${process.pid} ${process.start}`}>
            <span class="mono num">{process.pid}</span>
            <code class="ellipsis grow" title={visibleText(process.command)}>
              {visibleText(process.command)}
            </code>
            <span class="muted">{format.duration(process.seconds * 1000)}</span>
          </li>
        ))}
      </ul>
      {button}
    </>
  );
}
