/** Hits of a search in pending contents; each leads to its file at that line. */

import { useRef } from 'preact/hooks';
import type { SearchHit } from '../../shared/api/types.ts';
import type { BytePath } from '../../shared/bytes.ts';
import { stepFocus } from '../keys/focus.ts';
import { useShortcuts } from '../keys/shortcuts.ts';
import { groupBy } from '../lists/lists.ts';
import { searchText } from '../messages/changes.ts';
import { useApp } from '../state/app.ts';
import { formatRoute } from '../state/router.ts';
import { type SessionState, useSession } from '../state/session.ts';
import * as format from '../text/format.ts';
import { displayBelow } from '../text/paths.ts';
import { visibleText } from '../text/visible.ts';
import { ErrorPanel } from '../ui/Notice.tsx';
import { showsIgnored } from './model/filter.ts';

export function SearchResults() {
  const state = useSession();
  const { textSearch } = state;
  const box = useRef<HTMLDivElement>(null);
  const step = (by: 1 | -1): void => stepFocus([...(box.current?.querySelectorAll('a') ?? [])], by);
  useShortcuts({ 'next-row': () => step(1), 'previous-row': () => step(-1), 'focus-tree': () => step(1) });
  return (
    <div class="found" ref={box}>
      <p class="found-sum muted" role="status">
        {sumText(state)}
      </p>
      <ErrorPanel
        error={textSearch.error.value}
        retry={() => void textSearch.run(showsIgnored(state.filter.value))}
      />
      {[...groupBy(textSearch.found.value.hits, ({ path }) => [path])].map(([path, hits]) => (
        <FoundIn key={path} path={path} hits={hits} />
      ))}
    </div>
  );
}

function sumText({ textSearch, changes }: SessionState): string {
  const { state, found, text } = textSearch;
  const { hits, searched, skipped } = found.value;
  return searchText({
    text: text.value,
    state: state.value,
    lines: hits.length,
    files: new Set(hits.map(({ entry }) => entry)).size,
    total: changes.data.value?.changes.length ?? 0,
    searched,
    skipped,
  });
}

function FoundIn({ path, hits }: { path: BytePath; hits: SearchHit[] }) {
  const { route } = useApp();
  const state = useSession();
  const now = route.value;
  const root = state.detail.data.value?.projectRoot;
  const [first] = hits;
  const more = first === undefined ? 0 : (state.textSearch.found.value.more[first.entry] ?? 0);
  const name = displayBelow(path, root);
  return (
    <section class="found-file" aria-label={name}>
      <h2 class="mono path">{name}</h2>
      <ul class="plain">
        {hits.map((hit) => (
          <li key={hit.line}>
            <a
              class="found-line quiet-link flex"
              href={formatRoute({ view: 'changes', session: state.id, path, line: hit.line })}
              aria-current={
                now.view === 'changes' && now.path === path && now.line === hit.line ? 'true' : undefined
              }
            >
              <span class="number">{hit.line}</span>
              <code class="text ellipsis" title={visibleText(hit.text)}>
                <Marked hit={hit} />
              </code>
            </a>
          </li>
        ))}
      </ul>
      {more > 0 ? <p class="muted found-more">and {format.plural(more, 'more line')}</p> : null}
    </section>
  );
}

function Marked({ hit: { text, at, length } }: { hit: SearchHit }) {
  if (at < 0) return <>{visibleText(text)}</>;
  return (
    <>
      {visibleText(text.slice(0, at))}
      <mark>{visibleText(text.slice(at, at + length))}</mark>
      {visibleText(text.slice(at + length))}
    </>
  );
}
