/**
 * What was decided about the calls of all sessions. The server filters and counts; a page has a part of the rows, newest
 * first, since there may be a hundred thousand.
 */
import type { Ref } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Backend, Input } from '../../shared/api/contract.ts';
import type { AuditPage } from '../../shared/api/rules.ts';
import type { DecidedCall } from '../../shared/model/rule.ts';
import { sinceTime } from '../../shared/since.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useMore } from '../lists/use-more.ts';
import { BY_WORDS, DECISIONS, OUTCOMES, outcomeWords } from '../rules/words.ts';
import { useApp } from '../state/app.ts';
import { useResource, useWork } from '../state/resource.ts';
import { type AuditFilter, formatRoute, MOST_AUDIT_TEXT } from '../state/router.ts';
import { projectName } from '../state/sessions.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Empty, ErrorPanel, Loaded } from '../ui/Notice.tsx';
import { type Column, Page, Section, TABLE_ROWS, Table } from '../ui/Panel.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { saveFile } from '../ui/save-file.ts';

type Asked = Omit<Input<'audit'>, 'from' | 'count'>;

const STEP = 100;
/** The server's most for one answer; whoever wants more filters, or exports. */
const MOST_ROWS = 9_900;

const WORDS = {
  decision: Object.entries(DECISIONS).map(([value, { word }]) => [value, word] as const),
  by: Object.entries(BY_WORDS).filter(([value]) => value !== 'none'),
  outcome: Object.entries(OUTCOMES),
} as const;

const ALL: Asked = { session: '', tool: '', decision: '', by: '', outcome: '', text: '', since: '' };

/** What the address says, as the server takes it. Null where it says what nothing can mean. */
function askedOf({ text = '', session = '', tool = '', since = '', ...words }: AuditFilter): Asked | null {
  const from = since === '' ? '' : sinceTime(since);
  if (from === null) return null;
  const word = (part: keyof typeof WORDS): string =>
    WORDS[part].some(([value]) => value === words[part]) ? (words[part] ?? '') : '';
  return {
    ...({ text, session, tool, since: from } as const),
    decision: word('decision') as Asked['decision'],
    by: word('by') as Asked['by'],
    outcome: word('outcome') as Asked['outcome'],
  };
}

