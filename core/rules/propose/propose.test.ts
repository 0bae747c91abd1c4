import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { RuleDraft } from '../../../shared/model/question.ts';
import type { ToolCall } from '../../../shared/model/rule.ts';
import { plainFacts, ruleSet } from '../../../testing/rules/facts.ts';
import { judge } from '../judge/judge.ts';
import { propose } from './propose.ts';

const facts = plainFacts();
const call = (tool: string, input: object): ToolCall => ({ tool, input, cwd: '/p', mode: 'default' });
const bash = (command: string): ToolCall => call('Bash', { command });
const proposed = (asked: ToolCall, rules: object = {}) =>
  propose(asked, judge(asked, ruleSet({ user: { version: 2, ...rules } }), facts), facts.home);

/** What a rule file with the draft alone says. */
function says(draft: RuleDraft, list: 'allow' | 'deny', asked: ToolCall): string {
  const rule = {
    tool: draft.tool,
    ...(draft.field === '' ? {} : { match: { [draft.field]: draft.pattern } }),
  };
  return judge(asked, ruleSet({ user: { version: 2, [list]: [rule] } }), facts).decision;
}

describe('of a Bash text', () => {
  test.each([
    [
      'npm test',
      ['npm test', 'npm test -- --run a/b.ts'],
      ['npm tests', 'npm install', 'npm test > /etc/x', 'sudo npm test'],
    ],
    ['npm run build:web', ['npm run build:web -w a'], ['npm run build', 'npm run deploy']],
    ['git push origin main', ['git push', 'git push --force'], ['git pull', 'git -c x=y push']],
    ['./tool a', ['./tool b c'], ['./tools', 'tool a', './tool "$(id)"']],
    ['nice -n 5 make all', ['make all', 'timeout 5 make all'], ['make clean']],
    ['sudo apt update', ['sudo apt update'], ['sudo apt install x', 'sudo apt update x']],
    ['git -c core.pager=x log', ['git -c core.pager=x log'], ['git -c core.pager=y log', 'git push']],
    ['cat a | sh', ['cat a | sh'], ['sh b', 'cat /etc/x | sh x']],
    ['rm -rf build', ['rm -rf build'], ['rm -rf /', 'rm build']],
    ['uv run python a.py', ['uv run python a.py'], ['uv run python b.py', 'uv run pytest']],
    ['uv run pytest a', ['uv run pytest b'], ['uv run python b']],
    ['npm exec a', ['npm exec a'], ['npm exec b']],
    ['go run ./a', ['go run ./a'], ['go run ./b']],
    ['git config user.name x', ['git config user.name x'], ['git config core.pager x']],
    ['make "all (now)"', ['make "all (now)"'], ['make "all (then)"']],
    ['make all && ./x.sh', ['make all', './x.sh y', './x.sh && make all'], ['make none', './y.sh']],
  ])('%s: an allow rule for its program and subcommand alone', (command, yes, no) => {
    const { allow, noRule } = proposed(bash(command));
    expect(noRule).toBe('');
    const draft = allow as RuleDraft;
    expect(draft.pattern).toMatch(/^\^.*\$$/);
    for (const text of [command, ...yes]) expect(says(draft, 'allow', bash(text)), text).toBe('allow');
    for (const text of no) expect(says(draft, 'allow', bash(text)), text).not.toBe('allow');
  });

  it('is about the uncovered commands only, and names them', () => {
    const rules = { allow: [{ tool: '^Bash$', match: { command: '^make( |$)' } }] };
    const { allow, uncovered } = proposed(bash('make a; ls; npm test; ./x'), rules);
    expect(uncovered).toEqual(['npm test', './x']);
    expect(allow?.pattern).toBe('^(npm test( [\\w./:=@%+,~-]+)*|\\./x( [\\w./:=@%+,~-]+)*)$');
  });

  test.each(['for i in 1; do X=$i make; done; f() { :; }', '$X a', "echo 'open", 'rm\u200b x'])(
    'that no rule may allow has none, but one that denies it: %s',
    (command) => {
      const { allow, deny, noRule } = proposed(bash(command));
      expect([allow, noRule === '']).toEqual([null, false]);
      expect(deny.pattern).toMatch(/^\^/);
    },
  );

  it('a deny rule is about no change of directory before the command', () => {
    expect(proposed(bash('cd /tmp && npm publish')).deny.pattern).toBe('^npm publish\\b');
    expect(proposed(bash('cd /tmp')).deny.pattern).toBe('^cd\\b');
  });

  it('a deny rule stops the command in every spelling, whatever follows', () => {
    const { deny } = proposed(bash('rm -rf build'));
    for (const text of ['rm x', '\\rm x', 'sudo rm x', 'ls; rm x', "bash -c 'rm x'"])
      expect(says(deny, 'deny', bash(text)), text).toBe('deny');
    for (const text of ['rmdir x', 'echo rm']) expect(says(deny, 'deny', bash(text)), text).not.toBe('deny');
  });
});

