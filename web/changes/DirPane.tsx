/** A directory of the tree: its sums, actions for all of it, and all its files to read through. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isWithin, toDisplay } from '../../shared/bytes.ts';
import type { Change } from '../../shared/model/change.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { ActionButton } from '../actions/ActionDialog.tsx';
import { DiffShown } from '../diff/DiffBody.tsx';
import { ViewedButton } from '../diff/DiffHeader.tsx';
import { useChangeKeys } from '../diff/rows/position.ts';
import { useDiff } from '../diff/use-diff.ts';
import { useMore } from '../lists/use-more.ts';
import { effectsText } from '../messages/changes.ts';
import { formatRoute } from '../state/router.ts';
import { type SessionState, useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { isDirectoryChange, KIND_TABLE } from '../text/kinds.ts';
import { Badge, Counts } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { FactList, Panel } from '../ui/Panel.tsx';
import { extensionsIn, isNarrowed } from './model/filter.ts';
import { countEffects, countViewed } from './model/lists.ts';
import { changesBelow, type TreeDir } from './model/tree.ts';

const EXTENSIONS = 8;

export function DirPane({ dir }: { dir: TreeDir }) {
  const state = useSession();
  const [reading, setReading] = useState(false);
  const { stats, path } = dir;
  const changes = useMemo(() => changesBelow(dir), [dir]);
  const extensions = useMemo(() => extensionsIn(changes).slice(0, EXTENSIONS), [changes]);
  const { viewed, total } = countViewed(changes, state.viewed.marks.value);
  const scope: Scope = { kind: 'paths', paths: [path] };
  return (
    <article class="dir-pane" aria-label={`Directory ${toDisplay(path)}`}>
      <Panel title={toDisplay(path)} wide heading="h2">
        <FactList
          facts={[
            ['Changes', <Counts counts={stats} />],
            ['Size', stats.bytes > 0 ? format.bytes(stats.bytes) : null],
            ['Conflicts', stats.conflicts > 0 ? format.count(stats.conflicts) : null],
            ['Ignored', stats.ignored > 0 ? format.plural(stats.ignored, 'entry', 'entries') : null],
            ['Rules', effectsText(countEffects(changes, state.effects.byEntry.value))],
            ['Viewed', `${format.count(viewed)} of ${format.count(total)}`],
            ['File types', extensions.map(extensionText).join(', ') || '–'],
          ]}
        />
        {isNarrowed(state.filter.value) ? (
          <p class="muted">The filter hides some of it: commit and discard apply to everything below.</p>
        ) : null}
        {holdsProject(state, dir) ? (
          <p class="muted">The project lies in it and has a row of its own: commit and discard include it.</p>
        ) : null}
        <div class="flex wrap">
          <Button icon="rows" aria-pressed={reading} onClick={() => setReading(!reading)}>
            Read through
          </Button>
          <ActionButton scope={scope} action="discard">
            Discard this directory…
          </ActionButton>
          <ActionButton scope={scope} action="commit" kind="primary">
            Commit this directory…
          </ActionButton>
        </div>
      </Panel>
      {reading ? <ReadThrough dir={dir} /> : null}
    </article>
  );
}

function extensionText([extension, count]: readonly [string, number]): string {
  return `${extension === '' ? 'no extension' : extension} ${format.count(count)}`;
}

/** A request for such a directory includes the project, which the tree shows apart. */
function holdsProject(state: SessionState, { path }: TreeDir): boolean {
  return state.tree.value.roots.some((root) => root.path !== path && isWithin(root.path, path));
}

const STEP = 200;
/** Distance (px) from the visible part within which a diff is fetched. */
const AHEAD = '1200px';

function ReadThrough({ dir }: { dir: TreeDir }) {
  const [most, setMost] = useState(STEP);
  const { box, more } = useMore<HTMLDivElement>('.read-head a');
  useChangeKeys(box);
  const files = useMemo(
    () =>
      changesBelow(dir)
        .filter((change) => !isDirectoryChange(change))
        .sort((a, b) => (a.path < b.path ? -1 : 1)),
    [dir],
  );
  return (
    <div class="read" ref={box}>
      {files.slice(0, most).map((change) => (
        <ReadFile key={change.id} change={change} />
      ))}
      {files.length > most ? (
        <div class="more flex">
          <Button onClick={() => more(() => setMost(most + STEP))}>
            Show {format.count(Math.min(STEP, files.length - most))} more files
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function ReadFile({ change }: { change: Change }) {
  const state = useSession();
  const [near, setNear] = useState(false);
  const place = useRef<HTMLElement>(null);
  // A drawn diff stays: removing it would move what is below.
  useEffect(() => {
    if (place.current === null) return;
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && setNear(true), {
      root: place.current.closest('.main-pane, .diff-scroll'),
      rootMargin: AHEAD,
    });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  const diff = useDiff(change.id, { large: false, wanted: near });
  const etag = diff.resource.data.value?.etag ?? null;
  const toggle = (): void => {
    const revision = state.changes.data.value?.revision;
    const viewed = state.viewed.marks.value.get(change.id) !== 'viewed';
    if (revision !== undefined) void state.viewed.mark([change.id], viewed, { etag, revision });
  };
  const kind = KIND_TABLE[change.kind];
  const path = toDisplay(change.path);
  const waiting = <div class="read-far" role="status" aria-label="Loading the differences" />;
  return (
    <section class="read-file" ref={place} aria-label={path}>
      <header class="read-head flex">
        <Badge tone={kind.tone}>{kind.word}</Badge>
        <h3 class="mono path grow">
          <a class="quiet-link" href={formatRoute({ view: 'changes', session: state.id, path: change.path })}>
            {path}
          </a>
        </h3>
        {near ? <ViewedButton change={change} ready={etag !== null} onClick={toggle} /> : null}
      </header>
      {near ? (
        <DiffShown diff={diff} change={change} waiting={waiting} line={null} keys={false} />
      ) : (
        <div class="read-far" />
      )}
    </section>
  );
}
