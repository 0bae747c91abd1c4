/** The flags of a list's entries, by entry id. */
import type { ChangeList } from '../../../shared/model/change.ts';
import { type Risk, type RiskPlace, risksOf } from '../../../shared/model/risk.ts';

export type Risks = ReadonlyMap<string, readonly Risk[]>;
export const NO_RISKS: Risks = new Map();

/** Entries without a flag are left out. */
export function risksByEntry(
  list: ChangeList | null,
  place: RiskPlace | null,
  hidden: ReadonlySet<string>,
): Risks {
  if (list === null || place === null) return NO_RISKS;
  const at: RiskPlace = { projectRoot: place.projectRoot, home: place.home, hidden };
  const risks = new Map<string, readonly Risk[]>();
  for (const change of list.changes) {
    const found = risksOf(change, at);
    if (found.length > 0) risks.set(change.id, found);
  }
  return risks;
}
