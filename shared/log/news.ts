/** What a tab that knows a log up to some place has to be told. Pure. */
import { type CallView, callKey } from './call-view.ts';
import type { CallFolder } from './fold.ts';
import type { MarkFolder } from './fold-marks.ts';
import type { TimelineMark } from './mark.ts';

export interface TimelineNews {
  /** Everything there is; else what is new since the position that was asked for. */
  whole: boolean;
  /** In the order in which they first appear in the log. Without `head` and `tail`: 10,000 outputs are 160 MB. */
  calls: CallView[];
  /** Keys (`callKey`) of calls that have another one now. */
  gone: string[];
  /** Prompts, file tools, commits, discards and their like, in the order of the log. */
  marks: TimelineMark[];
}

/** `after` 0 = everything. */
export function newsAfter(folder: CallFolder, marks: MarkFolder, after: number): TimelineNews {
  const { calls, gone } = folder.after(after);
  // A call that neither hook nor launcher could name can't be told apart from another one.
  if (after > 0 && calls.some((call) => callKey(call) === '')) return newsAfter(folder, marks, 0);
  return {
    whole: after === 0,
    calls: calls.map((call) => ({ ...call, head: '', tail: '' })),
    gone: after === 0 ? [] : gone,
    marks: marks.marksAfter(after),
  };
}
