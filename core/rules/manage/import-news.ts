/**
 * What an import would bring that the user has neither imported nor dismissed; SessionStart names it to those who use rules.
 * `<state>/dismissed-imports.json`: {"v": 1, "dismissed": [{"project", "hash"}]}, the newest last; `project` is empty for what
 * is the user's own.
 */
import { hash } from 'node:crypto';
import { isObject } from '../../../shared/json-lines.ts';
import type { ImportPlan } from '../../../shared/model/rule.ts';
import { orNull } from '../../kernel/fs/port.ts';
import { readPlainJson, replaceFile, writing } from '../../kernel/fs/state-file.ts';
import type { RuleSet, RulesRequest } from '../files/rule-set.ts';
import { withRulesLock } from './edit.ts';
import { IMPORT_SOURCES, type ImportRequest, type ImportSource, planImport } from './import.ts';

type About = Pick<RulesRequest, 'stateDir' | 'project'>;

interface Dismissed {
  project: string;
  hash: string;
}

/** What nobody looks for any more is dropped. */
const MOST = 20_000;

/** By source, how much an import would bring; without those that bring nothing. */
export function importNews(
  about: About,
  set: RuleSet,
  request: Omit<ImportRequest, 'set'>,
): { from: ImportSource; count: number }[] {
  if (!set.enabled || set.files.every(({ state }) => state === 'missing')) return [];
  const dismissed = new Set(readDismissed(about.stateDir).map(keyOf));
  return IMPORT_SOURCES.flatMap((from) => {
    const items = itemsOf(planImport(from, { ...request, set }), about.project.id);
    const count = items.filter((one) => !dismissed.has(keyOf(one))).length;
    return count === 0 ? [] : [{ from, count }];
  });
}

/** SessionStart says nothing more about what these plans would bring. Errors: `busy`, `io`. */
export async function dismissImports(
  { stateDir, project }: About,
  plans: readonly ImportPlan[],
): Promise<number> {
  return await withRulesLock(stateDir, async () => {
    const before = readDismissed(stateDir);
    const known = new Set(before.map(keyOf));
    const items = plans.flatMap((plan) => itemsOf(plan, project.id));
    const fresh = items.filter((one) => !known.has(keyOf(one)));
    const dismissed = [...before, ...fresh].slice(-MOST);
    const file = fileOf(stateDir);
    const text = `${JSON.stringify({ v: 1, dismissed })}\n`;
    if (fresh.length > 0) await writing(file, () => replaceFile(file, text));
    return fresh.length;
  });
}

function itemsOf({ rules, dirs }: ImportPlan, project: string): Dismissed[] {
  const owner = (scope: 'user' | 'project') => (scope === 'user' ? '' : project);
  return [
    ...rules.map(({ scope, rule }) => ({ project: owner(scope), hash: rule._source_hash ?? '' })),
    ...dirs.map(({ scope, dir }) => ({ project: owner(scope), hash: hash('sha256', `dir\0${dir}`) })),
  ];
}

const keyOf = (one: Dismissed): string => `${one.project} ${one.hash}`;
const fileOf = (stateDir: string): string => `${stateDir}/dismissed-imports.json`;

/** Empty where the file is missing or damaged. */
function readDismissed(stateDir: string): Dismissed[] {
  const value = orNull(() => readPlainJson(fileOf(stateDir)));
  const list: unknown = isObject(value) && value['v'] === 1 ? value['dismissed'] : null;
  return Array.isArray(list) ? list.filter(isDismissed) : [];
}

function isDismissed(value: unknown): value is Dismissed {
  return isObject(value) && ['project', 'hash'].every((key) => typeof value[key] === 'string');
}
