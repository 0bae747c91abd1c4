/** When the list is as good as a second look. */
import { asQuiet, type LiveSession } from '../../sandbox/lock.ts';

export interface Settled<T> {
  found: T;
  /** Some process has an upper mounted now. */
  live: boolean;
  /** Nobody can have written to an upper since before `look` began, nor can while the lock is held. */
  settled: boolean;
}

/**
 * The lock is held until what is found has been used. The kernel is asked first: who had an upper mounted
 * while it was looked at may have written behind the look and be gone after it.
 */
export async function lookSettled<T>(session: LiveSession, look: () => Promise<T>): Promise<Settled<T>> {
  const settled = (await asQuiet(session)) !== null;
  const found = await look();
  return { found, settled, live: !settled && (await asQuiet(session)) === null };
}
