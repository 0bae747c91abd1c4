/** Notes above a text diff. */

import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { MAX_LINE_CHARS } from '../../../shared/limits.ts';
import type { DiffLineKind, TextDiff } from '../../../shared/model/diff.ts';
import { RISKS } from '../../../shared/model/risk.ts';
import { addsHidden, hasBidi } from '../../../shared/text/hidden-characters.ts';
import { rawOf } from '../../../shared/text/lines.ts';
import { emptyText, endingsText, NOTES } from '../../messages/diff.ts';
import * as format from '../../text/format.ts';
import { LinkButton } from '../../ui/Button.tsx';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { lineEndings, linesOf, longLines } from './rows.ts';

export function DiffNotes({ diff, cut, showAll }: { diff: TextDiff; cut: boolean; showAll: () => void }) {
  const long = longLines(diff);
  const bidi = useMemo(() => linesOf(diff).some(({ text }) => hasBidi(text)), [diff]);
  const hides = useMemo(() => diffAddsHidden(diff), [diff]);
  const endings = endingsText(diff, lineEndings(linesOf(diff)));
  const { spacesHidden } = diff;
  const notes = [
    hides ? <HiddenNote /> : null,
    bidi ? <Warning icon="warning">{NOTES.bidi}</Warning> : null,
    diff.approximate ? <p>{NOTES.approximate}</p> : null,
    spacesHidden > 0 ? <Warning icon="warning">{NOTES.otherSpaces(spacesHidden)}</Warning> : null,
    endings === '' ? null : <p>{endings}</p>,
    diff.hunks.length === 0 ? <p>{emptyText(diff)}</p> : null,
    long > 0 && cut ? (
      <p>
        {NOTES.cut(long, MAX_LINE_CHARS)} <LinkButton onClick={showAll}>Show whole lines</LinkButton>
      </p>
    ) : null,
  ];
  return notes.every((note) => note === null) ? null : <div class="diff-notes">{notes}</div>;
}

function Warning({ icon, children }: { icon: IconName; children: ComponentChildren }) {
  return (
    <p class="lines tone-warning">
      <Icon name={icon} /> {children}
    </p>
  );
}

export function HiddenNote() {
  return (
    <Warning icon="flag">
      {format.capital(RISKS.hidden.one)}: {RISKS.hidden.why}
    </Warning>
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
