/**
 * The doctor's page: the checks of `trai doctor`, of this machine or of one session's project.
 *
 *     backend.doctor    checks, configuration, server
 *     backend.session   the mount plan of the session in the address: where its writes go, and why
 *
 * Both answers are drawn together, as the mount plan stands between parts of the other.
 */
import type { Health, SessionDetail } from '../../shared/api/types.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useApp } from '../state/app.ts';
import { hasAnswered, type Resource, useResource } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import { projectName } from '../state/sessions.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Banner, ErrorPanel } from '../ui/Notice.tsx';
import { type Column, FactList, Page, Section, Table } from '../ui/Panel.tsx';

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
  const found = about === null || hasAnswered(detail) ? health.data.value : null;
  return (
    <Page
      title="Doctor"
      tools={
        <>
          <ProjectChoice about={about} />
          <Button
            class="check-again"
            icon="refresh"
            disabled={health.loading.value || status.value !== 'connected'}
            onClick={again}
          >
            {health.loading.value ? 'Checking…' : 'Check again'}
          </Button>
        </>
      }
      busy={health.loading.value}
    >
      <ErrorPanel error={health.error.value} retry={again} />
      {found === null ? null : <Found found={found} detail={about === null ? null : detail} />}
    </Page>
  );
}

function ProjectChoice({ about }: { about: string | null }) {
  const { sessions, go } = useApp();
  const list = sessions.data.value ?? [];
  return (
    <label class="inline">
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
  const { pid, startedAt, memory, stateDir } = found.server;
  return (
    <>
      {found.ok ? (
        <Banner boxed tone="added" icon="check">
          The sandbox works here.
        </Banner>
      ) : (
        <Banner boxed tone="danger" icon="warning">
          <strong>The sandbox cannot be entered here.</strong> Bash calls are refused until the failures below
          are fixed.
        </Banner>
      )}
      <ul class="checks plain boxed" aria-label="Checks">
        {found.checks.map((check) => (
          <CheckRow key={check.id} check={check} />
        ))}
      </ul>
      {detail === null ? null : <MountPlanOf detail={detail} />}
      <Config config={found.config} />
      <Section title="Server">
        <FactList
          facts={[
            ['Version', <span class="mono">{found.version}</span>],
            [
              'Process',
              `${pid}, started ${format.ago(startedAt, now.value)}, ${format.bytes(memory)} of memory`,
            ],
            ['State directory', <span class="mono">{visibleText(stateDir)}</span>],
          ]}
        />
      </Section>
    </>
  );
}

const CHECK_WORDS = { warning: ['note', 'warning'], error: ['FAIL', 'danger'] } as const;

function CheckRow({ check }: { check: Health['checks'][number] }) {
  const [word, tone] = check.ok ? ['ok', 'added'] : CHECK_WORDS[check.level];
  return (
    <li class={`check-row tone-${tone}`}>
      <Icon name={check.ok ? 'check' : 'warning'} class="check-icon" />
      <span class="check-word strong">{word}</span>
      <span class="check-id mono">{check.id}</span>
      <div class="path">
        <p>{visibleText(check.found)}</p>
        {check.remedy === '' ? null : (
          <pre class="remedy framed">{check.remedy.split('\n').map(visibleText).join('\n')}</pre>
        )}
      </div>
    </li>
  );
}

function MountPlanOf({ detail }: { detail: Resource<SessionDetail | null> }) {
  const session = detail.data.value;
  return (
    <Section title="Where writes go">
      <ErrorPanel error={detail.error.value} />
      {session === null ? null : (
        <>
          <MountPlanTable places={session.places} />
          <p class="plan-details">
            <a href={formatRoute({ view: 'details', session: session.id })}>
              Details of session {session.id}
            </a>
          </p>
        </>
      )}
    </Section>
  );
}

type Mount = SessionDetail['places'][number];

const MOUNTS: Record<Mount['kind'], { tone: BadgeTone; word: string; why: string }> = {
  covered: { tone: 'accent', word: 'pending', why: 'an overlay of its own' },
  'read-only': { tone: 'neutral', word: 'read-only', why: '' },
  direct: { tone: 'modified', word: 'written directly', why: '' },
  masked: { tone: 'neutral', word: 'hidden', why: '' },
};

const MOUNT_COLUMNS: readonly Column<Mount>[] = [
  { title: 'Directory', plain: true, class: 'mono path', cell: ({ path }) => visibleText(path) },
  {
    title: 'Writes are',
    plain: true,
    cell: ({ kind }) => <Badge tone={MOUNTS[kind].tone}>{MOUNTS[kind].word}</Badge>,
  },
  {
    title: 'Why',
    plain: true,
    class: 'muted',
    cell: ({ kind, why }) => (why === '' ? MOUNTS[kind].why : visibleText(why)),
  },
];

export function MountPlanTable({ places }: { places: readonly Mount[] }) {
  if (places.length === 0) return <p class="muted">Known after the first call.</p>;
  return <Table columns={MOUNT_COLUMNS} rows={places} keyOf={({ path }) => path} />;
}

type ConfigRow = Health['config']['rows'][number];

const CONFIG_COLUMNS: readonly Column<ConfigRow>[] = [
  { title: 'Key', heading: true, class: 'mono', cell: ({ key }) => key },
  {
    title: 'Value',
    plain: true,
    class: 'mono path',
    cell: ({ key, value, usual }) => (
      <>
        {visibleText(value)}{' '}
        {/bytes$/i.test(key) && Number(value) > 0 ? (
          <span class="muted">({format.bytes(Number(value))})</span>
        ) : null}{' '}
        {usual === null ? null : <Badge tone="accent">changed</Badge>}
      </>
    ),
  },
  {
    title: 'Default',
    class: 'mono path muted',
    cell: ({ usual }) => (usual === null ? 'the same' : visibleText(usual)),
  },
];

function Config({ config }: { config: Health['config'] }) {
  const { file, candidates, problems, rows } = config;
  return (
    <Section title="Config">
      {problems.length === 0 ? null : (
        <Banner boxed tone="warning" icon="warning">
          <strong>Part of the config was ignored.</strong>
          {problems.map((problem) => (
            <span key={problem} class="own-line">
              {visibleText(problem)}
            </span>
          ))}
        </Banner>
      )}
      <p class="section-about">
        {file === null ? (
          <>
            No config file: the defaults are used. Expected at <code>{visibleText(candidates[0] ?? '')}</code>
          </>
        ) : (
          <>
            Read from <code>{visibleText(file)}</code>
          </>
        )}
      </p>
      <Table columns={CONFIG_COLUMNS} rows={rows} keyOf={({ key }) => key} />
    </Section>
  );
}
