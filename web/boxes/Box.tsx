/**
 * The box of one session: whether it runs, what it sees, where it writes, what it connected to.
 *
 *     backend.box    box.json of the newest client, its processes, size of the instance; asked again with the detail
 *     rows.ts        the rows in groups; what can be written on the host comes first
 *     Running        its processes, with a button that ends the box
 */
import { useRef, useState } from 'preact/hooks';
import type { BoxHost, BoxRecord, BoxRow, SessionBox } from '../../shared/model/box.ts';
import { targetText } from '../../shared/network/pattern.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useMore } from '../lists/use-more.ts';
import {
  commitInsideText,
  END_EFFECT,
  GROUP_TITLES,
  groupText,
  HOST_WORDS,
  INSTANCE_GONE,
  listedText,
  NET_WORDS,
  NO_BOX_TITLE,
  netText,
  noBoxText,
  noHosts,
  seenTitle,
  UNREADABLE,
  UNREADABLE_TITLE,
  VARIABLES_ABOUT,
  WHAT_A_BOX_IS,
  writesPlaces,
  writeText,
} from '../messages/boxes.ts';
import { Running } from '../processes/Processes.tsx';
import { useApp } from '../state/app.ts';
import { hasAnswered, useResource } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import { useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { displayPath } from '../text/paths.ts';
import { oneLine, visibleText } from '../text/visible.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { LinkButton } from '../ui/Button.tsx';
import { Banner, Empty, Loaded } from '../ui/Notice.tsx';
import { type Column, FactList, FoldedTable, Section, scrolls, TABLE_ROWS, Table } from '../ui/Panel.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { findRows, groupRows, type RowGroup, sourceOf } from './rows.ts';

export function Box() {
  const { backend } = useApp();
  const { id, detail, calls } = useSession();
  // Calls, clients and processes replace the detail.
  const box = useResource((abort) => backend.box(id, abort), [backend, id], [detail.data.value]);
  // The table of processes has their commands: drawn before the calls arrive, it would move.
  if (!hasAnswered(calls)) return <div class="page" aria-busy="true" />;
  return (
    <section class="page" {...scrolls} aria-label="Box" aria-busy={box.data.value === null}>
      <Loaded resource={box}>
        {(found) =>
          found.record === null && detail.data.value?.level === 'box' ? (
            <Empty icon="warning" title={UNREADABLE_TITLE}>
              <p>{UNREADABLE}</p>
            </Empty>
          ) : found.record === null ? (
            <Empty icon="shield" title={NO_BOX_TITLE}>
              <p>{WHAT_A_BOX_IS}</p>
              <p>{noBoxText(found.everBoxed)}</p>
            </Empty>
          ) : (
            <Found box={found} record={found.record} />
          )
        }
      </Loaded>
    </section>
  );
}

function Found({ box, record }: { box: SessionBox; record: BoxRecord }) {
  return (
    <>
      <Writes rows={record.rows.filter(({ how }) => how === 'host')} running={box.running} />
      <Facts box={box} record={record} />
      {box.processes.length === 0 ? null : (
        <Section title="Processes">
          <Running processes={box.processes} whole={{ name: 'the box', effect: END_EFFECT }} />
        </Section>
      )}
      <Seen record={record} running={box.running} />
      <Network net={record.net} hosts={box.hosts} running={box.running} />
      <Section title="Variables" about={VARIABLES_ABOUT}>
        <ul class="box-variables plain" aria-label="Variables">
          {record.variables.map((name) => (
            <li key={name} class="mono path">
              {oneLine(name)}
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function Writes({ rows, running }: { rows: readonly BoxRow[]; running: boolean }) {
  if (rows.length === 0) {
    return (
      <Banner boxed tone="added" icon="check">
        {writesPlaces(0, running)}
      </Banner>
    );
  }
  return (
    <Banner boxed tone="danger" icon="warning">
      <strong>{writesPlaces(rows.length, running)}</strong>
      <ul class="box-places plain" {...scrolls} aria-label={GROUP_TITLES.host}>
        {rows.map(({ to }) => (
          <li key={to} class="mono path">
            {displayPath(to)}
          </li>
        ))}
      </ul>
    </Banner>
  );
}

function Facts({ box, record }: { box: SessionBox; record: BoxRecord }) {
  const { id } = useSession();
  const { call, instance } = box;
  return (
    <FactList
      facts={[
        ['State', <State box={box} />],
        [
          'Started by',
          call === null ? null : (
            <a class="mono" href={formatRoute({ view: 'calls', session: id, call: call.id })}>
              trai {oneLine(format.cut(call.command, 400))}
            </a>
          ),
        ],
        ['Project', writeText(record.write, box.running)],
        [
          'Network',
          <>
            {NET_WORDS[record.net]}
            {box.network === null ? null : (
              <span class="muted path"> – {oneLine(listedText(box.network))}</span>
            )}
          </>,
        ],
        ['Typed inside', commitInsideText(record.commitInside)],
        [
          'Keeps',
          <>
            <span class="mono">{oneLine(record.instance)}</span>{' '}
            <span class="muted">
              {instance === null ? (
                INSTANCE_GONE
              ) : (
                <>
                  {format.bytes(instance.bytes)}, <a href={formatRoute({ view: 'boxes' })}>all boxes</a>
                </>
              )}
            </span>
          </>,
        ],
      ]}
    />
  );
}

function State({ box: { running, startedAt, endedAt } }: { box: SessionBox }) {
  const { now } = useApp();
  const at = (word: string, iso: string) =>
    iso === '' ? null : (
      <time class="muted" dateTime={iso} title={format.dateTime(iso)}>
        {' '}
        {word} {format.ago(iso, now.value)}
      </time>
    );
  return (
    <>
      <Badge tone={running ? 'added' : 'neutral'}>{running ? 'running' : 'ended'}</Badge>
      {at('started', startedAt)}
      {endedAt === '' || startedAt === '' ? null : <span class="muted">,</span>}
      {at('ended', endedAt)}
    </>
  );
}

/** Rows of a group that are shown at first; all of those that write the host. */
const FIRST_ROWS = 12;

function Seen({ record, running }: { record: BoxRecord; running: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  useShortcuts({
    filter: () => field.current?.focus(),
    escape: () => {
      setText('');
      field.current?.blur();
    },
  });
  const groups = groupRows(findRows(record.rows, text));
  return (
    <Section title={seenTitle(running)} about={WHAT_A_BOX_IS}>
      <div class="box-find">
        <SearchField
          field={field}
          label="Find rows"
          placeholder="Path or reason"
          value={text}
          onText={setText}
        />
      </div>
      {groups.length === 0 ? <p class="muted">No matches.</p> : null}
      {groups.map(({ group, rows }) => (
        <Group key={group} group={group} rows={rows} record={record} running={running} all={text !== ''} />
      ))}
    </Section>
  );
}

interface GroupProps {
  group: RowGroup;
  rows: readonly BoxRow[];
  record: BoxRecord;
  running: boolean;
  /** Without folding. */
  all: boolean;
}

function Group({ group, rows, record: { instance }, running, all }: GroupProps) {
  const [unfolded, unfold] = useState(false);
  const { box, more } = useMore<HTMLTableElement>(TABLE_ROWS);
  const title = GROUP_TITLES[group];
  const whole = all || unfolded || group === 'host' || rows.length <= FIRST_ROWS + 1;
  const shown = whole ? rows : rows.slice(0, FIRST_ROWS);
  const sources = new Map(rows.map((row) => [row, sourceOf(row, instance)]));
  const from: Column<BoxRow> = {
    title: group === 'instance' ? 'Kept as' : 'From',
    class: 'mono path muted',
    cell: (row) => {
      const source = sources.get(row) ?? null;
      return source === null ? '' : displayPath(source);
    },
  };
  const columns: Column<BoxRow>[] = [
    { title: 'In the box', plain: true, class: 'mono path box-to', cell: ({ to }) => displayPath(to) },
    ...([...sources.values()].some((source) => source !== null) ? [from] : []),
    { title: 'What', plain: true, class: 'box-what', cell: ({ what }) => visibleText(what) },
    { title: 'Why', plain: true, class: 'path muted', cell: ({ why }) => oneLine(why) },
  ];
  return (
    <section class={`box-group ${group === 'host' ? 'box-group-host tone-danger' : ''}`} aria-label={title}>
      <h3 class="inline">
        {title} <span class="muted num small">{format.count(rows.length)}</span>
      </h3>
      <p class="muted small">{groupText(group, running)}</p>
      <Table box={box} class="box-rows" columns={columns} rows={shown} keyOf={({ to }) => to} />
      {shown.length === rows.length ? null : (
        <p class="more-rows">
          <LinkButton onClick={() => more(() => unfold(true))}>
            Show {format.plural(rows.length - shown.length, 'more row')}
          </LinkButton>
        </p>
      )}
    </section>
  );
}

const HOST_TONES: Readonly<Record<BoxHost['state'], BadgeTone>> = {
  allowed: 'added',
  refused: 'deleted',
  asked: 'modified',
};

interface NetworkProps {
  net: BoxRecord['net'];
  hosts: readonly BoxHost[] | null;
  running: boolean;
}

function Network({ net, hosts, running }: NetworkProps) {
  const { id } = useSession();
  const callColumn: Column<BoxHost> = {
    title: 'Call',
    class: 'mono',
    cell: ({ call }) =>
      call === null ? '' : <a href={formatRoute({ view: 'calls', session: id, call })}>{oneLine(call)}</a>,
  };
  const columns: Column<BoxHost>[] = [
    {
      title: 'Host',
      plain: true,
      class: 'mono path',
      cell: (host) => oneLine(targetText(host)),
    },
    {
      title: 'State',
      plain: true,
      cell: ({ state }) => <Badge tone={HOST_TONES[state]}>{HOST_WORDS[state]}</Badge>,
    },
    { title: 'Connections', class: 'num', cell: ({ connections }) => format.count(connections) },
    { title: 'Received', class: 'num', cell: ({ received }) => format.bytes(received) },
    { title: 'Sent', class: 'num', cell: ({ sent }) => format.bytes(sent) },
    {
      title: 'First',
      class: 'muted',
      cell: ({ first }) => <time dateTime={first}>{format.dateTime(first)}</time>,
    },
    // The client's own connections are of no call.
    ...(hosts?.some(({ call }) => call !== null) ? [callColumn] : []),
  ];
  return (
    <Section title="Network" about={netText(net, running)}>
      {hosts === null ? null : hosts.length === 0 ? (
        <p class="muted">{noHosts(running)}</p>
      ) : (
        <FoldedTable
          class="box-hosts"
          columns={columns}
          rows={hosts}
          keyOf={({ host, port }) => `${host} ${port}`}
          more={['host', 'hosts']}
        />
      )}
    </Section>
  );
}
