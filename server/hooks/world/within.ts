const POLL_MS = 50;

/** Until `done`, or for `ms`. */
export async function waitFor(done: () => boolean, ms: number): Promise<void> {
  const end = Date.now() + ms;
  while (!done() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** Null after `ms`; the work goes on without a waiter. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    // A late failure must not end the process.
    work.catch(() => {});
  }
}
