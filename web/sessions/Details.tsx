/** Where writes of a session go, what runs in it, and what happened that belongs to no call. */
import { MountPlanTable } from '../doctor/MountPlanTable.tsx';
import { Running } from '../processes/Running.tsx';
import { hasAnswered } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Fact, Section, scrolls } from '../ui/Panel.tsx';

export function Details({ state }: { state: SessionState }) {
  const detail = state.detail.data.value;
  // What runs is told with the command that began it: drawn before, its table would move.
  if (detail === null || !hasAnswered(state.calls)) return <div class="page" aria-busy="true" />;
  return (
    <section class="page details" {...scrolls} aria-label="Details">
      <Section title="Running now">
        <Running state={state} processes={detail.processes} />
      </Section>
      <Section title="Where writes go">
        <MountPlanTable places={detail.places} />
      </Section>
      <Section title="Notices">
        {detail.notices.length === 0 ? (
          <p class="muted">None.</p>
        ) : (
          <ul class="plain notices">
            {detail.notices.map((notice) => (
              <li key={`${notice.at} ${notice.code}`}>
                <time class="muted" dateTime={notice.at}>
                  {format.dateTime(notice.at)}
                </time>{' '}
                {visibleText(notice.text)}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Identity">
        <dl class="call-facts">
          {Object.entries({
            Started: format.dateTime(detail.createdAt),
            Directory: visibleText(detail.cwd),
            Config: detail.configFile === null ? 'defaults' : visibleText(detail.configFile),
            "Claude's ids": detail.claudeIds.map(visibleText).join(', ') || 'none',
          }).map(([name, text]) => (
            <Fact key={name} name={name} mono>
              {text}
            </Fact>
          ))}
        </dl>
      </Section>
    </section>
  );
}
