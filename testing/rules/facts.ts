/** Facts and rule sets for tests of the permission rules. */

import { posix } from 'node:path';
import type { RuleSet } from '../../core/rules/files/rule-set.ts';
import type { JudgeFacts } from '../../core/rules/judge/judge-facts.ts';
import { compileRules } from '../../core/rules/model/model.ts';
import { fromText } from '../../shared/bytes.ts';
import { BUILT_IN, DEFAULT_CONFIG } from '../../shared/config/config.ts';
import type { RuleScope } from '../../shared/model/rule.ts';

/** A machine whose only links are `/p/out` to /etc and `/p/in` to /p/src; `/p/src` has three files. */
export function plainFacts(changed: Partial<JudgeFacts> = {}): JudgeFacts {
  const facts: JudgeFacts = {
    home: '/home/kim',
    now: Date.parse('2026-01-01T00:00:00Z'),
    readOnly: DEFAULT_CONFIG.readOnly,
    runs: null,
    resolve: (path) => [followed(path)],
    names: (dir) => NAMES[posix.normalize(`${dir}/`)] ?? [],
    isPending: () => false,
  };
  return { ...facts, ...changed };
}

const NAMES: Readonly<Record<string, readonly string[]>> = {
  '/p/': ['src', 'in', 'out', 'a.md', 'b.md'],
  '/p/src/': ['a.ts', 'b.ts', 'c.js'],
};

function followed(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
    const now = `/${parts.join('/')}`;
    if (now === '/p/out') parts.splice(0, parts.length, 'etc');
    if (now === '/p/in') parts.splice(0, parts.length, 'p', 'src');
  }
  return `/${parts.join('/')}`;
}

/** Throws for a file that is no rule file. */
export function ruleSet(files: Partial<Record<RuleScope, unknown>>, changed: Partial<RuleSet> = {}): RuleSet {
  const compiled = Object.entries(files).map(([name, value]) => {
    const scope = name as RuleScope;
    const { file, problems } = compileRules(value, { scope, file: `${scope}.json` });
    if (file === null) throw new Error(problems.join('; '));
    return file;
  });
  const set: RuleSet = {
    enabled: true,
    sandboxed: 'ask',
    deny: compiled.flatMap(({ deny }) => deny),
    ordered: compiled.flatMap(({ ordered }) => ordered),
    builtIn: new Set(BUILT_IN),
    allowedDirs: compiled.flatMap(({ allowedDirs }) => allowedDirs),
    effects: [],
    auto: [],
    files: [],
    projectRoot: fromText('/p'),
  };
  return { ...set, ...changed };
}
