import { useSignal } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { AnswerScope, NewRule, Question, RuleAnswer, RuleDraft } from '../../shared/model/question.ts';
import { HOST_FIELD, HOST_SUBMIT, historyWords, hostMatchWords, matchWords } from '../messages/questions.ts';
import { useApp } from '../state/app.ts';
import { set, useResource } from '../state/resource.ts';
import { oneLine, visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorPanel } from '../ui/Notice.tsx';
import { Segmented } from '../ui/Segmented.tsx';

interface Props {
  question: Question;
  answer: RuleAnswer;
  off: boolean;
  onGive(answer: RuleAnswer, rule: NewRule): void;
  onClose(): void;
}

/** Keystrokes within this time (ms) make one request. */
const PAUSE_MS = 200;

/** The rule of an answer: to be edited, with what it would mean. */
export function RuleForm({ question, answer, off, onGive, onClose }: Props) {
  const { deny, allow, network } = question;
  const isHost = network !== undefined;
  const proposed: RuleDraft = answer === 'never' ? deny : (allow ?? deny);
  const tool = useSignal(proposed.tool);
  const pattern = useSignal(proposed.pattern);
  const scope = useSignal<AnswerScope>(answer === 'session' ? 'session' : 'user');
  const first = useRef<HTMLInputElement>(null);
  const [toolField, patternField] = [useId(), useId()];
  // Before painting: what is typed next is text.
  useLayoutEffect(() => first.current?.focus(), []);
  const rule: NewRule = {
    tool: tool.value,
    field: pattern.value === '' ? '' : proposed.field,
    pattern: pattern.value,
    scope: scope.value,
  };
  const list = answer === 'never' ? 'deny' : 'allow';
  return (
    <form
      class="rule-form stack"
      aria-label={isHost ? 'The host' : list === 'deny' ? 'The deny rule' : 'The allow rule'}
      onSubmit={(event) => {
        event.preventDefault();
        if (!off && rule.tool !== '') onGive(answer, rule);
      }}
    >
      {isHost ? null : (
        <>
          <label for={toolField}>Tool (pattern)</label>
          <input
            id={toolField}
            class="mono"
            type="text"
            spellcheck={false}
            autocomplete="off"
            value={tool.value}
            ref={proposed.field === '' ? first : null}
            onInput={(event) => set(tool, event.currentTarget.value)}
          />
        </>
      )}
      {proposed.field === '' ? null : (
        <>
          <label for={patternField}>
            {isHost ? (
              HOST_FIELD
            ) : (
              <>
                <span class="mono">{proposed.field}</span> (pattern)
              </>
            )}
          </label>
          <input
            id={patternField}
            class="mono"
            type="text"
            spellcheck={false}
            autocomplete="off"
            value={pattern.value}
            ref={first}
            onInput={(event) => set(pattern, event.currentTarget.value)}
          />
        </>
      )}
      {isHost ? null : (
        <Segmented
          label="Where the rule is kept"
          value={scope.value}
          options={[
            { value: 'session', text: 'This session' },
            { value: 'project', text: 'This project' },
            { value: 'user', text: 'Everywhere' },
          ]}
          onChange={(value) => set(scope, value)}
        />
      )}
      <Meaning question={question.id} isHost={isHost} list={list} rule={rule} />
      <div class="flex wrap">
        <Button
          kind={list === 'deny' ? 'danger' : 'primary'}
          type="submit"
          disabled={off || rule.tool === ''}
        >
          {isHost
            ? HOST_SUBMIT[answer]
            : list === 'deny'
              ? 'Deny, and add the rule'
              : 'Allow, and add the rule'}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

interface MeaningProps {
  question: string;
  isHost: boolean;
  list: 'allow' | 'deny';
  rule: NewRule;
}

function Meaning({ question, isHost, list, rule }: MeaningProps) {
  const { backend } = useApp();
  const { tool, field, pattern, scope } = rule;
  const key = JSON.stringify([tool, field, pattern, scope]);
  const settled = useSettled(key);
  const preview = useResource(
    async (abort) => {
      if (tool === '') return null;
      return await backend.previewRule({ question, list, rule }, abort);
    },
    [backend, question, list, settled],
  );
  const found = preview.data.value;
  return (
    <div class="rule-meaning" aria-live="polite" aria-busy={settled !== key || preview.loading.value}>
      <ErrorPanel error={preview.error.value} />
      {found === null ? null : (
        <>
          <p class={found.matches ? '' : 'tone-danger'}>
            {visibleText(isHost ? hostMatchWords(found) : matchWords(found))}
          </p>
          {isHost ? null : <p class="muted">{historyWords(found)}</p>}
          {found.examples.length === 0 ? null : (
            <ul class="plain small">
              {found.examples.map(({ tool: name, subject, denied }, i) => (
                <li key={i} class="mono path">
                  {denied ? 'denied: ' : ''}
                  {visibleText(name)} {oneLine(subject)}
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </div>
  );
}

function useSettled(value: string): string {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
