/**
 * The sides of a text in conflict: host, base and sandbox side by side, in a narrow box one below another.
 *
 *     ConflictNote      in an entry's head: the reason, and the panes on request
 *     ConflictChoices   in the commit dialog: a choice for each conflict; panes or merge are shown before it
 *     model/panes.ts    blocks of shared/text/merge-text.ts -> items: unchanged lines, folds, changes
 *
 * The server compares; a text that it refuses (too large, not text) has only the reason.
 */

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Line } from '../../shared/text/lines.ts';
import type { Block, BlockKind, ConflictView } from '../../shared/text/merge-text.ts';
import { useChangeKeys } from '../diff/rows/position.ts';
import { markedText } from '../diff/rows/Rows.tsx';
import { BATCH_ROWS, lineEndings, shownText } from '../diff/rows/rows.ts';
import { useMore } from '../lists/use-more.ts';
import { differText, SIDE_NAMES, SIDE_NOTES, WHO_CHANGED } from '../messages/conflicts.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { scrolls } from '../ui/Panel.tsx';
import { changedPart, type PaneItem, panesOf } from './model/panes.ts';

type SideKey = 'host' | 'base' | 'sandbox';

/** Sides of a block that differ from the base; without a base both do. */
const CHANGED: Record<BlockKind, readonly SideKey[]> = {
  same: [],
  host: ['host'],
  sandbox: ['sandbox'],
  alike: ['host', 'sandbox'],
  both: ['host', 'sandbox'],
  differs: ['host', 'sandbox'],
};

export function ConflictPanes({ view, path }: { view: ConflictView; path: string }) {
  const { blocks, noBase, refused, approximate } = view;
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [shown, setShown] = useState(1);
  const panes = useMemo(() => panesOf(blocks, opened, shown * BATCH_ROWS), [blocks, opened, shown]);
  const { box, more } = useMore<HTMLElement>('.pane:first-child > .pane-line');
  // The panes open below the button, which may be the last thing in sight.
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [view]);
  useChangeKeys(box);
  const markEnds = useMemo(() => {
    const lines = blocks.flatMap(({ host, base, sandbox }) => [...host, ...base, ...sandbox]);
    return lineEndings(lines) === 'mixed';
  }, [blocks]);
  if (refused !== null) return <p class="panes-note muted">{visibleText(refused)}</p>;
  const sides: SideKey[] = noBase === null ? ['host', 'base', 'sandbox'] : ['host', 'sandbox'];
  return (
    <section ref={box} class={noBase === null ? 'panes' : 'panes panes-two'} aria-label={`Sides of ${path}`}>
      {noBase === null ? null : <p class="panes-note muted">Without a common base: {visibleText(noBase)}</p>}
      <p class="panes-note muted">
        {differText(panes.places)}
        {approximate ? ' Comparing took too long: places are larger than they need to be.' : null}
      </p>
      <section
        class="panes-body framed mono"
        {...scrolls}
        aria-label={sides.map((side) => SIDE_NAMES[side]).join(', ')}
      >
        <div class="panes-head block">
          {sides.map((side) => (
            <p key={side}>
              <strong>{SIDE_NAMES[side]}</strong>{' '}
              <span class="muted">{isGone(view, side) ? 'no such entry' : SIDE_NOTES[side]}</span>
            </p>
          ))}
        </div>
        {panes.items.map((item) => (
          <Item
            key={keyOf(item)}
            item={item}
            sides={sides}
            markEnds={markEnds}
            places={panes.places}
            open={(index, button) => more(() => setOpened(new Set([...opened, index])), button)}
          />
        ))}
      </section>
      {panes.left > 0 ? (
        <p class="panes-note muted">
          <Button small onClick={() => more(() => setShown(shown + 1))}>
            Show {format.count(Math.min(panes.left, BATCH_ROWS))} more lines
          </Button>{' '}
          <span class="muted">{format.plural(panes.left, 'line')} left</span>
        </p>
      ) : null}
    </section>
  );
}

