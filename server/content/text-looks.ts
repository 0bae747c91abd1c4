/** What is known of hidden characters in the pending texts of sessions: each text is looked at once, as long as it stays. */

import { hasNewText, type TextVerdict } from '../../core/content/hidden-texts.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import type { HiddenTexts } from '../../shared/api/files.ts';
import { HIDDEN_MS } from '../../shared/limits.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';
import type { JobRunner } from '../worker/runner.ts';

/** So many entries are handed to the worker at once: more than it looks at in the time that it has. */
const PART = 3_000;
/** Sessions whose looks are kept, the last asked for. */
const KEPT = 8;

interface Look {
  host: string | undefined;
  upper: string | undefined;
  verdict: TextVerdict;
}

/** What is known of one list, and what is still to be looked at. */
interface State {
  revision: string;
  /** By entry id. */
  looks: Map<string, Look>;
  open: Change[];
  hidden: string[];
  unread: number;
}

export class TextLooks {
  readonly #runner: JobRunner;
  readonly #states = new Map<string, State>();
  /** Tabs that ask at the same time share one look. */
  readonly #looking = new Map<string, { revision: string; texts: Promise<HiddenTexts> }>();

  constructor(runner: JobRunner) {
    this.#runner = runner;
  }

  /** Looks for a moment at what is not known of the list, and says what is known then. */
  async look(ctx: SessionContext, list: ChangeList): Promise<HiddenTexts> {
    const { session, revision } = list;
    const under = this.#looking.get(session);
    if (under?.revision === revision) return await under.texts;
    const looking = { revision, texts: this.#look(ctx, this.#stateOf(list)) };
    this.#looking.set(session, looking);
    try {
      return await looking.texts;
    } finally {
      if (this.#looking.get(session) === looking) this.#looking.delete(session);
    }
  }

  /** By entry id; what was not looked at, or is another text by now, is left out. */
  known({ session, changes }: ChangeList): Map<string, TextVerdict> {
    const looks = this.#states.get(session)?.looks;
    const known = new Map<string, TextVerdict>();
    if (looks === undefined) return known;
    for (const change of changes) {
      const look = looks.get(change.id);
      if (look !== undefined && isOf(look, change)) known.set(change.id, look.verdict);
    }
    return known;
  }

  /** A new list keeps what is known of the texts that stayed. */
  #stateOf({ session, revision, changes }: ChangeList): State {
    const old = this.#states.get(session);
    if (old?.revision === revision) return old;
    const state: State = { revision, looks: new Map(), open: [], hidden: [], unread: 0 };
    for (const change of changes) {
      if (!hasNewText(change)) continue;
      const look = old?.looks.get(change.id);
      if (look !== undefined && isOf(look, change)) take(state, change, look.verdict);
      else state.open.push(change);
    }
    this.#states.delete(session);
    this.#states.set(session, state);
    const [oldest] = this.#states.keys();
    if (oldest !== undefined && this.#states.size > KEPT) this.#states.delete(oldest);
    return state;
  }

  async #look(ctx: SessionContext, state: State): Promise<HiddenTexts> {
    const part = state.open.slice(0, PART);
    if (part.length > 0) {
      const found = await this.#runner.run('hiddenTexts', ctx, { changes: part, ms: HIDDEN_MS.page });
      for (const change of part) {
        const verdict = found.get(change.id);
        if (verdict !== undefined) take(state, change, verdict);
      }
      state.open = state.open.filter(({ id }) => !found.has(id));
    }
    return { hidden: [...state.hidden], unread: state.unread, left: state.open.length };
  }
}

function take(state: State, change: Change, verdict: TextVerdict): void {
  const { id, hostIdentity: host, upperIdentity: upper } = change;
  if (verdict === 'hidden') state.hidden.push(id);
  else if (verdict !== 'clean') state.unread++;
  // What moved on is looked at again as soon as a list has it.
  if (verdict !== 'moved') state.looks.set(id, { host, upper, verdict });
}

function isOf({ host, upper }: Look, { hostIdentity, upperIdentity }: Change): boolean {
  return host === hostIdentity && upper === upperIdentity;
}
