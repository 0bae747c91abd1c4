import { expect, it } from 'vitest';
import type { Question } from '../model/question.ts';
import { answeredText, questionText } from './questions.ts';
import { PLAIN } from './text.ts';

const KEYS = 'y once';

function shown(patch: Partial<Question>, rows = 24, columns = 80): string[] {
  const question = {
    ...{
      n: 1,
      tool: 'Bash',
      project: '/p',
      session: 's',
      agent: '',
      prompt: '',
      why: 'it asks',
      runs: 'sandbox',
    },
    ...{ uncovered: [], noRule: 'none', allow: null, deny: { tool: '^Bash$', field: '', pattern: '' } },
    ...{ input: { command: 'make' } },
    ...patch,
  } as unknown as Question;
  return `${questionText(question, PLAIN, { rows, columns }, KEYS)}\n${KEYS}`.split('\n');
}

const rowsOf = (lines: readonly string[], columns = 80) =>
  lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);

it.each([
  ['many lines', Array.from({ length: 300 }, (_, i) => `echo ${i}`).join('\n')],
  ['one long line', `echo ${'x'.repeat(50_000)}; rm -rf ~`],
  ['many commands that no rule covers', 'a; '.repeat(300)],
])('of a call with %s the start is on the screen, and how much is missing', (_what, command) => {
  const uncovered = Array.from({ length: 300 }, (_, i) => `a ${i}`);
  const lines = shown({ input: { command }, uncovered });
  expect(rowsOf(lines)).toBeLessThan(24);
  expect(lines[1]).toContain(command.slice(0, 6));
  expect(lines.join('\n')).toMatch(/… \d+ more lines; the dashboard shows all/);
  expect(lines.at(-1)).toBe(KEYS);
});

it('of a call that fits nothing is missing', () => {
  const command = 'one\n\ttwo\nthree';
  const lines = shown({ input: { command } });
  expect(lines.slice(1, 4)).toEqual(['  one', '      two', '  three']);
  expect(lines.join('\n')).not.toContain('more');
});

it('of an edit the lines are shown that go and come, and input of another shape as it is', () => {
  const linesOf = (tool: string, input: object) => {
    const lines = shown({ tool, input: { file_path: '/p/a\nb', ...input } });
    return lines.slice(1, lines.indexOf(''));
  };
  const edit = { old_string: 'one\n\ttwo', new_string: '1\r' };
  expect(linesOf('Edit', edit)).toEqual(['  /p/a ⏎ b', '  - one', '  -     two', '  + 1\\u{d}']);
  const more = { old_string: '', new_string: 'x', replace_all: true };
  expect(linesOf('MultiEdit', { edits: [more, { ...edit, new_string: '' }] })).toEqual([
    ...['  /p/a ⏎ b', '  wherever it is:', '  + x', '  - one', '  -     two', '  + '],
  ]);
  expect(linesOf('Write', { content: 'a\nb' })).toEqual(['  /p/a ⏎ b, the whole file:', '  + a', '  + b']);
  expect(linesOf('MultiEdit', { edits: [edit, 1] })[0]).toBe('  {');
  expect(linesOf('Edit', { old_string: 'a' })[0]).toBe('  {');
  expect(linesOf('Edit', { ...edit, replace_all: 'true' })[0]).toBe('  {');
});

it('what is cited makes no line of its own, and hides nothing', () => {
  const forged = 'x\n  runs     not at all\u202e\u200b';
  const lines = shown({
    ...{
      why: forged,
      tool: forged,
      project: forged,
      noRule: forged,
      uncovered: [forged],
      agent: forged,
      prompt: forged,
    },
    deny: { tool: forged, field: '', pattern: '' },
  });
  expect(lines.filter((line) => /^\s*runs/.test(line))).toEqual([
    '  runs     in the sandbox: what it writes stays pending',
  ]);
  expect(lines.join('\n')).not.toMatch(/[\u202e\u200b]/);
});

it('a command that wants to run outside of the client’s own sandbox says so', () => {
  const rowsWith = (input: object) =>
    shown({ input: { command: 'make', ...input } }).filter((line) =>
      line.includes('dangerouslyDisableSandbox'),
    );
  expect(rowsWith({ dangerouslyDisableSandbox: true })).toHaveLength(1);
  expect(rowsWith({ dangerouslyDisableSandbox: false })).toEqual([]);
  expect(rowsWith({})).toEqual([]);
});

it('the prompt that the question came from stands in a line of its own', () => {
  const rows = (prompt: string) => shown({ prompt }).filter((line) => line.startsWith('  prompt'));
  expect(rows('make it\nfaster')).toEqual(['  prompt   make it ⏎ faster']);
  expect(rows('')).toEqual([]);
});

it('of a host there is its name and port, with what it hides, and the entry that an answer adds', () => {
  const entry = { tool: 'Network', field: 'host', pattern: '*.example' };
  const network = { host: 'a\u202e.example', port: 443 };
  const input = { url: 'a\u202e.example:443' };
  const lines = shown({ tool: 'Network', network, input, runs: null, allow: entry, deny: entry });
  expect(lines[0]).toBe('1  Network');
  expect(lines[1]).toBe('  a\\u{202e}.example:443');
  expect(lines.filter((line) => /always|never/.test(line))).toEqual([
    '  always   *.example',
    '  never    *.example',
  ]);
});

it('an answer about a host says what became of the host', () => {
  const about = { network: { host: 'a.example', port: 443 } };
  expect(answeredText({ end: 'no', rule: null }, about)).toBe('Refused, for a minute.');
  expect(
    answeredText({ end: 'session', rule: { written: true, file: 'this box', list: 'allow' } }, about),
  ).toBe('Allowed, in this box.\nAdded to this box (allow).');
  expect(answeredText({ end: 'always', rule: { written: false, why: 'it is none' } }, about)).toContain(
    'The host was not added: it is none',
  );
  expect(answeredText({ end: 'no', rule: null }, {})).toBe('Denied.');
});
