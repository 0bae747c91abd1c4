import type { Answer, Question } from '../../shared/model/question.ts';
import type { Target } from '../../shared/network/pattern.ts';
import type { HookSession } from '../hooks/world/world.ts';

/** An open question, with whoever waits for its answer. */
export interface Held {
  question: Question;
  session: HookSession;
  /** Of a question about a host; null: it is about a call, and its hook waits. */
  target: Target | null;
  /** The client runs in the session: the file that it writes is the merged view's. */
  inside: boolean;
  key: string;
  since: number;
  client: { pid: number; start: string } | null;
  /** An answer has been given, and its rule is being written. */
  taken: boolean;
  timer: NodeJS.Timeout | null;
  /** Null: it ended without an answer. `words`: for the agent. */
  say(answer: Answer | null, words: string): void;
}
