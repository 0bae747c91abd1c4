/**
 * Rules from elsewhere: files of the passthru plugin, which have the same format, and the permission entries of Claude
 * Code's settings, by their real meaning. Always a plan first; what cannot be said as a pattern is named and left.
 *
 *     settings      allow, ask and deny entries; additional directories
 *     passthru      the rules and allowed directories of ~/.claude/passthru*.json, and of the project's
 *
 * Each rule has `_source_hash`, by which the next import finds what is new. They go to `rules.imported.json` of the scope
 * that they come from; those of a project's local settings, which are the user's own, to the user's, where they hold in
 * every project: what those allow is left unless it is about the project's own files.
 */
import { hash } from 'node:crypto';
import { join, posix } from 'node:path';
import { isObject } from '../../../shared/json-lines.ts';
import {
  type ImportedDir,
  type ImportedRule,
  type ImportPlan,
  RULE_LISTS,
  type Rule,
  type RuleList,
  ruleFileProblems,
  type SettingsEntry,
} from '../../../shared/model/rule.ts';
import { absolute, type Env } from '../../session/dirs.ts';
import { countingIn, type RuleSet } from '../files/rule-set.ts';
import { IMPORT } from '../messages.ts';
import { ruleHash, ruleProblem, ruleText } from '../model/model.ts';
import { literal } from '../propose/propose.ts';
import { readSmallJson, settingsDirs, settingsEntries } from './settings.ts';

export interface ImportRequest {
  env: Env;
  home: string;
  projectRoot: string;
  /** What is imported already. */
  set: Pick<RuleSet, 'files'>;
}

export const IMPORT_SOURCES = ['passthru', 'settings'] as const;
export type ImportSource = (typeof IMPORT_SOURCES)[number];

export function planImport(from: ImportSource, request: ImportRequest): ImportPlan {
  const { files } = request.set;
  const known = new Set(
    files.flatMap(({ rules }) =>
      [...(rules?.deny ?? []), ...(rules?.ordered ?? [])].map(({ rule }) => rule._source_hash ?? ''),
    ),
  );
  const found = from === 'settings' ? ofSettings(request) : ofPassthru(request);
  const isFresh = ({ rule }: ImportedRule) => !known.has(rule._source_hash ?? '');
  const freshRules = found.rules.filter(isFresh);
  const { agreeing, left } = withoutContradictions(freshRules, files);
  const fresh = new Map(agreeing.map((one) => [`${one.scope} ${one.rule._source_hash}`, one] as const));
  const dirsOf = (of: ImportedDir['scope']) =>
    files.flatMap(({ scope, rules }) => (scope === of ? (rules?.allowedDirs ?? []) : []));
  const newDirs = found.dirs.filter(({ scope, dir }) => !dirsOf(scope).includes(dir));
  const freshDirs = new Map(newDirs.map((one) => [`${one.scope} ${one.dir}`, one] as const));
  return {
    rules: [...fresh.values()],
    dirs: [...freshDirs.values()],
    left: [...found.left, ...left],
    known: found.rules.length - freshRules.length + found.dirs.length - newDirs.length,
  };
}

/** A rule that is in another list already, or in a stricter one of the import, would keep all of it from being written. */
function withoutContradictions(
  rules: readonly ImportedRule[],
  files: ImportRequest['set']['files'],
): { agreeing: ImportedRule[]; left: Found['left'] } {
  const lists = new Map<string, RuleList>();
  for (const file of files) for (const { ref } of countingIn(file)) lists.set(ref.hash, ref.list);
  for (const list of RULE_LISTS)
    for (const one of rules)
      if (one.list === list && !lists.has(ruleHash(one.rule))) lists.set(ruleHash(one.rule), list);
  const agrees = (one: ImportedRule) => lists.get(ruleHash(one.rule)) === one.list;
  const left = rules
    .filter((one) => !agrees(one))
    .map(({ entry, file }) => ({ entry, file, why: IMPORT.contradicts }));
  return { agreeing: rules.filter(agrees), left };
}

interface Found {
  rules: ImportedRule[];
  dirs: ImportedDir[];
  left: { entry: string; file: string; why: string }[];
}

