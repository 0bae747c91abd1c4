import type { Health, SessionDetail } from '../../shared/api/types.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useApp } from '../state/app.ts';
import { hasAnswered, type Resource, useResource } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import { projectName } from '../state/sessions.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Banner, ErrorPanel } from '../ui/Notice.tsx';
import { Fact, Section } from '../ui/Panel.tsx';
import { MountPlanTable } from './MountPlanTable.tsx';

export function Doctor({ about }: { about: string | null }) {
  const { backend, status } = useApp();
  const health = useResource(
    (abort) => backend.doctor(about === null ? {} : { session: about }, abort),
    [backend, about],
  );
  const detail = useResource<SessionDetail | null>(
    async (abort) => (about === null ? null : await backend.session(about, abort)),
    [backend, about],
  );
  const again = (): void => void health.load();
  useShortcuts({ refresh: again });
  // The places stand between the parts of the other answer: all is drawn at once, so that nothing moves.
  const found = about === null || hasAnswered(detail) ? health.data.value : null;
  const error = health.error.value;
  return (
    <div class="page" aria-busy={health.loading.value}>
      <div class="page-head">
        <h1>Doctor</h1>
        <div class="page-tools">
          <ProjectChoice about={about} />
          <Button
            class="check-again"
            icon="refresh"
            disabled={health.loading.value || status.value !== 'connected'}
            onClick={again}
          >
            {health.loading.value ? 'Checking…' : 'Check again'}
          </Button>
        </div>
      </div>
      {error === null ? null : <ErrorPanel error={error} retry={again} />}
      {found === null ? null : <Found found={found} detail={about === null ? null : detail} />}
    </div>
  );
}

/** A session stands for its project: what is checked there, and where its writes go. */
function ProjectChoice({ about }: { about: string | null }) {
  const { sessions, go } = useApp();
  const list = sessions.data.value ?? [];
  return (
    <label class="choice">
      <span class="muted">Check</span>
      <select
        value={about ?? ''}
        onChange={(event) => {
          const id = event.currentTarget.value;
          go({ view: 'doctor', about: id === '' ? null : id });
        }}
      >
        <option value="">this machine</option>
        {list.map((session) => (
          <option key={session.id} value={session.id}>
            {projectName(session.projectRoot)}, session {session.id}
          </option>
        ))}
      </select>
    </label>
  );
}

function Found({ found, detail }: { found: Health; detail: Resource<SessionDetail | null> | null }) {
  const { now } = useApp();
  return (
    <>
      <div class="page-banner">
        {found.ok ? (
          <Banner tone="good" icon="check">
            The sandbox works here.
          </Banner>
        ) : (
          <Banner tone="danger" icon="warning">
            <strong>The sandbox cannot be entered here.</strong> Bash calls are refused until what is marked
            below is put right.
          </Banner>
        )}
      </div>
      <ul class="checks plain" aria-label="Checks">
        {found.checks.map((check) => (
          <CheckRow key={check.id} check={check} />
        ))}
      </ul>
      {detail === null ? null : <Places detail={detail} />}
      <Config config={found.config} />
      <Section title="Server">
        <dl class="call-facts">
          <Fact name="Version" mono>
            {found.version}
          </Fact>
          <Fact name="Process">
            <span class="mono">{found.server.pid}</span>, started{' '}
            {format.ago(found.server.startedAt, now.value)}, {format.bytes(found.server.memory)} of memory
          </Fact>
          <Fact name="State directory" mono>
            {visibleText(found.server.stateDir)}
          </Fact>
        </dl>
      </Section>
    </>
  );
}

function CheckRow({ check }: { check: Health['checks'][number] }) {
  const tone = check.ok ? 'good' : check.level === 'warning' ? 'note' : 'bad';
  const word = check.ok ? 'ok' : check.level === 'warning' ? 'note' : 'FAIL';
  return (
    <li class={`check-row check-${tone}`}>
      <Icon name={check.ok ? 'check' : 'warning'} class="check-icon" />
      <span class="check-word">{word}</span>
      <span class="check-id mono">{check.id}</span>
      <div class="check-found">
        <p>{visibleText(check.found)}</p>
        {check.remedy === '' ? null : (
          <pre class="remedy">{check.remedy.split('\n').map(visibleText).join('\n')}</pre>
        )}
      </div>
    </li>
  );
}

/** What is covered, skipped and written directly in one session. */
function Places({ detail }: { detail: Resource<SessionDetail | null> }) {
  const error = detail.error.value;
  const session = detail.data.value;
  return (
    <Section title="Where writes go">
      {error === null ? null : <ErrorPanel error={error} />}
      {session === null ? null : (
        <>
          <MountPlanTable places={session.places} />
          <p class="section-about">
            <a href={formatRoute({ view: 'details', session: session.id })}>
              Details of session {session.id}
            </a>
          </p>
        </>
      )}
    </Section>
  );
}

function Config({ config }: { config: Health['config'] }) {
  const { file, candidates, problems, rows } = config;
  return (
    <Section title="Config">
      {problems.length === 0 ? null : (
        <div class="page-banner">
          <Banner tone="warning" icon="warning">
            <strong>Not all of it could be used.</strong>
            {problems.map((problem) => (
              <span key={problem} class="banner-part">
                {visibleText(problem)}
              </span>
            ))}
          </Banner>
        </div>
      )}
      <p class="section-about">
        {file === null ? (
          <>
            No config file: the defaults are used. It would be <code>{visibleText(candidates[0] ?? '')}</code>
          </>
        ) : (
          <>
            Read from <code>{visibleText(file)}</code>
          </>
        )}
      </p>
      <div class="table-box">
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">Value</th>
              <th scope="col">Default</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <th scope="row" class="mono">
                  {row.key}
                </th>
                <td class="mono path">
                  {visibleText(row.value)} {row.usual === null ? null : <Badge tone="accent">changed</Badge>}
                </td>
                <td class="mono path muted">{row.usual === null ? 'the same' : visibleText(row.usual)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
