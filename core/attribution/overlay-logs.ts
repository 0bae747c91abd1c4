import { type OverlaySpan, overlaySpans } from '../../shared/log/call-times.ts';
import type { LogFold } from '../../shared/log/fold.ts';
import { sessionDir } from '../session/dirs.ts';
import { readFold } from '../session/log/read.ts';
import type { SessionContext } from '../session/session-context.ts';

interface OverlayLogs {
  folds: ReadonlyMap<string, LogFold>;
  /** Of all calls that could write into the overlay. */
  spans: OverlaySpan[];
}

/** The logs of a session and, transitively, of those whose overlays it has adopted. Errors: `io`. */
export async function readOverlayLogs({ stateDir, session }: SessionContext): Promise<OverlayLogs> {
  const folds = new Map<string, LogFold>();
  const waiting = [session];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (folds.has(id)) continue;
    const fold = await readFold(sessionDir(stateDir, id));
    folds.set(id, fold);
    for (const { from, to } of fold.adoptions) if (to === id) waiting.push(from);
  }
  return { folds, spans: overlaySpans(session, (id) => folds.get(id) ?? null) };
}
