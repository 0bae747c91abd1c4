/** What is to be known of a text diff before it is read. */
import { useMemo } from 'preact/hooks';
import { MAX_LINE_CHARS } from '../../../shared/limits.ts';
import type { DiffLine, DiffLineKind, TextDiff } from '../../../shared/model/diff.ts';
import { RISKS } from '../../../shared/model/risk.ts';
import { addsHidden, hasBidi } from '../../../shared/text/hidden-characters.ts';
import * as format from '../../text/format.ts';
import { LinkButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { lineEndings, longLines } from './to-diff2html.ts';

const ENDINGS = {
  lf: '',
  crlf: 'Lines end with CR LF.',
  cr: 'Lines end with a bare CR.',
  mixed: 'Line endings differ: CR is marked.',
};

export function DiffNotes({ diff, cut, showAll }: { diff: TextDiff; cut: boolean; showAll: () => void }) {
  const long = longLines(diff);
  const bidi = useMemo(
    () => diff.hunks.some((hunk) => hunk.lines.some((line) => hasBidi(line.text))),
    [diff],
  );
  const hides = useMemo(() => diffAddsHidden(diff), [diff]);
  const endings = ENDINGS[lineEndings(diff)];
  const empty = diff.hunks.length === 0;
  const { spacesHidden } = diff;
  const isPlain = !bidi && !hides && long === 0 && endings === '';
  if (isPlain && !diff.approximate && !empty && spacesHidden === 0) return null;
  return (
    <div class="diff-notes">
      {hides ? <HiddenNote /> : null}
      {bidi ? (
        <p class="note-warning">
          <Icon name="warning" /> Holds characters that change the direction of text. They are shown by name
          here; an editor may show these lines in another order.
        </p>
      ) : null}
      {diff.approximate ? (
        <p>Comparing was cut short: every line is shown, but some may count as changed that are not.</p>
      ) : null}
      {spacesHidden === 0 ? null : (
        <p class="note-warning">
          <Icon name="warning" /> {format.plural(spacesHidden, 'line')} with other white space or line ends
          {spacesHidden === 1 ? ' is' : ' are'} shown as unchanged, as you chose.
        </p>
      )}
      {endings === '' ? null : <p>{endings}</p>}
      {empty ? <p>{emptyText(diff)}</p> : null}
      {long > 0 && cut ? (
        <p>
          {format.plural(long, 'line')} longer than {format.count(MAX_LINE_CHARS)} characters cut.{' '}
          <LinkButton onClick={showAll}>Show whole lines</LinkButton>
        </p>
      ) : null}
    </div>
  );
}

/** As the list flags it. */
export function HiddenNote() {
  return (
    <p class="note-warning">
      <Icon name="flag" /> {format.capital(RISKS.hidden.one)}: {RISKS.hidden.why}
    </p>
  );
}

function emptyText(diff: TextDiff): string {
  if (diff.oldTotal === 0 && diff.newTotal === 0) return 'The file is empty: it has no lines.';
  if (diff.spacesHidden > 0) return 'Nothing else differs.';
  return 'The text is the same on both sides; what differs is listed above.';
}

const ENDS: Record<DiffLine['end'], string> = { lf: '\n', crlf: '\r\n', cr: '\r', none: '' };

/** Lines that both sides have need no look: what is in them is no news. */
export function diffAddsHidden(diff: TextDiff): boolean {
  const lines = diff.hunks.flatMap((hunk) => hunk.lines);
  const textOf = (kind: DiffLineKind): string =>
    lines.flatMap((line) => (line.kind === kind ? [line.text + ENDS[line.end]] : [])).join('');
  return addsHidden(textOf('removed'), textOf('added'));
}
