/** The paths of one row of the history, page by page, with a way to what is still pending. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError } from '../../shared/api/api-error.ts';
import {
  type HistoryKey,
  type HistoryPath,
  type HistoryPaths,
  PATH_CHANGES,
  type PathChange,
} from '../../shared/model/history-path.ts';
import { useApp } from '../state/app.ts';
import { formatRoute } from '../state/router.ts';
import type { SessionState } from '../state/session.ts';
import { Badge, type BadgeTone } from '../ui/Badge.tsx';
import { displayPath } from '../ui/display.ts';
import { ErrorPanel } from '../ui/Notice.tsx';
import { scrolls } from '../ui/scroll-area.ts';
import { visibleText } from '../ui/visible.ts';

const TONES: Record<PathChange, BadgeTone> = {
  added: 'added',
  changed: 'modified',
  removed: 'deleted',
  meta: 'meta',
  dropped: 'neutral',
  kept: 'neutral',
};

interface Props {
  state: SessionState;
  of: HistoryKey;
  /** What the row is called. */
  name: string;
}

export function HistoryPathList({ state, of, name }: Props) {
  const { backend } = useApp();
  const paths = useSignal<readonly HistoryPath[]>([]);
  const last = useSignal<HistoryPaths | null>(null);
  const error = useSignal<ApiError | null>(null);
  const loading = useSignal(false);
  const load = async (signal?: AbortSignal): Promise<void> => {
    loading.value = true;
    error.value = null;
    try {
      const page = await backend.historyPaths(
        state.id,
        { of: 'n' in of ? of.n : of.trash, after: last.value?.next ?? 0 },
        signal,
      );
      paths.value = [...paths.value, ...page.paths];
      last.value = page;
    } catch (thrown) {
      if (signal?.aborted !== true) error.value = ApiError.from(thrown);
    } finally {
      loading.value = false;
    }
  };
  useEffect(() => {
    const stop = new AbortController();
    void load(stop.signal);
    return () => stop.abort();
  }, []);
  const page = last.value;
  const pending = state.byPath.value;
  return (
    <>
      {error.value === null ? null : <ErrorPanel error={error.value} retry={() => void load()} />}
      {page === null && error.value === null ? <p class="muted">Looking up the paths…</p> : null}
      {page === null || page.note === '' ? null : <p class="muted">{visibleText(page.note)}</p>}
      {page !== null && paths.value.length === 0 ? <p class="muted">No path is on record.</p> : null}
      {paths.value.length === 0 ? null : (
        <ul class="path-list" {...scrolls} aria-label={`Paths of ${name}`}>
          {paths.value.map(({ path, what }) => (
            <li key={path}>
              <Badge tone={TONES[what]}>{PATH_CHANGES[what]}</Badge>{' '}
              {pending.has(path) ? (
                <>
                  <a class="mono path" href={formatRoute({ view: 'changes', session: state.id, path })}>
                    {displayPath(path)}
                  </a>{' '}
                  <span class="muted">pending</span>
                </>
              ) : (
                <span class="mono path">{displayPath(path)}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {page === null || page.next === null ? null : (
        <button
          type="button"
          class="button button-small"
          disabled={loading.value}
          onClick={() => void load()}
        >
          Show more
        </button>
      )}
    </>
  );
}
