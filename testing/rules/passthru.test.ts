/**
 * The published test cases of the passthru plugin, whose rule files trai takes as they are. `TRAI_PASSTHRU=DIR` names a
 * checkout. Its prompts are `ask` where trai says nothing and leaves the question to the client; trai knows more programs that
 * only read, such as `ps`.
 */
import { describe, expect, it } from 'vitest';
import { judge } from '../../core/rules/judge/judge.ts';
import { plainFacts, ruleSet } from './facts.ts';
import { type PassthruCase, passthruCases } from './passthru-cases.ts';

const checkout = process.env['TRAI_PASSTHRU'] ?? '';

type Decision = PassthruCase['expected'];

/** `reader`: allowed since it only reads. */
function decisionOf({ user, project, tool, input, mode }: PassthruCase): Decision | 'reader' {
  const files = { ...(user === undefined ? {} : { user }), ...(project === undefined ? {} : { project }) };
  const { decision, by } = judge({ tool, input, cwd: '/p', mode }, ruleSet(files), plainFacts());
  if (decision === 'allow' && by === 'read-only') return 'reader';
  return decision === 'pass' ? 'ask' : decision;
}

describe('the plugin’s cases', () => {
  it('are decided as the plugin does, or more strictly', (ctx) => {
    if (checkout === '') ctx.skip('TRAI_PASSTHRU names no checkout of the plugin');
    const cases = passthruCases(checkout);
    expect(cases.length).toBeGreaterThan(30);
    const rank = { allow: 0, ask: 1, deny: 2 } as const;
    const laxer = cases.filter((one) => {
      const found = decisionOf(one);
      return found === 'reader' ? one.expected === 'deny' : rank[found] < rank[one.expected];
    });
    const allows = (found: Decision | 'reader') => found === 'allow' || found === 'reader';
    const stricter = cases.filter((one) => one.expected === 'allow' && !allows(decisionOf(one)));
    expect({ laxer: laxer.map(({ name }) => name), stricter: stricter.map(({ name }) => name) }).toEqual({
      laxer: [],
      stricter: [],
    });
  });
});
