import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatViewed, parseViewed, type ViewedMark } from './viewed.ts';

const id = fc.stringMatching(/^[0-9a-f]{4}$/);
const mark = fc.record({
  id,
  etag: fc.string({ maxLength: 8 }),
  content: fc.option(fc.string({ maxLength: 8 })),
});

it('what was written last about an entry is what is read', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(mark, fc.boolean())), (writes) => {
      const wanted = new Map<string, ViewedMark>();
      const lines = writes.map(([one, isGone]) => {
        if (isGone) wanted.delete(one.id);
        else wanted.set(one.id, one);
        return [one.id, isGone ? null : one] as const;
      });
      const read = parseViewed(formatViewed(lines));
      expect(read.marks).toEqual(wanted);
      expect(read.lines).toBe(writes.length);
    }),
  );
});

it.each([
  ['torn', '{"v":1,"id":"a","et'],
  ['another version', '{"v":2,"id":"b","etag":"x","content":null}'],
  ['no object', 'null'],
  ['of another shape', '{"v":1,"id":"c","etag":7,"content":null}'],
])('a line that is %s is passed over, and the next one is read', (_what, line) => {
  const { marks } = parseViewed(`${line}\n{"v":1,"id":"z","etag":"e","content":null}\n`);
  expect([...marks.keys()]).toEqual(['z']);
});
