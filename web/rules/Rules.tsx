/**
 * The page of the permission rules: of the user, and of one session's project.
 *
 *     backend.rules         all rules with their use, findings, Claude Code's own entries
 *     changeRules ...       answer the whole page, which is shown then; each names the content that was seen
 *     TestBench             a call that the user makes up
 *     RuleForm              a new rule, or one that is edited
 */
import { useState } from 'preact/hooks';
import type { Input } from '../../shared/api/contract.ts';
import type { RuleFileState, RulesPage } from '../../shared/api/rules.ts';
import type { Finding, ListedRule, RuleScope, SettingsEntry } from '../../shared/model/rule.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useApp } from '../state/app.ts';
import { set, useResource, useWork } from '../state/resource.ts';
import { projectName } from '../state/sessions.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { Banner, ErrorPanel, Loaded } from '../ui/Notice.tsx';
import { type Column, Page, Section, Table } from '../ui/Panel.tsx';
import { Sandboxed, Suggestions } from './FromLogs.tsx';
import { RuleForm } from './RuleForm.tsx';
import { turned } from './rule-draft.ts';
import { TestBench } from './TestBench.tsx';
import { LIST_TONES } from './words.ts';

type Change = Input<'changeRules'>['change'];
type Scope = Input<'changeRules'>['scope'];

const TITLES: Readonly<Record<RuleScope, string>> = {
  'user': 'Yours',
  'project': 'Of this project',
  'session': 'Of this session',
  'built-in': 'Built in',
};

