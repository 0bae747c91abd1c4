/** Small labels. Colour always comes with a letter or word. */
import type { ComponentChildren } from 'preact';
import type { ChangeCounts } from '../../shared/model/change.ts';
import * as format from '../text/format.ts';
import { TONE_WORDS, TONES, type Tone } from '../text/kinds.ts';

export type BadgeTone = Tone | 'neutral' | 'danger' | 'warning' | 'accent' | 'review';

export function Badge(props: { tone?: BadgeTone; title?: string; children: ComponentChildren }) {
  return (
    <span class={`badge tone-${props.tone ?? 'neutral'}`} title={props.title}>
      {props.children}
    </span>
  );
}

/** `A 12  M 3  D 1` with words for screen readers; `words`: with words for all. */
export function Counts({ counts, words = false }: { counts: ChangeCounts; words?: boolean }) {
  const present = TONES.filter((tone) => counts[tone] > 0);
  if (present.length === 0) return <span class="muted">nothing pending</span>;
  return (
    <span class="counts">
      {present.map((tone) => (
        <span
          key={tone}
          class={`count small strong tone-${tone}`}
          title={`${format.count(counts[tone])} ${TONE_WORDS[tone].word}`}
        >
          <span class="count-letter" aria-hidden="true">
            {TONE_WORDS[tone].letter}
          </span>
          <span class="num">{format.count(counts[tone])}</span>
          <span class={words ? 'count-word' : 'sr-only'}> {TONE_WORDS[tone].word}</span>
        </span>
      ))}
    </span>
  );
}

export function KindLetter({ tone, letter, word }: { tone: Tone; letter: string; word: string }) {
  return (
    <span class={`kind tone-${tone}`} title={word}>
      <span aria-hidden="true">{letter}</span>
      <span class="sr-only">{word}</span>
    </span>
  );
}
