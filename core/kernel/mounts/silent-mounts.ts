/** Network mounts whose server does not answer: a mere stat(2) of one waits, in the kernel, for as long as that lasts. */
import type { BytePath } from '../../../shared/bytes.ts';
import { run } from '../run.ts';
import { isNetwork } from './file-systems.ts';
import { type Mount, visibleMounts } from './mountinfo.ts';

/** How long a server may take, and how long its silence is taken for granted (ms). */
const ANSWER_MS = 2_000;
const REMEMBER_MS = 60_000;

const silentUntil = new Map<BytePath, number>();

/** The mounts that were silent a short time ago. */
export function knownSilent(): Set<BytePath> {
  const now = Date.now();
  return new Set([...silentUntil].filter(([, until]) => until > now).map(([point]) => point));
}

/** Looks at every network mount of a new plan, each in a process of its own, which can be left behind. */
export async function silentMounts(mounts: readonly Mount[]): Promise<Set<BytePath>> {
  const points = [...visibleMounts(mounts)].filter(([, { type }]) => isNetwork(type)).map(([point]) => point);
  await Promise.all(
    points.map(async (point) => {
      const name = Buffer.from(point, 'latin1').toString();
      const { timedOut } = await run('/usr/bin/stat', ['--', name], { timeout: ANSWER_MS });
      if (timedOut) silentUntil.set(point, Date.now() + REMEMBER_MS);
      else silentUntil.delete(point);
    }),
  );
  return knownSilent();
}
