/** Where writes of a session go, and why. */
import type { SessionDetail } from '../../shared/api/types.ts';
import { visibleText } from '../text/visible.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';

type Place = SessionDetail['places'][number];

const PLACES: Record<Place['kind'], { tone: BadgeTone; word: string; why: string }> = {
  covered: { tone: 'accent', word: 'pending', why: 'an overlay of its own' },
  'read-only': { tone: 'neutral', word: 'read-only', why: '' },
  direct: { tone: 'modified', word: 'written directly', why: '' },
  masked: { tone: 'neutral', word: 'hidden', why: '' },
};

export function MountPlanTable({ places }: { places: readonly Place[] }) {
  if (places.length === 0) return <p class="muted">Known after the first call.</p>;
  return (
    <div class="table-box">
      <table class="facts">
        <thead>
          <tr>
            <th scope="col">Directory</th>
            <th scope="col">Writes are</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {places.map((place) => (
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
    </div>
  );
}
