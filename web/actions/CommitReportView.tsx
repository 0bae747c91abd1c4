/** What a commit did, entry by entry where something went wrong. */

import { toDisplay } from '../../shared/bytes.ts';
import type { CommitReport } from '../../shared/model/commit.ts';
import { COMMIT, outcomeText } from '../messages/actions.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { PathList } from '../ui/Notice.tsx';
import { Fact, scrolls } from '../ui/Panel.tsx';

const SHOWN_FAILURES = 50;

interface Props {
  report: CommitReport;
  onUndo: () => void;
  onClose: () => void;
}

export function CommitReportView({ report, onUndo, onClose }: Props) {
  const done = report.state === 'applied';
  const marked = report.marked ?? [];
  return (
    <div class="report" role="status">
      <p class={done ? 'report-good' : 'report-bad'}>
        <Icon name={done ? 'check' : 'warning'} />
        {outcomeText(report)}
      </p>
      <dl class="fact-list">
        <Fact name="Applied">
          {format.plural(report.applied, 'entry', 'entries')}, {format.bytes(report.bytes)}
        </Fact>
        {report.times === undefined ? null : (
          <Fact name="Only the time">+ {format.plural(report.times, 'time')}</Fact>
        )}
        <Fact name="Took">{format.duration(report.ms)}</Fact>
        {report.kept > 0 ? (
          <Fact name="Left as on the host, still pending">{format.count(report.kept)}</Fact>
        ) : null}
        {report.ignored > 0 ? (
          <Fact name="Ignored, still pending">{format.count(report.ignored)}</Fact>
        ) : null}
      </dl>
      {report.copies ? <p class="muted">{COMMIT.copies}</p> : null}
      {marked.length > 0 ? (
        <section>
          <h3>Conflict markers were written into {format.plural(marked.length, 'file')}</h3>
          <PathList paths={marked.map((path) => toDisplay(path))} />
          <p class="muted">Resolve them in your editor before you build or commit these files.</p>
        </section>
      ) : null}
      {report.failed.length > 0 ? (
        <section>
          <h3>{format.plural(report.failed.length, 'entry', 'entries')} failed</h3>
          <ul class="path-list" {...scrolls} aria-label="Failed entries">
            {report.failed.slice(0, SHOWN_FAILURES).map((failure) => (
              <li key={failure.path}>
                <span class="mono path">{toDisplay(failure.path)}</span>{' '}
                <span class="muted">{visibleText(failure.message)}</span>
              </li>
            ))}
            {report.failed.length > SHOWN_FAILURES ? (
              <li class="muted">and {report.failed.length - SHOWN_FAILURES} more</li>
            ) : null}
          </ul>
        </section>
      ) : null}
      {report.notApplied.length > 0 ? (
        <section>
          <h3>{format.plural(report.notApplied.length, 'entry', 'entries')} not applied</h3>
          <PathList paths={report.notApplied.map((path) => toDisplay(path))} />
        </section>
      ) : null}
      <footer class="sheet-foot">
        {done && (report.applied > 0 || report.times !== undefined) ? (
          <Button icon="undo" onClick={onUndo}>
            Undo commit…
          </Button>
        ) : null}
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </footer>
    </div>
  );
}
