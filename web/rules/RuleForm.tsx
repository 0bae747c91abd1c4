/** The form of a new rule, or of one that is edited, with what it would have decided about earlier calls. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RuleHistory } from '../../shared/api/rules.ts';
import { RULE_LISTS, type Rule, type RuleList } from '../../shared/model/rule.ts';
import { useApp } from '../state/app.ts';
import { useWork } from '../state/resource.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorPanel } from '../ui/Notice.tsx';
import { draftOf, NEW_RULE, type RuleDraft, ruleFrom } from './rule-draft.ts';
import { OUTCOMES } from './words.ts';

interface Props {
  session: string | null;
  /** Null = a new one. */
  edited: { rule: Rule; list: RuleList } | null;
  scopes: readonly string[];
  /** Resolves when it is written; rejects with the server's reason. */
  save(scope: string, list: RuleList, rule: Rule): Promise<void>;
  close(): void;
}

const FIELDS: readonly (readonly [keyof RuleDraft, label: string, about: string, wide?: true])[] = [
  ['tool', 'Tool', 'A pattern; empty = any'],
  ['field', 'Field of its input', 'command, file_path, url …'],
  ['pattern', 'Pattern of the field', 'A regular expression, not anchored', true],
  ['reason', 'Reason', 'Shown with the decision', true],
  ['until', 'Until', 'A date; empty = for ever'],
];

export function RuleForm({ session, edited, scopes, save, close }: Props) {
  const { backend } = useApp();
  const [draft, setDraft] = useState(edited === null ? NEW_RULE : draftOf(edited.rule, edited.list));
  const [scope, setScope] = useState(scopes[0] ?? 'user');
  const [history, setHistory] = useState<RuleHistory | null>(null);
  const work = useWork();
  const rule = ruleFrom(draft, edited?.rule);
  const change = (part: Partial<RuleDraft>): void => {
    setDraft({ ...draft, ...part });
    setHistory(null);
  };
  const about = session === null ? {} : { session };
  const form = useRef<HTMLFormElement>(null);
  // It stands above the rules: the row that is edited may be far below.
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>('select, input')?.focus(), []);
  return (
    <form
      ref={form}
      class="rule-form"
      aria-label={edited === null ? 'New rule' : 'Edit rule'}
      onSubmit={(event) => {
        event.preventDefault();
        void work.run(async () => {
          await save(scope, draft.list, rule);
          close();
        });
      }}
    >
      <div class="rule-fields">
        {edited !== null ? null : (
          <label>
            Scope
            <select value={scope} onChange={(event) => setScope(event.currentTarget.value)}>
              {scopes.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
        )}
        <label>
          Decision
          <select
            value={draft.list}
            onChange={(event) => {
              const list = RULE_LISTS.find((one) => one === event.currentTarget.value);
              if (list !== undefined) change({ list });
            }}
          >
            {RULE_LISTS.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
        {FIELDS.map(([name, label, hint, wide]) => (
          <label key={name} class={`${wide ? 'wide' : ''} ${name === 'reason' ? '' : 'rule-code'}`}>
            <span>{label}</span>
            <input
              value={draft[name]}
              placeholder={hint}
              spellcheck={false}
              autocomplete="off"
              onInput={(event) => change({ [name]: event.currentTarget.value })}
            />
          </label>
        ))}
      </div>
      <ErrorPanel error={work.error.value} />
      <div class="flex wrap">
        <Button kind="primary" type="submit" disabled={work.running.value}>
          {edited === null ? 'Add rule' : 'Save'}
        </Button>
        <Button
          disabled={work.running.value}
          onClick={() =>
            void work.run(async () =>
              setHistory(await backend.ruleHistory({ ...about, list: draft.list, rule })),
            )
          }
        >
          Try on past calls
        </Button>
        <Button kind="quiet" onClick={close}>
          Cancel
        </Button>
      </div>
      {history === null ? null : <History found={history} />}
    </form>
  );
}

function History({ found }: { found: RuleHistory }) {
  const { now } = useApp();
  return (
    <div class="bench-said stack" role="status">
      <p>
        It matches {format.count(found.matched)} of your last {format.plural(found.looked, 'call')}. You may
        have been asked about {format.count(found.asked)} of them, and {format.count(found.denied)} did not
        run.
      </p>
      <ul class="plain">
        {found.newest.map((call) => (
          <li key={call.request}>
            <code>{visibleText(call.subject)}</code>{' '}
            <span class="muted">
              {OUTCOMES[call.outcome]}, {format.ago(call.at, now.value)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
