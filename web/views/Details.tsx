/** Where writes of a session go, what runs in it, and what happened that belongs to no call. */
import type { ComponentChildren } from 'preact';
import type { SessionDetail } from '../../shared/api/types.ts';
import { Badge, type BadgeTone } from '../components/Badge.tsx';
import { History } from '../components/History.tsx';
import { Running } from '../components/Running.tsx';
import { scrolls } from '../components/scrolls.ts';
import { visibleText } from '../lib/visible.ts';
import type { SessionState } from '../state/session.ts';

type Place = SessionDetail['places'][number];

const PLACES: Record<Place['kind'], { tone: BadgeTone; word: string; why: string }> = {
  covered: { tone: 'accent', word: 'pending', why: 'an overlay of its own' },
  'read-only': { tone: 'neutral', word: 'read-only', why: '' },
  direct: { tone: 'modified', word: 'written directly', why: '' },
  masked: { tone: 'neutral', word: 'hidden', why: '' },
};

export function Details({ state }: { state: SessionState }) {
  const detail = state.detail.data.value;
  if (detail === null) return <div class="page" aria-busy="true" />;
  return (
    <section class="page details" {...scrolls} aria-label="Details">
      <Section title="Where writes go">
        {detail.places.length === 0 ? (
          <p class="muted">Known after the first call.</p>
        ) : (
          <table class="facts">
            <thead>
              <tr>
                <th scope="col">Place</th>
                <th scope="col">Writes are</th>
                <th scope="col">Why</th>
              </tr>
            </thead>
            <tbody>
              {detail.places.map((place) => (
                <tr key={place.path}>
                  <td class="mono path">{visibleText(place.path)}</td>
                  <td>
                    <Badge tone={PLACES[place.kind].tone}>{PLACES[place.kind].word}</Badge>
                  </td>
                  <td class="muted">{place.why === '' ? PLACES[place.kind].why : visibleText(place.why)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Section>
      <Section title="Running now">
        <Running state={state} processes={detail.processes} />
      </Section>
      <Section title="History">
        <History state={state} />
      </Section>
      <Section title="Notices">
        {detail.notices.length === 0 ? (
          <p class="muted">None.</p>
        ) : (
          <ul class="plain notices">
            {detail.notices.map((notice) => (
              <li key={`${notice.at} ${notice.code}`}>
                <time class="muted" dateTime={notice.at}>
                  {new Date(notice.at).toLocaleString()}
                </time>{' '}
                {visibleText(notice.text)}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <Section title="Identity">
        <dl class="call-facts">
          <Fact name="Started">{new Date(detail.createdAt).toLocaleString()}</Fact>
          <Fact name="Directory">{visibleText(detail.cwd)}</Fact>
          <Fact name="Config">
            {detail.configFile === null ? 'defaults' : visibleText(detail.configFile)}
          </Fact>
          <Fact name="Claude's ids">
            {detail.claudeIds.length === 0 ? 'none' : detail.claudeIds.map(visibleText).join(', ')}
          </Fact>
        </dl>
      </Section>
    </section>
  );
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="detail-section">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="mono">{children}</dd>
    </div>
  );
}
