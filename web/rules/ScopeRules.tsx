/**
 * The rules of one scope as a table. A rule of the scope's own file moves within its list: by its buttons, or dragged by its
 * grip; both write the same change (`move`).
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Input } from '../../shared/api/contract.ts';
import type { RuleFileState } from '../../shared/api/rules.ts';
import type { ListedRule, RuleScope } from '../../shared/model/rule.ts';
import { ruleLimits } from '../../shared/model/rule-limits.ts';
import { EFFECTS } from '../messages/changes.ts';
import { useApp } from '../state/app.ts';
import * as format from '../text/format.ts';
import { visibleText } from '../text/visible.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { type Column, Section, Table } from '../ui/Panel.tsx';
import { Prose } from '../ui/Prose.tsx';
import { isMovable, type Move, moveTo, type Place, ruleKeys } from './order.ts';
import { turned } from './rule-draft.ts';
import { LIST_TONES } from './words.ts';

type Change = Input<'changeRules'>['change'];
type Scope = Input<'changeRules'>['scope'];

const TITLES: Readonly<Record<RuleScope, string>> = {
  'user': 'Yours',
  'project': 'Of this project',
  'session': 'Of this session',
  'built-in': 'Built in',
};
export const SCOPES = Object.keys(TITLES) as RuleScope[];

interface ScopeProps {
  scope: RuleScope;
  rules: readonly ListedRule[];
  files: readonly RuleFileState[];
  busy: boolean;
  /** No rule may move: their places are about to change. Moves are not the reason. */
  fixed: boolean;
  act(scope: Scope, change: Change): void;
  move(scope: Scope, change: Move): void;
  edit(rule: ListedRule): void;
}

export function ScopeRules({ scope, rules, files, busy, fixed, act, move, edit }: ScopeProps) {
  const { now } = useApp();
  const drag = useDrag((change) => {
    if (scope !== 'built-in') move(scope, change);
  }, fixed);
  if (rules.length === 0 && files.length === 0) return null;
  const file = files.find(({ imported }) => !imported);
  const writable = scope === 'built-in' ? null : scope;
  const keys = ruleKeys(rules);
  const columns: Column<ListedRule>[] = [
    {
      title: 'List',
      plain: true,
      cell: (one) => (
        <span class="rule-list">
          <Badge tone={LIST_TONES[one.ref.list]}>{one.ref.list}</Badge>
          {writable !== null && isMovable(rules, one) ? <Grip {...drag.grip(one.ref)} /> : null}
        </span>
      ),
    },
    {
      title: 'Rule',
      plain: true,
      class: 'path',
      cell: (one) => (
        <div class={one.counts ? '' : 'rule-off'}>
          <code class="rule-text">{visibleText(one.ref.text)}</code>{' '}
          {one.source === 'imported' ? <Badge>imported</Badge> : null}
          {ruleLimits(one.rule).map((limit) => (
            <Badge key={limit}>{visibleText(limit)}</Badge>
          ))}{' '}
          {one.counts ? null : (
            <Badge tone="warning">{one.rule.disabled === true ? 'disabled' : 'does not count'}</Badge>
          )}
          {one.ref.reason === '' ? null : (
            <p class="muted">
              <Prose text={one.ref.reason} />
            </p>
          )}
        </div>
      ),
    },
    { title: 'Hits', class: 'num', cell: ({ hits }) => format.count(hits) },
    {
      title: 'Last',
      class: 'num muted',
      cell: ({ last }) => (last === '' ? 'never' : format.ago(last, now.value)),
    },
  ];
  columns.push({
    title: 'Actions',
    silent: true,
    cell: (one) =>
      writable !== null && one.source === 'authored' ? (
        <RuleActions
          one={one}
          rules={rules}
          busy={busy}
          fixed={fixed}
          act={(change) => act(writable, change)}
          move={(change) => move(writable, change)}
          edit={edit}
        />
      ) : null,
  });
  return (
    <Section title={TITLES[scope]} about={file === undefined ? null : <code>{visibleText(file.path)}</code>}>
      {files.map((one) => (
        <BesideRules key={one.path} file={one} />
      ))}
      {rules.length === 0 ? (
        <p class="muted">No rules.</p>
      ) : (
        <Table
          class="rule-table"
          columns={columns}
          rows={rules}
          keyOf={(one) => keys.get(one) ?? ''}
          rowProps={(one) => (one.source === 'authored' ? drag.row(one.ref) : {})}
        />
      )}
    </Section>
  );
}

