/**
 * The page of the permission rules: of the user, and of one session's project.
 *
 *     backend.rules         all rules with their use, findings, Claude Code's own entries
 *     changeRules ...       answer the whole page, which is shown then; each names the content that was seen
 *     TestBench             a call that the user makes up
 *     RuleForm              a new rule, or one that is edited
 */
import { useRef, useState } from 'preact/hooks';
import type { Input } from '../../shared/api/contract.ts';
import type { RulesPage } from '../../shared/api/rules.ts';
import type { Finding, ListedRule, SettingsEntry } from '../../shared/model/rule.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useApp } from '../state/app.ts';
import { set, useResource, useWork } from '../state/resource.ts';
import { projectName } from '../state/sessions.ts';
import { visibleText } from '../text/visible.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Banner, ErrorPanel, Loaded } from '../ui/Notice.tsx';
import { type Column, Page, Section, Table } from '../ui/Panel.tsx';
import { Prose } from '../ui/Prose.tsx';
import { Sandboxed, Suggestions } from './FromLogs.tsx';
import { type Move, movedRules, movedText } from './order.ts';
import { RuleForm } from './RuleForm.tsx';
import { SCOPES, ScopeRules } from './ScopeRules.tsx';
import { TestBench } from './TestBench.tsx';
import { LIST_TONES } from './words.ts';

type Change = Input<'changeRules'>['change'];
type Scope = Input<'changeRules'>['scope'];

export function Rules({ about }: { about: string | null }) {
  const { backend, announcement } = useApp();
  const session = about === null ? {} : { session: about };
  const page = useResource((abort) => backend.rules(session, abort), [backend, about]);
  const work = useWork();
  const moves = useWork();
  const again = (): void => void page.load();
  useShortcuts({ refresh: again });
  const [form, setForm] = useState<ListedRule | 'new' | null>(null);
  const send = async (scope: Scope, change: Change): Promise<RulesPage> => {
    const seen = page.data.peek()?.files.find((one) => one.scope === scope && !one.imported)?.hash ?? '';
    return await backend.changeRules({ ...session, scope, seen, change });
  };
  const write = async (scope: Scope, change: Change): Promise<void> =>
    set(page.data, await send(scope, change));
  const act = (scope: Scope, change: Change): void => {
    moves.error.value = null;
    void work.run(async () => await write(scope, change), again);
  };
  const waiting = useRef<{ scope: Scope; change: Move }[]>([]);
  /** Shown at once, and written one after the other; taken back when the server refuses one, with those behind it. */
  const move = (scope: Scope, change: Move): void => {
    let written = page.data.peek();
    if (written === null || work.running.peek()) return;
    const show = (): void => {
      const moved = (rules: readonly ListedRule[], one: { scope: Scope; change: Move }) =>
        movedRules(rules, one.scope, one.change);
      if (written !== null)
        set(page.data, { ...written, rules: waiting.current.reduce(moved, written.rules) });
    };
    waiting.current.push({ scope, change });
    set(announcement, movedText(change));
    if (moves.running.peek()) {
      set(page.data, { ...written, rules: movedRules(written.rules, scope, change) });
      return;
    }
    show();
    void moves.run(async () => {
      try {
        for (let next = waiting.current[0]; next !== undefined; next = waiting.current[0]) {
          written = await send(next.scope, next.change);
          waiting.current.shift();
          show();
        }
      } catch (error) {
        waiting.current = [];
        show();
        throw error;
      }
    }, again);
  };
  const busy = work.running.value || moves.running.value;
  return (
    <Page
      title="Rules"
      about="which calls of Claude are allowed, asked about or denied"
      tools={
        <>
          <ProjectChoice about={about} />
          <Button
            icon="plus"
            disabled={page.data.value === null || form === 'new'}
            onClick={() => setForm('new')}
          >
            New rule
          </Button>
        </>
      }
      busy={page.loading.value}
    >
      <ErrorPanel error={work.error.value ?? moves.error.value} />
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
            {form === null ? null : (
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
            {SCOPES.map((scope) => (
              <ScopeRules
                key={scope}
                scope={scope}
                rules={found.rules.filter(({ ref }) => ref.scope === scope)}
                files={found.files.filter((one) => one.scope === scope)}
                busy={busy}
                fixed={work.running.value}
                act={act}
                move={move}
                edit={setForm}
              />
            ))}
            <Suggestions
              session={about}
              again={found.files}
              busy={busy}
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
      <span class="muted">Rules of</span>
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
    plain: true,
    cell: ({ level }) => <Badge tone={level === 'error' ? 'danger' : 'warning'}>{level}</Badge>,
  },
  {
    title: 'Place',
    plain: true,
    class: 'mono path',
    cell: ({ file, at }) => visibleText(`${at} ${file}`.trim()),
  },
  { title: 'What', plain: true, class: 'path', cell: ({ text }) => <Prose text={text} /> },
];

function Findings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <Section
      title="Findings"
      about={
        <>
          What <code>trai rules verify</code> says.
        </>
      }
    >
      <Table columns={FINDINGS} rows={findings} keyOf={(one) => `${one.code} ${one.file} ${one.at}`} />
    </Section>
  );
}

const SETTINGS: readonly Column<SettingsEntry>[] = [
  { title: 'Scope', class: 'muted', cell: ({ scope }) => scope },
  { title: 'List', plain: true, cell: ({ list }) => <Badge tone={LIST_TONES[list]}>{list}</Badge> },
  { title: 'Entry', plain: true, class: 'mono path', cell: ({ entry }) => visibleText(entry) },
  { title: 'File', plain: true, class: 'mono path muted', cell: ({ file }) => visibleText(file) },
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
