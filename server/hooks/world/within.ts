/** What the work gives, or null when it is not done after `ms`; it goes on then, and nobody waits for it. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    // Its failure is nobody's business any more, and must not end the process.
    work.catch(() => {});
  }
}
