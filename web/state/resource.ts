/**
 * How this folder gets what it shows. A resource is fetched, and keeps its last good value while a new one is on its way or when
 * that fails; a live one also holds back what is newer until the user asks for it, so that nothing moves under the reader.
 * `useWork` runs one request of the user's at a time. session.ts and app.ts put the page's state together from these.
 */
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ApiError } from '../../shared/api/api-error.ts';

export interface Resource<T> {
  data: Signal<T | null>;
  error: ReadonlySignal<ApiError | null>;
  loading: ReadonlySignal<boolean>;
  /** Why the value on show may be old: a later fetch failed, and no other is under way. */
  stale: ReadonlySignal<ApiError | null>;
  /** Fetches; a fetch that is under way is given up. Resolves to the value, or null when it failed or was given up. */
  load(): Promise<T | null>;
  /** Gives up what is under way, and forgets what went wrong. */
  stop(): void;
}

type Fetcher<T> = (abort: AbortSignal) => Promise<T>;

/** Why the last fetch failed, while no other is under way. */
function failureOf({ error, loading }: Pick<Resource<unknown>, 'error' | 'loading'>): ApiError | null {
  return loading.value ? null : error.value;
}

/** Why any of what is on show may be old. */
export function staleReason(resources: readonly Resource<unknown>[]): ApiError | null {
  return resources.find(({ stale }) => stale.value !== null)?.stale.value ?? null;
}

/** It has been fetched, or has failed. */
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
  /** Waits until the user asks for it; null = nothing does. */
  newer: Signal<T | null>;
  /** Fetches the first value, or what is newer than the one on show. Resolves as `load` does. */
  refresh(): Promise<T | null>;
  showNewer(): void;
}

interface LiveParts<T> {
  first: Fetcher<T>;
  /** What is newer than what is known; null = nothing. */
  next: Fetcher<T | null>;
  /** What of the next value is shown at once, and what waits. */
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
      // What is on its way may be from before.
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

/** A resource that is fetched while the component is there: made anew with `deps`, fetched again with `again`. */
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
  /** Why the last one failed. */
  error: Signal<ApiError | null>;
  /** Runs one piece of work at a time; `failed` and `ended` come after it. */
  run(work: () => Promise<void>, after?: { failed?(): void; ended?(): void | Promise<void> }): Promise<void>;
}

/** A request of the user's that takes a while and may fail. */
export function createWork(): Work {
  const running = signal(false);
  const error = signal<ApiError | null>(null);
  return {
    running,
    error,
    run: async (work, { failed, ended } = {}) => {
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
        await ended?.();
      }
    },
  };
}

export function useWork(): Work {
  return useMemo(createWork, []);
}

/** Sets a signal where a handler has to be an expression. */
export function set<T>(target: Signal<T>, value: T): void {
  target.value = value;
}
