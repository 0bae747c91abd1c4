/** The tree of changed entries: virtual rows, an ARIA tree with one tab stop. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type BytePath, nameOf, toDisplay } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import { RISKS } from '../../shared/model/risk.ts';
import { effectsOn, effectWords, RowEffects } from '../diff/Effects.tsx';
import { useShortcuts } from '../keys/shortcuts.ts';
import { useVirtual } from '../lists/use-virtual.ts';
import { useApp } from '../state/app.ts';
import { type SessionState, useSession } from '../state/session.ts';
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
import type { Delta } from './model/lists.ts';
import { type Chosen, chosenOf } from './model/selection.ts';
import type { DirRow, EntryRow, TreeRow } from './model/tree.ts';

/** As `--row-height` in ui/styles/tokens.css. */
const ROW_HEIGHT = { comfortable: 28, compact: 23 } as const;

interface Props {
  /** Key of the row that holds the tab stop. */
  active: string | null;
  setActive(key: string): void;
  selected: BytePath | null;
  open(path: BytePath): void;
}

/** The path that a click on the row opens; null for a directory without a change of its own. */
function rowPath(row: TreeRow): BytePath | null {
  if (row.kind === 'entry') return row.change.path;
  return row.dir.change === null ? null : row.dir.path;
}

/** `isEntry`: the entry of a path that a directory may have too. */
export function isOnShow(row: TreeRow, path: BytePath, isEntry: boolean): boolean {
  return isEntry ? rowPath(row) === path : row.kind === 'dir' && row.dir.path === path;
}

function chosenAt({ choice }: SessionState, row: TreeRow): Chosen {
  if (row.kind === 'entry') return choice.selection.value.has(row.change.id) ? 'all' : 'none';
  return chosenOf(choice.below.value.get(row.dir.path) ?? 0, row.dir.stats.total);
}

function toggleRow(state: SessionState, row: TreeRow): void {
  if (row.kind !== 'dir') return;
  const next = new Map(state.expansion.value);
  next.set(row.dir.path, !row.expanded);
  state.expansion.value = next;
}

