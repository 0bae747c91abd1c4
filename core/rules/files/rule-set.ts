/** The rules that count in a project and session, merged from all scopes. */
import { isAbsolute } from 'node:path';
import type { BytePath } from '../../../shared/bytes.ts';
import { toDisplay } from '../../../shared/bytes.ts';
import type { Config } from '../../../shared/config/config.ts';
import type { Effect } from '../../../shared/model/rule.ts';
import type { Env } from '../../session/dirs.ts';
import type { Project } from '../../session/project.ts';
import { FINDING } from '../messages.ts';
import type { CompiledRule } from '../model/model.ts';
import { type LoadedFile, RuleFiles, rulePlaces } from './files.ts';
import { readTrusted } from './trust.ts';

export interface RulesRequest {
  env: Env;
  stateDir: string;
  /** projectOf(cwd), or of the session: its root, and the id that trust is about. */
  project: Project;
  /** Null = without a session. */
  session: string | null;
  home: string;
  config: Pick<Config, 'rules'>;
}

export interface SetFile extends LoadedFile {
  /** False: its allow rules and directories do not count until the user has trusted this content. */
  trusted: boolean;
}

export interface RuleSet {
  /** False: `"rules": {"enabled": false}` in the config. Then there are no rules. */
  enabled: boolean;
  sandboxed: 'ask' | 'allow';
  deny: readonly CompiledRule[];
  /** Allow and ask rules: by scope, in a file in document order. A scope without a usable file asks about everything. */
  ordered: readonly CompiledRule[];
  /** Names of BUILT_IN rules that count. */
  builtIn: ReadonlySet<string>;
  /** Absolute. */
  allowedDirs: readonly string[];
  /** Of all scopes, also of a project that is not trusted: they only hold back. */
  effects: readonly PlacedEffect[];
  /** Effects that commit after a call: of the user's own file, which nothing but the user writes. */
  auto: readonly PlacedEffect[];
  files: readonly SetFile[];
  projectRoot: BytePath;
}

/**
 * Reads what has changed since `files` read it last. Never throws for what a file contains: `files` of the result has the
 * problems. Errors: `bad-input` for an invalid session id.
 */
export function loadRules(request: RulesRequest, files = new RuleFiles(request.stateDir)): RuleSet {
  const { project, stateDir, home, config } = request;
  const { enabled, sandboxed, builtIn } = config.rules;
  const loaded = rulePlaces({ ...request, projectRoot: project.root }).map((place) => files.load(place));
  const needsTrust = loaded.some((file) => file.scope === 'project' && file.hash !== null);
  const hashes = new Set(
    needsTrust ? readTrusted(stateDir).flatMap((one) => (one.project === project.id ? [one.hash] : [])) : [],
  );
  const own = loaded.map((file): SetFile => {
    return { ...file, trusted: file.scope !== 'project' || (file.hash !== null && hashes.has(file.hash)) };
  });
  const counting = enabled ? own : [];
  const dirs = counting.flatMap(({ trusted, rules }) => (trusted ? (rules?.allowedDirs ?? []) : []));
  return {
    enabled,
    sandboxed,
    deny: counting.flatMap(({ rules }) => rules?.deny ?? []),
    ordered: counting.flatMap(orderedOf),
    builtIn: new Set(enabled ? builtIn : []),
    allowedDirs: [
      ...new Set(dirs.map((dir) => dir.replace(/^~(?=\/|$)/, home)).filter((dir) => isAbsolute(dir))),
    ],
    effects: counting.flatMap(effectsOf).filter(({ effect }) => effect.do !== 'auto'),
    auto: counting
      // What stands for content that cannot be used only holds back, too.
      .filter((file) => mayCommit(file) && file.state === 'good')
      .flatMap(effectsOf)
      .filter(({ effect }) => effect.do === 'auto'),
    files: own,
    projectRoot: project.root,
  };
}

/** Whether its effects may commit by themselves: those of a repository, a session or an import only hold back. */
export function mayCommit({ scope, imported }: Pick<SetFile, 'scope' | 'imported'>): boolean {
  return scope === 'user' && !imported;
}

export interface PlacedEffect {
  effect: Effect;
  /** `effects[2] of FILE` */
  place: string;
}

function effectsOf({ path, rules }: SetFile): PlacedEffect[] {
  return (rules?.effects ?? []).map((effect, i) => ({
    effect,
    place: `effects[${i}] of ${toDisplay(path)}`,
  }));
}

/** What is wrong with it, and what counts instead. */
export function problemsOf({ problems, state }: Pick<SetFile, 'problems' | 'state'>): string[] {
  const inForce = state === 'last-good' ? FINDING.lastGood : FINDING.neverGood;
  return problems.map((problem) => `${problem} (${inForce})`);
}

/** Its rules that are on; without those that wait for trust. */
export function countingIn({ rules, trusted }: SetFile): CompiledRule[] {
  const all = rules === null ? [] : [...rules.deny, ...rules.ordered];
  return all.filter(({ rule, ref }) => rule.disabled !== true && (trusted || ref.list !== 'allow'));
}

function orderedOf(file: SetFile): readonly CompiledRule[] {
  if (file.state === 'broken') return [askAboutAll(file)];
  const rules = file.rules?.ordered ?? [];
  return file.trusted ? rules : rules.filter(({ ref }) => ref.list === 'ask');
}

/** For a file that never was good. */
function askAboutAll({ scope, path, problems }: SetFile): CompiledRule {
  const reason = problems[0] ?? '';
  const ref = {
    scope,
    file: toDisplay(path),
    list: 'ask',
    index: NO_INDEX,
    hash: '',
    text: '',
    reason,
  } as const;
  return { ref, rule: {}, tool: null, match: [], until: null };
}

/** Of the rule that stands for a broken file. */
export const NO_INDEX = -1;
