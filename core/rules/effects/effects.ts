/**
 * Effect rules: what a commit does with a change because of where it is, whoever wrote it. They mark copies of a list for a
 * preview or a commit; what is pending stays as it was scanned. Tabs get them beside their list (`effectMarks`).
 *
 *     flag      named under "worth a look"                 shared/model/risk.ts
 *     confirm   the mass guard asks about it by name       shared/model/mass-guard.ts
 *     never     counts as ignored by this rule             core/commit/plan/plan.ts
 *     auto      committed after a call; marks nothing      core/jobs/auto/auto-commit.ts
 *
 * Their patterns may come with a repository, and are matched within a time limit (./matching.ts).
 */
import { dirname } from 'node:path';
import { packMarks } from '../../../shared/api/packed-marks.ts';
import type { EffectMarks } from '../../../shared/api/types.ts';
import { type BytePath, isWithin, toDisplay, toText } from '../../../shared/bytes.ts';
import type { Change, ChangeList, Roots, RuledChange } from '../../../shared/model/change.ts';
import { mayGoUnread } from '../../../shared/model/risk.ts';
import type { Effect, NamedEffect } from '../../../shared/model/rule.ts';
import { holderOf, isLocal, type Mount, ownMounts, visibleMounts } from '../../kernel/fs/mounts.ts';
import { orNull } from '../../kernel/fs/port.ts';
import { resolvePath } from '../../scan/lookup/resolve.ts';
import { loadConfig } from '../../session/config-file.ts';
import { projectOf } from '../../session/project.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { RuleFiles } from '../files/files.ts';
import { loadRules, type PlacedEffect, problemsOf, type RuleSet, type SetFile } from '../files/rule-set.ts';
import { effectSlow, effectsUnknown, effectText, ruleFileProblem, rulesOff } from '../messages.ts';
import { matchEffects } from './matching.ts';

/** By what they do: `effects` mark changes, `auto` commits them. */
type Effects = Pick<RuleSet, 'effects' | 'auto'>;

/** By state directory, as read last: they are asked for after each call. */
const knownFiles = new Map<string, RuleFiles>();

/** Of the user, the project and the session. Never throws for what their files contain. */
export function loadEffects(ctx: SessionContext): Effects {
  const { effects, auto, enabled, files } = rulesOf(ctx);
  // A rule file that never was good may say that what `auto` matches is never committed.
  return { effects, auto: brokenOf({ enabled, files }).length > 0 ? [] : auto };
}

/** The list with its changes marked. */
export function withEffects(
  ctx: SessionContext,
  list: ChangeList,
  { effects }: Pick<Effects, 'effects'> = rulesOf(ctx),
): ChangeList {
  return effects.length === 0 ? list : { ...list, changes: markChanges(list.changes, effects, ctx) };
}

/**
 * The changes that an `auto` rule is about, each with the first one's place. A rule that takes too long is about none, and
 * where links lead from its paths nobody has allowed.
 */
export function autoChanges(
  changes: readonly Change[],
  auto: readonly PlacedEffect[],
  roots: Roots,
): Map<Change, string> {
  const matched = matchAll(changes, auto, roots);
  return new Map(
    changes.flatMap((change, i) => {
      const first = auto.find(({ effect }, e) => matched[e]?.[i] === true && isOfKind(effect, change));
      return first === undefined ? [] : [[change, first.place] as const];
    }),
  );
}

/** The changes with the rules about them by name, for a list that is shown: nothing else of them differs. */
export function withNamedEffects(ctx: SessionContext, changes: readonly Change[]): RuledChange[] {
  const found = namedEffects(changes, rulesOf(ctx).effects, ctx);
  return changes.map((change, i) => {
    const effects = found[i] ?? [];
    return effects.length === 0 ? change : { ...change, effects };
  });
}

/**
 * The rules about each change: those that hold back, else one that commits it by itself, as far as the list alone tells.
 * Remembered for the list, as long as the rules are the same: two tabs ask for the same one.
 */
export function effectMarks(ctx: SessionContext, changes: readonly Change[]): EffectMarks {
  const { effects, auto } = loadEffects(ctx);
  const key = JSON.stringify([effects, auto]);
  const known = knownMarks.get(changes);
  if (known?.key === key) return { marks: known.marks, unknown: unknownEffects(ctx) };
  const found = namedEffects(changes, effects, ctx);
  const free =
    auto.length === 0
      ? []
      : changes.filter((change, i) => found[i]?.length === 0 && mayGoUnread(change, ctx));
  const places = autoChanges(free, auto, ctx);
  const texts = new Map(
    auto.map(({ effect, place }) => [place, effectText(place, effect.reason ?? '')] as const),
  );
  const packed = packMarks(changes, (change, i) => {
    const place = places.get(change);
    return place === undefined ? (found[i] ?? []) : [{ do: 'auto', text: texts.get(place) ?? place }];
  });
  knownMarks.set(changes, { key, marks: packed });
  return { marks: packed, unknown: unknownEffects(ctx) };
}

