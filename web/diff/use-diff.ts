/** The differences of one entry as they are looked at: fetched anew when the list or the way of looking is another. */
import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../shared/api/api-error.ts';
import type { DiffModel, Spaces, TextDiff } from '../../shared/model/diff.ts';
import { useApp } from '../state/app.ts';
import { createResource, type Resource } from '../state/resource.ts';
import type { SessionState } from '../state/session.ts';
import { warmColours } from './rows/highlighter.ts';

export interface Diff {
  resource: Resource<DiffModel>;
  /** Fetches it however large it is. */
  loadLarge(): void;
  /** The comparison on show with all lines of the file. */
  loadWhole(): Promise<TextDiff>;
}

interface Wish {
  /** However large it is. */
  large: boolean;
  /** False as long as it is not to be fetched. */
  wanted?: boolean;
}

export function useDiff(state: SessionState, entry: string, { large, wanted = true }: Wish): Diff {
  const { backend } = useApp();
  const [load, setLoad] = useState(large);
  const view = useRef({ load, whole: false, spaces: spaces.value });
  view.current = { load, whole: false, spaces: spaces.value };
  const resource = useMemo(
    () => createResource((abort) => backend.diff(state.id, { entry, ...view.current }, abort)),
    [state.id, entry],
  );
  const revision = state.changes.data.value?.revision;
  useEffect(warmColours, []);
  useEffect(() => {
    if (wanted) void resource.load();
    return () => resource.stop();
  }, [resource, revision, load, spaces.value, wanted]);
  useEffect(() => {
    // What is on show already is not fetched anew for a line of it.
    if (large && resource.data.peek()?.kind !== 'text') setLoad(true);
  }, [large]);
  const model = resource.data.value;
  return {
    resource,
    loadLarge: () => setLoad(true),
    loadWhole: async () => {
      const whole = await backend.diff(state.id, { entry, ...view.current, load: true, whole: true });
      if (whole.kind === 'text' && whole.etag === model?.etag) return whole;
      throw new ApiError('stale-revision', 'the entry has just changed; refresh, and look again');
    },
  };
}

export const spaces = signal<Spaces>('exact');

/** What came of the last thing that was done with the entry on show; null = nothing is to be said. */
export const notice = signal<string | null>(null);