describe('of another tool', () => {
  test.each([
    ['Edit', { file_path: '/p/src/a.ts' }, { file_path: '/p/src/b/c.ts' }, { file_path: '/p/srcs/a.ts' }],
    ['Write', { file_path: '/p/a b(c)/d' }, { file_path: '/p/a b(c)/e' }, { file_path: '/p/a bc/e' }],
    ['Write', { file_path: '/top' }, { file_path: '/top' }, { file_path: '/topmost' }],
    [
      'WebFetch',
      { url: 'https://a.example/x?y' },
      { url: 'https://a.example' },
      { url: 'https://a.example.evil/' },
    ],
    [
      'WebFetch',
      { url: 'http://a.example:80/x' },
      { url: 'http://a.example:80/' },
      { url: 'http://a.example:80@evil/' },
    ],
    [
      'Grep',
      { path: '/p/src', pattern: 'x' },
      { path: '/p/src/a', pattern: 'y' },
      { path: '/p/other', pattern: 'x' },
    ],
    ['mcp__a__b', { x: 1 }, { y: 2 }, null],
    ['ListAgents', {}, {}, null],
  ] as const)('%s %o', (tool, input, yes, no) => {
    const { allow, deny } = proposed(call(tool, input));
    for (const [draft, list] of [
      [allow, 'allow'],
      [deny, 'deny'],
    ] as const) {
      expect(says(draft as RuleDraft, list, call(tool, input))).toBe(list);
      expect(says(draft as RuleDraft, list, call(tool, yes))).toBe(list);
      if (no !== null) expect(says(draft as RuleDraft, list, call(tool, no))).toBe('pass');
      expect(says(draft as RuleDraft, list, call(`${tool}x`, input))).toBe('pass');
    }
  });

  it('a path that leads out of its directory is not in it', () => {
    const { allow } = proposed(call('Write', { file_path: '/p/in/a' }));
    expect(says(allow as RuleDraft, 'allow', call('Write', { file_path: '/p/in/../../etc/passwd' }))).toBe(
      'pass',
    );
  });
});

test('never throws, and what it proposes are patterns that can be used', () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue());
  const input = fc.dictionary(fc.constantFrom('command', 'file_path', 'url', 'path', 'x'), value);
  const tools = fc.oneof(
    fc.constantFrom('Bash', 'Edit', 'WebFetch', 'mcp__a__b'),
    fc.string({ minLength: 1 }),
  );
  fc.assert(
    fc.property(tools, fc.oneof(input, value), (tool, given) => {
      const { allow, deny } = proposed({ tool, input: given, cwd: '', mode: 'default' });
      for (const draft of [allow, deny]) {
        if (draft === null) continue;
        expect(() => [new RegExp(draft.tool, 'u'), new RegExp(draft.pattern, 'u')]).not.toThrow();
      }
    }),
  );
});
