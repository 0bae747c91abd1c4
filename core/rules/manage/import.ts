/**
 * Rules from elsewhere: files of the passthru plugin, which have the same format, and the permission entries of Claude
 * Code's settings, by their real meaning. Always a plan first; what cannot be said as a pattern is named and left.
 *
 *     settings      allow, ask and deny entries
 *     passthru      the rules of ~/.claude/passthru*.json, and of the project's
 *
 * Each rule has `_source_hash`, by which the next import finds what is new. They go to `rules.imported.json` of the scope
 * that they come from; those of a project's local settings, which are the user's own, to the user's, where they hold in
 * every project: what those allow is left unless it is about the project's own files.
 */
import { hash } from 'node:crypto';
import { join, posix } from 'node:path';
import { isObject } from '../../../shared/json-lines.ts';
import {
  type ImportedRule,
  type ImportPlan,
  RULE_LISTS,
  type Rule,
  ruleFileProblems,
  type SettingsEntry,
} from '../../../shared/model/rule.ts';
import { readPlainJson } from '../../kernel/fs/state-file.ts';
import { absolute, type Env } from '../../session/dirs.ts';
import type { RuleSet } from '../files/rule-set.ts';
import { IMPORT } from '../messages.ts';
import { literal } from '../propose/propose.ts';
import { settingsEntries } from './settings.ts';

export interface ImportRequest {
  env: Env;
  home: string;
  projectRoot: string;
  /** What is imported already. */
  set: Pick<RuleSet, 'files'>;
}

export function planImport(from: 'passthru' | 'settings', request: ImportRequest): ImportPlan {
  const known = new Set(
    request.set.files.flatMap(({ rules }) =>
      [...(rules?.deny ?? []), ...(rules?.ordered ?? [])].map(({ rule }) => rule._source_hash ?? ''),
    ),
  );
  const found = from === 'settings' ? ofSettings(request) : ofPassthru(request);
  const fresh = new Map<string, ImportedRule>();
  for (const one of found.rules) {
    const source = one.rule._source_hash ?? '';
    if (!known.has(source)) fresh.set(`${one.scope} ${source}`, one);
  }
  return { rules: [...fresh.values()], left: found.left, known: found.rules.length - fresh.size };
}

type Found = Omit<ImportPlan, 'known'>;

function ofPassthru({ env, home, projectRoot }: ImportRequest): Found {
  const user = absolute(env, 'CLAUDE_CONFIG_DIR') ?? join(home, '.claude');
  const files = ['passthru.json', 'passthru.imported.json'].flatMap((name) => [
    { scope: 'user' as const, file: join(user, name) },
    { scope: 'project' as const, file: join(projectRoot, '.claude', name) },
  ]);
  const found: { rules: ImportedRule[]; left: { entry: string; file: string; why: string }[] } = {
    rules: [],
    left: [],
  };
  for (const { scope, file } of files) {
    const content = readPlainJson(file);
    if (content === null) continue;
    const [problem] = ruleFileProblems(content);
    if (problem !== undefined || !isObject(content)) {
      found.left.push({ entry: file, file, why: problem ?? '' });
      continue;
    }
    for (const list of RULE_LISTS) {
      const rules: unknown = content[list];
      for (const rule of Array.isArray(rules) ? (rules as Rule[]) : []) {
        const _source_hash =
          rule._source_hash ?? hash('sha256', `passthru\0${list}\0${JSON.stringify(rule)}`);
        found.rules.push({ scope, list, rule: { ...rule, _source_hash }, entry: rule.tool ?? '*', file });
      }
    }
  }
  return found;
}

function ofSettings({ env, home, projectRoot }: ImportRequest): Found {
  const rules: ImportedRule[] = [];
  const left: { entry: string; file: string; why: string }[] = [];
  for (const one of settingsEntries({ env, home, projectRoot })) {
    const made = ruleOfEntry(one, { home, projectRoot });
    const { list, entry, file } = one;
    if (typeof made === 'string') left.push({ entry, file, why: made });
    else if (one.scope === 'local' && list === 'allow' && !isInProject(made, projectRoot))
      left.push({ entry, file, why: IMPORT.local });
    else {
      const scope = one.scope === 'project' ? 'project' : 'user';
      const _source_hash = hash('sha256', `settings\0${list}\0${entry.trim()}\0${scope}`);
      rules.push({ scope, list, rule: { ...made, _source_hash }, entry, file });
    }
  }
  return { rules, left };
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
