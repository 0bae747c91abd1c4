/** What of a session runs, with the call that started it, and the buttons to end it. */
import { useSignal } from '@preact/signals';
import type { CallView } from '../../shared/log/calls.ts';
import type { SessionProcess } from '../../shared/model/process.ts';
import { useApp } from '../state/app.ts';
import { set, useWork } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { ErrorPanel } from '../ui/Notice.tsx';

interface Props {
  state: SessionState;
  processes: readonly SessionProcess[];
}

export function Running({ state, processes }: Props) {
  const { backend, status, announcement } = useApp();
  /** What the user is asked about: one process, all that are on show, or nothing. */
  const asked = useSignal<readonly SessionProcess[]>([]);
  const { running, error, run } = useWork();

  const end = (): Promise<void> =>
    run(async () => {
      const keys = asked.value.map(({ pid, start }) => ({ pid, start }));
      const { ended } = await backend.endProcesses(state.id, { processes: keys });
      announcement.value = `Ended ${format.plural(ended.length, 'process', 'processes')}.`;
      asked.value = [];
      await state.detail.load();
    });

  if (processes.length === 0) return <p class="muted">Nothing.</p>;
  const locked = running.value || status.value !== 'connected';
  return (
    <>
      {error.value === null ? null : <ErrorPanel error={error.value} />}
      <table class="facts running">
        <thead>
          <tr>
            <th scope="col">PID</th>
            <th scope="col">Command</th>
            <th scope="col">Runs for</th>
            <th scope="col">Listens on</th>
            <th scope="col">Started by</th>
            <th scope="col">
              <span class="sr-only">Orders</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {processes.map((process) => (
            <tr key={`${process.pid} ${process.start}`}>
              <td class="mono num">{process.pid}</td>
              <td class="mono path">{visibleText(process.command)}</td>
              <td class="num">{format.duration(process.seconds * 1000)}</td>
              <td class="mono">{process.ports.map((port) => `:${port}`).join(' ')}</td>
              <td class="started-by">
                <StartedBy state={state} call={process.call} />
              </td>
              <td>
                <Button
                  kind="quiet"
                  aria-label={`End process ${process.pid}`}
                  disabled={locked}
                  onClick={() => set(asked, [process])}
                >
                  End
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {asked.value.length === 0 ? (
        <Button disabled={locked} onClick={() => set(asked, processes)}>
          End all
        </Button>
      ) : (
        <Confirm asked={asked.value} busy={locked} onEnd={() => void end()} onCancel={() => set(asked, [])} />
      )}
    </>
  );
}

function StartedBy({ state, call }: { state: SessionState; call: string | null }) {
  if (call === null) return <span class="muted">call not known</span>;
  const command = state.calls.data.value?.calls.find((one) => one.id === call)?.command;
  return (
    <a class="why-call" href={formatRoute({ view: 'calls', session: state.id, call })}>
      <Icon name="terminal" /> <code>{visibleText((command ?? call).slice(0, 80))}</code>
    </a>
  );
}

function Confirm(props: {
  asked: readonly SessionProcess[];
  busy: boolean;
  onEnd: () => void;
  onCancel: () => void;
}) {
  const [only] = props.asked;
  const what =
    props.asked.length === 1 && only !== undefined
      ? `process ${only.pid}`
      : `${props.asked.length} processes`;
  return (
    <section class="running-confirm" aria-label={`End ${what}`}>
      <p>Ends {what}: asked to end at first, killed after two seconds. What was written stays pending.</p>
      <Button kind="danger" disabled={props.busy} onClick={props.onEnd}>
        End {what}
      </Button>
      <Button disabled={props.busy} onClick={props.onCancel}>
        Cancel
      </Button>
    </section>
  );
}

export function CallProcesses({ state, call }: { state: SessionState; call: CallView }) {
  const left = call.left.filter((pid) => !call.gone.includes(pid));
  const processes = (state.detail.data.value?.processes ?? []).filter((one) => one.call === call.id);
  if (call.left.length === 0 && processes.length === 0) return null;
  const known = new Set(processes.map(({ pid }) => pid));
  const others = left.filter((pid) => !known.has(pid));
  return (
    <section aria-label="Processes of it">
      <h2>In the background</h2>
      {processes.length > 0 ? <Running state={state} processes={processes} /> : null}
      {others.length > 0 ? (
        <p>
          {format.plural(others.length, 'process', 'processes')} still running:{' '}
          <span class="mono">{others.join(', ')}</span>
        </p>
      ) : null}
      {call.gone.length > 0 ? (
        <p class="muted">
          {format.plural(call.gone.length, 'process', 'processes')} that it had left ended later:{' '}
          <span class="mono">{call.gone.join(', ')}</span>
        </p>
      ) : null}
    </section>
  );
}
