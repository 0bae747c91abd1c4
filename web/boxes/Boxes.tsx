/**
 * What boxes of all projects keep, and moving to the trash what belongs to no project any more.
 *
 *     boxes          sizes, last use, sessions, and what gc would take (state `gone`)
 *     collectBoxes   moves exactly the chosen ones of these; the answer has what brings each back
 */
import { type Signal, useSignal } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import type { InstanceGc, SizedInstance } from '../../shared/model/box.ts';
import { undoLine } from '../../shared/terminal/box.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { toggled } from '../lists/lists.ts';
import { useMore } from '../lists/use-more.ts';
import {
  BOXES_ABOUT,
  COLLECT_ABOUT,
  countText,
  keptText,
  movedText,
  moveText,
  NO_BOXES,
  NO_BOXES_HINT,
  NOTHING_TO_COLLECT,
  nothingSure,
  PROJECT_GONE,
} from '../messages/boxes.ts';
import { useApp } from '../state/app.ts';
import { set, useResource, useWork } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import * as format from '../text/format.ts';
import { displayPath } from '../text/paths.ts';
import { visibleText } from '../text/visible.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button, Check, LinkButton } from '../ui/Button.tsx';
import { CopyCommand } from '../ui/CopyCommand.tsx';
import { Banner, Empty, ErrorPanel, Loaded } from '../ui/Notice.tsx';
import { type Column, FoldedTable, Page, Section } from '../ui/Panel.tsx';
import { Prose } from '../ui/Prose.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { findInstances, sortInstances } from './rows.ts';

