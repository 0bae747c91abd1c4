/**
 * Changes of rule files. All writers of a user, in any scope, hold one lock:
 *
 *     read the file; what cannot be used is not changed
 *     make the new content: unknown keys and the order of keys stay
 *     keep a backup of the old content in the state directory
 *     write the new content beside the file; verify all scopes merged, with it in place of the old
 *     an error that was not there before, or another content, as of an editor, which takes no lock: remove it, refuse
 *     rename; when the result cannot be read back, write the old content in the same way and refuse
 */
import { hash } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type BytePath, parentOf, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { isObject } from '../../../shared/json-lines.ts';
import { RULES_LOCK_S } from '../../../shared/limits.ts';
import {
  type Finding,
  type ImportedDir,
  type ImportedRule,
  RULE_KEYS,
  type Rule,
  type RuleList,
} from '../../../shared/model/rule.ts';
import { fsPath, lstat, orNull } from '../../kernel/fs/port.ts';
import {
  readPlainFile,
  replaceFile,
  syncDirectory,
  temporaryName,
  writeNewFile,
} from '../../kernel/fs/state-file.ts';
import { withFileLock } from '../../kernel/proc/file-lock.ts';
import { ensureStateDir } from '../../session/dirs.ts';
import { RuleFiles, type RulePlace, rulePlaces } from '../files/files.ts';
import { loadRules, type RuleSet, type RulesRequest, type SetFile } from '../files/rule-set.ts';
import { readTrusted, trustContent } from '../files/trust.ts';
import type { JudgeFacts } from '../judge/judge-facts.ts';
import {
  noSuchRule,
  notWritten,
  ruleFileChanged,
  ruleFileUnusable,
  rulesBusy,
  wouldBreak,
} from '../messages.ts';
import { verifyRules } from './verify.ts';

export type WritableScope = 'user' | 'project' | 'session';

export interface Edit {
  request: RulesRequest;
  facts: JudgeFacts;
  scope: WritableScope;
  /** SHA-256 of the content that the user saw, empty for no file; missing = whatever is there. */
  seen?: string;
}

export interface Edited {
  file: string;
  list: RuleList;
  index: number;
  rule: Rule;
  /** Of the new content. */
  findings: readonly Finding[];
  /** False: the file's allow rules do not count until the user trusts them. */
  trusted: boolean;
}

/** What is changed in one list of a file. Indexes are from 0. */
export type RuleChange =
  | { do: 'add'; list: RuleList; rule: Rule }
  /** `to`: the list that it goes to, at its end, when that is another one. */
  | { do: 'replace'; list: RuleList; index: number; rule: Rule; to: RuleList }
  | { do: 'move'; list: RuleList; index: number; before: number }
  | { do: 'remove'; list: RuleList; index: number };

/**
 * Appends to the scope's file of imported rules. What comes from a project's files is not trusted by that. Errors: those of
 * changeRules; all or none are written.
 */
export async function importRules(
  edit: Edit,
  rules: readonly ImportedRule[],
  dirs: readonly ImportedDir[],
): Promise<Edited> {
  return await changeFile(edit, true, (content) => {
    let last: Pick<Edited, 'list' | 'index' | 'rule'> = { list: 'allow', index: 0, rule: {} };
    for (const { list, rule } of rules) last = put(content, list, rule);
    const known: unknown = content['allowed_dirs'];
    const all = [...(Array.isArray(known) ? known : []), ...dirs.map(({ dir }) => dir)];
    if (dirs.length > 0) content['allowed_dirs'] = [...new Set(all)];
    return last;
  });
}

/**
 * Keys that are not trai's stay.
 * Errors: `bad-input` when verify finds an error with it, `not-found`, `stale-revision`, `corrupt`, `busy`, `io`.
 */
export async function changeRules(edit: Edit, change: RuleChange): Promise<Edited> {
  return await changeFile(edit, false, (content, file) => {
    const { list } = change;
    const rules = listOf(content, list);
    if (change.do === 'add') return put(content, list, change.rule);
    const { index } = change;
    const [taken] = index < rules.length ? rules.splice(index, 1) : [];
    if (!isObject(taken)) throw noSuchRule(file, `${list}[${index}]`, rules.length);
    content[list] = rules;
    if (change.do === 'remove') return { list, index, rule: taken };
    if (change.do === 'move') {
      const at = Math.min(change.before, rules.length);
      rules.splice(at, 0, taken);
      return { list, index: at, rule: taken };
    }
    const own = Object.entries(taken).filter(([key]) => !RULE_KEYS.some((known) => known === key));
    const rule: Rule = { ...change.rule, ...Object.fromEntries(own) };
    if (change.to !== list) return put(content, change.to, rule);
    rules.splice(index, 0, rule);
    return { list, index, rule };
  });
}

function put(content: Content, list: RuleList, rule: Rule): Pick<Edited, 'list' | 'index' | 'rule'> {
  const rules = listOf(content, list);
  rules.push(rule);
  content[list] = rules;
  // Version 1 has no ask rules.
  if (list === 'ask') content['version'] = 2;
  return { list, index: rules.length - 1, rule };
}

/** Appends a rule. Errors: those of changeRules. */
export async function addRule(edit: Edit, list: RuleList, rule: Rule): Promise<Edited> {
  return await changeRules(edit, { do: 'add', list, rule });
}

/**
 * Trusts the present content of the project's files; returns those that had waited for it. Errors: `busy`, `io`.
 * @param seen hashes of the contents that the user saw; null = whatever is there
 */
