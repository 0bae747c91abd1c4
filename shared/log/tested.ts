/**
 * Whether what a commit would apply was tested, from the log alone. Tests that passed in the merged view
 * count as long as nothing can have been written since they began; "not tested" is always the safe answer.
 */
import type { Span } from './call-times.ts';
import type { CallView } from './calls.ts';
import type { TimelineMark } from './marks.ts';

export interface TestRun {
  call: string;
  command: string;
  at: string;
  /** Exit status; null = not known, or still running. */
  rc: number | null;
}

export interface Tested {
  /**
   * - `passed`: the last run ended with 0, and only it may have written since it began
   * - `moved-on`: it ended with 0, and something came after it: `since`
   * - `failed`: it did not end with 0
   * - `none`: no run in the log
   */
  state: 'passed' | 'moved-on' | 'failed' | 'none';
  run: TestRun | null;
  /** The command of `sinceCall`, else a sentence. Empty unless `moved-on`. */
  since: string;
  /** The call that came after it, or was still running when it began. */
  sinceCall: string | null;
  /** The line that runs the tests in the sandbox; null = not known. */
  line: string | null;
  /** Pending changes (without ignored ones) that the tests see and this request leaves pending. */
  beside: number;
}

export interface TestFacts {
  calls: readonly CallView[];
  spans: readonly Pick<Span, 'call' | 'to'>[];
  marks: readonly TimelineMark[];
  isTest: (command: string) => boolean;
  /** Certain to write nothing, in the sandbox or on the host? */
  onlyLooks: (call: CallView) => boolean;
  /** Files that Claude's tools write elsewhere are not tested. */
  projectRoot: string;
}

/** Newest calls searched for tests; older runs do not count. */
const MOST_CALLS = 500;

export function findTested(facts: TestFacts): Omit<Tested, 'line' | 'beside'> {
  const call = lastTest(facts);
  const none = { since: '', sinceCall: null };
  if (call === undefined) return { ...none, state: 'none', run: null };
  const { id, command, startedAt, rc, state } = call;
  const run: TestRun = { call: id, command, at: startedAt ?? '', rc: state === 'ended' ? rc : null };
  if (run.rc !== 0) return { ...none, state: 'failed', run };
  const after = whatCameAfter(call, Date.parse(run.at), facts);
  return after === null ? { ...none, state: 'passed', run } : { ...after, state: 'moved-on', run };
}

function lastTest({ calls, isTest }: TestFacts): CallView | undefined {
  return calls
    .filter(({ mode, startedAt }) => mode === 'sandbox' && startedAt !== null)
    .toSorted((a, b) => ((a.startedAt ?? '') < (b.startedAt ?? '') ? 1 : -1))
    .slice(0, MOST_CALLS)
    .find(({ command }) => isTest(command));
}

type After = Pick<Tested, 'since' | 'sinceCall'>;

function whatCameAfter(test: CallView, from: number, facts: TestFacts): After | null {
  const ran = calledAfter(test, from, facts);
  if (ran !== null) return { since: firstLine(ran.command), sinceCall: ran.id };
  const own = facts.spans.find(({ call }) => call === test.id);
  // No span: the log does not say when it could write.
  if (own === undefined || own.to === null)
    return { since: 'what it left in the background may have written', sinceCall: null };
  for (const mark of facts.marks) {
    const said = Date.parse(mark.at) >= from ? sinceMark(mark, facts.projectRoot) : null;
    if (said !== null) return { since: said, sinceCall: null };
  }
  return null;
}

function calledAfter(test: CallView, from: number, { calls, spans, onlyLooks }: TestFacts): CallView | null {
  const until = new Map(spans.map(({ call, to }) => [call, to ?? Number.POSITIVE_INFINITY]));
  for (const call of calls) {
    if (call.id === test.id || isPast(call, from, until.get(call.id))) continue;
    if (!onlyLooks(call)) return call;
  }
  return null;
}

/** Never ran, or had ended with all that it left when the tests began. */
function isPast(call: CallView, from: number, until: number | undefined): boolean {
  if (until !== undefined) return until < from;
  if (call.state === 'refused' || call.state === 'not-run' || call.state === 'not-entered') return true;
  if (call.state === 'requested') return true;
  return call.endedAt !== null && Date.parse(call.endedAt) < from;
}

function sinceMark(mark: TimelineMark, projectRoot: string): string | null {
  switch (mark.kind) {
    case 'file':
      return mark.outcome === 'written' && mark.path.startsWith(`${projectRoot}/`)
        ? `Claude wrote ${mark.path}`
        : null;
    case 'discard':
      return 'a part of it was discarded';
    case 'undo':
      return mark.what === 'discard' ? 'a discard was undone' : null;
    case 'adopt':
      return 'changes of another session came or went';
    default:
      // A commit, and its undo, leave the merged view as it is.
      return null;
  }
}

function firstLine(command: string): string {
  const [line = ''] = command.split('\n');
  return line.length > 80 || line !== command ? `${line.slice(0, 80)}…` : line;
}