export function Boxes() {
  const { backend } = useApp();
  const list = useResource((abort) => backend.boxes(abort), [backend]);
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const again = (): void => void list.load();
  useShortcuts({
    refresh: again,
    filter: () => field.current?.focus(),
    escape: () => {
      setText('');
      field.current?.blur();
    },
  });
  const all = list.data.value?.instances ?? null;
  const size = sizeOf(all ?? []);
  return (
    <Page
      title="Boxes"
      about={all === null || all.length === 0 ? null : `${countText(all.length)}, ${format.bytes(size)}`}
      tools={
        all === null || all.length === 0 ? null : (
          <SearchField
            field={field}
            label="Find boxes"
            placeholder="Project, session, id"
            value={text}
            onText={setText}
          />
        )
      }
      busy={list.loading.value}
    >
      <Loaded resource={list}>
        {({ instances }) => (
          <>
            <Collect instances={instances} onDone={again} />
            {instances.length === 0 ? (
              <Empty icon="package" title={NO_BOXES}>
                <p>
                  <Prose text={NO_BOXES_HINT} />
                </p>
              </Empty>
            ) : (
              <Instances instances={findInstances(sortInstances(instances), text)} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const sizeOf = (instances: readonly { bytes: number }[]): number =>
  instances.reduce((sum, { bytes }) => sum + bytes, 0);

function Instances({ instances }: { instances: readonly SizedInstance[] }) {
  const { now } = useApp();
  const columns: Column<SizedInstance>[] = [
    { title: 'Project', plain: true, class: 'path', cell: (one) => <Project one={one} /> },
    { title: 'Sessions', class: 'box-sessions', cell: ({ sessions }) => <Sessions ids={sessions} /> },
    {
      title: 'Last use',
      class: 'muted box-used',
      cell: ({ lastUse }) =>
        lastUse === '' ? (
          ''
        ) : (
          <time dateTime={lastUse} title={format.dateTime(lastUse)}>
            {format.ago(lastUse, now.value)}
          </time>
        ),
    },
    { title: 'Size', plain: true, class: 'num box-size', cell: ({ bytes }) => format.bytes(bytes) },
  ];
  return (
    <Section title="Projects" about={BOXES_ABOUT}>
      {instances.length === 0 ? (
        <p class="muted">No matches.</p>
      ) : (
        <FoldedTable
          class="box-table"
          columns={columns}
          rows={instances}
          keyOf={({ id }) => id}
          more={['box', 'boxes']}
        />
      )}
    </Section>
  );
}

function Project({ one: { id, root, running, state, why } }: { one: SizedInstance }) {
  return (
    <>
      <span class="mono">{root === null ? '?' : displayPath(root)}</span>{' '}
      {running ? <Badge tone="added">running</Badge> : null}
      {state === 'gone' ? <Badge tone="warning">{PROJECT_GONE}</Badge> : null}
      <span class="own-line mono muted small">{visibleText(id)}</span>
      {why === '' ? null : <span class="own-line warn-text">{visibleText(why)}</span>}
    </>
  );
}

const FIRST_SESSIONS = 3;

function Sessions({ ids }: { ids: readonly string[] }) {
  const [all, showAll] = useState(false);
  const { box, more } = useMore<HTMLUListElement>('a');
  const shown = all || ids.length <= FIRST_SESSIONS + 1 ? ids : ids.slice(0, FIRST_SESSIONS);
  if (ids.length === 0) return <span class="muted">none left</span>;
  return (
    <ul ref={box} class="plain">
      {shown.map((id) => (
        <li key={id}>
          <a class="mono" href={formatRoute({ view: 'box', session: id })}>
            {visibleText(id)}
          </a>
        </li>
      ))}
      {shown.length === ids.length ? null : (
        <li>
          <LinkButton onClick={() => more(() => showAll(true))}>
            {format.count(ids.length - shown.length)} more
          </LinkButton>
        </li>
      )}
    </ul>
  );
}

function Collect({ instances, onDone }: { instances: readonly SizedInstance[]; onDone: () => void }) {
  const { backend, status, announcement } = useApp();
  const report = useSignal<InstanceGc | null>(null);
  /** Ids that the user keeps. */
  const left = useSignal<ReadonlySet<string>>(new Set());
  const { running, error, run } = useWork();
  const gone = instances.filter(({ state }) => state === 'gone');
  const unsure = instances.filter(({ state }) => state === 'unsure').length;
  const chosen = gone.filter(({ id }) => !left.value.has(id));
  const collect = (): Promise<void> =>
    run(async () => {
      const done = await backend.collectBoxes({ ids: chosen.map(({ id }) => id) });
      report.value = done;
      announcement.value = movedText(done.taken.length, sizeOf(done.taken));
      onDone();
    });
  if (instances.length === 0 && report.value === null) return null;
  return (
    <Section title="What would be collected" about={COLLECT_ABOUT}>
      <ErrorPanel error={error.value} />
      {report.value === null ? null : <Report report={report.value} />}
      {gone.length === 0 ? (
        <p>{unsure === 0 ? NOTHING_TO_COLLECT : nothingSure(unsure)}</p>
      ) : (
        <>
          <ul class="garbage plain boxed" aria-label="What would be collected">
            {gone.map((one) => (
              <Gone key={one.id} one={one} left={left} />
            ))}
          </ul>
          <Button
            kind="danger"
            icon="trash"
            disabled={running.value || status.value !== 'connected' || chosen.length === 0}
            onClick={() => void collect()}
          >
            {moveText(chosen.length, sizeOf(chosen))}
          </Button>
        </>
      )}
    </Section>
  );
}

function Gone({ one, left }: { one: SizedInstance; left: Signal<ReadonlySet<string>> }) {
  const { now } = useApp();
  return (
    <li>
      <Check checked={!left.value.has(one.id)} onChange={() => set(left, toggled(left.value, one.id))}>
        <span class="garbage-text grow path">
          <span class="mono">{one.root === null ? '?' : displayPath(one.root)}</span>
          <span class="muted small">
            <span class="mono">{visibleText(one.id)}</span>
            {one.lastUse === '' ? '' : `, used ${format.ago(one.lastUse, now.value)}`}
          </span>
        </span>
        <span class="num">{format.bytes(one.bytes)}</span>
      </Check>
    </li>
  );
}

function Report({ report: { taken, left, dir } }: { report: InstanceGc }) {
  return (
    <Banner boxed role="status" tone={left.length === 0 ? 'added' : 'warning'} icon="check">
      {movedText(taken.length, sizeOf(taken))}
      <ul class="box-undo plain">
        {taken.map((one) => (
          <li key={one.id}>
            <span class="grow">
              To bring back <span class="mono path">{displayPath(one.root)}</span>:
              <code class="own-line">{visibleText(undoLine(one, dir))}</code>
            </span>
            <CopyCommand text={undoLine(one, dir)} />
          </li>
        ))}
        {left.map(({ id, why }) => (
          <li key={id}>{visibleText(keptText(id, why))}</li>
        ))}
      </ul>
    </Banner>
  );
}
