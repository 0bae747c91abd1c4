import type { RuleSet } from '../../../core/rules/files/rule-set.ts';
import type { JudgeFacts } from '../../../core/rules/judge/judge-facts.ts';
import type { RuleFile, RuleScope } from '../../../shared/model/rule.ts';

/** Rows of the table of verdicts. */
export interface Group {
  name: string;
  rules: Partial<Record<RuleScope, RuleFile>>;
  set?: Partial<RuleSet>;
  facts?: Partial<JudgeFacts>;
  mode?: string;
  cwd?: string;
  /** `decision | command`, a line each; `⏎` is a line feed. Of another tool than Bash: `decision | Tool {input}`. */
  rows: string;
}
