/** A user's decisions before a commit: the preview, the choices on it, and the request that results. */
import { computed, signal } from '@preact/signals';
import { ApiError } from '../../shared/api/api-error.ts';
import type { Backend } from '../../shared/api/contract.ts';
import type { CommitPreview } from '../../shared/api/types.ts';
import type { ConflictChoice, Scope, ScopedCommitRequest } from '../../shared/model/commit.ts';
import type { ConflictView, MergePreview } from '../../shared/text/merge-text.ts';
import { OBSTACLES } from '../messages/actions.ts';
import { totalOf } from '../text/kinds.ts';
import { createResource, createWork, set } from './resource.ts';

export type CommitFlow = ReturnType<typeof createCommitFlow>;

/** A number as users type it: `1,204` and `1 204` are 1204. Null for anything else. */
export function parseTyped(text: string): number | null {
  const digits = text.replace(/[\s,.'_]/g, '');
  return /^\d{1,12}$/.test(digits) ? Number(digits) : null;
}

/** A sentence on the first open decision before a commit; null = none. */
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

/** The number guards the request: it is typed, or a tick stands for it. Null = no guard. */
export function typedObstacle(guard: { count: number; tick?: string } | null, typed: string): string | null {
  if (guard === null || parseTyped(typed) === guard.count) return null;
  return guard.tick === undefined ? OBSTACLES.typed : OBSTACLES.ticked;
}

/** Only for a part: its selection closure may hold nothing that can be committed. */
function isEmpty({ scope, counts, ignored, times = 0 }: CommitPreview): boolean {
  return scope.kind !== 'all' && totalOf(counts) + ignored.count + times === 0;
}

interface Decisions {
  includeIgnored: boolean;
  choices: Readonly<Record<string, ConflictChoice>>;
  typedCount: number | null;
  noUndo: boolean;
  merges: Readonly<Record<string, string>>;
}

export function commitRequest(preview: CommitPreview, made: Partial<Decisions>): ScopedCommitRequest {
  const { includeIgnored = false, choices = {}, typedCount = null, noUndo = false, merges = {} } = made;
  const known = new Set(preview.conflicts.map((conflict) => conflict.id));
  const chosen = Object.entries(choices).filter(([id]) => known.has(id));
  const [first] = chosen;
  // One choice for all conflicts is sent as one: they may be thousands.
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

export function createCommitFlow(backend: Backend, session: string, scope: Scope) {
  const includeIgnored = signal(false);
  const preview = createResource(() =>
    backend.preview(session, { scope, action: 'commit', includeIgnored: includeIgnored.peek() }),
  );
  const choices = signal<Readonly<Record<string, ConflictChoice>>>({});
  const merges = signal<Readonly<Record<string, string>>>({});
  /** The merge shown before it is chosen. */
  const merging = signal<MergePreview | null>(null);
  const compared = signal<{ view: ConflictView; revision: string | undefined } | null>(null);
  /** The compared entry; its sides are those of the preview's list. */
  const comparing = computed(() => {
    const { view = null, revision } = compared.value ?? {};
    return revision === preview.data.value?.revision ? view : null;
  });
  /** Keep no before-images; asked only when they would take very much. */
  const noUndo = signal(false);
  const work = createWork();

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
    request: (plan: CommitPreview, typedCount: number | null): ScopedCommitRequest =>
      commitRequest(plan, {
        includeIgnored: includeIgnored.value,
        choices: choices.value,
        noUndo: noUndo.value,
        merges: merges.value,
        typedCount,
      }),
    /** A merge is shown before it can be chosen; its etag pins what was seen. */
    previewMerge: (entry: string) => show(async () => set(merging, await backend.merge(session, { entry }))),
    chooseMerge: ({ id, etag, conflicts }: MergePreview): void => {
      choices.value = { ...choices.value, [id]: conflicts > 0 ? 'merge-markers' : 'merge' };
      merges.value = { ...merges.value, [id]: etag };
      merging.value = null;
    },
    compare: async (entry: string): Promise<void> => {
      if (comparing.value?.id === entry) return set(compared, null);
      // From before the answer: older sides than the preview's must not be decided about.
      const revision = preview.data.value?.revision;
      await show(async () => set(compared, { view: await backend.conflict(session, { entry }), revision }));
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