export async function trustProject(
  request: RulesRequest,
  seen: readonly string[] | null = null,
): Promise<readonly SetFile[]> {
  return await alone(request.stateDir, async () => {
    const waiting = loadRules(request).files.filter(
      ({ trusted, hash: content }) => !trusted && content !== null && seen?.includes(content) !== false,
    );
    const hashes = waiting.flatMap(({ hash: content }) => (content === null ? [] : [content]));
    await trustContent(request.stateDir, request.project.id, hashes);
    return waiting;
  });
}

async function alone<T>(stateDir: string, work: () => Promise<T>): Promise<T> {
  ensureStateDir(stateDir);
  try {
    return await withFileLock(`${stateDir}/rules.lock`, work, RULES_LOCK_S);
  } catch (error) {
    throw error instanceof TraiError && error.code === 'busy' ? rulesBusy(error, RULES_LOCK_S) : error;
  }
}

type Content = Record<string, unknown>;
type Change = (content: Content, file: string) => Pick<Edited, 'list' | 'index' | 'rule'>;

async function changeFile(edit: Edit, imported: boolean, change: Change): Promise<Edited> {
  const { request, scope } = edit;
  return await alone(request.stateDir, async () => {
    const before = loadRules(request);
    const place = placeOf(edit, imported);
    const file = toDisplay(place.path);
    const old = before.files.find(({ path }) => path === place.path);
    if (old !== undefined && old.state !== 'missing' && old.state !== 'good')
      throw ruleFileUnusable(file, old.problems[0] ?? '');
    const text = textOf(place.path);
    if (edit.seen !== undefined && edit.seen !== (text === null ? '' : hash('sha256', text)))
      throw ruleFileChanged(file);
    const content = text === null ? { version: 2 } : contentOf(text);
    const done = change(content, file);
    const next = `${JSON.stringify(content, null, 2)}\n`;
    const findings = await replaceVerified({ edit, place, before, text, next });
    const trusted = scope !== 'project' || (!imported && (await keepTrust(request, text, next)));
    const left = findings.filter((one) => one.code !== 'untrusted' || one.file !== file || !trusted);
    return { file, ...done, findings: left, trusted };
  });
}

function placeOf({ request, scope }: Edit, imported: boolean): RulePlace {
  const places = rulePlaces({ ...request, projectRoot: request.project.root });
  const place = places.find((one) => one.scope === scope && one.imported === imported);
  if (place === undefined) throw new TraiError('internal', `no place for the scope ${scope}`);
  return place;
}

/** Null = there is no file. */
function textOf(path: BytePath): string | null {
  return readPlainFile(Buffer.from(path, 'latin1'))?.toString('utf8') ?? null;
}

/** Parsed before. */
function contentOf(text: string): Content {
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
  return isObject(value) ? value : { version: 2 };
}

function listOf(content: Content, list: RuleList): unknown[] {
  const rules = content[list];
  return Array.isArray(rules) ? rules : [];
}

interface Replacement {
  edit: Edit;
  place: RulePlace;
  before: RuleSet;
  /** Null = there was no file. */
  text: string | null;
  next: string;
}

/** The findings with the new content. Nothing is changed when one of them is an error that was not there before. */
async function replaceVerified({ edit, place, before, text, next }: Replacement): Promise<Finding[]> {
  const { request, facts } = edit;
  const path = place.path;
  const parent = fsPath(parentOf(path));
  mkdirSync(parent, { recursive: true, mode: place.scope === 'project' ? 0o777 : 0o700 });
  const backup = `${request.stateDir}/rules/${hash('sha256', Buffer.from(path, 'latin1'))}.before.json`;
  mkdirSync(dirname(backup), { recursive: true, mode: 0o700 });
  if (text !== null) await replaceFile(backup, text);
  const beside = temporaryName(path) as BytePath;
  await writeNewFile(fsPath(beside), next);
  try {
    const files = new RuleFiles(request.stateDir, new Map([[path, beside]]));
    const findings = verifyRules(loadRules(request, files), facts);
    const fresh = freshErrors(verifyRules(before, facts), findings);
    if (fresh.length > 0) throw wouldBreak(toDisplay(path), fresh);
    if (textOf(path) !== text) throw ruleFileChanged(toDisplay(path));
    moveOver(place, beside);
    if (textOf(path) !== next) {
      if (text === null) rmSync(fsPath(path), { force: true });
      else {
        await writeNewFile(fsPath(beside), text);
        moveOver(place, beside);
      }
      throw notWritten(toDisplay(path));
    }
    await syncDirectory(parent);
    return findings;
  } finally {
    rmSync(fsPath(beside), { force: true });
  }
}

/** Errors of a kind and file of which there are more than before: indexes and texts may have moved. */
function freshErrors(before: readonly Finding[], after: readonly Finding[]): Finding[] {
  const like = (list: readonly Finding[], one: Finding) =>
    list.filter(({ level, code, file }) => level === 'error' && code === one.code && file === one.file);
  return after.filter((one) => one.level === 'error' && like(after, one).length > like(before, one).length);
}

function moveOver(place: RulePlace, beside: BytePath): void {
  chmodSync(fsPath(beside), modeOf(place));
  renameSync(fsPath(beside), fsPath(place.path));
}

/** A project's file is read by others, as those beside it are. */
function modeOf({ scope, path }: RulePlace): number {
  const found = orNull(() => lstat(path));
  return found === null ? (scope === 'project' ? 0o644 : 0o600) : found.mode & 0o777;
}

/** What the user changes in content that they trusted, or in none, is trusted. */
async function keepTrust(
  { stateDir, project }: RulesRequest,
  text: string | null,
  next: string,
): Promise<boolean> {
  const old = text === null ? null : hash('sha256', text);
  const isTrusted =
    old === null || readTrusted(stateDir).some((one) => one.project === project.id && one.hash === old);
  if (isTrusted) await trustContent(stateDir, project.id, [hash('sha256', next)]);
  return isTrusted;
}