function ofPassthru({ env, home, projectRoot }: ImportRequest): Found {
  const user = absolute(env, 'CLAUDE_CONFIG_DIR') ?? join(home, '.claude');
  const files = ['passthru.json', 'passthru.imported.json'].flatMap((name) => [
    { scope: 'user' as const, file: join(user, name) },
    { scope: 'project' as const, file: join(projectRoot, '.claude', name) },
  ]);
  const found: Found = { rules: [], dirs: [], left: [] };
  for (const { scope, file } of files) {
    const content = readSmallJson(file) ?? null;
    if (content === null) continue;
    const [problem] = ruleFileProblems(content);
    if (problem !== undefined || !isObject(content)) {
      found.left.push({ entry: file, file, why: problem ?? '' });
      continue;
    }
    for (const list of RULE_LISTS) {
      const rules: unknown = content[list];
      // Version 1 has no ask rules, so that nobody has looked at what stands there.
      const isRead = Array.isArray(rules) && (list !== 'ask' || content['version'] !== 1);
      for (const rule of isRead ? (rules as Rule[]) : []) {
        const _source_hash =
          rule._source_hash ?? hash('sha256', `passthru\0${list}\0${JSON.stringify(rule)}`);
        const why = ruleProblem(rule, list);
        if (why !== '') found.left.push({ entry: ruleText(rule), file, why });
        else
          found.rules.push({ scope, list, rule: { ...rule, _source_hash }, entry: rule.tool ?? '*', file });
      }
    }
    const dirs: unknown = content['allowed_dirs'];
    for (const dir of Array.isArray(dirs) ? (dirs as string[]) : [])
      addDir(found, { scope, dir, file }, 'allowed_dirs');
  }
  return found;
}

function ofSettings({ env, home, projectRoot }: ImportRequest): Found {
  const place = { env, home, projectRoot };
  const found: Found = { rules: [], dirs: [], left: [] };
  for (const one of settingsEntries(place)) {
    const made = ruleOfEntry(one, { home, projectRoot });
    const { list, entry, file } = one;
    if (typeof made === 'string') found.left.push({ entry, file, why: made });
    else if (one.scope === 'local' && list === 'allow' && !isInProject(made, projectRoot))
      found.left.push({ entry, file, why: IMPORT.local });
    else {
      const scope = one.scope === 'project' ? 'project' : 'user';
      const _source_hash = hash('sha256', `settings\0${list}\0${entry.trim()}\0${scope}`);
      found.rules.push({ scope, list, rule: { ...made, _source_hash }, entry, file });
    }
  }
  for (const { scope, dir, file } of settingsDirs(place)) {
    const key = 'additionalDirectories';
    if (scope === 'local') found.left.push({ entry: `${key}: ${dir}`, file, why: IMPORT.localDir });
    else addDir(found, { scope: scope === 'project' ? 'project' : 'user', dir, file }, key);
  }
  return found;
}

/** Of the file's own meaning nothing is guessed: what is not absolute depends on where the client works. */
function addDir({ dirs, left }: Found, one: ImportedDir, key: string): void {
  const entry = `${key}: ${one.dir}`;
  if (/^(\/|~\/|~$)/.test(one.dir)) dirs.push(one);
  else left.push({ entry, file: one.file, why: IMPORT.relativeDir });
}

function isInProject({ match = {} }: Rule, projectRoot: string): boolean {
  const start = `^${literal(projectRoot === '/' ? '' : projectRoot)}/`;
  return Object.values(match).some((pattern) => pattern.startsWith(start));
}

interface Where {
  home: string;
  projectRoot: string;
}

