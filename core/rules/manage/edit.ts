/**
 * Changes of rule files. All writers of a user, in any scope, hold one lock:
 *
 *     read the file; what cannot be used is not changed
 *     make the new content: unknown keys and the order of keys stay
 *     keep a backup of the old content in the state directory
 *     write the new content beside the file; verify all scopes merged, with it in place of the old
 *     an error that was not there before, or another file, as of an editor, which takes no lock: remove it, refuse
 *     trust the new content, where the old one was trusted; rename
 *
 * A writer that is killed leaves the old content or the new one, and beside it at most one file, which the next one replaces.
 */
import { hash } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type BytePath, fromText, joinPath, nameOf, parentOf, toDisplay } from '../../../shared/bytes.ts';
import { TraiError } from '../../../shared/errors.ts';
import { isObject } from '../../../shared/json-lines.ts';
import { RULES_LOCK_S } from '../../../shared/limits.ts';
import {
  type Finding,
  type ImportedDir,
  type ImportedRule,
  RULE_KEYS,
  RULE_LISTS,
  type Rule,
  type RuleList,
} from '../../../shared/model/rule.ts';
import { fsPath, lstat, orNull } from '../../kernel/fs/port.ts';
import { readPlainFile, replaceFile, syncPath, writeNewFile, writing } from '../../kernel/fs/state-file.ts';
import { withFileLock } from '../../kernel/proc/file-lock.ts';
import { ensureStateDir } from '../../session/dirs.ts';
import { identitiesOf, RuleFiles, type RulePlace, rulePlaces } from '../files/files.ts';
import { loadRules, type RuleSet, type RulesRequest, type SetFile } from '../files/rule-set.ts';
import { trustContent } from '../files/trust.ts';
import type { JudgeFacts } from '../judge/judge-facts.ts';
import {
  noSuchRule,
  ruleFileChanged,
  ruleFileRepeats,
  ruleFileUnusable,
  rulesBusy,
  wouldBreak,
} from '../messages.ts';
import { repeatedKeys } from '../model/model.ts';
import { verifyRules } from './verify.ts';

export type WritableScope = 'user' | 'project' | 'session';

