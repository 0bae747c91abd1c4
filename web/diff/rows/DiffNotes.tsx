/** Notes above a text diff. */

import { useMemo } from 'preact/hooks';
import { MAX_LINE_CHARS } from '../../../shared/limits.ts';
import type { DiffLineKind, TextDiff } from '../../../shared/model/diff.ts';
import { RISKS } from '../../../shared/model/risk.ts';
import { addsHidden, hasBidi } from '../../../shared/text/hidden-characters.ts';
import { rawOf } from '../../../shared/text/lines.ts';
import { emptyText, endingsText, NOTES } from '../../messages/diff.ts';
import * as format from '../../text/format.ts';
import { LinkButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { lineEndings, linesOf, longLines } from './rows.ts';

export function DiffNotes({ diff, cut, showAll }: { diff: TextDiff; cut: boolean; showAll: () => void }) {
  const long = longLines(diff);
  const bidi = useMemo(() => linesOf(diff).some(({ text }) => hasBidi(text)), [diff]);
  const hides = useMemo(() => diffAddsHidden(diff), [diff]);
  const endings = endingsText(diff, lineEndings(linesOf(diff)));
  const empty = diff.hunks.length === 0;
  const { spacesHidden } = diff;
  const isPlain = !bidi && !hides && long === 0 && endings === '';
  if (isPlain && !diff.approximate && !empty && spacesHidden === 0) return null;
  return (
    <div class="diff-notes">
      {hides ? <HiddenNote /> : null}
      {bidi ? (
        <p class="note-warning">
          <Icon name="warning" /> {NOTES.bidi}
        </p>
      ) : null}
      {diff.approximate ? <p>{NOTES.approximate}</p> : null}
      {spacesHidden === 0 ? null : (
        <p class="note-warning">
          <Icon name="warning" /> {NOTES.otherSpaces(spacesHidden)}
        </p>
      )}
      {endings === '' ? null : <p>{endings}</p>}
      {empty ? <p>{emptyText(diff)}</p> : null}
      {long > 0 && cut ? (
        <p>
          {NOTES.cut(long, MAX_LINE_CHARS)} <LinkButton onClick={showAll}>Show whole lines</LinkButton>
        </p>
      ) : null}
    </div>
  );
}

export function HiddenNote() {
  return (
    <p class="note-warning">
      <Icon name="flag" /> {format.capital(RISKS.hidden.one)}: {RISKS.hidden.why}
    </p>
  );
}

/** Only changed lines count: unchanged ones bring nothing new. */
export function diffAddsHidden(diff: TextDiff): boolean {
  const textOf = (side: DiffLineKind): string =>
    linesOf(diff)
      .filter(({ kind }) => kind === side)
      .map(rawOf)
      .join('');
  return addsHidden(textOf('removed'), textOf('added'));
}