export function Audit({ filter }: { filter: AuditFilter }) {
  const { backend, go, replace } = useApp();
  const [count, setCount] = useState(STEP);
  const field = useRef<HTMLInputElement>(null);
  // The rows that are shown stay until the next ones are there.
  const latest = useRef({ filter, count });
  latest.current = { filter, count };
  const page = useResource(
    (abort) => {
      const asked = askedOf(latest.current.filter) ?? ALL;
      return backend.audit({ ...asked, from: 0, count: latest.current.count }, abort);
    },
    [backend],
    [formatRoute({ view: 'audit', asked: filter }), count],
  );
  const { box, more } = useMore<HTMLTableElement>(TABLE_ROWS);
  useShortcuts({ refresh: () => void page.load(), filter: () => field.current?.focus() });
  /** Letters share an entry of the browser's history. */
  const change = (part: AuditFilter, how = go): void => {
    how({ view: 'audit', asked: { ...filter, ...part } });
    setCount(STEP);
  };
  const asked = askedOf(filter);
  return (
    <Page
      title="Audit"
      about="who decided about each call, in all sessions"
      tools={asked === null ? null : <Export asked={asked} backend={backend} />}
      busy={page.loading.value}
    >
      <search class="audit-filter flex wrap">
        <SearchField
          field={field}
          label="Filter by text"
          value={filter.text ?? ''}
          maxLength={MOST_AUDIT_TEXT}
          onText={(text) => change({ text }, replace)}
        />
        <Choice
          label="Decision"
          value={asked?.decision ?? ''}
          words={WORDS.decision}
          onChange={(decision) => change({ decision })}
        />
        <Choice label="By" value={asked?.by ?? ''} words={WORDS.by} onChange={(by) => change({ by })} />
        <Choice
          label="Outcome"
          value={asked?.outcome ?? ''}
          words={WORDS.outcome}
          onChange={(outcome) => change({ outcome })}
        />
        <Choice
          label="Tool"
          value={filter.tool ?? ''}
          words={withChosen(
            (page.data.value?.tools ?? []).map((tool) => [tool, visibleText(tool)]),
            filter.tool,
          )}
          onChange={(tool) => change({ tool })}
        />
        <SessionChoice value={filter.session ?? ''} onChange={(session) => change({ session })} />
        <Since value={filter.since ?? ''} onChange={(since) => change({ since })} />
        {formatRoute({ view: 'audit', asked: filter }) === '#/audit' ? null : (
          <Button kind="quiet" small onClick={() => go({ view: 'audit' })}>
            Clear
          </Button>
        )}
      </search>
      {asked === null ? (
        <Empty icon="search" title="“Since” is not a time">
          <p>{TIMES}</p>
        </Empty>
      ) : null}
      <Loaded resource={page}>
        {(found) =>
          asked === null ? null : (
            <>
              <Counts found={found} />
              {found.rows.length === 0 ? (
                <Nothing all={found.all} clear={() => go({ view: 'audit' })} />
              ) : (
                <Rows rows={found.rows} box={box} />
              )}
              {found.rows.length < Math.min(found.total, MOST_ROWS) ? (
                <Button
                  class="audit-more"
                  disabled={page.loading.value}
                  onClick={() => more(() => setCount(count + STEP))}
                >
                  Show {format.count(Math.min(STEP, found.total - found.rows.length))} more
                </Button>
              ) : null}
              <AlwaysAllowed found={found} />
              <NeverHit />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Nothing({ all, clear }: { all: number; clear: () => void }) {
  if (all > 0)
    return (
      <Empty icon="search" title="No matches">
        <Button small onClick={clear}>
          Clear the filter
        </Button>
      </Empty>
    );
  return (
    <Empty icon="rows" title="Nothing was decided yet">
      <p>Each call that Claude makes is listed here, with who allowed or denied it.</p>
    </Empty>
  );
}

type Words = readonly (readonly [value: string, word: string])[];

/** With the value on show, which an address may have brought. */
function withChosen(words: Words, chosen = ''): Words {
  return chosen === '' || words.some(([value]) => value === chosen)
    ? words
    : [...words, [chosen, visibleText(chosen)]];
}

function SessionChoice({ value, onChange }: Pick<ChoiceProps, 'value' | 'onChange'>) {
  const { sessions } = useApp();
  const words = (sessions.data.value ?? []).map(
    (session) => [session.id, `${projectName(session.projectRoot)}: ${session.id}`] as const,
  );
  return <Choice label="Session" value={value} words={withChosen(words, value)} onChange={onChange} />;
}

const SINCE = ['1h', 'today', '7d', '30d'];
const TIMES = 'Type 1h, 7d, today, or a date such as 2026-01-31.';

/** A time that cannot be meant is not asked for, and is said. */
function Since({ value, onChange }: Pick<ChoiceProps, 'value' | 'onChange'>) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const wrong = typed !== '' && sinceTime(typed) === null;
  const take = (): void => {
    if (!wrong && typed !== value) onChange(typed);
  };
  return (
    <label class="inline">
      <span class="muted">Since</span>
      <input
        class="audit-since"
        list="audit-since"
        value={typed}
        maxLength={40}
        placeholder="1h, 7d, today, 2026-01-31"
        spellcheck={false}
        autocomplete="off"
        aria-invalid={wrong}
        onInput={(event) => {
          const text = event.currentTarget.value;
          setTyped(text);
          // Chosen from the list.
          if (SINCE.includes(text) || text === '') onChange(text);
        }}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take();
        }}
      />
      <datalist id="audit-since">
        {SINCE.map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
      <span class="warn-text small" role="status">
        {wrong ? TIMES : ''}
      </span>
    </label>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  words: Words;
  onChange(value: string): void;
}

function Choice({ label, value, words, onChange }: ChoiceProps) {
  return (
    <label class="inline">
      <span class="muted">{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">any</option>
        {words.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ))}
      </select>
    </label>
  );
}

/** "Allowed by whom". */
function Counts({ found }: { found: AuditPage }) {
  if (found.all === 0) return null;
  return (
    <div class="audit-counts small" role="status">
      <span>
        {found.total === found.all
          ? format.plural(found.all, 'decision')
          : `${format.count(found.total)} of ${format.plural(found.all, 'decision')}`}
      </span>
      {found.decisions.map(({ decision, count }) => (
        <span key={decision}>
          <Badge tone={DECISIONS[decision].tone}>{DECISIONS[decision].word}</Badge> {format.count(count)}
        </span>
      ))}
      <span class="muted">
        by {found.byWhom.map(({ by, count }) => `${BY_WORDS[by] ?? by} ${format.count(count)}`).join(' · ')}
      </span>
    </div>
  );
}

const COLUMNS: readonly Column<DecidedCall>[] = [
  {
    title: 'Time',
    plain: true,
    class: 'muted num',
    cell: ({ at }) => <time dateTime={at}>{format.dateTime(at)}</time>,
  },
  {
    title: 'Decision',
    plain: true,
    cell: ({ decision }) => <Badge tone={DECISIONS[decision].tone}>{DECISIONS[decision].word}</Badge>,
  },
  {
    title: 'Call',
    plain: true,
    class: 'path',
    cell: ({ tool, subject, session, id }) => (
      <>
        <span class="muted">{visibleText(tool)}</span>{' '}
        {id === '' ? (
          <code>{visibleText(subject)}</code>
        ) : (
          <a class="quiet-link" href={formatRoute({ view: 'calls', session, call: id })}>
            <code>{visibleText(subject)}</code>
          </a>
        )}
      </>
    ),
  },
  {
    title: 'By',
    class: 'path',
    cell: ({ by, rule, why }) => (
      <span title={visibleText(why)}>{visibleText(rule === '' ? (BY_WORDS[by] ?? by) : rule)}</span>
    ),
  },
  { title: 'Outcome', class: 'muted', cell: outcomeWords },
];

function Rows({ rows, box }: { rows: readonly DecidedCall[]; box: Ref<HTMLTableElement> }) {
  return (
    <Table
      box={box}
      class="audit-table"
      columns={COLUMNS}
      rows={rows}
      keyOf={(one) => `${one.session} ${one.request} ${one.at}`}
    />
  );
}

function AlwaysAllowed({ found }: { found: AuditPage }) {
  const { now } = useApp();
  if (found.alwaysAllowed.length === 0) return null;
  return (
    <Section title="Asked and always allowed" about="An allow rule would save these prompts.">
      <Table
        columns={[
          { title: 'Times', class: 'num', cell: ({ count }) => format.count(count) },
          {
            title: 'Call',
            plain: true,
            class: 'path',
            cell: ({ tool, subject }) => (
              <>
                <span class="muted">{visibleText(tool)}</span> <code>{visibleText(subject)}</code>
              </>
            ),
          },
          { title: 'Last', class: 'muted', cell: ({ last }) => format.ago(last, now.value) },
        ]}
        rows={found.alwaysAllowed}
        keyOf={({ tool, subject }) => `${tool} ${subject}`}
      />
    </Section>
  );
}

const UNUSED_MS = 90 * 24 * 3_600_000;

function NeverHit() {
  const { backend, now } = useApp();
  const since = new Date(now.value - UNUSED_MS).toISOString();
  const rules = useResource((abort) => backend.rules({}, abort), [backend]);
  const unused =
    rules.data.value?.rules.filter(({ last, source }) => last < since && source !== 'built-in') ?? [];
  if (unused.length === 0) return null;
  return (
    <Section title="Rules not hit in 90 days" about="Of your own rules. New ones are among them.">
      <ul class="plain">
        {unused.map(({ ref, last }) => (
          <li key={`${ref.list} ${ref.index}`}>
            {ref.list} {ref.index}: <code>{visibleText(ref.text)}</code>{' '}
            <span class="muted">{last === '' ? 'never' : `last ${format.ago(last, now.value)}`}</span>
          </li>
        ))}
      </ul>
      <p class="section-about">
        <a href={formatRoute({ view: 'rules', about: null })}>All rules</a>
      </p>
    </Section>
  );
}

const EXPORTED_AT_ONCE = 5_000;

/** One decision a line, oldest first, of what the filter leaves. */
function Export({ asked, backend }: { asked: Asked; backend: Pick<Backend, 'audit'> }) {
  const work = useWork();
  const save = (): void =>
    void work.run(async () => {
      // What is decided meanwhile moves the rows: some come twice.
      const rows = new Map<string, DecidedCall>();
      for (let from = 0, total = 1; from < total; from += EXPORTED_AT_ONCE) {
        const page = await backend.audit({ ...asked, from, count: EXPORTED_AT_ONCE });
        for (const row of page.rows) rows.set(`${row.session} ${row.request}`, row);
        total = page.total;
      }
      const text = [...rows.values()].reverse().map((row) => `${JSON.stringify(row)}\n`);
      saveFile(new Blob(text, { type: 'application/jsonl' }), 'trai-decisions.jsonl');
    });
  return (
    <>
      <ErrorPanel error={work.error.value} />
      <Button icon="download" disabled={work.running.value} onClick={save}>
        {work.running.value ? 'Exporting…' : 'Export as JSONL'}
      </Button>
    </>
  );
}
