/** What a user decides before a commit: the preview, the choices made on it, and the request that they add up to. */
import { computed, signal } from '@preact/signals';
import { ApiError } from '../../shared/api/api-error.ts';
import type { Backend } from '../../shared/api/contract.ts';
import type { CommitPreview } from '../../shared/api/types.ts';
import type { ConflictChoice, Scope, ScopedCommitRequest } from '../../shared/model/commit.ts';
import type { ConflictView, MergePreview } from '../../shared/text/merge-text.ts';
import { OBSTACLES } from '../messages/actions.ts';
import { totalOf } from '../text/kinds.ts';
import { createResource, createWork, set } from './resource.ts';
import type { SessionState } from './session.ts';

export type CommitFlow = ReturnType<typeof createCommitFlow>;

/** Digits as a user may type them: `1,204` and `1 204` are 1204. Null when it is no number. */
export function parseTyped(text: string): number | null {
  const digits = text.replace(/[\s,.'_]/g, '');
  return /^\d{1,12}$/.test(digits) ? Number(digits) : null;
}

/** The first thing that a user has to decide before a commit, a sentence; null = nothing. */
export function commitObstacle(
  preview: CommitPreview,
  choices: Readonly<Record<string, ConflictChoice>>,
  noUndo = false,
): string | null {
  if (isEmpty(preview)) return OBSTACLES.nothingToCommit;
  const open = preview.conflicts.filter((conflict) => choices[conflict.id] === undefined).length;
  if (open > 0) return OBSTACLES.conflicts(open);
  return preview.undo.bytes > preview.undo.maxBytes && !noUndo ? OBSTACLES.noUndo : null;
}

/** Whether the number that guards a request was typed; null = it is guarded by none. */
export function typedObstacle(count: number | null, typed: string): string | null {
  return count !== null && parseTyped(typed) !== count ? OBSTACLES.typed : null;
}

/** Of a part: what was chosen may need something that was not. */
function isEmpty({ scope, counts, ignored, times = 0 }: CommitPreview): boolean {
  return scope.kind !== 'all' && totalOf(counts) + ignored.count + times === 0;
}

/** What the user decided on a preview. */
interface Decisions {
  includeIgnored: boolean;
  choices: Readonly<Record<string, ConflictChoice>>;
  typedCount: number | null;
  noUndo: boolean;
  /** Etags of the merges that were on show, by entry. */
  merges: Readonly<Record<string, string>>;
}

/** The request that goes to the server: it names the list that was on show and every choice made on it. */
export function commitRequest(preview: CommitPreview, made: Partial<Decisions>): ScopedCommitRequest {
  const { includeIgnored = false, choices = {}, typedCount = null, noUndo = false, merges = {} } = made;
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
    typedCount,
    noUndo,
  };
}

export function createCommitFlow(backend: Backend, state: SessionState, scope: Scope) {
  const includeIgnored = signal(false);
  const preview = createResource(() =>
    backend.preview(state.id, { scope, action: 'commit', includeIgnored: includeIgnored.peek() }),
  );
  const choices = signal<Readonly<Record<string, ConflictChoice>>>({});
  const merges = signal<Readonly<Record<string, string>>>({});
  /** The merge that is on show before it is chosen. */
  const merging = signal<MergePreview | null>(null);
  const compared = signal<{ view: ConflictView; revision: string | undefined } | null>(null);
  /** The entry whose sides are on show, as they are in the list that the preview is of. */
  const comparing = computed(() => {
    const { view = null, revision } = compared.value ?? {};
    return revision === preview.data.value?.revision ? view : null;
  });
  /** Keep nothing for an undo: asked only where that takes very much. */
  const noUndo = signal(false);
  const work = createWork();

  /** Puts what an answer says on show; what went wrong is said in the panel. */
  async function show(ask: () => Promise<void>): Promise<void> {
    try {
      await ask();
    } catch (thrown) {
      work.error.value = ApiError.from(thrown);
    }
  }

  return {
    preview,
    includeIgnored,
    choices,
    merging,
    comparing,
    noUndo,
    work,
    /** The request for what is on show, with every choice made on it. */
    request: (plan: CommitPreview, typedCount: number | null): ScopedCommitRequest =>
      commitRequest(plan, {
        includeIgnored: includeIgnored.value,
        choices: choices.value,
        noUndo: noUndo.value,
        merges: merges.value,
        typedCount,
      }),
    /** Choosing a merge is looking at it: what was on show is what is requested. */
    previewMerge: (entry: string) => show(async () => set(merging, await backend.merge(state.id, { entry }))),
    /** Takes the merge that is on show; with markers where it has conflicts. */
    chooseMerge: ({ id, etag, conflicts }: MergePreview): void => {
      choices.value = { ...choices.value, [id]: conflicts > 0 ? 'merge-markers' : 'merge' };
      merges.value = { ...merges.value, [id]: etag };
      merging.value = null;
    },
    /** Puts the sides of an entry on show, or away. */
    compare: async (entry: string): Promise<void> => {
      if (comparing.value?.id === entry) return set(compared, null);
      // Of before the answer: sides that are older than the preview would be decided about unseen.
      const revision = preview.data.value?.revision;
      await show(async () => set(compared, { view: await backend.conflict(state.id, { entry }), revision }));
    },
    setIncludeIgnored: (include: boolean): void => {
      includeIgnored.value = include;
      void preview.load();
    },
    chooseAll: (choice: ConflictChoice): void => {
      const conflicts = preview.data.value?.conflicts ?? [];
      choices.value = Object.fromEntries(conflicts.map((conflict) => [conflict.id, choice]));
    },
  };
}
