/** What the commit panel knows: the preview, the user's choices, and whether they add up to a request. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ApiError } from '../../shared/api/api-error.ts';
import type { Backend } from '../../shared/api/contract.ts';
import type { CommitPreview } from '../../shared/api/types.ts';
import type { CommitOrder, CommitReport, ConflictChoice, Scope } from '../../shared/model/commit.ts';
import type { ConflictView, MergePreview } from '../../shared/text/merge-text.ts';
import { OBSTACLES } from '../messages/actions.ts';
import { totalOf } from '../text/kinds.ts';
import { createResource, type Resource } from './resource.ts';
import type { SessionState } from './session.ts';

export interface CommitFlow {
  preview: Resource<CommitPreview>;
  includeIgnored: Signal<boolean>;
  choices: Signal<Readonly<Record<string, ConflictChoice>>>;
  typed: Signal<string>;
  /** Keep nothing for an undo: asked only where that takes very much. */
  noUndo: Signal<boolean>;
  running: Signal<boolean>;
  report: Signal<CommitReport | null>;
  error: Signal<ApiError | null>;
  /** Why it cannot be requested yet, a sentence; null = it can. */
  obstacle: ReadonlySignal<string | null>;
  setIncludeIgnored(include: boolean): void;
  chooseAll(choice: ConflictChoice): void;
  /** The merge that is on show before it is chosen. */
  merging: Signal<MergePreview | null>;
  previewMerge(entry: string): Promise<void>;
  /** Takes the merge that is on show; with markers where it has conflicts. */
  chooseMerge(preview: MergePreview): void;
  /** The entry whose sides are on show, as they are in the list that the preview is of. */
  comparing: ReadonlySignal<ConflictView | null>;
  /** Puts the sides of an entry on show, or away. */
  compare(entry: string): Promise<void>;
  commit(): Promise<void>;
}

