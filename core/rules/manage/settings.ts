/**
 * What Claude Code's own settings say about a call: their allow, ask and deny entries decide too, whatever trai's rules
 * say. Read for display, never written; the client's own evaluation is what counts.
 */
import { realpathSync } from 'node:fs';
import { isAbsolute, join, posix } from 'node:path';
import { fromText, isWithin } from '../../../shared/bytes.ts';
import { isObject } from '../../../shared/json-lines.ts';
import {
  RULE_LISTS,
  type RuleList,
  type SettingsEntry,
  type SettingsScope,
  type SettingsVerdict,
  type ToolCall,
} from '../../../shared/model/rule.ts';
import { lstat, orNull } from '../../kernel/fs/port.ts';
import { readPlainJson } from '../../kernel/fs/state-file.ts';
import { absolute, type Env } from '../../session/dirs.ts';
import { MAX_RULE_FILE_BYTES } from '../files/files.ts';
import type { CutText } from '../judge/segments.ts';

export interface SettingsPlace {
  env: Env;
  home: string;
  projectRoot: string;
}

export function settingsEntries(place: SettingsPlace): SettingsEntry[] {
  return permissionsIn(place).flatMap(({ scope, file, permissions }) =>
    RULE_LISTS.flatMap((list) =>
      textsOf(permissions[list]).map((entry): SettingsEntry => ({ scope, file, list, entry })),
    ),
  );
}

export interface SettingsDir {
  scope: SettingsScope;
  file: string;
  dir: string;
}

/** `additionalDirectories`: what the client reads and edits beside its working directory. */
export function settingsDirs(place: SettingsPlace): SettingsDir[] {
  return permissionsIn(place).flatMap(({ scope, file, permissions }) =>
    textsOf(permissions['additionalDirectories']).map((dir) => ({ scope, file, dir })),
  );
}

interface Permissions {
  scope: SettingsScope;
  file: string;
  permissions: Readonly<Record<string, unknown>>;
}

/** Whether the passthru plugin is on: then two decide about each call. The managed settings come first, then the nearest. */
export function hasPassthru(place: SettingsPlace): boolean {
  const [managed, ...others] = settingsFiles(place).map(({ content }) => content['enabledPlugins']);
  const plugins = [...others, managed].filter(isObject);
  return Object.entries(Object.assign({}, ...plugins)).some(
    ([name, isOn]) => isOn === true && name.split('@')[0] === 'passthru',
  );
}

function permissionsIn(place: SettingsPlace): Permissions[] {
  return settingsFiles(place).flatMap(({ scope, file, content: { permissions } }): Permissions[] =>
    isObject(permissions) ? [{ scope, file, permissions }] : [],
  );
}

interface SettingsFile {
  scope: SettingsScope;
  file: string;
  /** Empty where there is none. */
  content: Readonly<Record<string, unknown>>;
}