export interface Edit {
  request: RulesRequest;
  facts: JudgeFacts;
  scope: WritableScope;
  /** What was imported into the scope; not of a session. */
  imported?: boolean;
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
  return await changeFile({ ...edit, imported: true }, 'foreign', (content) => {
    let last: Pick<Edited, 'list' | 'index' | 'rule'> = { list: 'allow', index: 0, rule: {} };
    // Another import may have written them since the plan was made.
    const written = RULE_LISTS.flatMap((list) => listOf(content, list)).filter(isObject);
    const sources = new Set(written.map(({ _source_hash: source }) => source));
    const fresh = rules.filter(
      ({ rule: { _source_hash: source } }) => source === undefined || !sources.has(source),
    );
    for (const { list, rule } of fresh) last = put(content, list, rule);
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
  return await changeFile(edit, 'own', (content, file) => {
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
 * @param seen hashes of the contents that the user saw, or their first characters; null = whatever is there
 */
export async function trustProject(
  request: RulesRequest,
  seen: readonly string[] | null = null,
): Promise<readonly SetFile[]> {
  return await withRulesLock(request.stateDir, async () => {
    const waiting = loadRules(request).files.filter(
      ({ trusted, hash: content }) =>
        !trusted && content !== null && seen?.some((one) => content.startsWith(one)) !== false,
    );
    const hashes = waiting.flatMap(({ hash: content }) => (content === null ? [] : [content]));
    await trustContent(request.stateDir, request.project.id, hashes);
    return waiting;
  });
}

const lockOf = (stateDir: string): string => `${stateDir}/rules.lock`;

/** Errors: `busy`, those of `work`. */
export async function withRulesLock<T>(stateDir: string, work: () => Promise<T>): Promise<T> {
  ensureStateDir(stateDir);
  try {
    return await withFileLock(lockOf(stateDir), work, RULES_LOCK_S);
  } catch (error) {
    throw error instanceof TraiError && error.code === 'busy' ? rulesBusy(error, RULES_LOCK_S) : error;
  }
}

type Content = Record<string, unknown>;
type Change = (content: Content, file: string) => Pick<Edited, 'list' | 'index' | 'rule'>;

/** @param kind `own`: the user's own change of what they trust, or of nothing, is trusted */
async function changeFile(edit: Edit, kind: 'own' | 'foreign', change: Change): Promise<Edited> {
  const { request, scope } = edit;
  return await withRulesLock(request.stateDir, async () => {
    const place = placeOf(edit);
    const file = toDisplay(place.path);
    const identity = identitiesOf([place.path]);
    const before = loadRules(request);
    const old = before.files.find(({ path }) => path === place.path);
    if (old !== undefined && old.state !== 'missing' && old.state !== 'good')
      throw ruleFileUnusable(file, old.problems[0] ?? '');
    const text = textOf(place.path);
    const isSeen = edit.seen === undefined || edit.seen === (text === null ? '' : hash('sha256', text));
    if (!isSeen || identitiesOf([place.path]) !== identity) throw ruleFileChanged(file);
    const [twice] = repeatedKeys(text ?? '');
    if (twice !== undefined) throw ruleFileRepeats(file, twice.key);
    const content = text === null ? { version: 2 } : contentOf(text);
    const done = change(content, file);
    const next = `${JSON.stringify(content, null, 2)}\n`;
    const trusted = scope !== 'project' || (kind === 'own' && (text === null || old?.trusted === true));
    const replacement = { edit, place, before, text, next, identity, trusted };
    const findings = await writing(file, () => replaceVerified(replacement));
    await syncPath(fsPath(parentOf(place.path)));
    const left = findings.filter((one) => one.code !== 'untrusted' || one.file !== file || !trusted);
    return { file, ...done, findings: left, trusted };
  });
}

function placeOf({ request, scope, imported = false }: Edit): RulePlace {
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
  /** Of the file before. */
  identity: string;
  /** What the user changes in content that they trusted, or in none, is trusted. */
  trusted: boolean;
}

/** The findings with the new content. Nothing is changed when one of them is an error that was not there before. */
async function replaceVerified(replacement: Replacement): Promise<Finding[]> {
  const { edit, place, before, text, next, identity, trusted } = replacement;
  const { request, facts } = edit;
  const path = place.path;
  mkdirSync(fsPath(parentOf(path)), { recursive: true, mode: place.scope === 'project' ? 0o777 : 0o700 });
  const backup = `${request.stateDir}/rules/${hash('sha256', Buffer.from(path, 'latin1'))}.before.json`;
  mkdirSync(dirname(backup), { recursive: true, mode: 0o700 });
  if (text !== null) await writing(backup, () => replaceFile(backup, text));
  const beside = besideOf(path, request.stateDir);
  rmSync(fsPath(beside), { force: true });
  try {
    await writeNewFile(fsPath(beside), next);
    const files = new RuleFiles(request.stateDir, new Map([[path, beside]]));
    const findings = verifyRules(loadRules(request, files), facts);
    const fresh = freshErrors(verifyRules(before, facts), findings);
    if (fresh.length > 0) throw wouldBreak(toDisplay(path), fresh);
    if (place.scope === 'project' && trusted)
      await trustContent(request.stateDir, request.project.id, [hash('sha256', next)]);
    chmodSync(fsPath(beside), modeOf(place));
    if (identitiesOf([path]) !== identity) throw ruleFileChanged(toDisplay(path));
    renameSync(fsPath(beside), fsPath(path));
    return findings;
  } catch (error) {
    orNull(() => rmSync(fsPath(beside), { force: true }));
    throw error;
  }
}

/** One name for all writers that wait for the same lock. */
function besideOf(path: BytePath, stateDir: string): BytePath {
  const lock = lstat(fromText(lockOf(stateDir)));
  const name = hash('sha256', `${lock?.dev} ${lock?.ino}`).slice(0, 12);
  return joinPath(parentOf(path), `.${nameOf(path)}.${name}` as BytePath);
}

/** Errors of a kind and file of which there are more than before: indexes and texts may have moved. */
function freshErrors(before: readonly Finding[], after: readonly Finding[]): Finding[] {
  const like = (list: readonly Finding[], one: Finding) =>
    list.filter(({ level, code, file }) => level === 'error' && code === one.code && file === one.file);
  return after.filter((one) => one.level === 'error' && like(after, one).length > like(before, one).length);
}

/** A project's file is read by others, as those beside it are. */
function modeOf({ scope, path }: RulePlace): number {
  const found = orNull(() => lstat(path));
  return found === null ? (scope === 'project' ? 0o644 : 0o600) : found.mode & 0o777;
}
