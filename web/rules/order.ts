/** The order of rules on the page, before the server has answered. Pure. */
import type { Input } from '../../shared/api/contract.ts';
import type { ListedRule, RuleList, RuleScope } from '../../shared/model/rule.ts';

export type Move = Extract<Input<'changeRules'>['change'], { do: 'move' }>;

/** A rule that can be moved, in one list of a scope's own file. */
export interface Place {
  scope: RuleScope;
  list: RuleList;
  index: number;
}

/** Another rule stands in its list. */
export function isMovable(rules: readonly ListedRule[], { ref, source }: ListedRule): boolean {
  const ofList = (one: ListedRule) => one.source === 'authored' && one.ref.list === ref.list;
  return source === 'authored' && rules.filter(ofList).length > 1;
}

/** As the server will have them: the rule stands at `before`, those between move up or down. */
export function movedRules(
  rules: readonly ListedRule[],
  scope: RuleScope,
  { list, index, before }: Move,
): ListedRule[] {
  const mine = (one: ListedRule) =>
    one.source === 'authored' && one.ref.scope === scope && one.ref.list === list;
  const own = rules.filter(mine);
  const [taken] = own.splice(index, 1);
  if (taken !== undefined) own.splice(before, 0, taken);
  let next = 0;
  return rules.map((one) => {
    if (!mine(one)) return one;
    const at = next++;
    const rule = own[at] ?? one;
    return rule.ref.index === at ? rule : { ...rule, ref: { ...rule.ref, index: at } };
  });
}

/** Null where nothing moves: another list, or the place where it stands. */
export function moveTo(from: Place, to: Place): Move | null {
  if (from.scope !== to.scope || from.list !== to.list || from.index === to.index) return null;
  return { do: 'move', list: from.list, index: from.index, before: to.index };
}

export const movedText = ({ list, before }: Move): string => `Moved to place ${before + 1} of ${list}.`;

/** A key of each that it keeps where it moves. */
export function ruleKeys(rules: readonly ListedRule[]): ReadonlyMap<ListedRule, string> {
  const count = new Map<string, number>();
  return new Map(
    rules.map((one) => {
      const { file, list, text, reason } = one.ref;
      const key = `${file} ${list} ${text} ${reason}`;
      const n = count.get(key) ?? 0;
      count.set(key, n + 1);
      return [one, `${key} ${n}`];
    }),
  );
}
