/** A directory of the tree: how much is in it, of what kind, and actions for all of it. */
import { useMemo, useState } from 'preact/hooks';
import { isWithin, toDisplay } from '../../shared/bytes.ts';
import { ActionButton } from '../actions/ActionButton.tsx';
import type { SessionState } from '../state/session.ts';
import * as format from '../text/format.ts';
import { Counts } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Fact, Panel } from '../ui/Panel.tsx';
import { extensionsIn, isNarrowed } from './model/filter.ts';
import { countViewed } from './model/lists.ts';
import { changesBelow, type TreeDir } from './model/tree.ts';
import { ReadThrough } from './ReadThrough.tsx';

const EXTENSIONS = 8;

export function DirPane({ state, dir }: { state: SessionState; dir: TreeDir }) {
  const [reading, setReading] = useState(false);
  const { stats, path } = dir;
  // Each mark draws this anew, and there may be 50,000 entries.
  const changes = useMemo(() => changesBelow(dir), [dir]);
  const extensions = useMemo(() => extensionsIn(changes).slice(0, EXTENSIONS), [changes]);
  const { viewed, total } = countViewed(changes, state.viewed.marks.value);
  const about = { state, scope: { kind: 'paths' as const, paths: [path] } };
  return (
    <article class="dir-pane" aria-label={`Directory ${toDisplay(path)}`}>
      <Panel title={toDisplay(path)} wide heading="h2">
        <dl class="fact-list">
          <Fact name="Changes">
            <Counts counts={stats} />
          </Fact>
          {stats.bytes > 0 ? <Fact name="Size">{format.bytes(stats.bytes)}</Fact> : null}
          {stats.conflicts > 0 ? <Fact name="Conflicts">{format.count(stats.conflicts)}</Fact> : null}
          {stats.ignored > 0 ? (
            <Fact name="Ignored">{format.plural(stats.ignored, 'entry', 'entries')}</Fact>
          ) : null}
          <Fact name="Viewed">
            {format.count(viewed)} of {format.count(total)}
          </Fact>
          <Fact name="File types">
            {extensions
              .map(
                ([extension, count]) =>
                  `${extension === '' ? 'no extension' : extension} ${format.count(count)}`,
              )
              .join(', ') || '–'}
          </Fact>
        </dl>
        {isNarrowed(state.filter.value) ? (
          <p class="muted">The filter hides some of it: commit and discard are about everything below.</p>
        ) : null}
        {holdsProject(state, dir) ? (
          <p class="muted">The project lies in it and has a row of its own: commit and discard include it.</p>
        ) : null}
        <div class="panel-actions">
          <Button icon="rows" aria-pressed={reading} onClick={() => setReading(!reading)}>
            Read through
          </Button>
          <ActionButton {...about} action="discard">
            Discard this directory…
          </ActionButton>
          <ActionButton {...about} action="commit" primary>
            Commit this directory…
          </ActionButton>
        </div>
      </Panel>
      {reading ? <ReadThrough state={state} dir={dir} /> : null}
    </article>
  );
}

/** The tree shows the project apart from the directory that it lies in; a path in a request means all below it. */
function holdsProject(state: SessionState, { path }: TreeDir): boolean {
  return state.tree.value.roots.some((root) => root.path !== path && isWithin(root.path, path));
}
