/** Above a diff: the entry's name, what happened to it, and the tools. */
import { ApiError } from '../../shared/api/api-error.ts';
import { TAB_WIDTHS } from '../../shared/api/settings.ts';
import { type BytePath, nameOf, parentOf, toDisplay } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import { SPACES, type Spaces } from '../../shared/model/diff.ts';
import { RISKS } from '../../shared/model/risk.ts';
import { ConflictNote } from '../conflicts/ConflictNote.tsx';
import { runShortcut, useShortcuts } from '../keys/shortcuts.ts';
import { useApp } from '../state/app.ts';
import { set } from '../state/resource.ts';
import { formatRoute } from '../state/router.ts';
import { useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { KIND_TABLE } from '../text/kinds.ts';
import { displayBelow } from '../text/paths.ts';
import { visibleText } from '../text/visible.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button, IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Menu, type MenuItem } from '../ui/Menu.tsx';
import { Segmented } from '../ui/Segmented.tsx';
import { saveFile } from '../ui/save-file.ts';
import { EffectNotes } from './Effects.tsx';
import { lineInSight, useLineAddress } from './rows/position.ts';
import { notice, spaces } from './use-diff.ts';
import { WhyButton, WhyPath } from './WhyPath.tsx';

interface Props {
  change: Change;
}

export function DiffHeader({ change }: Props) {
  const { settings } = useApp();
  const state = useSession();
  const kind = KIND_TABLE[change.kind];
  const root = state.detail.data.value?.projectRoot;
  return (
    <header class="diff-header flex wrap">
      <div class="diff-title inline wrap">
        <Badge tone={kind.tone}>{kind.word}</Badge>
        <h2 class="diff-path mono" title={toDisplay(change.path)}>
          <a
            class="diff-dir"
            href={formatRoute({ view: 'changes', session: state.id, path: parentOf(change.path) })}
            title="All that is pending in this directory"
          >
            {dirText(parentOf(change.path), root)}
          </a>
          <span class="diff-name strong">{toDisplay(nameOf(change.path))}</span>
        </h2>
        {change.ignored === null ? null : <Badge title={`Ignore rule: ${change.ignored}`}>ignored</Badge>}
      </div>
      <div class="diff-tools flex">
        <WhyButton />
        <ViewedButton
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
        <DiffMenu change={change} />
      </div>
      {change.renamedFrom === undefined ? null : <Renamed from={change.renamedFrom} />}
      <WrittenBy change={change} />
      <RiskNotes change={change} />
      <EffectNotes change={change} />
      <WhyPath change={change} />
      {change.conflict === null ? null : <ConflictNote change={change} reason={change.conflict} />}
    </header>
  );
}

function dirText(dir: BytePath, root: BytePath | undefined): string {
  if (dir === '/') return '/';
  return dir === root ? './' : `${displayBelow(dir, root)}/`;
}

/** A rename has the same content (core/scan/refine.ts), so there is no diff below. */
function Renamed({ from }: { from: BytePath }) {
  const state = useSession();
  const root = state.detail.data.value?.projectRoot;
  return (
    <p class="written-by inline wrap muted small">
      <Icon name="file" /> Renamed from{' '}
      <a
        class="mono ellipsis"
        href={formatRoute({ view: 'changes', session: state.id, path: from })}
        title={toDisplay(from)}
      >
        {displayBelow(from, root)}
      </a>
      <span class="muted">The content is the same.</span>
    </p>
  );
}

/** Hidden characters are noted with the diff: the list learns of them later than the header is drawn. */
function RiskNotes({ change }: Props) {
  const risks = (useSession().risks.value.get(change.id) ?? []).filter((risk) => risk !== 'hidden');
  if (risks.length === 0) return null;
  return (
    <ul class="diff-risks plain tone-replaced">
      {risks.map((risk) => (
        <li key={risk} class="lines">
          <Icon name="flag" /> {format.capital(RISKS[risk].one)}: {RISKS[risk].why}
        </li>
      ))}
    </ul>
  );
}

/** Possible writers named here; the panel "Why?" has them all. */
const MOST = 3;
const MOST_CHARS = 100;
const MOST_TITLE = 400;

function WrittenBy({ change }: Props) {
  const { go } = useApp();
  const state = useSession();
  const by = change.by ?? [];
  const last = by.at(-1);
  useShortcuts(
    last === undefined ? {} : { 'go-call': () => go({ view: 'calls', session: state.id, call: last }) },
  );
  if (last === undefined) return null;
  const calls = state.calls.data.value?.calls ?? [];
  const shown = by.slice(-MOST).map((id) => {
    return { id, command: calls.find((call) => call.id === id)?.command ?? id };
  });
  return (
    <p class="written-by inline wrap muted small">
      <Icon name="terminal" /> {by.length === 1 ? 'Written by' : 'Written by one of'}{' '}
      {shown.map(({ id, command }) => (
        <a
          key={id}
          class="ellipsis"
          href={formatRoute({ view: 'calls', session: state.id, call: id })}
          title={visibleText(format.cut(command, MOST_TITLE))}
        >
          <code>{visibleText(format.cut(command, MOST_CHARS))}</code>
        </a>
      ))}
      {by.length > MOST ? <span class="muted">and {format.count(by.length - MOST)} more</span> : null}
    </p>
  );
}

interface ViewedButtonProps extends Props {
  title?: string;
  /** Content is shown: a mark names what was seen. */
  ready?: boolean;
  onClick(): void;
}

export function ViewedButton({ change, title, ready = true, onClick }: ViewedButtonProps) {
  const { status } = useApp();
  const mark = useSession().viewed.marks.value.get(change.id);
  return (
    <Button
      kind="quiet"
      icon={mark === 'viewed' ? 'checked' : 'box'}
      disabled={status.value !== 'connected' || !ready}
      aria-pressed={mark === 'viewed'}
      title={title}
      onClick={onClick}
    >
      {mark === 'updated' ? 'Changed since viewed' : 'Viewed'}
    </Button>
  );
}

const SPACE_WORDS: Record<Spaces, string> = {
  exact: 'Show all',
  amount: 'Ignore amount',
  ignored: 'Ignore all',
};

function DiffMenu({ change }: Props) {
  const { backend, settings, status } = useApp();
  const { id } = useSession();
  /** `work` returns the notice to show; empty = none. */
  const attempt = async (refused: string, work: () => Promise<string>): Promise<void> => {
    try {
      const said = await work();
      if (said !== '') notice.value = said;
    } catch (thrown) {
      const { message, hint = '' } = ApiError.from(thrown);
      notice.value = `${refused}: ${message}. ${hint}`;
    }
  };
  const copy = async (): Promise<void> => {
    const path = toDisplay(change.path);
    try {
      await navigator.clipboard.writeText(path);
      notice.value = `Copied ${path}`;
    } catch {
      notice.value = 'The browser did not allow the path to be copied.';
    }
  };
  const edit = (): Promise<void> =>
    attempt('Not opened', async () => {
      const { editor } = await backend.openInEditor(id, { entry: change.id, line: lineInSight() ?? 1 });
      return `Opened a read-only copy in ${editor}.`;
    });
  const link = useLineAddress();
  const isFile = change.pending?.type === 'file' || change.host?.type === 'file';
  useShortcuts({
    'link-line': () => {
      const line = lineInSight();
      if (line !== null) link(line);
    },
    'copy-path': () => void copy(),
    ...(isFile ? { 'open-editor': () => void edit() } : {}),
  });
  const disabled = status.value !== 'connected';
  const items: MenuItem[] = [{ icon: 'copy', text: 'Copy the path', hint: 'y', run: () => void copy() }];
  if (isFile) {
    const text = 'Open a copy in the editor';
    items.push({ icon: 'edit', text, hint: 'e', disabled, run: () => void edit() });
  }
  for (const side of ['pending', 'host'] as const) {
    if (change[side]?.type !== 'file') continue;
    const text = side === 'pending' ? 'Download the pending version' : 'Download the host’s version';
    const run = (): void =>
      void attempt('Not downloaded', async () => {
        saveFile(await backend.download(id, { entry: change.id, side }), toDisplay(nameOf(change.path)));
        return '';
      });
    items.push({ icon: 'download', text, disabled, run });
  }
  return (
    <Menu label="More" icon="more" marked={spaces.value !== 'exact'} class="menu-end" items={items}>
      <p class="menu-title">White space</p>
      <Segmented
        label="White space"
        value={spaces.value}
        options={SPACES.map((value) => ({ value, text: SPACE_WORDS[value] }))}
        onChange={(value) => set(spaces, value)}
      />
      <p class="menu-title">Tab width</p>
      <Segmented
        label="Tab width"
        value={String(settings.tabWidth.value)}
        options={TAB_WIDTHS.map((width) => ({ value: String(width), text: String(width) }))}
        onChange={(value) => set(settings.tabWidth, TAB_WIDTHS.find((width) => String(width) === value) ?? 4)}
      />
    </Menu>
  );
}
