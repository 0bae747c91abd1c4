/**
 * Effect rules: what a commit does with a change because of where it is, whoever wrote it. They mark copies of a list for a
 * preview or a commit; what is pending, and what tabs show, stays as it was scanned.
 *
 *     flag      named under "worth a look"                 shared/model/risk.ts
 *     confirm   the mass guard asks about it by name       shared/model/mass-guard.ts
 *     never     counts as ignored by this rule             core/commit/plan/plan.ts
 */
import { dirname } from 'node:path';
import { toText } from '../../../shared/bytes.ts';
import type { Change, ChangeList, Roots } from '../../../shared/model/change.ts';
import { compileIgnore } from '../../../shared/model/ignore.ts';
import type { Effect } from '../../../shared/model/rule.ts';
import { loadConfig } from '../../session/config-file.ts';
import { projectOf } from '../../session/project.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { loadRules, type PlacedEffect } from '../files/rule-set.ts';
import { effectText } from '../messages.ts';

/** The list with its changes marked by the rules of the user, the project and the session. Never throws for their content. */
export function withEffects(ctx: SessionContext, list: ChangeList): ChangeList {
  const { configDir } = ctx;
  if (configDir === undefined) return list;
  const env = { XDG_CONFIG_HOME: dirname(configDir) };
  const { effects } = loadRules({
    env,
    stateDir: ctx.stateDir,
    project: projectOf(ctx.projectRoot),
    session: ctx.session,
    home: toText(ctx.home),
    config: loadConfig(env).config,
  });
  return effects.length === 0 ? list : { ...list, changes: markChanges(list.changes, effects, ctx) };
}

/**
 * Of rules with the same `do` the first counts, and `confirm` before `flag`. `never` of one rule takes nothing from
 * another one's `confirm`: with ignored entries included, the change still wants a word. A change that no rule is about stays
 * the same object.
 */
export function markChanges(
  changes: readonly Change[],
  effects: readonly PlacedEffect[],
  roots: Roots,
): Change[] {
  const compiled = effects.map(({ effect, place }) => ({
    effect,
    text: effectText(place, effect.reason ?? ''),
    matches: compileIgnore({ ...roots, ignore: effect.paths }),
  }));
  return changes.map((change) => {
    const isDir = (change.pending ?? change.host)?.type === 'dir';
    const found = compiled.filter(
      ({ effect, matches }) => isOfKind(effect, change) && matches(change.path, isDir) !== null,
    );
    if (found.length === 0) return change;
    const first = (does: Effect['do']) => found.find(({ effect }) => effect.do === does)?.text;
    const [never = null, confirm, flag] = [first('never'), first('confirm'), first('flag')];
    const ignored = change.ignored ?? never;
    if (confirm !== undefined) return { ...change, ignored, effect: { do: 'confirm', text: confirm } };
    return flag === undefined
      ? { ...change, ignored }
      : { ...change, ignored, effect: { do: 'flag', text: flag } };
  });
}

function isOfKind({ kinds }: Effect, { kind }: Change): boolean {
  if (kinds === undefined) return true;
  return kinds.includes(kind === 'added' || kind === 'deleted' ? kind : 'modified');
}
