/** A rule as the form holds it: all texts, one field. */
import { fieldOf, type Rule, type RuleList } from '../../shared/model/rule.ts';

export interface RuleDraft {
  list: RuleList;
  tool: string;
  field: string;
  pattern: string;
  reason: string;
  until: string;
}

export const NEW_RULE: RuleDraft = {
  list: 'allow',
  tool: '^Bash$',
  field: 'command',
  pattern: '',
  reason: '',
  until: '',
};

export function draftOf(rule: Rule, list: RuleList): RuleDraft {
  const [[field, pattern] = [fieldOf(rule.tool ?? '') ?? '', '']] = Object.entries(rule.match ?? {});
  const { tool = '', reason = '', until = '' } = rule;
  return { list, tool, field, pattern, reason, until };
}

/** What the form does not show (tests, modes, further fields) stays. */
export function ruleFrom({ tool, field, pattern, reason, until }: RuleDraft, old: Rule = {}): Rule {
  const { tool: _tool, match: before = {}, reason: _reason, until: _until, ...rest } = old;
  const [shown = ''] = Object.keys(before);
  const others = Object.entries(before).filter(([name]) => name !== shown && name !== field);
  const own = field === '' || pattern === '' ? [] : [[field, pattern] as const];
  const match = Object.fromEntries([...own, ...others]);
  return {
    ...(tool === '' ? {} : { tool }),
    ...(Object.keys(match).length === 0 ? {} : { match }),
    ...(reason === '' ? {} : { reason }),
    ...(until === '' ? {} : { until }),
    ...known(rest),
  };
}

/** The server takes no key that it does not know; those of a file stay there. */
function known({ tests, modes, disabled }: Rule): Rule {
  return {
    ...(tests === undefined ? {} : { tests }),
    ...(modes === undefined ? {} : { modes }),
    ...(disabled === undefined ? {} : { disabled }),
  };
}

/** The same rule, on or off. */
export function turned(rule: Rule): Rule {
  const { disabled, ...rest } = rule;
  const { tool, match, reason, until } = rest;
  const same: Rule = {
    ...(tool === undefined ? {} : { tool }),
    ...(match === undefined ? {} : { match }),
    ...(reason === undefined ? {} : { reason }),
    ...(until === undefined ? {} : { until }),
    ...known(rest),
  };
  return disabled === true ? same : { ...same, disabled: true };
}
