/** One row of the tree of changed entries. */
import { nameOf, toDisplay } from '../../shared/bytes.ts';
import { RISKS, type Risk } from '../../shared/model/risk.ts';
import * as format from '../text/format.ts';
import {
  entryType,
  KIND_TABLE,
  type LinkTargets,
  linkTargets,
  linkText,
  modeNote,
  typeNote,
} from '../text/kinds.ts';
import { Badge, Counts, KindLetter } from '../ui/Badge.tsx';
import { Icon, type IconName } from '../ui/Icon.tsx';
import type { Delta, Mark } from './model/lists.ts';
import type { Chosen } from './model/selection.ts';
import type { DirRow, EntryRow, TreeRow, TreeStats } from './model/tree.ts';

interface Props {
  row: TreeRow;
  top: number;
  focusable: boolean;
  selected: boolean;
  delta: Delta | undefined;
  mark: Mark | undefined;
  risks: readonly Risk[] | undefined;
  chosen: Chosen;
  lines: readonly [added: number, removed: number] | null;
}

const DELTA_WORDS: Record<Delta, string> = { changed: 'updated', new: 'new', gone: 'gone' };

const CHECKED = { none: 'false', some: 'mixed', all: 'true' } as const;

export function TreeRowView(props: Props) {
  const { row, top, focusable, selected } = props;
  const isDir = row.kind === 'dir';
  const change = isDir ? row.dir.change : row.change;
  const dimmed = change !== null && change.ignored !== null;
  return (
    <div
      role="treeitem"
      class={`row ${selected ? 'row-selected' : ''} ${dimmed ? 'row-dimmed' : ''} ${props.mark === 'viewed' ? 'row-viewed' : ''}`}
      style={{ top: `${top}px` }}
      tabIndex={focusable ? 0 : -1}
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.size}
      aria-selected={selected}
      aria-checked={CHECKED[props.chosen]}
      aria-expanded={isDir ? row.expanded : undefined}
      data-key={row.key}
    >
      <span class={`tick tick-${props.chosen}`} aria-hidden="true">
        {props.chosen === 'none' ? null : <Icon name={props.chosen === 'all' ? 'check' : 'minus'} />}
      </span>
      <span class="row-indent" style={{ width: `${row.depth * 14}px` }} />
      {isDir ? (
        <DirCells row={row} />
      ) : (
        <EntryCells row={row} delta={props.delta} mark={props.mark} risks={props.risks} lines={props.lines} />
      )}
    </div>
  );
}

function DirCells({ row }: { row: DirRow }) {
  const { dir, expanded, name } = row;
  const change = dir.change;
  return (
    <>
      <span class={`twist ${expanded ? 'twist-open' : ''}`}>
        <Icon name="chevron" />
      </span>
      <Icon name={dir.bulk ? 'package' : 'folder'} class="row-icon" />
      <span class="row-name" title={name}>
        {name}
      </span>
      {/* For a pointer; the key is `o`. */}
      <span
        class="row-open"
        aria-hidden="true"
        title="All of this directory: read through, commit, discard (o)"
      >
        <Icon name="rows" />
      </span>
      <span class="row-notes">
        {change === null || change.conflict === null ? null : <Conflict />}
        {expanded ? <DirTotal row={row} /> : <DirSummary stats={dir.stats} />}
      </span>
    </>
  );
}

/** An open directory says how much is in it, and what happened to itself. */
function DirTotal({ row }: { row: DirRow }) {
  const { change, stats } = row.dir;
  const kind = change === null ? null : KIND_TABLE[change.kind];
  return (
    <>
      <span class="row-total num" title={format.plural(stats.total, 'entry', 'entries')}>
        {format.count(stats.total)}
        <span class="sr-only"> {stats.total === 1 ? 'entry, ' : 'entries, '}</span>
        {stats.bytes > 0 ? <span class="row-size">{format.bytes(stats.bytes)} </span> : null}
      </span>
      {kind === null ? null : <KindLetter tone={kind.tone} letter={kind.letter} word={kind.word} />}
    </>
  );
}

function DirSummary({ stats }: { stats: TreeStats }) {
  return (
    <span class="row-summary">
      {stats.conflicts > 0 ? <Conflict /> : null}
      <Counts counts={stats} />
      {stats.bytes > 0 ? <span class="muted">{format.bytes(stats.bytes)}</span> : null}
    </span>
  );
}

type EntryProps = Pick<Props, 'delta' | 'mark' | 'risks' | 'lines'> & { row: EntryRow };

function EntryCells({ row, delta, mark, risks, lines }: EntryProps) {
  const { change, name } = row;
  const kind = KIND_TABLE[change.kind];
  const link = linkTargets(change);
  const note = typeNote(change) || modeNote(change);
  return (
    <>
      <span class="twist" />
      <Icon name={iconOf(row)} class="row-icon" />
      <span class="row-name" title={name}>
        {name}
      </span>
      {link === null ? null : <RowLink targets={link} />}
      {/* They come last of all, so nothing stands to the left of them that would move. */}
      {lines === null ? null : <Lines added={lines[0]} removed={lines[1]} />}
      <span class="row-notes">
        {delta === undefined ? null : <Badge tone="accent">{DELTA_WORDS[delta]}</Badge>}
        {mark === 'updated' ? <Badge tone="accent">changed since viewed</Badge> : null}
        {mark === 'viewed' ? <Viewed /> : null}
        {change.conflict === null ? null : <Conflict />}
        {change.renamedFrom === undefined ? null : (
          <span class="muted" title={toDisplay(change.renamedFrom)}>
            renamed from {toDisplay(nameOf(change.renamedFrom))}
          </span>
        )}
        {note === '' ? null : <span class="muted">{note}</span>}
        {change.ignored === null ? null : <span class="muted">ignored</span>}
        <Flag risks={risks ?? []} />
        <KindLetter tone={kind.tone} letter={kind.letter} word={kind.word} />
      </span>
    </>
  );
}

function Lines({ added, removed }: { added: number; removed: number }) {
  return (
    <span class="row-lines num">
      {added === 0 ? null : (
        <span class="tone-added">
          <span aria-hidden="true">+</span>
          {format.count(added)}
          <span class="sr-only"> lines added</span>
        </span>
      )}
      {removed === 0 ? null : (
        <span class="tone-deleted">
          <span aria-hidden="true">−</span>
          {format.count(removed)}
          <span class="sr-only"> lines removed</span>
        </span>
      )}
    </span>
  );
}

function Viewed() {
  return (
    <span class="viewed-mark" title="viewed">
      <Icon name="check" />
      <span class="sr-only">viewed</span>
    </span>
  );
}

function Flag({ risks }: { risks: readonly Risk[] }) {
  if (risks.length === 0) return <span class="risk-room" />;
  const words = risks.map((risk) => RISKS[risk].one).join(', ');
  return (
    <span class="risk-mark" title={words}>
      <Icon name="flag" />
      <span class="sr-only">{words}</span>
    </span>
  );
}

function Conflict() {
  return (
    <span class="conflict-mark" title="conflict">
      <Icon name="warning" />
      <span class="sr-only">conflict</span>
    </span>
  );
}

function iconOf(row: EntryRow): IconName {
  const type = entryType(row.change);
  if (type === 'symlink') return 'link';
  return type === 'dir' ? 'folder' : 'file';
}

function RowLink({ targets }: { targets: LinkTargets }) {
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
