/**
 * Rule files: where they are, reading one, and its last good version.
 *
 *     user      $XDG_CONFIG_HOME/trai/rules.json, rules.imported.json
 *     project   <project>/.claude/trai.rules.json, trai.rules.imported.json
 *     session   <state>/sessions/<id>/rules.json
 *
 * A file that cannot be used (no JSON, a key twice, wrong shape, a pattern that does not compile, not UTF-8, too large, a
 * link, of another user) leaves its last good version in force, which is kept as <state>/rules/<hash of the path>.json.
 */
import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type BytePath, fromText, joinPath, toDisplay } from '../../../shared/bytes.ts';
import type { RuleScope } from '../../../shared/model/rule.ts';
import { errorCode, lstat, orIfRefused } from '../../kernel/fs/port.ts';
import { readPlainFile, readPlainJson, tryWriteWhole } from '../../kernel/fs/state-file.ts';
import { configDir, type Env, sessionDir } from '../../session/dirs.ts';
import {
  fileIsLink,
  fileIsNoFile,
  fileNoText,
  fileOfOther,
  fileTooLarge,
  fileUnreadable,
} from '../messages.ts';
import { type CompiledFile, compileRuleText } from '../model/model.ts';

/** 1,000 rules with tests take about 300 kB. */
export const MAX_RULE_FILE_BYTES = 2 * 1024 * 1024;

export interface RulePlace {
  scope: RuleScope;
  /** Written by an import. */
  imported: boolean;
  path: BytePath;
}

export interface PlacesRequest {
  env: Env;
  stateDir: string;
  projectRoot: BytePath;
  /** Null = without a session. */
  session: string | null;
}

/** In the order in which their rules are tried. Errors: `bad-input` for an invalid session id. */
export function rulePlaces({ env, stateDir, projectRoot, session }: PlacesRequest): RulePlace[] {
  const user = fromText(configDir(env));
  const project = joinPath(projectRoot, '.claude');
  const places: RulePlace[] = [
    { scope: 'user', imported: false, path: joinPath(user, 'rules.json') },
    { scope: 'user', imported: true, path: joinPath(user, 'rules.imported.json') },
    { scope: 'project', imported: false, path: joinPath(project, 'trai.rules.json') },
    { scope: 'project', imported: true, path: joinPath(project, 'trai.rules.imported.json') },
  ];
  if (session === null) return places;
  const path = joinPath(fromText(sessionDir(stateDir, session)), 'rules.json');
  return [...places, { scope: 'session', imported: false, path }];
}

/** `broken`: never was good. */
export type FileState = 'missing' | 'good' | 'last-good' | 'broken';

export interface LoadedFile extends RulePlace {
  state: FileState;
  /** What is wrong with its present content. */
  problems: readonly string[];
  /** SHA-256 of the content in force; null without one. */
  hash: string | null;
  /** The content in force. */
  rules: CompiledFile | null;
}

type Content = { kind: 'missing' } | { kind: 'text'; text: string } | { kind: 'unusable'; problem: string };

interface Known {
  identity: string;
  loaded: LoadedFile;
}

/** Remembers compiled files by their identity. The resident server has one; the Node path begins with an empty one. */
export class RuleFiles {
  private readonly known = new Map<BytePath, Known>();
  private readonly stateDir: string;
  private readonly instead: ReadonlyMap<BytePath, BytePath>;

  /** @param instead files to be read in place of others, whose content is on trial: it is not kept as good */
  constructor(stateDir: string, instead: ReadonlyMap<BytePath, BytePath> = new Map()) {
    this.stateDir = stateDir;
    this.instead = instead;
  }

  /** Never throws. */
  load(place: RulePlace): LoadedFile {
    // Before reading: a file that changes in between is read again the next time.
    const path = this.instead.get(place.path) ?? place.path;
    const identity = identityOf(path);
    const known = this.known.get(place.path);
    if (known !== undefined && known.identity === identity) return known.loaded;
    const loaded = this.judged(place, contentOf({ ...place, path }));
    this.known.set(place.path, { identity, loaded });
    return loaded;
  }

  private judged(place: RulePlace, content: Content): LoadedFile {
    if (content.kind === 'missing')
      return { ...place, state: 'missing', problems: [], hash: null, rules: null };
    const origin = { scope: place.scope, file: toDisplay(place.path) };
    const problems: string[] = [];
    if (content.kind === 'text') {
      const { file, problems: found } = compileRuleText(content.text, origin);
      if (file !== null) {
        if (!this.instead.has(place.path)) this.keepGood(place.path, content.text);
        return { ...place, state: 'good', problems: [], hash: hash('sha256', content.text), rules: file };
      }
      problems.push(...found);
    } else problems.push(content.problem);
    const before = this.lastGood(place.path);
    const last = before === null ? null : compileRuleText(before, origin).file;
    if (before === null || last === null)
      return { ...place, state: 'broken', problems, hash: null, rules: null };
    return { ...place, state: 'last-good', problems, hash: hash('sha256', before), rules: last };
  }

  private goodFile(path: BytePath): string {
    return `${this.stateDir}/rules/${hash('sha256', Buffer.from(path, 'latin1'))}.json`;
  }

  private lastGood(path: BytePath): string | null {
    const kept = readPlainJson(this.goodFile(path));
    const [ofPath, text] = Array.isArray(kept) ? kept : [];
    return ofPath === path && typeof text === 'string' ? text : null;
  }

  /** What cannot be kept is missing later, and then its scope asks. */
  private keepGood(path: BytePath, text: string): void {
    if (this.lastGood(path) === text) return;
    orIfRefused(() => mkdirSync(`${this.stateDir}/rules`, { recursive: true, mode: 0o700 }), undefined);
    tryWriteWhole(this.goodFile(path), Buffer.from(JSON.stringify([path, text]), 'utf8'));
  }
}

/** What tells two states of these files apart. */
export function identitiesOf(paths: readonly BytePath[]): string {
  return paths.map((path) => `${path}\0${identityOf(path)}`).join('\0');
}

/** What tells two versions of a file apart; empty for a missing file, an error's code where it cannot be looked at. */
function identityOf(path: BytePath): string {
  try {
    const found = lstat(path);
    if (found === null) return '';
    return [found.dev, found.ino, found.size, found.mode, found.uid, found.mtimeNs, found.ctimeNs].join(' ');
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return errorCode(error);
  }
}

function contentOf({ scope, path }: RulePlace): Content {
  const unusable = (problem: string): Content => ({ kind: 'unusable', problem });
  try {
    const found = lstat(path);
    if (found === null) return { kind: 'missing' };
    if (found.type === 'symlink') return unusable(fileIsLink());
    if (found.type !== 'file') return unusable(fileIsNoFile());
    // A project's file counts by its content, which the user trusts; its owner may be a container's.
    if (scope !== 'project' && found.uid !== process.getuid?.()) return unusable(fileOfOther(found.uid));
    if (found.size > MAX_RULE_FILE_BYTES) return unusable(fileTooLarge(MAX_RULE_FILE_BYTES, found.size));
    const bytes = readPlainFile(Buffer.from(path, 'latin1'));
    if (bytes === null) return { kind: 'missing' };
    // Other bytes would be other patterns, and be lost when the file is changed.
    return isUtf8(bytes) ? { kind: 'text', text: bytes.toString('utf8') } : unusable(fileNoText());
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return unusable(fileUnreadable(errorCode(error)));
  }
}