function settingsFiles({ env, home, projectRoot }: SettingsPlace): SettingsFile[] {
  const user = absolute(env, 'CLAUDE_CONFIG_DIR') ?? join(home, '.claude');
  const files: readonly (readonly [SettingsScope, string])[] = [
    ['managed', '/etc/claude-code/managed-settings.json'],
    ['user', join(user, 'settings.json')],
    ['project', join(projectRoot, '.claude/settings.json')],
    ['local', join(projectRoot, '.claude/settings.local.json')],
  ];
  return files.map(([scope, file]) => {
    const value = readSmallJson(file);
    return { scope, file, content: isObject(value) ? value : {} };
  });
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/**
 * A repository may bring a file of any size, and SessionStart reads it. Follows links, as the client does. Undefined for
 * what is no such file.
 */
export function readSmallJson(file: string): unknown {
  const real = orNull(() => realpathSync(file)) ?? file;
  const found = orNull(() => lstat(fromText(real)));
  return found === null || found.size > MAX_RULE_FILE_BYTES ? undefined : orNull(() => readPlainJson(real));
}

/**
 * Deny beats ask, ask beats allow, in whatever file. Of a Bash text one command is enough for deny and ask; for allow
 * every command must match.
 */
export function settingsSay(
  call: ToolCall,
  cut: CutText | null,
  entries: readonly SettingsEntry[],
  place: SettingsPlace,
): SettingsVerdict {
  const subjects = cut === null ? [''] : cut.segments.map(({ text }) => text);
  const matches = entries.flatMap((entry) =>
    subjects
      .filter((segment) => applies(entry, call, segment, place))
      .map((segment) => ({ ...entry, segment })),
  );
  const of = (list: RuleList) => matches.filter((match) => match.list === list);
  if (of('deny').length > 0) return { decision: 'deny', matches };
  if (of('ask').length > 0) return { decision: 'ask', matches };
  const allowed = new Set(of('allow').map(({ segment }) => segment));
  const isAllowed = subjects.length > 0 && subjects.every((segment) => allowed.has(segment));
  return { decision: isAllowed ? 'allow' : 'pass', matches };
}

function applies(
  { entry, file, scope }: SettingsEntry,
  call: ToolCall,
  segment: string,
  place: SettingsPlace,
): boolean {
  const [, tool = '', spec] = /^([^()]+?)(?:\((.*)\))?$/s.exec(entry.trim()) ?? [];
  if (!toolMatches(tool, call.tool)) return false;
  if (spec === undefined || spec === '*') return true;
  if (call.tool === 'Bash') return commandMatches(spec, segment);
  const input = isObject(call.input) ? call.input : {};
  if (call.tool === 'WebFetch') return urlMatches(spec, input['url']);
  if (call.tool === 'Skill') return spec === input['skill'] || spec === input['command'];
  const path = input['file_path'] ?? input['notebook_path'] ?? input['path'];
  if (typeof path !== 'string') return false;
  const base = scope === 'user' || scope === 'managed' ? posix.dirname(file) : place.projectRoot;
  return pathMatches(spec, isAbsolute(path) ? path : join(call.cwd, path), {
    base,
    cwd: call.cwd,
    home: place.home,
  });
}

/** `Edit` is about all tools that edit, `Read` about all that read, `mcp__server` about all tools of a server. */
function toolMatches(tool: string, called: string): boolean {
  if (tool === called) return true;
  if (tool === 'Edit') return /^(MultiEdit|Write|NotebookEdit)$/.test(called);
  if (tool === 'Read') return /^(Grep|Glob|LS|NotebookRead)$/.test(called);
  return tool.startsWith('mcp__') && (called.startsWith(`${tool}__`) || shapeOf(tool, '.*').test(called));
}

/** `npm run:*` and `npm run *`: the words, and anything behind them. `*` within stands for any text. */
function commandMatches(spec: string, segment: string): boolean {
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(spec)?.[1];
  if (prefix === undefined) return shapeOf(spec, '.*').test(segment);
  return shapeOf(prefix, '.*').test(segment) || shapeOf(`${prefix} *`, '.*').test(segment);
}

function urlMatches(spec: string, url: unknown): boolean {
  const domain = /^domain:(.+)$/.exec(spec)?.[1];
  if (domain === undefined || typeof url !== 'string' || !URL.canParse(url)) return false;
  return shapeOf(domain, '[^.]*').test(new URL(url).hostname);
}

/** `//x` is absolute, `~/x` in the home directory, `/x` from the settings file's directory, `x` from the working one. */
function pathMatches(spec: string, path: string, from: { base: string; cwd: string; home: string }): boolean {
  const whole = spec.startsWith('//')
    ? spec.slice(1)
    : spec.startsWith('~/')
      ? join(from.home, spec.slice(2))
      : spec.startsWith('/')
        ? join(from.base, spec)
        : join(from.cwd, spec.includes('/') ? spec : `**/${spec}`);
  const pattern = whole.replace(/\/$/, '/**');
  return globPath(pattern).test(path) || (!/[*?[]/.test(pattern) && isWithin(path, pattern));
}

function shapeOf(pattern: string, star: string): RegExp {
  const source = pattern.split('*').map((text) => text.replace(/[\\^$.+()|{}[\]?]/g, '\\$&'));
  return new RegExp(`^${source.join(star)}$`, 's');
}

/** `**` across names, `*` and `?` within one, as in gitignore. */
function globPath(pattern: string): RegExp {
  const source = pattern
    .replace(/[\\^$.+()|{}[\]]/g, '\\$&')
    .replace(/\*\*\/|\*\*|\*|\?/g, (sign) =>
      sign === '**/' ? '(?:.*/)?' : sign === '**' ? '.*' : sign === '*' ? '[^/]*' : '[^/]',
    );
  return new RegExp(`^${source}$`, 's');
}