/** What else a file says: the user may be about to trust it. */
function BesideRules({ file }: { file: RuleFileState }) {
  const { problems, trusted, allowedDirs, effects } = file;
  return (
    <>
      {problems.map((problem) => (
        <p key={problem} class="warn-text">
          <code>{visibleText(file.path)}</code>: <Prose text={problem} />
        </p>
      ))}
      {allowedDirs.length === 0 ? null : (
        <p>
          Allowed directories{trusted ? '' : ', which do not count yet'}:{' '}
          <code>{allowedDirs.map(visibleText).join(', ')}</code>
        </p>
      )}
      {effects.length === 0 ? null : (
        <div class="rule-effects">
          <h3>Effects on commits</h3>
          <ul class="plain" aria-label="Effects on commits">
            {effects.map(({ do: does, paths, kinds = [], reason = '' }, i) => (
              <li key={i}>
                <Badge
                  tone={does === 'flag' ? 'neutral' : 'warning'}
                  title={`${format.capital(EFFECTS[does].word)}. ${EFFECTS[does].why}`}
                >
                  {does}
                </Badge>{' '}
                <code>{paths.map(visibleText).join(', ')}</code>{' '}
                {does === 'auto' && (file.scope !== 'user' || file.imported) ? (
                  <Badge tone="warning">ignored</Badge>
                ) : null}{' '}
                <span class="muted">
                  {[...kinds, visibleText(reason)].filter((one) => one !== '').join(', ')}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

interface ActionsProps {
  one: ListedRule;
  rules: readonly ListedRule[];
  busy: boolean;
  fixed: boolean;
  act(change: Change): void;
  move(change: Move): void;
  edit(rule: ListedRule): void;
}

function RuleActions({ one, rules, busy, fixed, act, move, edit }: ActionsProps) {
  const { scope, list, index } = one.ref;
  const name = `${scope} ${list} ${index}`;
  const last = rules.filter(({ ref, source }) => ref.list === list && source === 'authored').length - 1;
  const isOff = one.rule.disabled === true;
  const [sure, setSure] = useState(false);
  const flip: Change = { do: 'replace', list, index, rule: turned(one.rule), to: list };
  const acts = useRef<HTMLDivElement>(null);
  const pressed = useRef<'up' | 'down' | null>(null);
  // The row has moved below the focus, and at an end of its list the button is off.
  useLayoutEffect(() => {
    if (pressed.current === null) return;
    const [up, down] = [...(acts.current?.querySelectorAll<HTMLButtonElement>('.rule-up, .rule-down') ?? [])];
    const [first, other] = pressed.current === 'up' ? [up, down] : [down, up];
    (first?.disabled === false ? first : other)?.focus();
    if (!busy) pressed.current = null;
  }, [index, busy]);
  // The button that had the focus has gone.
  useLayoutEffect(() => {
    if (sure) acts.current?.querySelector<HTMLElement>('.button-danger')?.focus();
  }, [sure]);
  const step = (by: 1 | -1): void => {
    if (fixed) return;
    pressed.current = by < 0 ? 'up' : 'down';
    move({ do: 'move', list, index, before: index + by });
  };
  return (
    <div class="rule-acts" ref={acts}>
      <IconButton icon="edit" label={`Edit ${name}`} title="Edit" disabled={busy} onClick={() => edit(one)} />
      <IconButton
        class="rule-up"
        icon="chevron"
        label={`Move up ${name}`}
        title="Try it earlier"
        aria-disabled={fixed}
        disabled={index === 0}
        onClick={() => step(-1)}
      />
      <IconButton
        class="rule-down"
        icon="chevron"
        label={`Move down ${name}`}
        title="Try it later"
        aria-disabled={fixed}
        disabled={index >= last}
        onClick={() => step(1)}
      />
      <IconButton
        icon={isOff ? 'check' : 'off'}
        label={`${isOff ? 'Enable' : 'Disable'} ${name}`}
        title={isOff ? 'Let it count again' : 'Disable'}
        disabled={busy}
        onClick={() => act(flip)}
      />
      {sure ? (
        <Button small kind="danger" disabled={busy} onClick={() => act({ do: 'remove', list, index })}>
          Remove it
        </Button>
      ) : (
        <IconButton
          icon="trash"
          label={`Remove ${name}`}
          title="Remove"
          disabled={busy}
          onClick={() => setSure(true)}
        />
      )}
    </div>
  );
}

/** For a pointer; the buttons of the row do the same for the keyboard. */
function Grip(props: { onDragStart(event: DragEvent): void; onDragEnd(): void }) {
  return (
    <span class="rule-grip" draggable title="Drag to another place of its list" aria-hidden="true" {...props}>
      ⠿
    </span>
  );
}

/** A drag of rows within one list. What is dragged from elsewhere, or to another list, is not taken. */
function useDrag(move: (change: Move) => void, fixed: boolean) {
  const [from, setFrom] = useState<Place | null>(null);
  const [over, setOver] = useState<Place | null>(null);
  const end = (): void => {
    setFrom(null);
    setOver(null);
  };
  const changeAt = (to: Place): Move | null => (from === null || fixed ? null : moveTo(from, to));
  return {
    grip: (at: Place) => ({
      onDragStart: (event: DragEvent) => {
        const row = (event.currentTarget as HTMLElement).closest('tr');
        if (row !== null) event.dataTransfer?.setDragImage(row, 0, 0);
        // Firefox drags nothing without data. Its text would be pasted into other programs.
        event.dataTransfer?.setData('application/x-trai-rule', '');
        if (event.dataTransfer !== null) event.dataTransfer.effectAllowed = 'move';
        setFrom(at);
      },
      onDragEnd: end,
    }),
    row: (at: Place) => {
      const isOver =
        over !== null && over.list === at.list && over.index === at.index && changeAt(at) !== null;
      const side = from !== null && from.index < at.index ? 'rule-drop-below' : 'rule-drop-above';
      return {
        class: isOver ? side : '',
        onDragOver: (event: DragEvent) => {
          if (changeAt(at) === null) return;
          event.preventDefault();
          setOver(at);
        },
        onDrop: (event: DragEvent) => {
          const change = changeAt(at);
          if (change === null) return;
          event.preventDefault();
          end();
          move(change);
        },
      };
    },
  };
}
