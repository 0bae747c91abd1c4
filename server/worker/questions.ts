/**
 * Questions about a change list. The main thread names session and revision; the worker answers from the list
 * of its own scan (lists.ts), so that no list becomes objects in the thread that answers hooks.
 *
 * Rows of shared/api/contract.ts that run here have a question of the same name. The others come from hooks
 * (../hooks/world/list-questions.ts) and the server itself.
 */
import { whyPath } from '../../core/attribution/why.ts';
import { diffEntry } from '../../core/content/diff.ts';
import { conflictView, previewMerge } from '../../core/content/merge-entry.ts';
import { lookAt, type Now } from '../../core/content/sides.ts';
import { lineCounts, searchable, searchPending } from '../../core/content/texts.ts';
import { JOBS } from '../../core/jobs/jobs.ts';
import { resultOf } from '../../core/kernel/fs/pace.ts';
import { effectMarks } from '../../core/rules/effects/effects.ts';
import { type Fingerprints, fingerprints } from '../../core/scan/cache/fingerprints.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import type { ApiQuestion, Input, Output, SideName } from '../../shared/api/contract.ts';
import type { CommitPreview } from '../../shared/api/types.ts';
import type { BytePath } from '../../shared/bytes.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';
import type { WhyPath } from '../../shared/model/why.ts';
import { type Answers, HOOK_QUESTIONS, type HookQuestions } from '../hooks/world/list-questions.ts';
import { refusal } from '../messages/refusals.ts';
import { HiddenTextCache } from './hidden-texts.ts';
import { type TypedCommand, typedAnswer } from './typed-answers.ts';
import { markViewed, viewedState } from './viewed.ts';

type ApiQuestions = {
  [K in Exclude<ApiQuestion, 'preview'>]: { input: Input<K>; output: Output<K> };
};

export interface Questions extends ApiQuestions, HookQuestions {
  /** `review`: with the fingerprints of the list that was shown. */
  preview: {
    input: { order: Input<'preview'>; review: boolean };
    output: { preview: CommitPreview; reviewed: Fingerprints | null };
  };
  /** `side` null: the pending version, or the host's where it is deleted. */
  locate: {
    input: { entry: string; side: SideName | null };
    output: { path: BytePath; file: Now | null };
  };
  typed: { input: TypedCommand; output: string | null };
}
export type QuestionName = keyof Questions;

const texts = new HiddenTextCache();

export const QUESTIONS: Answers<Questions> = {
  ...HOOK_QUESTIONS,
  diff: async (ctx, list, { entry, ...view }) => await diffEntry(ctx, changeIn(list, entry), view),
  merge: async (ctx, list, { entry }) => previewMerge(ctx, changeIn(list, entry)),
  conflict: async (ctx, list, { entry }) => conflictView(ctx, changeIn(list, entry)),
  lineCounts: async (ctx, { changes }, { entries }) => {
    const wanted = new Set(entries);
    const named = changes.filter(({ id }) => wanted.has(id));
    return await lineCounts(ctx, named);
  },
  search: async (ctx, list, order) => {
    const changes = searchable(list.changes, order.includeIgnored);
    const at = order.after === null ? -1 : changes.findIndex(({ id }) => id === order.after);
    if (order.after !== null && at < 0) throw refusal('search-moved-on');
    return await searchPending(ctx, changes.slice(at + 1), order);
  },
  preview: async (ctx, list, { order, review }) => ({
    preview: await JOBS.preview(ctx, { list, order, texts: texts.known(ctx, list) }, () => undefined),
    reviewed: review ? await resultOf(fingerprints(list.changes)) : null,
  }),
  hiddenTexts: async (ctx, list) => await texts.look(ctx, list),
  effects: async (ctx, { changes }) => effectMarks(ctx, changes),
  viewed: viewedState,
  markViewed,
  why: async (ctx, list, { entry }) => await explain(ctx, list, changeIn(list, entry).path),
  whyNot: async (ctx, list, { path }) => await explain(ctx, list, path),
  locate: async (ctx, list, { entry, side }) => {
    const change = changeIn(list, entry);
    const shown = side ?? (change.pending === null ? 'host' : 'pending');
    return { path: change.path, file: lookAt(ctx, change)?.[shown] ?? null };
  },
  typed: typedAnswer,
};

function changeIn({ changes }: ChangeList, entry: string): Change {
  const change = changes.find(({ id }) => id === entry);
  if (change === undefined) throw refusal('no-entry');
  return change;
}

async function explain(ctx: SessionContext, list: ChangeList, path: BytePath): Promise<WhyPath> {
  const found = await whyPath(ctx, list, path);
  if (found.change === null) return found;
  // Fingerprints serve the commit on this machine.
  const { hostIdentity: _host, upperIdentity: _upper, xattrIdentity: _xattrs, ...shown } = found.change;
  return { ...found, change: shown };
}
