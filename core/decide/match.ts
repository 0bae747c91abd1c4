/** Joins what the launcher runs to what PreToolUse saw. Only for "who asked for it"; the decision does not depend on it. */
import { normalise } from './shell/unquote-call.ts';

/** A request that no call has claimed yet. */
export interface OpenRequest {
  /** tool_use_id of the client. */
  request: string;
  command: string;
  cwd: string;
}

export interface Match<R extends OpenRequest = OpenRequest> {
  request: R | null;
  matched: 'exact' | 'normalised' | 'only-open' | 'none';
  /** How many open requests fit equally well, the chosen one included; more than 1 = interchangeable. */
  twins: number;
}

/**
 * The oldest open request that fits: same text and directory, same text, same text after the client's changes, or the
 * only one that is open (another plugin may have rewritten the command). `open` is in order of arrival.
 */
export function matchRequest<R extends OpenRequest>(
  open: readonly R[],
  command: string,
  cwd: string,
): Match<R> {
  const exact = open.filter((one) => one.command === command);
  const here = exact.filter((one) => one.cwd === cwd);
  const wanted = normalise(command);
  const near = open.filter((one) => normalise(one.command) === wanted);
  const nearHere = near.filter((one) => one.cwd === cwd);
  return (
    pick(here, 'exact') ??
    pick(exact, 'exact') ??
    pick(nearHere, 'normalised') ??
    pick(near, 'normalised') ??
    (open.length === 1 ? pick(open, 'only-open') : null) ?? { request: null, matched: 'none', twins: 0 }
  );
}

function pick<R extends OpenRequest>(found: readonly R[], matched: Match['matched']): Match<R> | null {
  const [first] = found;
  return first === undefined ? null : { request: first, matched, twins: found.length };
}
