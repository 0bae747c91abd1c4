/** Something that is fetched: the last good value stays on show while a new one is on its way or when it fails. */
import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { ApiError } from '../../shared/api/api-error.ts';

export interface Resource<T> {
  data: Signal<T | null>;
  error: Signal<ApiError | null>;
  loading: Signal<boolean>;
  /** Fetches; a fetch that is under way is given up. Resolves to the value, or null when it failed or was given up. */
  load(): Promise<T | null>;
  /** Gives up what is under way, and forgets what went wrong. */
  stop(): void;
}

/** Why what is on show may be old: a later fetch failed, and no other is under way. Null = nothing is known against it. */
export function staleReason(resources: readonly Resource<unknown>[]): ApiError | null {
  const failed = resources.find(({ error, loading }) => error.value !== null && !loading.value);
  return failed?.error.value ?? null;
}

/** It has been fetched, or has failed. */
export function hasAnswered({ data, error }: Resource<unknown>): boolean {
  return data.value !== null || error.value !== null;
}

export function createResource<T>(fetcher: (abort: AbortSignal) => Promise<T>): Resource<T> {
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

  return { data, error, loading, load, stop };
}

/** A resource that is fetched while the component is there: made anew with `deps`, fetched again with `again`. */
export function useResource<T>(
  fetcher: (abort: AbortSignal) => Promise<T>,
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

interface Work {
  running: Signal<boolean>;
  /** Why the last one failed. */
  error: Signal<ApiError | null>;
  /** Runs one piece of work at a time; `failed` and `ended` come after it. */
  run(work: () => Promise<void>, after?: { failed?(): void; ended?(): void | Promise<void> }): Promise<void>;
}

/** A request of the user's that takes a while and may fail. */
export function useWork(): Work {
  const running = useSignal(false);
  const error = useSignal<ApiError | null>(null);
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

/** Sets a signal where a handler has to be an expression. */
export function set<T>(target: Signal<T>, value: T): void {
  target.value = value;
}
