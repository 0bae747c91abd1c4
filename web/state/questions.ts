/** Questions of the client, of all sessions: the open ones, notifications of new ones, and that this tab is in sight. */
import { computed, signal } from '@preact/signals';
import type { Backend } from '../../shared/api/contract.ts';
import type { QuestionList } from '../../shared/model/question.ts';
import { createResource } from './resource.ts';

/** @param asked is called for each question that was not there before, but not for those that the page begins with */
export function createQuestions(
  backend: Pick<Backend, 'questions' | 'seen'>,
  asked: (question: QuestionList['open'][number]) => void,
  page: Pick<Document, 'visibilityState'> = document,
) {
  const list = createResource((abort) => backend.questions(abort));
  const known = signal<ReadonlySet<string> | null>(null);

  async function refresh(): Promise<void> {
    const found = await list.load();
    if (found === null) return;
    const before = known.peek();
    known.value = new Set(found.open.map(({ id }) => id));
    if (before !== null) for (const question of found.open) if (!before.has(question.id)) asked(question);
  }

  /** Subagents and `claude -p` wait only where somebody may answer. */
  function seen(): void {
    if (page.visibilityState === 'visible') void backend.seen().catch(() => undefined);
  }

  return { list, refresh, seen, count: computed(() => list.data.value?.open.length ?? 0) };
}
