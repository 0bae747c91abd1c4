import { describe, expect, test } from 'vitest';
import type { ToolCall, Verdict } from '../../../shared/model/rule.ts';
import { plainFacts, ruleSet } from '../../../testing/rules/facts.ts';
import { ALLOWANCES, ORDERS } from '../../../testing/rules/rows/allowances.ts';
import { DENIALS, WHOLE_TEXTS } from '../../../testing/rules/rows/denials.ts';
import type { Group } from '../../../testing/rules/rows/group.ts';
import { READING, SANDBOXED } from '../../../testing/rules/rows/reading.ts';
import { TOOLS } from '../../../testing/rules/rows/tools.ts';
import { judge } from './judge.ts';

const GROUPS: readonly Group[] = [
  ...[...DENIALS, ...WHOLE_TEXTS, ...ALLOWANCES, ...ORDERS],
  ...[...TOOLS, ...READING, ...SANDBOXED],
];

interface Row {
  expected: string;
  text: string;
}

function rowsOf({ rows }: Group): Row[] {
  const lines = rows.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const at = line.indexOf(' | ');
    return { expected: line.slice(0, at), text: line.slice(at + 3).replaceAll('⏎', '\n') };
  });
}

function callOf({ mode = 'default', cwd = '/p' }: Group, text: string): ToolCall {
  const [, tool, input] = /^([A-Z]\w*|mcp__\w+) (\{.*\}|null|\[\]|"")$/s.exec(text) ?? [];
  if (tool === undefined || input === undefined) return { tool: 'Bash', input: { command: text }, cwd, mode };
  return { tool, input: JSON.parse(input), cwd, mode };
}

function judged(group: Group, text: string): Verdict {
  return judge(callOf(group, text), ruleSet(group.rules, group.set), plainFacts(group.facts));
}

function shown(text: string): string {
  const whole = JSON.stringify(text);
  return whole.length <= 200 ? whole : `${whole.slice(0, 200)}… (${whole.length} characters)`;
}

/** What decided, for the snapshot. */
function lineOf(text: string, { decision, by, rule, segments }: Verdict): string {
  const decider = rule === null ? '' : ` ${rule.scope} ${rule.list}[${rule.index}]`;
  const deciding = segments.find((one) => one.rule === rule && rule !== null);
  const about = deciding === undefined ? '' : `  ${deciding.spelling}: ${shown(deciding.text)}`;
  return `${shown(text)}\n    ${decision} by ${by}${decider}${about}`;
}

test('the table has at least 500 rows', () => {
  expect(GROUPS.flatMap(rowsOf).length).toBeGreaterThanOrEqual(500);
});

describe.each(GROUPS)('$name', (group) => {
  test.each(rowsOf(group))('$expected $text', ({ expected, text }) => {
    expect(judged(group, text).decision).toBe(expected);
  });
});

test('each row is decided by the same rule and segment as before', async () => {
  const lines = GROUPS.flatMap((group) => [
    `# ${group.name}`,
    ...rowsOf(group).map(({ text }) => lineOf(text, judged(group, text))),
  ]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./table.txt');
});
