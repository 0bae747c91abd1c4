/**
 * Questions about a host: what they show, and what an answer about it adds. Of the scope `session` to the box that runs, else to
 * `box.network` of config.json.
 */
import { addNetworkEntry } from '../../core/box/network/network-config.ts';
import { readNetworkRecord, writeNetworkRecord } from '../../core/box/network/network-record.ts';
import { messageOf, TraiError } from '../../shared/errors.ts';
import {
  type Answer,
  type Answered,
  NETWORK,
  type NewRule,
  type Question,
  type RulePreview,
} from '../../shared/model/question.ts';
import {
  allows,
  denies,
  entryFor,
  parseEntry,
  type Target,
  targetText,
} from '../../shared/network/pattern.ts';
import { HOST_NO_ENTRY, HOST_NO_MATCH, HOST_SCOPE, HOST_WHY } from '../messages/network.ts';
import type { Held } from './held.ts';

type OfHost = Required<Pick<Question, 'network' | 'tool' | 'input' | 'why' | 'allow' | 'deny' | 'noRule'>>;

export function describeHost(target: Target): OfHost {
  const { host, port } = target;
  const entry = { tool: NETWORK, field: 'host', pattern: entryFor(target) };
  return {
    network: { host, port },
    tool: NETWORK,
    // As `subjectOf` finds it.
    input: { url: targetText(target) },
    why: HOST_WHY,
    allow: entry,
    deny: entry,
    noRule: '',
  };
}

/** The answer counts whatever becomes of its entry, so this never throws. */
export async function writeAnswerHost(
  { session, target }: Held,
  answer: Answer,
  { scope, pattern }: NewRule,
): Promise<Answered['rule']> {
  const list = answer === 'never' ? 'deny' : 'allow';
  const problem = problemOf(target, list, pattern) || (scope === 'project' ? HOST_SCOPE : '');
  if (problem !== '') return { written: false, why: problem };
  try {
    const { env, stateDir } = session.world;
    if (scope !== 'session')
      return { written: true, file: await addNetworkEntry({ env, stateDir }, list, pattern), list };
    const record = readNetworkRecord(session.dir);
    if (record === null) return { written: false, why: 'the box has ended' };
    writeNetworkRecord(session.dir, { ...record, [list]: [...record[list], pattern] });
    return { written: true, file: 'this box', list };
  } catch (error) {
    const hint = error instanceof TraiError && error.hint !== undefined ? ` ${error.hint}` : '';
    return { written: false, why: `${messageOf(error)}.${hint}` };
  }
}

/** Empty = none. */
function problemOf(target: Target | null, list: 'allow' | 'deny', pattern: string): string {
  const patterns = pattern.startsWith('preset:') ? null : parseEntry(pattern);
  if (patterns === null) return HOST_NO_ENTRY;
  const names = list === 'deny' ? denies : allows;
  return target !== null && patterns.some((one) => names(one, target)) ? '' : HOST_NO_MATCH;
}

/** Before it is written: no recorded call tells of hosts. */
export function previewHost({ target }: Held, list: 'allow' | 'deny', { pattern }: NewRule): RulePreview {
  const problem = problemOf(target, list, pattern);
  const none = { looked: 0, decides: 0, denied: 0, allowed: 0, examples: [] };
  return { problem, matches: problem === '', decision: list, why: '', ...none };
}
