/** What `"rules": {"sandboxed": "allow"}` would have meant, and turning it on and off. */
import type { Config } from '../../../shared/config/config.ts';
import { isShell } from '../../../shared/log/calls.ts';
import type { DecidedCall, Verdict } from '../../../shared/model/rule.ts';
import { changeConfig, objectIn } from '../../session/change-config.ts';
import { loadRules, type RulesRequest } from '../files/rule-set.ts';
import { judge } from '../judge/judge.ts';
import { judgeFacts, whereItRuns } from '../judge/judge-facts.ts';
import { callOf, keyOf } from './history.ts';

export interface SavedPrompts {
  saved: readonly DecidedCall[];
  /** Which would still be asked about, with the reason. */
  still: readonly { call: DecidedCall; why: string }[];
}

/** Of the shell calls that were left to the client: whether it asked is its own affair. Judged by the present rules. */
export function savedPrompts(
  decisions: readonly DecidedCall[],
  request: RulesRequest,
  config: Config,
): SavedPrompts {
  const set = { ...loadRules(request), sandboxed: 'allow' as const };
  const { home } = request;
  const judged = (call: DecidedCall): Verdict => {
    const runs = whereItRuns(call.subject, call.cwd, { home, config });
    return judge(callOf(call, {}), set, judgeFacts({ view: 'none', home, config, runs }));
  };
  const known = new Map<string, Verdict>();
  const saved: DecidedCall[] = [];
  const still: { call: DecidedCall; why: string }[] = [];
  for (const call of decisions) {
    if (!isShell(call.tool) || call.decision !== 'pass' || call.cut > 0) continue;
    const verdict = known.get(keyOf(call)) ?? judged(call);
    known.set(keyOf(call), verdict);
    const { decision, why } = verdict;
    if (decision === 'allow') saved.push(call);
    else still.push({ call, why });
  }
  return { saved, still };
}

/** Returns the file. Errors: those of changeConfig. */
export async function setSandboxed(
  at: Pick<RulesRequest, 'env' | 'stateDir'>,
  value: 'ask' | 'allow',
): Promise<string> {
  return await changeConfig(at, (content) => {
    const rules = objectIn(content, 'rules');
    return rules === null ? null : { ...content, rules: { ...rules, sandboxed: value } };
  });
}
