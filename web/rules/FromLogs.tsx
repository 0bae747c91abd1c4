/** What the logs teach: rules that would have saved prompts, and what running sandboxed calls without a prompt would have meant. */
import type { Fate, Rule } from '../../shared/model/rule.ts';
import { useApp } from '../state/app.ts';
import { set, useResource, useWork } from '../state/resource.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorPanel, Loaded } from '../ui/Notice.tsx';
import { Section } from '../ui/Panel.tsx';
import { Prose } from '../ui/Prose.tsx';

interface SuggestionsProps {
  session: string | null;
  /** Asked for again when it changes. */
  again: unknown;
  busy: boolean;
  add(rule: Rule): void;
}

export function Suggestions({ session, again, busy, add }: SuggestionsProps) {
  const { backend } = useApp();
  const about = session === null ? {} : { session };
  const found = useResource((abort) => backend.ruleSuggestions(about, abort), [backend, session], [again]);
  const all = found.data.value ?? [];
  if (all.length === 0) return null;
  return (
    <Section
      title="Suggestions"
      about="From calls that were left to Claude Code and ran. None would have let through a call that was denied."
    >
      <ul class="plain boxed">
        {all.map(({ rule, saved, failed, sessions, examples, fate }) => {
          const match = Object.entries(rule.match ?? {}).map(([field, pattern]) => `${field}=${pattern}`);
          const text = match.join(' ');
          return (
            <li key={`${rule.tool} ${text}`} class="rule-suggestion flex wrap">
              <div class="grow">
                <code>{visibleText(`${rule.tool} ${text}`)}</code>
                <p class="muted">
                  up to {format.plural(saved, 'prompt')} in {format.plural(sessions, 'session')}
                  {failed === 0 ? '' : `; ${format.count(failed)} of these calls failed`}
                  {fate.written === 0 ? '' : `; ${fateWords(fate)}`}: {examples.map(visibleText).join(' · ')}
                </p>
              </div>
              <Button small disabled={busy} onClick={() => add(rule)}>
                Add this rule
              </Button>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function fateWords({ written, committed, discarded, undone }: Fate): string {
  const ends = { committed, discarded, undone };
  const words = Object.entries(ends).map(([word, count]) => `${format.count(count)} ${word}`);
  return `wrote ${format.plural(written, 'path')}: ${words.join(', ')}`;
}

export function Sandboxed() {
  const { backend } = useApp();
  const effect = useResource((abort) => backend.sandboxedEffect(abort), [backend]);
  const work = useWork();
  const turn = (value: 'ask' | 'allow'): void =>
    void work.run(async () => set(effect.data, await backend.setSandboxed({ value })));
  return (
    <Section
      title="Calls whose writes stay pending"
      about="With “allow”, a Bash call that runs in the sandbox, and that no rule denies or asks about, runs without a prompt. The network is open to it."
    >
      <ErrorPanel error={work.error.value} />
      <Loaded resource={effect}>
        {({ sandboxed, saved, still, examples }) => (
          <div class="stack">
            <p>
              Of {format.plural(saved + still, 'shell call')} of the last 30 days that were left to Claude
              Code, “allow” would have let {format.count(saved)} run without a prompt
              {examples.length === 0 ? '.' : ', but not these:'}
            </p>
            {examples.length === 0 ? null : (
              <ul class="plain">
                {examples.map(({ subject, why }, i) => (
                  <li key={i}>
                    <code>{visibleText(subject)}</code>{' '}
                    <span class="muted">
                      <Prose text={why} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
            <div class="flex wrap">
              <Button
                disabled={work.running.value}
                onClick={() => turn(sandboxed === 'ask' ? 'allow' : 'ask')}
              >
                {sandboxed === 'ask' ? 'Allow them without a prompt' : 'Leave them to Claude Code again'}
              </Button>
              <span class="muted">Now: {sandboxed}</span>
            </div>
          </div>
        )}
      </Loaded>
    </Section>
  );
}
