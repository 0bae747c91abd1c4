/** Fetched values and running requests as signals; app.ts says how they make up the page's state. */
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ApiError } from '../../shared/api/api-error.ts';

export interface Resource<T> {
  data: Signal<T | null>;
  error: ReadonlySignal<ApiError | null>;
  loading: ReadonlySignal<boolean>;
  /** Why the value may be old: a later fetch failed, and none is under way. */
  stale: ReadonlySignal<ApiError | null>;
  /** Aborts a fetch under way. Resolves to the value, or to null when the fetch failed or was aborted. */
  load(): Promise<T | null>;
  /** Aborts a fetch under way, and clears the error. */
  stop(): void;
}

type Fetcher<T> = (abort: AbortSignal) => Promise<T>;

function failureOf({ error, loading }: Pick<Resource<unknown>, 'error' | 'loading'>): ApiError | null {
  return loading.value ? null : error.value;
}

export function staleReason(resources: readonly Resource<unknown>[]): ApiError | null {
  return resources.find(({ stale }) => stale.value !== null)?.stale.value ?? null;
}

export function hasAnswered({ data, error }: Resource<unknown>): boolean {
  return data.value !== null || error.value !== null;
}

export function createResource<T>(fetcher: Fetcher<T>): Resource<T> {
  const data = signal<T | null>(null);
  const error = signal<ApiError | null>(null);
  const loading = signal(false);
  let current: AbortController | null = null;

  async function load(): Promise<T | null> {
    current?.abort();
    const mine = new AbortController();
    current = mine;
    loading.value = true;
    try {
      const value = await fetcher(mine.signal);
      if (current !== mine) return null;
      data.value = value;
      error.value = null;
      return value;
    } catch (thrown) {
      if (current === mine) error.value = ApiError.from(thrown);
      return null;
    } finally {
      if (current === mine) {
        loading.value = false;
        current = null;
      }
    }
  }

  function stop(): void {
    current?.abort();
    current = null;
    loading.value = false;
    error.value = null;
  }

  const stale = computed(() => (data.value === null ? null : failureOf({ error, loading })));
  return { data, error, loading, stale, load, stop };
}

export interface LiveResource<T> extends Resource<T> {
  /** Held back until the user asks for it; null = none. */
  newer: Signal<T | null>;
  /** Fetches the first value, or what is newer than the one shown. Resolves as `load` does. */
  refresh(): Promise<T | null>;
  showNewer(): void;
}

interface LiveParts<T> {
  first: Fetcher<T>;
  /** Null = nothing newer than what is known. */
  next: Fetcher<T | null>;
  merge(shown: T, next: T): { shown: T; waits: T | null };
}

export function createLive<T>({ first, next, merge }: LiveParts<T>): LiveResource<T> {
  const shown = createResource(first);
  const fetched = createResource(next);
  const newer = signal<T | null>(null);

  async function refresh(): Promise<T | null> {
    if (shown.data.peek() === null) return await shown.load();
    const found = await fetched.load();
    const now = shown.data.peek();
    if (found === null || now === null) return found;
    const merged = merge(now, found);
    batch(() => {
      shown.data.value = merged.shown;
      newer.value = merged.waits;
    });
    return found;
  }

  return {
    ...shown,
    newer,
    refresh,
    loading: computed(() => shown.loading.value || fetched.loading.value),
    stale: computed(() => shown.stale.value ?? failureOf(fetched)),
    load: () => {
      fetched.stop();
      newer.value = null;
      return shown.load();
    },
    showNewer: () => {
      if (newer.peek() !== null) shown.data.value = newer.peek();
      newer.value = null;
    },
    stop: () => {
      shown.stop();
      fetched.stop();
    },
  };
}

/** Fetches while mounted: a new resource for new `deps`, another fetch for new `again`. */
export function useResource<T>(
  fetcher: Fetcher<T>,
  deps: readonly unknown[],
  again: readonly unknown[] = [],
): Resource<T> {
  const resource = useMemo(() => createResource(fetcher), deps);
  useEffect(() => {
    void resource.load();
    return () => resource.stop();
  }, [resource, ...again]);
  return resource;
}

export interface Work {
  running: ReadonlySignal<boolean>;
  error: Signal<ApiError | null>;
  /** One at a time: ignored while another runs. */
  run(work: () => Promise<void>, failed?: () => void): Promise<void>;
}

export function createWork(): Work {
  const running = signal(false);
  const error = signal<ApiError | null>(null);
  return {
    running,
    error,
    run: async (work, failed) => {
      if (running.peek()) return;
      running.value = true;
      error.value = null;
      try {
        await work();
      } catch (thrown) {
        error.value = ApiError.from(thrown);
        failed?.();
      } finally {
        running.value = false;
      }
    },
  };
}

export function useWork(): Work {
  return useMemo(createWork, []);
}

export function set<T>(target: Signal<T>, value: T): void {
  target.value = value;
}
