/** Whether calls are asked about whose writes stay pending: what turning it on would have meant, then the switch. */
import { useApp } from '../state/app.ts';
import { set, useResource, useWork } from '../state/resource.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { ErrorPanel, Loaded } from '../ui/Notice.tsx';
import { Section } from '../ui/Panel.tsx';

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
              {examples.length === 0 ? '.' : ', and not:'}
            </p>
            {examples.length === 0 ? null : (
              <ul class="plain">
                {examples.map(({ subject, why }, i) => (
                  <li key={i}>
                    <code>{visibleText(subject)}</code> <span class="muted">{visibleText(why)}</span>
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
