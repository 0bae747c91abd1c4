/** Rules of trai's own, which only allow and are tried last. */
import { posix } from 'node:path';
import { isWithin } from '../../../shared/bytes.ts';
import { BUILT_IN } from '../../../shared/config/config.ts';
import { isObject } from '../../../shared/json-lines.ts';
import type { RuleRef, ToolCall } from '../../../shared/model/rule.ts';
import type { RuleSet } from '../files/rule-set.ts';
import type { JudgeFacts } from './judge-facts.ts';

export function builtInRef(name: string): RuleRef {
  return {
    scope: 'built-in',
    file: '',
    list: 'allow',
    index: BUILT_IN.indexOf(name),
    hash: '',
    text: name,
    reason: '',
  };
}

/** For tools other than shells. */
export function builtInFor(call: ToolCall, rules: RuleSet, facts: JudgeFacts): RuleRef | null {
  const name = BUILT_IN.includes(call.tool)
    ? call.tool
    : isInAllowedDir(call, rules, facts)
      ? 'allowed-dirs'
      : '';
  return rules.builtIn.has(name) ? builtInRef(name) : null;
}

const READING = /^(Read|Grep|Glob|LS|NotebookRead)$/;
const WRITING = /^(Edit|MultiEdit|Write|NotebookEdit)$/;

/** As the client treats its working directories: reading always, writing where the mode accepts edits. */
function isInAllowedDir({ tool, input, mode, cwd }: ToolCall, rules: RuleSet, facts: JudgeFacts): boolean {
  if (rules.allowedDirs.length === 0 || !isObject(input)) return false;
  if (!READING.test(tool) && !(WRITING.test(tool) && mode === 'acceptEdits')) return false;
  const path = input['file_path'] ?? input['notebook_path'] ?? input['path'];
  return typeof path === 'string' && isInside(absolutePath(path, cwd, facts.home), rules.allowedDirs, facts);
}

/** Everything that the path leads to lies below one of the directories, as those are resolved. */
export function isInside(path: string, dirs: readonly string[], facts: JudgeFacts): boolean {
  const found = facts.resolve(path);
  if (found === null || found.length === 0) return false;
  const roots = dirs.flatMap((dir) => facts.resolve(dir) ?? []);
  return found.every((one) => roots.some((root) => isWithin(one, root)));
}

export function absolutePath(path: string, cwd: string, home: string): string {
  const named = path.replace(/^~(?=\/|$)/, home);
  // Not normalised: `link/..` is above the link's target.
  return posix.isAbsolute(named) ? named : `${cwd}/${named}`;
}

/** A path as it is resolved; also as text, where that differs. */
export function resolvedPaths(path: string, cwd: string, facts: JudgeFacts): string[] {
  const whole = absolutePath(path, cwd, facts.home);
  return [posix.normalize(whole), ...(facts.resolve(whole) ?? [])];
}
