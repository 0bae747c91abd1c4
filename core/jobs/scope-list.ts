/** The change list with what it takes to tell which changes a scope means. */
import type { ChangeList } from '../../shared/model/change.ts';
import type { Scope } from '../../shared/model/commit.ts';
import { type Chosen, choose } from '../commit/plan/scope.ts';
import { scan } from '../scan/scan.ts';
import type { SessionContext } from '../session/session-context.ts';
import { readSpans, scanWritten } from './written.ts';

/** Scans; with the writers of each change where the scope is about calls. */
export async function scanFor(ctx: SessionContext, scope: Scope): Promise<ChangeList> {
  return isAboutCalls(scope) ? await scanWritten(ctx) : await scan(ctx);
}

/**
 * What a scope means in a list whose changes name their writers, as far as it is about calls.
 *
 * @throws TraiError `not-found` when it means nothing that is pending
 */
export async function chosenOf(ctx: SessionContext, list: ChangeList, scope: Scope): Promise<Chosen> {
  const spans = isAboutCalls(scope) ? (await readSpans(ctx.sessionDir)).spans() : [];
  return choose(
    list,
    scope,
    spans.map(({ call }) => call),
  );
}

/** With the files of which only the time differs: a path that is committed means these below it as well. */
export function withTimes(list: ChangeList, { kind }: Scope): ChangeList {
  if (kind !== 'paths' || list.timed === undefined) return list;
  return { ...list, changes: [...list.changes, ...list.timed] };
}

function isAboutCalls({ kind }: Scope): boolean {
  return kind === 'call' || kind === 'up-to';
}
