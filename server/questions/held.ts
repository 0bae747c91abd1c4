import type { Question } from '../../shared/model/question.ts';
import type { HookAnswer } from '../hooks/world/answer.ts';
import type { HookSession } from '../hooks/world/world.ts';

/** An open question, with the hook that waits for its answer. */
export interface Held {
  question: Question;
  session: HookSession;
  /** The client runs in the session: the file that it writes is the merged view's. */
  inside: boolean;
  key: string;
  since: number;
  client: { pid: number; start: string } | null;
  /** An answer has been given, and its rule is being written. */
  taken: boolean;
  timer: NodeJS.Timeout | null;
  say(answer: HookAnswer): void;
}