export function Rules({ about }: { about: string | null }) {
  const { backend } = useApp();
  const session = about === null ? {} : { session: about };
  const page = useResource((abort) => backend.rules(session, abort), [backend, about]);
  const work = useWork();
  const again = (): void => void page.load();
  useShortcuts({ refresh: again });
  const [form, setForm] = useState<ListedRule | 'new' | null>(null);
  const write = async (scope: Scope, change: Change): Promise<void> => {
    const seen = page.data.peek()?.files.find((one) => one.scope === scope && !one.imported)?.hash ?? '';
    set(page.data, await backend.changeRules({ ...session, scope, seen, change }));
  };
  const act = (scope: Scope, change: Change): void =>
    void work.run(async () => await write(scope, change), again);
  return (
    <Page
      title="Rules"
      about="which calls of Claude are allowed, asked about or denied"
      tools={<ProjectChoice about={about} />}
      busy={page.loading.value}
    >
      <ErrorPanel error={work.error.value} />
      <Loaded resource={page}>
        {(found) => (
          <>
            <State found={found} />
            <Trust
              found={found}
              trust={(hashes) =>
                void work.run(async () => {
                  if (about !== null) set(page.data, await backend.trustRules({ session: about, hashes }));
                })
              }
            />
            <Findings findings={found.findings} />
            {form === null ? (
              <Button icon="plus" class="rule-new" onClick={() => setForm('new')}>
                New rule
              </Button>
            ) : (
              <Section title={form === 'new' ? 'New rule' : 'Edit rule'}>
                <RuleForm
                  key={form === 'new' ? 'new' : `${form.ref.file} ${form.ref.list} ${form.ref.index}`}
                  session={about}
                  edited={form === 'new' ? null : { rule: form.rule, list: form.ref.list }}
                  scopes={about === null ? ['user'] : ['user', 'project', 'session']}
                  close={() => setForm(null)}
                  save={async (scope, list, rule) => {
                    if (form === 'new') return await write(scope as Scope, { do: 'add', list, rule });
                    const { list: from, index, scope: own } = form.ref;
                    await write(own as Scope, { do: 'replace', list: from, index, rule, to: list });
                  }}
                />
              </Section>
            )}
            {(Object.keys(TITLES) as RuleScope[]).map((scope) => (
              <ScopeRules
                key={scope}
                scope={scope}
                rules={found.rules.filter(({ ref }) => ref.scope === scope)}
                files={found.files.filter((one) => one.scope === scope)}
                busy={work.running.value}
                act={act}
                edit={setForm}
              />
            ))}
            <Suggestions
              session={about}
              again={found.files}
              busy={work.running.value}
              add={(rule) => act('user', { do: 'add', list: 'allow', rule })}
            />
            <TestBench session={about} />
            <Sandboxed />
            <Settings entries={found.settings} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function ProjectChoice({ about }: { about: string | null }) {
  const { sessions, go } = useApp();
  return (
    <label class="inline">
      <span class="muted">Of</span>
      <select
        value={about ?? ''}
        onChange={(event) => {
          const id = event.currentTarget.value;
          go({ view: 'rules', about: id === '' ? null : id });
        }}
      >
        <option value="">you alone</option>
        {(sessions.data.value ?? []).map((session) => (
          <option key={session.id} value={session.id}>
            {projectName(session.projectRoot)}, session {session.id}
          </option>
        ))}
      </select>
    </label>
  );
}

function State({ found }: { found: RulesPage }) {
  if (found.enabled) return null;
  return (
    <Banner boxed tone="warning" icon="warning">
      Permission rules are turned off by the config (<code>"rules": {'{"enabled": false}'}</code>).
    </Banner>
  );
}

function Trust({ found, trust }: { found: RulesPage; trust: (hashes: string[]) => void }) {
  const waiting = found.files.filter(({ trusted, hash }) => !trusted && hash !== '');
  if (waiting.length === 0) return null;
  return (
    <Banner
      boxed
      tone="warning"
      icon="warning"
      action={<Button onClick={() => trust(waiting.map(({ hash }) => hash))}>Trust this content</Button>}
    >
      Allow rules and directories of{' '}
      <span class="mono path">{waiting.map(({ path }) => visibleText(path)).join(', ')}</span> came with the
      repository, and do not count until you trust their present content. Read them below first.
    </Banner>
  );
}

const FINDINGS: readonly Column<Finding>[] = [
  {
    title: 'Level',
    cell: ({ level }) => <Badge tone={level === 'error' ? 'danger' : 'warning'}>{level}</Badge>,
  },
  { title: 'Place', class: 'mono path', cell: ({ file, at }) => visibleText(`${at} ${file}`.trim()) },
  { title: 'What', class: 'path', cell: ({ text }) => visibleText(text) },
];

function Findings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <Section title="Findings" about="What trai rules verify says.">
      <Table columns={FINDINGS} rows={findings} keyOf={(one) => `${one.code} ${one.file} ${one.at}`} />
    </Section>
  );
}

interface ScopeProps {
  scope: RuleScope;
  rules: readonly ListedRule[];
  files: readonly RuleFileState[];
  busy: boolean;
  act(scope: Scope, change: Change): void;
  edit(rule: ListedRule): void;
}

function ScopeRules({ scope, rules, files, busy, act, edit }: ScopeProps) {
  const { now } = useApp();
  if (rules.length === 0 && files.length === 0) return null;
  const file = files.find(({ imported }) => !imported);
  const writable = scope === 'built-in' ? null : scope;
  const columns: Column<ListedRule>[] = [
    { title: 'List', cell: ({ ref }) => <Badge tone={LIST_TONES[ref.list]}>{ref.list}</Badge> },
    {
      title: 'Rule',
      class: 'path',
      cell: (one) => (
        <div class={one.counts ? '' : 'rule-off'}>
          <code class="rule-text">{visibleText(one.ref.text)}</code>{' '}
          {one.source === 'imported' ? <Badge>imported</Badge> : null}
          {one.counts ? null : (
            <Badge tone="warning">{one.rule.disabled === true ? 'disabled' : 'does not count'}</Badge>
          )}
          {one.ref.reason === '' ? null : <p class="muted">{visibleText(one.ref.reason)}</p>}
        </div>
      ),
    },
    { title: 'Hits', class: 'num', cell: ({ hits }) => format.count(hits) },
    {
      title: 'Last',
      class: 'num muted',
      cell: ({ last }) => (last === '' ? 'never' : format.ago(last, now.value)),
    },
  ];
  if (writable !== null)
    columns.push({
      title: 'Actions',
      silent: true,
      cell: (one) =>
        one.source === 'authored' ? (
          <RuleActions
            one={one}
            rules={rules}
            busy={busy}
            act={(change) => act(writable, change)}
            edit={edit}
          />
        ) : null,
    });
  return (
    <Section title={TITLES[scope]} {...(file === undefined ? {} : { about: visibleText(file.path) })}>
      {files.map((one) => (
        <BesideRules key={one.path} file={one} />
      ))}
      {rules.length === 0 ? (
        <p class="muted">No rules.</p>
      ) : (
        <Table
          class="rule-table"
          columns={columns}
          rows={rules}
          keyOf={({ ref }) => `${ref.file} ${ref.list} ${ref.index} ${ref.text}`}
        />
      )}
    </Section>
  );
}

/** What else a file says: the user may be about to trust it. */
function BesideRules({ file: { problems, trusted, allowedDirs, effects } }: { file: RuleFileState }) {
  return (
    <>
      {problems.map((problem) => (
        <p key={problem} class="warn-text">
          {visibleText(problem)}
        </p>
      ))}
      {allowedDirs.length === 0 ? null : (
        <p>
          Allowed directories{trusted ? '' : ', which do not count yet'}:{' '}
          <code>{allowedDirs.map(visibleText).join(', ')}</code>
        </p>
      )}
      {effects.length === 0 ? null : (
        <ul class="plain" aria-label="Effects on commits">
          {effects.map(({ do: does, paths, kinds = [], reason = '' }, i) => (
            <li key={i}>
              <Badge tone={does === 'flag' ? 'neutral' : 'warning'}>{does}</Badge>{' '}
              <code>{paths.map(visibleText).join(', ')}</code>{' '}
              <span class="muted">
                {[...kinds, visibleText(reason)].filter((one) => one !== '').join(', ')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface ActionsProps {
  one: ListedRule;
  rules: readonly ListedRule[];
  busy: boolean;
  act(change: Change): void;
  edit(rule: ListedRule): void;
}

function RuleActions({ one, rules, busy, act, edit }: ActionsProps) {
  const { scope, list, index } = one.ref;
  const name = `${scope} ${list} ${index}`;
  const last = rules.filter(({ ref, source }) => ref.list === list && source === 'authored').length - 1;
  const isOff = one.rule.disabled === true;
  const [sure, setSure] = useState(false);
  const flip: Change = { do: 'replace', list, index, rule: turned(one.rule), to: list };
  return (
    <div class="rule-acts">
      <IconButton icon="edit" label={`Edit ${name}`} title="Edit" disabled={busy} onClick={() => edit(one)} />
      <IconButton
        class="rule-up"
        icon="chevron"
        label={`Move up ${name}`}
        title="Try it earlier"
        disabled={busy || index === 0}
        onClick={() => act({ do: 'move', list, index, before: index - 1 })}
      />
      <IconButton
        class="rule-down"
        icon="chevron"
        label={`Move down ${name}`}
        title="Try it later"
        disabled={busy || index >= last}
        onClick={() => act({ do: 'move', list, index, before: index + 1 })}
      />
      <IconButton
        icon={isOff ? 'check' : 'off'}
        label={`${isOff ? 'Enable' : 'Disable'} ${name}`}
        title={isOff ? 'Let it count again' : 'Disable'}
        disabled={busy}
        onClick={() => act(flip)}
      />
      {sure ? (
        <Button small kind="danger" disabled={busy} onClick={() => act({ do: 'remove', list, index })}>
          Remove it
        </Button>
      ) : (
        <IconButton
          icon="trash"
          label={`Remove ${name}`}
          title="Remove"
          disabled={busy}
          onClick={() => setSure(true)}
        />
      )}
    </div>
  );
}

const SETTINGS: readonly Column<SettingsEntry>[] = [
  { title: 'List', cell: ({ list }) => <Badge tone={LIST_TONES[list]}>{list}</Badge> },
  { title: 'Entry', class: 'mono path', cell: ({ entry }) => visibleText(entry) },
  { title: 'File', class: 'mono path muted', cell: ({ file }) => visibleText(file) },
];

function Settings({ entries }: { entries: readonly SettingsEntry[] }) {
  return (
    <Section
      title="Claude Code’s own settings"
      about="They decide too, and no rule widens what they deny or ask about. trai never writes them."
    >
      {entries.length === 0 ? (
        <p class="muted">No entries.</p>
      ) : (
        <Table columns={SETTINGS} rows={entries} keyOf={(one) => `${one.file} ${one.list} ${one.entry}`} />
      )}
    </Section>
  );
}
