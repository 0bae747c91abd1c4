/** The syntax colours of a diff, put onto its rows when they are there. */
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { TextDiff } from '../../../shared/model/diff.ts';
import type { Highlights } from './highlight-job.ts';
import { diffColours } from './highlighter-state.ts';

/**
 * Null until they are known. Those of the same contents shown in another way (more context, other white space) hold
 * until new ones are there: a line has the same text, so nothing flickers.
 */
export function useColours(diff: TextDiff): Highlights | null {
  const [known, setKnown] = useState<{ etag: string; highlights: Highlights } | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    void diffColours(diff, abort.signal).then((highlights) => {
      if (highlights !== null && !abort.signal.aborted) setKnown({ etag: diff.etag, highlights });
    });
    return () => abort.abort();
  }, [diff]);
  return known?.etag === diff.etag ? known.highlights : null;
}

/** Colours what is `drawn`; what has its colours already costs nothing. */
export function useColouredRows(
  table: RefObject<HTMLTableElement | null>,
  highlights: Highlights | null,
  drawn: boolean,
): void {
  useEffect(() => {
    if (highlights === null || !drawn) return;
    const abort = new AbortController();
    void import('./render.ts').then(({ colourTable }) => {
      if (table.current !== null) void colourTable(table.current, highlights, abort.signal);
    });
    return () => abort.abort();
  }, [highlights, drawn]);
}