export function ChangeTree({ active, setActive, selected, open }: Props) {
  const state = useSession();
  const { settings } = useApp();
  const rows = state.rows.value;
  const box = useRef<HTMLDivElement>(null);
  const found = rows.findIndex((row) => row.key === active);
  const at = Math.max(found, 0);
  // The active row stays in the page when it is scrolled out, so that a key finds it.
  const virtual = useVirtual(box, rows.length, ROW_HEIGHT[settings.density.value], at);
  const wantsFocus = useRef(false);
  const { choice, lineCounts } = state;
  const drawn = virtual.items.flatMap(({ index }) => rows[index] ?? []);
  useEffect(() => lineCounts.want(drawn.flatMap((row) => (row.kind === 'entry' ? [row.change] : []))));

  function focusActive(): void {
    if (!wantsFocus.current) return;
    const element = box.current?.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]');
    if (element == null) return;
    element.focus({ preventScroll: true });
    if (element.dataset['key'] === rows[at]?.key) wantsFocus.current = false;
  }

  const move = (to: number): void => {
    const index = Math.max(0, Math.min(rows.length - 1, to));
    const row = rows[index];
    if (row === undefined) return;
    wantsFocus.current = true;
    setActive(row.key);
    virtual.scrollTo(index);
    // Without a render, the layout effect below does not run.
    if (row.key === active) focusActive();
  };

  useLayoutEffect(focusActive);

  const isEntry = state.byPath.value(selected) !== undefined;
  const toShown = (): void => {
    const shown = rows.findIndex((row) => selected !== null && isOnShow(row, selected, isEntry));
    if (shown >= 0) virtual.scrollTo(shown);
  };
  useLayoutEffect(toShown, [selected]);

  const activate = (row: TreeRow): void => {
    const path = rowPath(row) ?? (row.kind === 'dir' && row.dir.bulk ? row.dir.path : null);
    if (path !== null) open(path);
    else toggleRow(state, row);
  };
  const openWhole = (row: TreeRow): void => open(row.kind === 'dir' ? row.dir.path : row.change.path);
  const current = rows[at];

  useShortcuts({
    'next-row': () => move(found < 0 ? 0 : at + 1),
    'previous-row': () => move(found < 0 ? rows.length - 1 : at - 1),
    open: () => current !== undefined && openWhole(current),
    toggle: () => current !== undefined && toggleRow(state, current),
    select: () => current !== undefined && choice.toggle(current, false),
    'select-range': () => current !== undefined && choice.toggle(current, true),
    'focus-tree': () => move(at),
    'to-shown': toShown,
  });

  const parentOf = (index: number): number => {
    const depth = rows[index]?.depth ?? 0;
    for (let i = index - 1; i >= 0; i--) if ((rows[i]?.depth ?? 0) < depth) return i;
    return index;
  };

  const keys: Record<string, (event: KeyboardEvent) => void> = {
    ' ': ({ shiftKey }) => current !== undefined && choice.toggle(current, shiftKey),
    ArrowDown: () => move(at + 1),
    ArrowUp: () => move(at - 1),
    Home: () => move(0),
    End: () => move(rows.length - 1),
    PageDown: () => move(at + 20),
    PageUp: () => move(at - 20),
    ArrowRight: () => {
      if (current?.kind !== 'dir') return;
      if (current.expanded) move(at + 1);
      else toggleRow(state, current);
    },
    ArrowLeft: () => {
      if (current?.kind === 'dir' && current.expanded) toggleRow(state, current);
      else move(parentOf(at));
    },
    Enter: () => current !== undefined && activate(current),
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const handler = keys[event.key];
    if (handler === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    handler(event);
  };

  // The twist toggles a directory whose own change a click on the row would open.
  const onClick = (event: MouseEvent): void => {
    if (!(event.target instanceof Element)) return;
    const key = event.target.closest<HTMLElement>('[data-key]')?.dataset['key'];
    const row = rows.find((other) => other.key === key);
    if (row === undefined) return;
    setActive(row.key);
    const isTick = event.target.closest('.tick') !== null;
    if (isTick || event.shiftKey || event.ctrlKey || event.metaKey) choice.toggle(row, event.shiftKey);
    else if (event.target.closest('.row-open') !== null) openWhole(row);
    else if (event.target.closest('.twist') !== null) toggleRow(state, row);
    else activate(row);
  };

  const onFocusIn = (event: FocusEvent): void => {
    const key = event.target instanceof HTMLElement ? event.target.dataset['key'] : undefined;
    if (key !== undefined && !wantsFocus.current) setActive(key);
  };

  return (
    <div class="tree-box" ref={box}>
      <div
        class={`tree ${choice.selection.value.size > 0 ? 'tree-choosing' : ''}`}
        role="tree"
        aria-multiselectable="true"
        aria-label="Changed files"
        style={{ height: `${virtual.height}px` }}
        onClick={onClick}
        onFocusIn={onFocusIn}
        onKeyDown={onKeyDown}
      >
        {virtual.items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            <TreeRowView
              key={row.key}
              row={row}
              top={item.start}
              focusable={item.index === at}
              selected={selected !== null && isOnShow(row, selected, isEntry)}
            />
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  row: TreeRow;
  top: number;
  focusable: boolean;
  selected: boolean;
}

/** A commit of everything does not take it. */
function isLeftOut(state: SessionState, change: Change): boolean {
  return change.ignored !== null || effectsOn(state, change).some((one) => one.do === 'never');
}

const DELTA_WORDS: Record<Delta, string> = { changed: 'updated', new: 'new', gone: 'gone' };

const CHECKED = { none: 'false', some: 'mixed', all: 'true' } as const;

function TreeRowView({ row, top, focusable, selected }: RowProps) {
  const state = useSession();
  const isDir = row.kind === 'dir';
  const change = isDir ? row.dir.change : row.change;
  const chosen = chosenAt(state, row);
  const isViewed = !isDir && state.viewed.marks.value.get(row.change.id) === 'viewed';
  const dimmed = change !== null && isLeftOut(state, change);
  return (
    <div
      role="treeitem"
      class={`row flex ${selected ? 'row-selected' : ''} ${dimmed ? 'row-dimmed' : ''} ${isViewed ? 'row-viewed' : ''}`}
      style={{ top: `${top}px` }}
      tabIndex={focusable ? 0 : -1}
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.size}
      aria-selected={selected}
      aria-checked={CHECKED[chosen]}
      aria-expanded={isDir ? row.expanded : undefined}
      data-key={row.key}
    >
      <span class={`tick tick-${chosen}`} aria-hidden="true">
        {chosen === 'none' ? null : <Icon name={chosen === 'all' ? 'check' : 'minus'} />}
      </span>
      <span class="row-indent" style={{ width: `${row.depth * 14}px` }} />
      {isDir ? <DirCells row={row} /> : <EntryCells row={row} />}
    </div>
  );
}

function DirCells({ row }: { row: DirRow }) {
  const { dir, expanded, name } = row;
  const change = dir.change;
  return (
    <>
      <span class="twist">
        <Icon name="chevron" class={expanded ? 'turned' : ''} />
      </span>
      <Icon name={dir.bulk ? 'package' : 'folder'} class="row-icon" />
      <span class="row-name ellipsis" title={name}>
        {name}
      </span>
      {/* For pointers; the key is `o`. */}
      <span
        class="row-open"
        aria-hidden="true"
        title="All of this directory: read through, commit, discard (o)"
      >
        <Icon name="rows" />
      </span>
      <span class="row-notes flex small">
        {change === null || change.conflict === null ? null : <ConflictSign />}
        {change === null ? null : <RowEffects change={change} />}
        {expanded ? <DirTotal dir={dir} /> : <DirSummary stats={dir.stats} />}
      </span>
    </>
  );
}

function DirTotal({ dir: { change, stats } }: Pick<DirRow, 'dir'>) {
  return (
    <>
      <span class="faint num" title={format.plural(stats.total, 'entry', 'entries')}>
        {format.count(stats.total)}
        <span class="sr-only"> {stats.total === 1 ? 'entry, ' : 'entries, '}</span>
        {stats.bytes > 0 ? <span class="row-size">{format.bytes(stats.bytes)} </span> : null}
      </span>
      {change === null ? null : <KindLetter {...KIND_TABLE[change.kind]} />}
    </>
  );
}

function DirSummary({ stats }: Pick<DirRow['dir'], 'stats'>) {
  return (
    <span class="row-summary flex">
      {stats.conflicts > 0 ? <ConflictSign /> : null}
      <Counts counts={stats} />
      {stats.bytes > 0 ? <span class="muted">{format.bytes(stats.bytes)}</span> : null}
    </span>
  );
}

function EntryCells({ row: { change, name } }: { row: EntryRow }) {
  const state = useSession();
  const delta = state.delta.value.get(change.id);
  const risks = (state.risks.value.get(change.id) ?? []).map((risk): string => RISKS[risk].one);
  const flags = effectsOn(state, change).filter((one) => one.do === 'flag');
  const looks = [...risks, ...flags.map(effectWords)];
  const mark = state.viewed.marks.value.get(change.id);
  const lines = state.lineCounts.counts.value.get(change.id) ?? null;
  const link = linkTargets(change);
  const note = typeNote(change) || modeNote(change);
  return (
    <>
      <span class="twist" />
      <Icon name={ICONS[entryType(change)] ?? 'file'} class="row-icon" />
      <span class="row-name ellipsis" title={name}>
        {name}
      </span>
      {link === null ? null : <RowLink targets={link} />}
      {/* Last, since they arrive late: nothing moves when they appear. */}
      {lines === null ? null : (
        <span class="row-lines num">
          <Lines sign="+" tone="added" word="added" count={lines[0]} />
          <Lines sign="−" tone="deleted" word="removed" count={lines[1]} />
        </span>
      )}
      <span class="row-notes flex small">
        {delta === undefined ? null : <Badge tone="accent">{DELTA_WORDS[delta]}</Badge>}
        {mark === 'updated' ? <Badge tone="accent">changed since viewed</Badge> : null}
        {mark === 'viewed' ? <Sign name="viewed-mark" icon="check" words="viewed" /> : null}
        {change.conflict === null ? null : <ConflictSign />}
        {change.renamedFrom === undefined ? null : (
          <span class="muted" title={toDisplay(change.renamedFrom)}>
            renamed from {toDisplay(nameOf(change.renamedFrom))}
          </span>
        )}
        {note === '' ? null : <span class="muted">{note}</span>}
        {change.ignored === null ? null : <span class="muted">ignored</span>}
        <RowEffects change={change} />
        {looks.length === 0 ? (
          <span class="risk-room" />
        ) : (
          <Sign name="risk-mark tone-replaced" icon="flag" words={looks.join(', ')} />
        )}
        <KindLetter {...KIND_TABLE[change.kind]} />
      </span>
    </>
  );
}

const ICONS: Partial<Record<string, IconName>> = { symlink: 'link', dir: 'folder' };

function Lines({ sign, tone, word, count }: { sign: string; tone: string; word: string; count: number }) {
  if (count === 0) return null;
  return (
    <span class={`tone-${tone}`}>
      <span aria-hidden="true">{sign}</span>
      {format.count(count)}
      <span class="sr-only"> lines {word}</span>
    </span>
  );
}

const ConflictSign = () => <Sign name="conflict-mark tone-warning" icon="warning" words="conflict" />;

function Sign({ name, icon, words }: { name: string; icon: IconName; words: string }) {
  return (
    <span class={name} title={words}>
      <Icon name={icon} />
      <span class="sr-only">{words}</span>
    </span>
  );
}

function RowLink({ targets }: { targets: LinkTargets }) {
  const { before, now } = targets;
  const words = linkText(targets);
  return (
    <span class="row-link muted small" title={words}>
      <span class="sr-only">{words}</span>
      {now === null || before === null || before === now ? null : <Middle text={before} old />}
      <span aria-hidden="true">→</span>
      <Middle text={now ?? before ?? ''} old={now === null} />
    </span>
  );
}

const TAIL = 14;
/** Up to this length nothing is cut: too few characters would be left before the ellipsis. */
const SHORT = 24;

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
