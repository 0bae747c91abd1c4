/** Whether tests passed on exactly what would be committed, with the call that ran them, or what to add. */

import { useSignal } from '@preact/signals';
import type { Tested } from '../../shared/log/tested.ts';
import { useCopy } from '../state/app.ts';
import { set } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import { useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { scrolls } from '../ui/Panel.tsx';

export function TestedNote({ tested, again }: { tested: Tested; again(): void }) {
  const { state, beside, line } = tested;
  const passed = state === 'passed';
  return (
    <section class={`tested stack framed ${passed ? 'tested-passed' : ''}`} aria-label="Tests">
      <p>
        <Icon name={passed ? 'check' : 'flag'} /> <Said tested={tested} />
      </p>
      {passed && beside > 0 ? (
        <p class="muted">
          The tests also saw {format.plural(beside, 'other pending entry', 'other pending entries')}, which
          this commit leaves out.
        </p>
      ) : null}
      {passed ? null : <HowTo line={line} beside={beside} again={again} />}
    </section>
  );
}

function Said({ tested }: { tested: Tested }) {
  const { id: session } = useSession();
  const { state, run, since, sinceCall } = tested;
  if (run === null) return <>No tests were run in this session.</>;
  const link = (
    <a href={formatRoute({ view: 'calls', session, call: run.call })}>
      <code>{visibleText(format.cut(run.command, 120))}</code>
    </a>
  );
  switch (state) {
    case 'passed':
      return (
        <>
          <strong>Tested:</strong> {link} ended with 0 at {format.clock(run.at)}, and nothing was written
          since.
        </>
      );
    case 'moved-on':
      return (
        <>
          <strong>Not tested as it is:</strong> {link} ended with 0 at {format.clock(run.at)}, but since then{' '}
          {sinceCall === null ? (
            `${visibleText(since)}.`
          ) : (
            <>
              <a href={formatRoute({ view: 'calls', session, call: sinceCall })}>
                <code>{visibleText(since)}</code>
              </a>{' '}
              may have written.
            </>
          )}
        </>
      );
    default:
      return (
        <>
          <strong>Tests did not pass:</strong> {link}{' '}
          {run.rc === null ? 'has no known exit status' : `ended with ${run.rc}`}, {format.clock(run.at)}.
        </>
      );
  }
}

function HowTo({ line, beside, again }: { line: string | null; beside: number; again(): void }) {
  const { id } = useSession();
  const toClipboard = useCopy();
  const copied = useSignal(false);
  const text = line ?? `trai exec --session ${id} -- COMMAND`;
  const copy = async (): Promise<void> => set(copied, await toClipboard(text, 'the command'));
  return (
    <>
      <p class="muted">Test {beside > 0 ? 'all pending' : 'these'} changes before committing:</p>
      <div class="flex wrap">
        <pre class="framed" {...scrolls}>
          {text}
        </pre>
        <Button icon={copied.value ? 'check' : 'copy'} onClick={() => void copy()}>
          {copied.value ? 'Copied' : 'Copy'}
        </Button>
        <Button icon="refresh" onClick={again}>
          Check again
        </Button>
      </div>
    </>
  );
}
