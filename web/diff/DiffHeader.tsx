/** Above a diff: the entry's name, what happened to it, and the tools. */
import { type BytePath, nameOf, parentOf, toDisplay } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import { RISKS } from '../../shared/model/risk.ts';
import { ConflictNote } from '../conflicts/ConflictNote.tsx';
import { runShortcut, useShortcuts } from '../keys/shortcuts.ts';
import { useApp } from '../state/app.ts';
import { set } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import type { SessionState } from '../state/session.ts';
import * as format from '../text/format.ts';
import { KIND_TABLE } from '../text/kinds.ts';
import { displayBelow } from '../text/paths.ts';
import { visibleText } from '../text/visible.ts';
import { Badge } from '../ui/Badge.tsx';
import { IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { DiffMenu } from './DiffMenu.tsx';
import { ViewedButton } from './ViewedButton.tsx';
import { WhyButton, WhyPath } from './WhyPath.tsx';

export function DiffHeader({ state, change }: { state: SessionState; change: Change }) {
  const { settings } = useApp();
  const kind = KIND_TABLE[change.kind];
  const root = state.detail.data.value?.projectRoot;
  return (
    <header class="diff-header">
      <div class="diff-title">
        <Badge tone={kind.tone}>{kind.word}</Badge>
        <h2 class="diff-path mono" title={toDisplay(change.path)}>
          <a
            class="diff-dir"
            href={formatRoute({ view: 'changes', session: state.id, path: parentOf(change.path) })}
            title="All that is pending in this directory"
          >
            {dirText(parentOf(change.path), root)}
          </a>
          <span class="diff-name">{toDisplay(nameOf(change.path))}</span>
        </h2>
        {change.ignored === null ? null : <Badge title={`Ignore rule: ${change.ignored}`}>ignored</Badge>}
      </div>
      <div class="diff-tools">
        <WhyButton />
        <ViewedButton
          state={state}
          change={change}
          title="Viewed (v); V also goes on to the next"
          onClick={() => runShortcut('viewed')}
        />
        <Segmented
          label="Layout of the diff"
          value={settings.layout.value}
          options={[
            { value: 'unified', text: 'Unified', icon: 'rows' },
            { value: 'split', text: 'Split', icon: 'split' },
          ]}
          onChange={(value) => set(settings.layout, value)}
        />
        <IconButton
          icon="wrap"
          label="Wrap"
          aria-pressed={settings.wrap.value}
          title="Wrap long lines (w)"
          onClick={() => set(settings.wrap, !settings.wrap.value)}
        />
        <DiffMenu state={state} change={change} />
      </div>
      {change.renamedFrom === undefined ? null : <Renamed state={state} from={change.renamedFrom} />}
      <WrittenBy state={state} change={change} />
      <RiskNotes state={state} change={change} />
      <WhyPath state={state} change={change} />
      {change.conflict === null ? null : (
        <ConflictNote state={state} change={change} reason={change.conflict} />
      )}
    </header>
  );
}

/** As seen from the project, as the tree beside it has it. */
function dirText(dir: BytePath, root: BytePath | undefined): string {
  if (dir === '/') return '/';
  return dir === root ? './' : `${displayBelow(dir, root)}/`;
}

/** What is called a rename has the very content (core/scan/renames.ts): there is nothing to read below it. */
function Renamed({ state, from }: { state: SessionState; from: BytePath }) {
  const root = state.detail.data.value?.projectRoot;
  return (
    <p class="written-by">
      <Icon name="file" /> Renamed from{' '}
      <a
        class="mono"
        href={formatRoute({ view: 'changes', session: state.id, path: from })}
        title={toDisplay(from)}
      >
        {displayBelow(from, root)}
      </a>
      <span class="muted">The content is the same.</span>
    </p>
  );
}

/** Hidden characters stand with the differences: the list may learn of them later than these are drawn. */
function RiskNotes({ state, change }: { state: SessionState; change: Change }) {
  const risks = (state.risks.value.get(change.id) ?? []).filter((risk) => risk !== 'hidden');
  if (risks.length === 0) return null;
  return (
    <ul class="diff-risks plain">
      {risks.map((risk) => (
        <li key={risk}>
          <Icon name="flag" /> {format.capital(RISKS[risk].one)}: {RISKS[risk].why}
        </li>
      ))}
    </ul>
  );
}

/** Candidates that are named; the panel "Why?" has them all. */
const MOST = 3;
/** Of a command. */
const MOST_CHARS = 100;

function WrittenBy({ state, change }: { state: SessionState; change: Change }) {
  const { go } = useApp();
  const by = change.by ?? [];
  const last = by.at(-1);
  useShortcuts(
    last === undefined ? {} : { 'go-call': () => go({ view: 'calls', session: state.id, call: last }) },
  );
  if (last === undefined) return null;
  const calls = state.calls.data.value?.calls ?? [];
  const shown = by.slice(-MOST);
  return (
    <p class="written-by">
      <Icon name="terminal" /> {by.length === 1 ? 'Written by' : 'Written by one of'}{' '}
      {shown.map((id) => (
        <a key={id} href={formatRoute({ view: 'calls', session: state.id, call: id })}>
          <code>
            {visibleText(format.cut(calls.find((call) => call.id === id)?.command ?? id, MOST_CHARS))}
          </code>
        </a>
      ))}
      {by.length > MOST ? <span class="muted">and {format.count(by.length - MOST)} more</span> : null}
    </p>
  );
}
