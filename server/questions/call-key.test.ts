import { expect, it } from 'vitest';
import { callKey, END_CHARS, MOST_PARTS, partsOfCall } from './call-key.ts';

const call = (toolInput: Record<string, unknown>, tool = 'Write') => ({
  ...{ claude: 'c', agent: '', cwd: '/p', all: {}, request: '' },
  ...{ tool, toolInput },
});

it('a call is told by its client, conversation, tool and input', () => {
  const input = { file_path: '/p/a', edits: [{ old: 'x', new: 'y' }], replace: true, count: 2 };
  const key = callKey(call(input));
  expect(callKey(call(structuredClone(input)))).toBe(key);
  const others = [
    call({ ...input, file_path: '/p/b' }),
    call({ ...input, edits: [{ old: 'x', new: 'z' }] }),
    call({ ...input, edits: [{ old: 'x', new: 'y' }, {}] }),
    call({ ...input, replace: false }),
    call({ ...input, count: 3 }),
    call({ ...input, more: null }),
    call(input, 'Edit'),
    { ...call(input), claude: 'd' },
    { ...call(input), agent: 'a' },
  ];
  expect(new Set([key, ...others.map(callKey)]).size).toBe(others.length + 1);
});

it('blanks that a hook put in front of a command do not count', () => {
  expect(callKey(call({ command: '  make' }, 'Bash'))).toBe(callKey(call({ command: 'make' }, 'Bash')));
  expect(callKey(call({ command: 'make ' }, 'Bash'))).not.toBe(callKey(call({ command: 'make' }, 'Bash')));
});

it('of a large input only a bounded part is looked at: both ends of a text, and the first fields', () => {
  const content = 'x'.repeat(20_000_000);
  const large = partsOfCall(call({ content })).join('');
  expect(large.length).toBeLessThan(3 * END_CHARS);
  const keys = [content, `y${content.slice(1)}`, `${content.slice(1)}y`, content.slice(1)].map((text) =>
    callKey(call({ content: text })),
  );
  expect(new Set(keys).size).toBe(keys.length);
  const wide = { list: Array.from({ length: 100_000 }, (_, i) => i) };
  expect(partsOfCall(call(wide)).length).toBeLessThanOrEqual(MOST_PARTS);
  let deep: unknown = 1;
  for (let i = 0; i < 10_000; i++) deep = [deep];
  expect(callKey(call({ deep }))).not.toBe(callKey(call({ deep: 1 })));
});

it('a text cannot stand for several', () => {
  expect(callKey(call({ a: 'x\0y' }))).not.toBe(callKey(call({ a: 'x', y: '' })));
  expect(callKey(call({ list: ['a', 'b'] }))).not.toBe(callKey(call({ list: ['a\u00001 b'] })));
});
