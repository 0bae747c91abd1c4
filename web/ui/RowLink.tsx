/** Where a link leads to, in its row: cut in the middle where there is no room, told in full on request and to readers. */
import { type LinkTargets, linkText } from './kinds.ts';

export function RowLink({ targets }: { targets: LinkTargets }) {
  const { before, now } = targets;
  const words = linkText(targets);
  return (
    <span class="row-link" title={words}>
      <span class="sr-only">{words}</span>
      {now !== null && before !== null && before !== now ? <Middle text={before} old /> : null}
      <span aria-hidden="true">→</span>
      {now !== null ? <Middle text={now} /> : null}
      {now === null && before !== null ? <Middle text={before} old /> : null}
    </span>
  );
}

/** Characters that are left of the end: the name that it leads to, most of the time. */
const TAIL = 14;
/** Up to so many it is one piece: a beginning of a few characters would go away without a sign. */
const SHORT = 24;

/** What does not fit is taken out before the end, by the browser: its width is not known here. */
function Middle({ text, old = false }: { text: string; old?: boolean }) {
  const characters = Array.from(text);
  const cut = characters.length > SHORT ? characters.length - TAIL : 0;
  const head = characters.slice(0, cut).join('');
  return (
    <span class={old ? 'middle middle-old' : 'middle'} aria-hidden="true">
      {head === '' ? null : <span class="middle-head">{head}</span>}
      <span class="middle-tail">{characters.slice(cut).join('')}</span>
    </span>
  );
}
