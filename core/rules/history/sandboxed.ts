/** What `"rules": {"sandboxed": "allow"}` would have meant, and turning it on and off. */
import { mkdirSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../../../shared/config/config.ts';
import { isObject } from '../../../shared/json-lines.ts';
import { RULES_LOCK_S } from '../../../shared/limits.ts';
import { isShell } from '../../../shared/log/calls.ts';
import type { DecidedCall, Verdict } from '../../../shared/model/rule.ts';
import { orNull } from '../../kernel/fs/port.ts';
import { readPlainFile, replaceFile } from '../../kernel/fs/state-file.ts';
import { withFileLock } from '../../kernel/proc/file-lock.ts';
import { configFiles, loadConfig } from '../../session/config-file.ts';
import { ensureStateDir } from '../../session/dirs.ts';
import { loadRules, type RulesRequest } from '../files/rule-set.ts';
import { judge } from '../judge/judge.ts';
import { judgeFacts, whereItRuns } from '../judge/judge-facts.ts';
import { configNotUsable } from '../messages.ts';
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

/** Other keys of config.json stay, and so does a link to it. Returns the file. Errors: `corrupt`, `busy`, `io`. */
export async function setSandboxed(
  { env, stateDir }: Pick<RulesRequest, 'env' | 'stateDir'>,
  value: 'ask' | 'allow',
): Promise<string> {
  const named = loadConfig(env).file ?? configFiles(env)[0] ?? '';
  const file = orNull(() => realpathSync(named)) ?? named;
  ensureStateDir(stateDir);
  return await withFileLock(
    `${stateDir}/rules.lock`,
    async () => {
      const content = contentOf(file);
      const rules = isObject(content['rules']) ? content['rules'] : {};
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const next = { ...content, rules: { ...rules, sandboxed: value } };
      await replaceFile(file, `${JSON.stringify(next, null, 2)}\n`);
      return file;
    },
    RULES_LOCK_S,
  );
}

function contentOf(file: string): Record<string, unknown> {
  const text = readPlainFile(file)
    ?.toString('utf8')
    .replace(/^\uFEFF/, '');
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && (value['rules'] === undefined || isObject(value['rules']))) return value;
  } catch {
    // Said below.
  }
  throw configNotUsable(file);
}