const knownMarks = new WeakMap<readonly Change[], { key: string; marks: EffectMarks['marks'] }>();

/** A sentence for each rule file that never was good: it may have effects. */
export function unknownEffects(ctx: SessionContext): string[] {
  return brokenOf(rulesOf(ctx)).map(({ path, problems }) =>
    effectsUnknown(toDisplay(path), problems[0] ?? ''),
  );
}

function brokenOf({ enabled, files }: Pick<RuleSet, 'enabled' | 'files'>): SetFile[] {
  return enabled ? files.filter(({ state }) => state === 'broken') : [];
}

/** That the rules do not count as they are written: a sentence for each file that cannot be used, or that all are off. */
export function ruleNews(ctx: SessionContext): string[] {
  const { enabled, files } = rulesOf(ctx);
  if (!enabled) return ctx.configDir === undefined ? [] : [rulesOff];
  return files.flatMap((file) =>
    problemsOf(file).map((problem) => ruleFileProblem(toDisplay(file.path), problem)),
  );
}

function rulesOf(ctx: SessionContext): Pick<RuleSet, 'effects' | 'auto' | 'enabled' | 'files'> {
  const { configDir } = ctx;
  if (configDir === undefined) return { effects: [], auto: [], enabled: false, files: [] };
  const env = { XDG_CONFIG_HOME: dirname(configDir) };
  const known = knownFiles.get(ctx.stateDir) ?? new RuleFiles(ctx.stateDir);
  knownFiles.set(ctx.stateDir, known);
  const request = {
    env,
    stateDir: ctx.stateDir,
    project: projectOf(ctx.projectRoot),
    session: ctx.session,
    home: toText(ctx.home),
    config: loadConfig(env).config,
  };
  return loadRules(request, known);
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
  const found = namedEffects(changes, effects, roots);
  return changes.map((change, i) => {
    const named = found[i] ?? [];
    if (named.length === 0) return change;
    const first = (does: Effect['do']) => named.find((one) => one.do === does)?.text;
    const [never = null, confirm, flag] = [first('never'), first('confirm'), first('flag')];
    const ignored = change.ignored ?? never;
    if (confirm !== undefined) return { ...change, ignored, effect: { do: 'confirm', text: confirm } };
    return flag === undefined
      ? { ...change, ignored }
      : { ...change, ignored, effect: { do: 'flag', text: flag } };
  });
}

/** By change: of the rules about it the first of each `do`. One whose pattern takes too long is about every path. */
function namedEffects(
  changes: readonly Change[],
  effects: readonly PlacedEffect[],
  roots: Roots,
): NamedEffect[][] {
  const found = changes.map((): NamedEffect[] => []);
  const matched = matchAll(changes, effects, { ...roots, resolve: hostResolver(roots) });
  for (const [e, { effect, place }] of effects.entries()) {
    const isAbout = matched[e] ?? null;
    const text = isAbout === null ? effectSlow(place) : effectText(place, effect.reason ?? '');
    const { do: does } = effect;
    if (does === 'auto') continue;
    for (const [i, change] of changes.entries()) {
      const named = found[i];
      if (isAbout?.[i] === false || named === undefined || !isOfKind(effect, change)) continue;
      if (!named.some((one) => one.do === does)) named.push({ do: does, text });
    }
  }
  return found;
}

/** Not through mounts whose server may hang, or that a look makes, but for those in use here. */
function hostResolver({ home, projectRoot }: Roots): (path: BytePath) => BytePath | null {
  let mounts: ReadonlyMap<BytePath, Mount> | null = null;
  const mayLookAt = (path: BytePath): boolean => {
    mounts ??= visibleMounts(ownMounts());
    const known = mounts;
    const isInUse = (root: BytePath) =>
      isWithin(root, path) || holderOf(root, known) === holderOf(path, known);
    return isLocal(path, known) || isInUse(home) || isInUse(projectRoot);
  };
  return (path) => orNull(() => resolvePath(null, path, mayLookAt));
}

function matchAll(
  changes: readonly Change[],
  effects: readonly PlacedEffect[],
  roots: Parameters<typeof matchEffects>[2],
): ReturnType<typeof matchEffects> {
  const entries = changes.map(({ path, pending, host }) => {
    return { path, isDir: (pending ?? host)?.type === 'dir' };
  });
  return matchEffects(
    effects.map(({ effect }) => effect),
    entries,
    roots,
  );
}

function isOfKind({ kinds }: Effect, { kind }: Change): boolean {
  if (kinds === undefined) return true;
  return kinds.includes(kind === 'added' || kind === 'deleted' ? kind : 'modified');
}
