/** Fetches the diff of one entry, again when the list or the view changes. */
import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../shared/api/api-error.ts';
import type { DiffModel, Spaces, TextDiff } from '../../shared/model/diff.ts';
import { useApp } from '../state/app.ts';
import { createResource, type Resource } from '../state/resource.ts';
import { useSession } from '../state/session.ts';
import { warmColours } from './rows/highlighter.ts';

export interface Diff {
  resource: Resource<DiffModel>;
  /** Fetches it however large it is. */
  loadLarge(): void;
  /** The comparison shown with all lines. Rejects when the entry has changed since. */
  loadWhole(): Promise<TextDiff>;
}

interface Wish {
  /** Load it however large it is. */
  large: boolean;
  /** False defers the fetch. */
  wanted?: boolean;
}

export function useDiff(entry: string, { large, wanted = true }: Wish): Diff {
  const { backend } = useApp();
  const { id, changes } = useSession();
  const [load, setLoad] = useState(large);
  const view = useRef({ load, whole: false, spaces: spaces.value });
  view.current = { load, whole: false, spaces: spaces.value };
  const resource = useMemo(
    () => createResource((abort) => backend.diff(id, { entry, ...view.current }, abort)),
    [id, entry],
  );
  const revision = changes.data.value?.revision;
  useEffect(warmColours, []);
  useEffect(() => {
    if (wanted) void resource.load();
    return () => resource.stop();
  }, [resource, revision, load, spaces.value, wanted]);
  useEffect(() => {
    // A text already shown is not fetched again for a line of it.
    if (large && resource.data.peek()?.kind !== 'text') setLoad(true);
  }, [large]);
  const model = resource.data.value;
  return {
    resource,
    loadLarge: () => setLoad(true),
    loadWhole: async () => {
      const whole = await backend.diff(id, { entry, ...view.current, load: true, whole: true });
      if (whole.kind === 'text' && whole.etag === model?.etag) return whole;
      throw new ApiError('stale-revision', 'the entry has just changed; refresh and try again');
    },
  };
}

export const spaces = signal<Spaces>('exact');

/** The result of the last action on the entry shown; null = none. */
export const notice = signal<string | null>(null);
