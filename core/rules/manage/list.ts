/** The rules of all scopes for display: what each is, whether it counts, how often it decided. */
import type { RuleFileState } from '../../../shared/api/rules.ts';
import { toDisplay } from '../../../shared/bytes.ts';
import type { Config } from '../../../shared/config/config.ts';
import type { ListedRule, RuleHits } from '../../../shared/model/rule.ts';
import { problemsOf, type RuleSet, type SetFile } from '../files/rule-set.ts';
import { hitsKey } from '../history/decisions.ts';
import { builtInRef } from '../judge/built-in.ts';

const NEVER: RuleHits = { hits: 0, last: '' };

/** In the order in which they are tried, deny rules of a file first. */
export function listRules(
  set: RuleSet,
  { rules: { builtIn, enabled } }: Pick<Config, 'rules'>,
  hits: ReadonlyMap<string, RuleHits>,
  now: number,
): ListedRule[] {
  const ofFiles = set.files.flatMap((file) =>
    [...(file.rules?.deny ?? []), ...(file.rules?.ordered ?? [])].map(({ ref, rule, until }): ListedRule => {
      const isOn = rule.disabled !== true && (until === null || until >= now);
      const counts = enabled && isOn && (file.trusted || ref.list !== 'allow');
      const source = file.imported ? 'imported' : 'authored';
      return { ref, rule, source, counts, ...(hits.get(hitsKey(ref)) ?? NEVER) };
    }),
  );
  const own = builtIn.map((name): ListedRule => {
    const ref = builtInRef(name);
    const { hits: count, last } = hits.get(hitsKey(ref)) ?? NEVER;
    return { ref, rule: { tool: name }, source: 'built-in', counts: enabled, hits: count, last };
  });
  return [...ofFiles, ...own];
}

export function listFiles(files: readonly SetFile[]): RuleFileState[] {
  return files.map((file) => ({
    scope: file.scope,
    imported: file.imported,
    path: toDisplay(file.path),
    state: file.state,
    trusted: file.trusted,
    hash: file.hash ?? '',
    problems: problemsOf(file),
    allowedDirs: file.rules?.allowedDirs ?? [],
    effects: file.rules?.effects ?? [],
  }));
}