/** Digits as a user may type them: `1,204` and `1 204` are 1204. Null when it is no number. */
export function parseTyped(text: string): number | null {
  const digits = text.replace(/[\s,.'_]/g, '');
  return /^\d{1,12}$/.test(digits) ? Number(digits) : null;
}

/** The first thing that stands in the way of a commit, for the button's explanation. */
export function findObstacle(
  preview: CommitPreview,
  shownRevision: string | undefined,
  choices: Readonly<Record<string, ConflictChoice>>,
  typed: string,
  noUndo = false,
): string | null {
  if (preview.revision !== shownRevision) return OBSTACLES.stale;
  if (isEmpty(preview)) return OBSTACLES.nothingToCommit;
  const open = preview.conflicts.filter((conflict) => choices[conflict.id] === undefined).length;
  if (open > 0) return OBSTACLES.conflicts(open);
  if (preview.undo.bytes > preview.undo.maxBytes && !noUndo) return OBSTACLES.noUndo;
  if (preview.guard !== null && parseTyped(typed) !== preview.guard.count) return OBSTACLES.typed;
  return null;
}

/** Of a part: what was chosen may need something that was not. */
function isEmpty({ scope, counts, ignored, times = 0 }: CommitPreview): boolean {
  return scope.kind !== 'all' && totalOf(counts) + ignored.count + times === 0;
}

/** What the user decided on a preview. */
interface Decisions {
  includeIgnored: boolean;
  choices: Readonly<Record<string, ConflictChoice>>;
  typed: string;
  noUndo: boolean;
  /** Etags of the merges that were on show, by entry. */
  merges: Readonly<Record<string, string>>;
}

/** The request that goes to the server: it names the list that was on show and every choice made on it. */
export function commitRequest(preview: CommitPreview, made: Partial<Decisions>): CommitOrder {
  const { includeIgnored = false, choices = {}, typed = '', noUndo = false, merges = {} } = made;
  const known = new Set(preview.conflicts.map((conflict) => conflict.id));
  const chosen = Object.entries(choices).filter(([id]) => known.has(id));
  const [first] = chosen;
  // One choice for all of them is sent as such: thousands of single choices need not travel.
  const uniform =
    first !== undefined && chosen.length === known.size && chosen.every(([, choice]) => choice === first[1])
      ? first[1]
      : null;
  const forAll = uniform === 'keep-host' || uniform === 'take-sandbox' ? uniform : null;
  return {
    scope: preview.scope,
    revision: preview.revision,
    includeIgnored,
    conflicts: forAll ?? 'refuse',
    choices: forAll === null ? Object.fromEntries(chosen) : {},
    ...(forAll === null && Object.keys(merges).length > 0 ? { merges: { ...merges } } : {}),
    yes: false,
    typedCount: preview.guard === null ? null : parseTyped(typed),
    noUndo,
  };
}

export function createCommitFlow(backend: Backend, state: SessionState, scope: Scope): CommitFlow {
  const includeIgnored = signal(false);
  const preview = createResource(() =>
    backend.preview(state.id, {
      ...{ scope, action: 'commit', includeIgnored: includeIgnored.peek() },
    }),
  );
  const choices = signal<Readonly<Record<string, ConflictChoice>>>({});
  const merges = signal<Readonly<Record<string, string>>>({});
  const merging = signal<MergePreview | null>(null);
  const compared = signal<{ view: ConflictView; revision: string | undefined } | null>(null);
  const comparing = computed(() => {
    const { view = null, revision } = compared.value ?? {};
    return revision === preview.data.value?.revision ? view : null;
  });
  const typed = signal('');
  const noUndo = signal(false);
  const running = signal(false);
  const report = signal<CommitReport | null>(null);
  const error = signal<ApiError | null>(null);
  const obstacle = computed(() => {
    const plan = preview.data.value;
    if (plan === null || preview.loading.value) return OBSTACLES.loading;
    return findObstacle(plan, state.changes.data.value?.revision, choices.value, typed.value, noUndo.value);
  });

  async function commit(): Promise<void> {
    const plan = preview.data.value;
    if (plan === null || obstacle.value !== null || running.value) return;
    running.value = true;
    error.value = null;
    state.progress.value = null;
    try {
      report.value = await backend.commit(
        state.id,
        commitRequest(plan, {
          includeIgnored: includeIgnored.value,
          choices: choices.value,
          typed: typed.value,
          noUndo: noUndo.value,
          merges: merges.value,
        }),
      );
    } catch (thrown) {
      error.value = ApiError.from(thrown);
      void preview.load();
    } finally {
      running.value = false;
      state.progress.value = null;
      await state.reload();
    }
  }

  /** Choosing a merge is looking at it: what was on show is what is requested. */
  async function previewMerge(entry: string): Promise<void> {
    try {
      merging.value = await backend.merge(state.id, { entry });
    } catch (thrown) {
      error.value = ApiError.from(thrown);
    }
  }

  async function compare(entry: string): Promise<void> {
    if (comparing.value?.id === entry) {
      compared.value = null;
      return;
    }
    // Of before the answer: sides that are older than the preview would be decided about unseen.
    const revision = preview.data.value?.revision;
    try {
      compared.value = { view: await backend.conflict(state.id, { entry }), revision };
    } catch (thrown) {
      error.value = ApiError.from(thrown);
    }
  }

  return {
    preview,
    includeIgnored,
    choices,
    merging,
    previewMerge,
    comparing,
    compare,
    chooseMerge: ({ id, etag, conflicts }) => {
      choices.value = { ...choices.value, [id]: conflicts > 0 ? 'merge-markers' : 'merge' };
      merges.value = { ...merges.value, [id]: etag };
      merging.value = null;
    },
    typed,
    noUndo,
    running,
    report,
    error,
    obstacle,
    commit,
    setIncludeIgnored: (include) => {
      includeIgnored.value = include;
      void preview.load();
    },
    chooseAll: (choice) => {
      const conflicts = preview.data.value?.conflicts ?? [];
      choices.value = Object.fromEntries(conflicts.map((conflict) => [conflict.id, choice]));
    },
  };
}
