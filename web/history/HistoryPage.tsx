/** The history page of a session: what was committed, discarded and taken back. */

import type { SessionState } from '../state/session.ts';
import { scrolls } from '../ui/scroll-area.ts';
import { HistoryTable } from './History.tsx';

export function History({ state }: { state: SessionState }) {
  return (
    <section class="page history" {...scrolls} aria-label="History">
      <h2>History</h2>
      <p class="muted history-about">
        Each commit, discard and undo of this session, the newest first. Only the newest that still stands can
        be taken back; what a commit took away from the host is kept for that.
      </p>
      <HistoryTable state={state} />
    </section>
  );
}