/** A text says why it cannot be a rule. */
export function ruleOfEntry(one: SettingsEntry, where: Where): Rule | string {
  const [, tool = '', spec] = /^([^()]+?)(?:\((.*)\))?$/s.exec(one.entry.trim()) ?? [];
  if (tool === '' || spec === '') return IMPORT.notUnderstood;
  const name = toolPattern(tool);
  if (spec === undefined || spec === '*') return { tool: name };
  if (tool === 'Bash') return { tool: name, match: { command: commandPattern(spec) } };
  if (tool === 'WebFetch') {
    const domain = /^domain:([A-Za-z0-9.*-]+)$/.exec(spec)?.[1];
    if (domain === undefined) return IMPORT.notUnderstood;
    const host = domain.split('*').map(literal).join('[^./:@?#]*');
    return { tool: name, match: { url: `^https?://${host}(:\\d+)?([/?#]|$)` } };
  }
  if (tool === 'Skill')
    return spec.includes('*') ? IMPORT.notUnderstood : { tool: name, match: { skill: `^${literal(spec)}$` } };
  const about = PATH_TOOLS.get(tool);
  if (about === undefined) return IMPORT.notUnderstood;
  const [tools, field] = about;
  const { pattern, why } = pathPattern(spec, one, where);
  return pattern === undefined ? why : { tool: tools, match: { [field]: pattern } };
}

/** `Edit` is about all tools that edit, `Read` about all that read, `mcp__server` about all tools of a server. */
function toolPattern(tool: string): string {
  if (tool === 'Edit') return '^(Edit|MultiEdit|Write|NotebookEdit)$';
  if (tool === 'Read') return '^(Read|Grep|Glob|LS|NotebookRead)$';
  if (/^mcp__[^_*]+(_[^_*]+)*$/.test(tool)) return `^${literal(tool)}(__.*)?$`;
  return `^${tool.split('*').map(literal).join('.*')}$`;
}

/** `npm run:*` and `npm run *`: the words, and anything behind them. `*` within stands for any text. */
function commandPattern(spec: string): string {
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(spec)?.[1];
  const shape = (text: string) => text.split('*').map(literal).join('[\\s\\S]*');
  return prefix === undefined ? `^${shape(spec)}$` : `^${shape(prefix)}( [\\s\\S]*)?$`;
}

/** Which tools an entry is about, and the field: only one can be in a rule, and it differs between tools. */
const PATH_TOOLS: ReadonlyMap<string, readonly [tools: string, field: string]> = new Map([
  ['Read', ['^Read$', 'file_path']],
  ['Edit', ['^(Edit|MultiEdit|Write)$', 'file_path']],
  ['MultiEdit', ['^MultiEdit$', 'file_path']],
  ['Write', ['^Write$', 'file_path']],
  ['NotebookEdit', ['^NotebookEdit$', 'notebook_path']],
]);

type PathPattern = { pattern: string; why?: never } | { pattern?: never; why: string };

function pathPattern(spec: string, { scope, file, list }: SettingsEntry, where: Where): PathPattern {
  if (/[[\]!{}]/.test(spec)) return { why: IMPORT.glob };
  const isOfProject = scope === 'project' || scope === 'local';
  const base = isOfProject ? where.projectRoot : posix.dirname(file);
  const isAnywhere = !spec.includes('/') || spec.startsWith('**/');
  // Below the directory in which the client works, which a rule does not know: it may hold in more places, not allow in them.
  const isWider = isAnywhere && list !== 'allow';
  if (!/^(\/|~\/)/.test(spec) && !isOfProject && !isWider) return { why: IMPORT.relative };
  const whole = spec.startsWith('//')
    ? spec.slice(1)
    : spec.startsWith('~/')
      ? join(where.home, spec.slice(2))
      : spec.startsWith('/')
        ? join(base, spec)
        : isAnywhere
          ? join(isWider ? '/' : where.projectRoot, '**', spec.replace(/^\*\*\//, ''))
          : join(where.projectRoot, spec);
  return { pattern: `^${globPattern(whole)}$` };
}

/** `**` is any text, `*` any within a name; a directory is everything below it. */
function globPattern(glob: string): string {
  const named = glob.endsWith('/') ? `${glob}**` : glob;
  const pattern = named
    .split(/(\/\*\*\/|\*\*|\*|\?)/)
    .map((part) => {
      if (part === '/**/') return '/(.*/)?';
      if (part === '**') return '.*';
      if (part === '*') return '[^/]*';
      return part === '?' ? '[^/]' : literal(part);
    })
    .join('');
  return /[*?]/.test(named) ? pattern : `${pattern}(/.*)?`;
}
