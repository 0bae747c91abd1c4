/** Verdicts about hidden characters in pending texts: each text is read once while it stays. */

import { hasNewText, lookForHidden, type TextVerdict } from '../../core/content/texts.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import type { HiddenTexts } from '../../shared/api/types.ts';
import { HIDDEN_MS } from '../../shared/limits.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';

const KEPT = 8;

interface Known {
  host: string | undefined;
  upper: string | undefined;
  verdict: TextVerdict;
}

interface State {
  revision: string;
  known: Map<string, Known>;
  open: Change[];
  hidden: string[];
  unread: number;
  looking: Promise<HiddenTexts> | null;
}

export class HiddenTextCache {
  readonly #states = new Map<string, State>();

  async look(
    ctx: SessionContext,
    list: Pick<ChangeList, 'revision' | 'changes'>,
    ms: number = HIDDEN_MS.page,
  ): Promise<HiddenTexts> {
    const state = this.#stateOf(ctx, list);
    state.looking ??= look(ctx, state, ms).finally(() => {
      state.looking = null;
    });
    return await state.looking;
  }

  /** By entry id; without texts that were not read or have changed. */
  known({ sessionDir }: SessionContext, { changes }: Pick<ChangeList, 'changes'>): Map<string, TextVerdict> {
    const state = this.#states.get(sessionDir);
    const verdicts = new Map<string, TextVerdict>();
    for (const change of state === undefined ? [] : changes) {
      const known = state?.known.get(change.id);
      if (known !== undefined && isOf(known, change)) verdicts.set(change.id, known.verdict);
    }
    return verdicts;
  }

  /** A new list keeps the verdicts of unchanged texts. */
  #stateOf(
    { sessionDir }: SessionContext,
    { revision, changes }: Pick<ChangeList, 'revision' | 'changes'>,
  ): State {
    const old = this.#states.get(sessionDir);
    if (old?.revision === revision) return old;
    const state: State = { revision, known: new Map(), open: [], hidden: [], unread: 0, looking: null };
    for (const change of changes) {
      if (!hasNewText(change)) continue;
      const known = old?.known.get(change.id);
      if (known !== undefined && isOf(known, change)) add(state, change, known.verdict);
      else state.open.push(change);
    }
    this.#states.delete(sessionDir);
    this.#states.set(sessionDir, state);
    const [oldest] = this.#states.keys();
    if (oldest !== undefined && this.#states.size > KEPT) this.#states.delete(oldest);
    return state;
  }
}

async function look(ctx: SessionContext, state: State, ms: number): Promise<HiddenTexts> {
  const found = state.open.length === 0 ? new Map() : await lookForHidden(ctx, state.open, ms);
  for (const change of state.open) {
    const verdict = found.get(change.id);
    if (verdict !== undefined) add(state, change, verdict);
  }
  state.open = state.open.filter(({ id }) => !found.has(id));
  return { hidden: [...state.hidden], unread: state.unread, left: state.open.length };
}

function add(state: State, change: Change, verdict: TextVerdict): void {
  const { id, hostIdentity: host, upperIdentity: upper } = change;
  if (verdict === 'hidden') state.hidden.push(id);
  else if (verdict !== 'clean') state.unread++;
  // It is read again once a list has it.
  if (verdict !== 'moved') state.known.set(id, { host, upper, verdict });
}

function isOf({ host, upper }: Known, { hostIdentity, upperIdentity }: Change): boolean {
  return host === hostIdentity && upper === upperIdentity;
}
