import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RuleDecision } from '../../../shared/model/rule.ts';
import { plainFacts, ruleSet } from '../../../testing/rules/facts.ts';
import { spelling } from '../../../testing/rules/spelling.ts';
import { judge } from './judge.ts';

const RULES = ruleSet({
  user: {
    version: 2,
    deny: [{ tool: '^Bash$', match: { command: '^rm\\b' } }],
    ask: [{ tool: '^Bash$', match: { command: '^push\\b' } }],
    allow: [{ tool: '^Bash$', match: { command: '^(ok|make) ?' } }],
  },
});

function decisionOn(command: string, sandboxed: 'ask' | 'allow' = 'ask'): RuleDecision {
  const call = { tool: 'Bash', input: { command }, cwd: '/p', mode: 'default' };
  return judge(call, { ...RULES, sandboxed }, plainFacts({ runs: 'sandbox' })).decision;
}

const command = fc.constantFrom(
  ...[
    'ok',
    'ok a',
    'make all',
    'rm x',
    'push',
    'push a',
    'other',
    'other b',
    'ls',
    'cat a.md',
    'cat /etc/x',
    'X=1',
  ],
  ...[
    'ok > f',
    'ok > /etc/f',
    'ok | cat',
    'ok $(rm x)',
    'f() { ok; }',
    'echo "$(push)"',
    'sh -c ok',
    'sh -c "push"',
    '{ ok; } < ~/x',
    'cat < ~/.ssh/id',
    'tar c ~',
    'grep -r x /home',
    'curl -d x h',
  ],
);
const joint = fc.constantFrom('; ', ' && ', ' || ', ' | ', ' & ', '\n');

/** What is worse for the call. */
const RANK: Readonly<Record<RuleDecision, number>> = { allow: 0, pass: 1, ask: 2, deny: 3 };

describe('judge', () => {
  test('another command never makes a verdict milder', () => {
    fc.assert(
      fc.property(command, joint, command, fc.constantFrom('ask', 'allow'), (first, between, second, now) => {
        const joined = RANK[decisionOn(`${first}${between}${second}`, now)];
        expect(joined).toBeGreaterThanOrEqual(RANK[decisionOn(first, now)]);
        expect(joined).toBeGreaterThanOrEqual(RANK[decisionOn(second, now)]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('any spelling of a denied command is denied', () => {
    fc.assert(
      fc.property(spelling(['rm', '-rf', 'x/y']), (text) => {
        expect(decisionOn(text), text).toBe('deny');
      }),
      { numRuns: 3_000 },
    );
  });

  test('any spelling of a command that is asked about is asked about', () => {
    fc.assert(
      fc.property(spelling(['push', '--force']), (text) => {
        expect(decisionOn(text), text).toBe('ask');
      }),
      { numRuns: 2_000 },
    );
  });

  test('no spelling of a command that nothing allows is allowed', () => {
    fc.assert(
      fc.property(spelling(['other', 'x']), (text) => {
        expect(decisionOn(text), text).toBe('pass');
      }),
      { numRuns: 2_000 },
    );
  });

  test('the data of a here-document decides nothing', () => {
    const row = fc.oneof(
      fc.constantFrom('rm x', 'push', '$', '"', "'", '`', '# x', 'sh -c "rm x"'),
      fc.string(),
    );
    const data = fc.array(
      row.map((text) => text.replace(/[\n\r\0-\x1f]/g, '')).filter((text) => text !== 'END'),
    );
    fc.assert(
      fc.property(data, fc.constantFrom('ok', 'cat', 'other', 'ok > f', 'tee f'), (rows, reader) => {
        const empty = decisionOn(`${reader} <<'END'\nEND`);
        const text = `${reader} <<'END'\n${[...rows, 'END'].join('\n')}`;
        const isOdd = /[^\x20-\x7e\n]/.test(text) || /[<>]\(.*#|#.*[<>]\(/s.test(text);
        if (!isOdd) expect(decisionOn(text), text).toBe(empty);
      }),
      { numRuns: 1_000 },
    );
  });

  test('blanks, line breaks, groups and comments change nothing', () => {
    const space = fc.constantFrom(' ', '  ', '\t', ' \\\n ');
    const after = fc.constantFrom('', ' ', '\n', ' # rm x', '\n# push\n');
    const words = fc.constantFrom(['ok', 'a'], ['rm', 'x'], ['push', 'a', 'b'], ['other'], ['cat', 'a.md']);
    fc.assert(
      fc.property(words, words, space, after, (a, b, blank, end) => {
        const plain = decisionOn(`${a.join(' ')}; ${b.join(' ')}`);
        expect(decisionOn(`${a.join(blank)}${blank};${blank}${b.join(blank)}${end}`)).toBe(plain);
        expect(decisionOn(`(${a.join(blank)}\n)\n{ ${b.join(' ')}\n}${end}`)).toBe(plain);
      }),
      { numRuns: 500 },
    );
  });

  test('nothing makes it throw', () => {
    const pieces = fc.constantFrom(
      ...'; & | && || ( ) { } $( ` " \' \\ \n << <<< EOF > < # $X X=1 * ~ [[ ]] (( )) ! = sh -c eval find xargs su git'.split(
        ' ',
      ),
    );
    const soup = fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 }))).map((all) => all.join(' '));
    const input = fc.oneof(
      fc.record({ command: fc.oneof(soup, fc.string(), fc.string({ unit: 'binary' }), fc.anything()) }),
      fc.anything(),
    );
    const call = fc.record({
      tool: fc.constantFrom('Bash', 'Monitor', 'Read', 'mcp__x__y', ''),
      input,
      cwd: fc.string(),
    });
    fc.assert(
      fc.property(call, fc.constantFrom('default', 'plan', ''), (one, mode) => {
        expect(['allow', 'ask', 'deny', 'pass']).toContain(
          judge({ ...one, mode }, RULES, plainFacts()).decision,
        );
      }),
      { numRuns: 3_000 },
    );
  });

  test('an input that is nested 100,000 deep is no match', () => {
    let input: unknown = {};
    for (let i = 0; i < 100_000; i++) input = { command: input, file_path: [input] };
    expect(judge({ tool: 'Bash', input, cwd: '/p', mode: '' }, RULES, plainFacts()).decision).toBe('pass');
  });
});
