/**
 * What was decided about the calls of all sessions. The server filters and counts; a page has a part of the rows, newest
 * first, since there may be a hundred thousand.
 */
import { useRef, useState } from 'preact/hooks';
import type { Backend, Input } from '../../shared/api/contract.ts';
import type { AuditPage } from '../../shared/api/rules.ts';
import type { DecidedCall } from '../../shared/model/rule.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { BY_WORDS, DECISIONS, OUTCOMES, outcomeWords } from '../rules/words.ts';
import { useApp } from '../state/app.ts';
import { useResource, useWork } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Empty, ErrorPanel, Loaded } from '../ui/Notice.tsx';
import { type Column, Page, Section, Table } from '../ui/Panel.tsx';
import { SearchField } from '../ui/SearchField.tsx';
import { saveFile } from '../ui/save-file.ts';

type Asked = Omit<Input<'audit'>, 'from' | 'count'>;

const ANY: Asked = { session: '', tool: '', decision: '', by: '', outcome: '', text: '', since: '' };
const STEP = 100;

export function Audit() {
  const { backend } = useApp();
  const [asked, setAsked] = useState(ANY);
  const [count, setCount] = useState(STEP);
  const field = useRef<HTMLInputElement>(null);
  // The rows that are shown stay until the next ones are there.
  const latest = useRef({ asked, count });
  latest.current = { asked, count };
  const page = useResource(
    (abort) => backend.audit({ ...latest.current.asked, from: 0, count: latest.current.count }, abort),
    [backend],
    [asked, count],
  );
  useShortcuts({ refresh: () => void page.load(), filter: () => field.current?.focus() });
  const change = (part: Partial<Asked>): void => {
    setAsked({ ...asked, ...part });
    setCount(STEP);
  };
  return (
    <Page
      title="Audit"
      about="who decided about each call, of all sessions"
      tools={<Export asked={asked} backend={backend} />}
      busy={page.loading.value}
    >
      <div class="audit-filter flex wrap">
        <SearchField
          field={field}
          label="Filter by text"
          value={asked.text}
          onText={(text) => change({ text })}
        />
        <Choice
          label="Decision"
          value={asked.decision}
          words={Object.entries(DECISIONS).map(([value, { word }]) => [value, word])}
          onChange={(decision) => change({ decision: decision as Asked['decision'] })}
        />
        <Choice
          label="By"
          value={asked.by}
          words={Object.entries(BY_WORDS).filter(([value]) => value !== 'none')}
          onChange={(by) => change({ by: by as Asked['by'] })}
        />
        <Choice
          label="Outcome"
          value={asked.outcome}
          words={Object.entries(OUTCOMES)}
          onChange={(outcome) => change({ outcome: outcome as Asked['outcome'] })}
        />
      </div>
      <Loaded resource={page}>
        {(found) => (
          <>
            <Counts found={found} />
            {found.rows.length === 0 ? (
              <Empty icon="search" title={found.all === 0 ? 'Nothing was decided yet' : 'No matches'} />
            ) : (
              <Rows rows={found.rows} />
            )}
            {found.rows.length < found.total ? (
              <Button class="audit-more" disabled={page.loading.value} onClick={() => setCount(count + STEP)}>
                Show {format.count(Math.min(STEP, found.total - found.rows.length))} more
              </Button>
            ) : null}
            <AlwaysAllowed found={found} />
            <NeverHit />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  words: readonly (readonly [value: string, word: string])[];
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
    class: 'muted num',
    cell: ({ at }) => <time dateTime={at}>{format.dateTime(at)}</time>,
  },
  {
    title: 'Decision',
    cell: ({ decision }) => <Badge tone={DECISIONS[decision].tone}>{DECISIONS[decision].word}</Badge>,
  },
  {
    title: 'Call',
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

function Rows({ rows }: { rows: readonly DecidedCall[] }) {
  return (
    <Table
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

function NeverHit() {
  const { backend } = useApp();
  const rules = useResource((abort) => backend.rules({}, abort), [backend]);
  const unused =
    rules.data.value?.rules.filter(({ hits, source }) => hits === 0 && source !== 'built-in') ?? [];
  if (unused.length === 0) return null;
  return (
    <Section title="Rules never hit" about="Of your own rules.">
      <ul class="plain">
        {unused.map(({ ref }) => (
          <li key={`${ref.list} ${ref.index}`}>
            {ref.list} {ref.index}: <code>{visibleText(ref.text)}</code>
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
