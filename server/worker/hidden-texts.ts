/** Verdicts about hidden characters in pending texts: each text is read once while it stays. */

import { hasNewText, lookForHidden, type TextVerdict } from '../../core/content/texts.ts';
import type { SessionContext } from '../../core/session/session-context.ts';
import type { HiddenTexts } from '../../shared/api/types.ts';
import { HIDDEN_MS } from '../../shared/limits.ts';
import { setNewest } from '../../shared/maps.ts';
import type { Change, ChangeList } from '../../shared/model/change.ts';

/** Sessions, the last used. */
const KEPT = 8;

interface Known {
  host: string | undefined;
  upper: string | undefined;
  verdict: TextVerdict;
}

type List = Pick<ChangeList, 'revision' | 'changes'>;

export class HiddenTextCache {
  /** By session directory and entry id. */
  readonly #known = new Map<string, Map<string, Known>>();
  /** By session directory and revision: concurrent tabs share one look. */
  readonly #looking = new Map<string, Promise<HiddenTexts>>();

  async look(ctx: SessionContext, list: List, ms: number = HIDDEN_MS.page): Promise<HiddenTexts> {
    const key = `${ctx.sessionDir} ${list.revision}`;
    const looking =
      this.#looking.get(key) ?? this.#look(ctx, list, ms).finally(() => this.#looking.delete(key));
    this.#looking.set(key, looking);
    return await looking;
  }

  /** By entry id; without texts that were not read or have changed. */
  known({ sessionDir }: SessionContext, { changes }: Pick<List, 'changes'>): Map<string, TextVerdict> {
    const all = this.#known.get(sessionDir);
    const verdicts = new Map<string, TextVerdict>();
    for (const change of all === undefined ? [] : changes) {
      const known = all?.get(change.id);
      if (known !== undefined && known.verdict !== 'moved' && isOf(known, change))
        verdicts.set(change.id, known.verdict);
    }
    return verdicts;
  }

  /** A new list keeps the verdicts of unchanged texts. */
  async #look(ctx: SessionContext, { changes }: List, ms: number): Promise<HiddenTexts> {
    const before = this.#known.get(ctx.sessionDir);
    const now = new Map<string, Known>();
    const open: Change[] = [];
    for (const change of changes) {
      if (!hasNewText(change)) continue;
      const known = before?.get(change.id);
      if (known !== undefined && isOf(known, change)) now.set(change.id, known);
      else open.push(change);
    }
    setNewest(this.#known, ctx.sessionDir, now, KEPT);
    const found = await lookForHidden(ctx, open, ms);
    for (const change of open) {
      const verdict = found.get(change.id);
      if (verdict !== undefined)
        now.set(change.id, { host: change.hostIdentity, upper: change.upperIdentity, verdict });
    }
    const hidden = [...now].flatMap(([id, { verdict }]) => (verdict === 'hidden' ? [id] : []));
    const clean = [...now.values()].filter(({ verdict }) => verdict === 'clean').length;
    return { hidden, unread: now.size - hidden.length - clean, left: open.length - found.size };
  }
}

function isOf(known: Known, { hostIdentity, upperIdentity }: Change): boolean {
  return known.host === hostIdentity && known.upper === upperIdentity;
}
