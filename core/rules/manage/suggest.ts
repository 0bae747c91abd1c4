/**
 * Allow rules that would have saved prompts, from what was left to the client and ran:
 *
 *     each command that no rule covers has a shape: the pattern that an answer to its question would propose
 *     a call counts for a shape when all its uncovered commands have it
 *     dropped: what Claude Code's settings allow already, what no rule may allow, programs that do whatever their words
 *     say, and shapes whose rule would have let through a call that was denied
 *
 * Ranked by prompts saved, fewer by the part of what these calls wrote that was discarded or undone; with the evidence.
 * Whether the client really asked is not known: it may have allowed by itself.
 */
import { isObject } from '../../../shared/json-lines.ts';
import { isShell } from '../../../shared/log/calls.ts';
import type { DecidedCall, Fate, Rule, Suggestion } from '../../../shared/model/rule.ts';
import type { RuleSet } from '../files/rule-set.ts';
import { callOf, keyOf, matchHistory } from '../history/history.ts';
import { judge } from '../judge/judge.ts';
import type { JudgeFacts } from '../judge/judge-facts.ts';
import { cutText } from '../judge/segments.ts';
import { compileOne } from '../model/model.ts';
import { literal, widened } from '../propose/propose.ts';
import { type SettingsPlace, settingsEntries, settingsSay } from './settings.ts';

export interface SuggestRequest {
  decisions: readonly DecidedCall[];
  set: RuleSet;
  facts: JudgeFacts;
  place: SettingsPlace;
  /** What became of what calls wrote, by tool_use_id. */
  fates: ReadonlyMap<string, Fate>;
}

/** Fewer are no habit. */
const LEAST = 3;
const MOST = 20;
const MOST_EXAMPLES = 3;
const FATES = ['written', 'committed', 'discarded', 'undone'] as const;

export function suggestRules({ decisions, set, facts, place, fates }: SuggestRequest): Suggestion[] {
  const groups = new Map<string, DecidedCall[]>();
  const known = new Map<string, string | null>();
  const entries = settingsEntries(place);
  const shapeOf = (call: DecidedCall): string | null => {
    const asked = callOf(call, {});
    const cut =
      isShell(call.tool) && isObject(asked.input) ? cutText(call.subject, call.cwd, facts.home) : null;
    if (settingsSay(asked, cut, entries, place).decision === 'allow') return null;
    const { decision, segments } = judge(asked, set, facts);
    if (decision !== 'pass') return null;
    if (cut === null) return isShell(call.tool) ? null : call.tool;
    if (cut.why !== '' || segments.some(({ why }) => why !== '')) return null;
    const open = new Set(segments.flatMap((one) => (one.decision === 'pass' ? [one.text] : [])));
    const shapes = new Set(
      cut.segments.flatMap(({ text, allowed }) => (open.has(text) ? [widened(allowed)] : [])),
    );
    const [only = null] = shapes;
    return shapes.size === 1 ? only : null;
  };
  for (const call of decisions) {
    if (call.decision !== 'pass' || call.cut > 0 || (call.outcome !== 'ran' && call.outcome !== 'failed'))
      continue;
    const key = keyOf(call);
    const shape = known.has(key) ? (known.get(key) ?? null) : shapeOf(call);
    known.set(key, shape);
    if (shape === null) continue;
    const name = `${call.tool}\0${shape}`;
    groups.set(name, [...(groups.get(name) ?? []), call]);
  }
  const found = [...groups]
    .filter(([, calls]) => calls.length >= LEAST)
    .map(([name, calls]) => suggestion(ruleOfShape(name), calls, fates))
    .sort((a, b) => rankOf(b) - rankOf(a) || b.saved - a.saved)
    .slice(0, MOST);
  // What was denied once is not for a suggestion.
  const isDenied = ({ rule }: Suggestion) =>
    matchHistory(compileOne(rule, 'allow'), decisions, set, facts).matched.some(
      ({ outcome }) => outcome === 'denied',
    );
  return found.filter((one) => !isDenied(one));
}

function ruleOfShape(name: string): Rule {
  const [tool = '', shape = ''] = name.split('\0');
  return {
    tool: `^${literal(tool)}$`,
    ...(isShell(tool) ? { match: { command: `^${shape}$` } } : {}),
  };
}

function rankOf({ saved, fate: { written, discarded, undone } }: Suggestion): number {
  return written === 0 ? saved : saved * Math.max(0, 1 - (discarded + undone) / written);
}

function suggestion(rule: Rule, calls: readonly DecidedCall[], fates: ReadonlyMap<string, Fate>): Suggestion {
  const fate: Fate = { written: 0, committed: 0, discarded: 0, undone: 0 };
  const exits = new Map<number, number>();
  for (const { request, rc } of calls) {
    if (rc !== null) exits.set(rc, (exits.get(rc) ?? 0) + 1);
    const own = fates.get(request);
    for (const kind of own === undefined ? [] : FATES) fate[kind] += own?.[kind] ?? 0;
  }
  return {
    rule,
    exits: [...exits].map(([rc, count]) => ({ rc, count })).sort((a, b) => b.count - a.count || a.rc - b.rc),
    fate,
    saved: calls.length,
    failed: calls.filter(({ outcome }) => outcome === 'failed').length,
    sessions: new Set(calls.map(({ session }) => session)).size,
    last: calls.at(-1)?.at ?? '',
    examples: [...new Set(calls.map(({ subject }) => subject))].slice(-MOST_EXAMPLES).reverse(),
  };
}

/** Each is scanned. */
const MOST_SESSIONS = 20;

/** Of the newest sessions in which calls were left to the client. What cannot be looked at is no evidence. */
export async function fatesIn(
  decisions: readonly DecidedCall[],
  look: (session: string) => Promise<Readonly<Record<string, Fate>>>,
): Promise<ReadonlyMap<string, Fate>> {
  const left = decisions.filter(({ tool, decision }) => isShell(tool) && decision === 'pass');
  const sessions = [...new Set(left.map(({ session }) => session).reverse())].slice(0, MOST_SESSIONS);
  const found = new Map<string, Fate>();
  for (const session of sessions) {
    const fates = await look(session).catch(() => ({}));
    for (const [request, fate] of Object.entries(fates)) found.set(request, fate);
  }
  return found;
}