function isGone({ host, sandbox }: ConflictView, side: SideKey): boolean {
  return (side === 'host' && !host) || (side === 'sandbox' && !sandbox);
}

function keyOf(item: PaneItem): string {
  if (item.type === 'fold') return `fold ${item.index}`;
  return item.type === 'same' ? `same ${item.block.hostAt} ${item.from}` : `place ${item.place}`;
}

interface ItemProps {
  item: PaneItem;
  sides: readonly SideKey[];
  markEnds: boolean;
  places: number;
  open(index: number, button: Element): void;
}

function Item({ item, sides, markEnds, places, open }: ItemProps) {
  switch (item.type) {
    case 'fold':
      return (
        <p class="panes-fold">
          <button
            type="button"
            class="gap-button"
            onClick={({ currentTarget }) => open(item.index, currentTarget)}
          >
            Show {format.plural(item.hidden, 'unchanged line')}
          </button>
        </p>
      );
    case 'same':
      return (
        <div class="block block-same">
          {sides.map((side, at) => (
            // Screen readers read unchanged lines once.
            <div key={side} class="pane" aria-hidden={at > 0}>
              <Lines lines={item.lines} first={firstOf(item.block, side) + item.from} markEnds={markEnds} />
            </div>
          ))}
        </div>
      );
    case 'change':
      return (
        <Change block={item.block} place={item.place} sides={sides} markEnds={markEnds} places={places} />
      );
  }
}

type ChangeProps = Pick<ItemProps, 'sides' | 'markEnds' | 'places'> & { block: Block; place: number };

function Change({ block, place, sides, markEnds, places }: ChangeProps) {
  const who = block.kind === 'same' ? '' : WHO_CHANGED[block.kind];
  return (
    <fieldset class={`block-change block-${block.kind}`} tabIndex={-1}>
      <legend class="block-who">
        {who}{' '}
        <span class="muted num">
          ({place} of {places})
        </span>
      </legend>
      <div class="block">
        {sides.map((side) => (
          <div key={side} class={`pane pane-${toneOf(block, side)}`}>
            <p class="pane-name">{SIDE_NAMES[side]}</p>
            {block[side].length === 0 ? <p class="pane-none muted">no lines</p> : null}
            <Lines
              lines={block[side]}
              first={firstOf(block, side)}
              markEnds={markEnds}
              others={othersOf(block, side, sides)}
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

/** The lines that a side is compared with to mark the changed part. */
function othersOf(block: Block, side: SideKey, sides: readonly SideKey[]): readonly Line[] {
  if (!CHANGED[block.kind].includes(side)) return [];
  if (sides.includes('base')) return block.base;
  return side === 'host' ? block.sandbox : block.host;
}

function toneOf(block: Block, side: SideKey): 'new' | 'old' | 'plain' {
  if (side === 'base') return 'old';
  return CHANGED[block.kind].includes(side) ? 'new' : 'plain';
}

function firstOf({ hostAt, baseAt, sandboxAt }: Block, side: SideKey): number {
  return { host: hostAt, base: baseAt, sandbox: sandboxAt }[side];
}

interface LinesProps {
  lines: readonly Line[];
  first: number;
  markEnds: boolean;
  others?: readonly Line[];
}

function Lines({ lines, first, markEnds, others = [] }: LinesProps) {
  return (
    <>
      {lines.map((line, i) => {
        const text = shownText(line, markEnds, true);
        const other = others[i];
        const parts = other === undefined ? null : changedPart(text, shownText(other, markEnds, true));
        const [before, changed, after] = parts ?? [text, '', ''];
        return (
          <div key={i} class="pane-line">
            <span class="number">{first + i}</span>
            <code class="text">
              {markedText(before)}
              {parts === null ? null : <span class="pane-mark">{markedText(changed)}</span>}
              {markedText(after)}
            </code>
          </div>
        );
      })}
    </>
  );
}
