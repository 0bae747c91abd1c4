/**
 * The diff of one entry. The server compares; use-diff.ts fetches, and again when the list, the entry or the
 * white space option changes; the form of the answer decides what is drawn:
 *
 *     text        rows/: rows.ts pairs removed and added lines in batches, Rows.tsx draws them in a
 *                 table, expand.ts opens gaps between hunks, highlighter.ts adds colours from a worker
 *     collapsed   large: only sizes, until the user loads it
 *     binary      BinaryView
 *     symlink, meta, omitted    a panel that says so; an omitted diff never looks like an empty one
 *
 * Above it, DiffHeader has the tools, and WhyPath says which calls wrote the entry.
 */

import type { VNode } from 'preact';
import { toDisplay } from '../../shared/bytes.ts';
import type { Change, Side } from '../../shared/model/change.ts';
import {
  type CollapsedDiff,
  type DiffModel,
  type LinkDiff,
  type MetaDiff,
  OMITTED_REASONS,
  type OmittedDiff,
} from '../../shared/model/diff.ts';
import { collapsedText, OMITTED_NOTE, omittedTitle } from '../messages/diff.ts';
import * as format from '../text/format.ts';
import { TYPE_WORDS } from '../text/kinds.ts';
import { visibleText } from '../text/visible.ts';
import { Button } from '../ui/Button.tsx';
import { Loaded } from '../ui/Notice.tsx';
import { Fact, Panel, scrolls } from '../ui/Panel.tsx';
import { BinaryView } from './BinaryView.tsx';
import { DiffText } from './rows/DiffText.tsx';
import type { Diff } from './use-diff.ts';

interface Props {
  diff: Diff;
  change: Change;
  line: number | null;
  /** False where several diffs stand below one another: the keys are not this one's. */
  keys: boolean;
  waiting: VNode;
}

export function DiffShown(props: Props) {
  return (
    <Loaded resource={props.diff.resource} waiting={props.waiting}>
      {(model) => (
        <>
          <SideNotes change={props.change} />
          {body(model, props)}
        </>
      )}
    </Loaded>
  );
}

function body(model: DiffModel, { diff, change, line, keys }: Props): VNode {
  const { loadLarge, loadWhole, resource } = diff;
  switch (model.kind) {
    case 'text':
      return (
        <DiffText diff={model} label={toDisplay(change.path)} line={line} keys={keys} loadWhole={loadWhole} />
      );
    case 'collapsed':
      return <Collapsed diff={model} loading={resource.loading.value} onLoad={loadLarge} />;
    case 'binary':
      return <BinaryView diff={model} />;
    case 'symlink':
      return <Link diff={model} />;
    case 'meta':
      return <Meta diff={model} />;
    case 'omitted':
      return <Omitted diff={model} />;
  }
}

function SideNotes({ change }: { change: Change }) {
  const { host, pending } = change;
  if (host === null || pending === null) return null;
  const rows = [
    ['Type', TYPE_WORDS[host.type], TYPE_WORDS[pending.type]],
    ['Mode', format.octal(host.mode), format.octal(pending.mode)],
    ['Owner', owner(host), owner(pending)],
  ].filter(([, before, after]) => before !== after);
  if (rows.length === 0) return null;
  return (
    <dl class="side-notes">
      {rows.map(([name, before, after]) => (
        <Fact key={name} name={name ?? ''} mono>
          <del>{before}</del> <span aria-hidden="true">→</span> <ins>{after}</ins>
        </Fact>
      ))}
    </dl>
  );
}

function owner(side: Side): string {
  return `${side.uid}:${side.gid}`;
}

function Collapsed({ diff, loading, onLoad }: { diff: CollapsedDiff; loading: boolean; onLoad: () => void }) {
  return (
    <Panel title="Large diff">
      <p>{collapsedText(diff)}</p>
      <Button kind="primary" disabled={loading} onClick={onLoad}>
        {loading ? 'Loading…' : 'Load diff'}
      </Button>
    </Panel>
  );
}

function Link({ diff }: { diff: LinkDiff }) {
  return (
    <Panel title="Symbolic link">
      <dl class="side-notes">
        <Fact name="On the host" mono>
          {diff.oldTarget === null ? 'not a link' : <del>{visibleText(diff.oldTarget)}</del>}
        </Fact>
        <Fact name="Pending" mono>
          {diff.newTarget === null ? 'not a link' : <ins>{visibleText(diff.newTarget)}</ins>}
        </Fact>
      </dl>
      <p class="muted">The target is shown as text; what it points to was not read.</p>
    </Panel>
  );
}

function Meta({ diff }: { diff: MetaDiff }) {
  return (
    <Panel title="No content to compare">
      <ul class="plain">
        {diff.notes.map((note) => (
          <li key={note}>{visibleText(note)}</li>
        ))}
      </ul>
    </Panel>
  );
}

function Omitted({ diff }: { diff: OmittedDiff }) {
  return (
    <Panel title={omittedTitle(diff)}>
      {diff.message === OMITTED_REASONS[diff.reason] ? null : <p>{visibleText(diff.message)}</p>}
      <p class="muted">
        {diff.oldBytes === null ? 'Not on the host' : `On the host ${format.bytes(diff.oldBytes)}`},{' '}
        {diff.newBytes === null ? 'not in the sandbox' : `pending ${format.bytes(diff.newBytes)}`}.{' '}
        {OMITTED_NOTE}
      </p>
      {diff.head.length === 0 ? null : (
        <figure>
          <figcaption>Beginning of the file</figcaption>
          <pre class="excerpt" {...scrolls}>
            {visibleText(diff.head.join('\n'))}
          </pre>
        </figure>
      )}
    </Panel>
  );
}
