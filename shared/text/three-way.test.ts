import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawOf } from './lines.ts';
import { type Block, mergeTexts, threeWay, twoWay } from './merge-text.ts';

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');
const joined = (blocks: readonly Block[], side: 'host' | 'base' | 'sandbox'): string =>
  blocks.flatMap((block) => (block.kind === 'same' ? block.host : block[side]).map(rawOf)).join('');
const shapes = (blocks: readonly Block[] | null) =>
  blocks?.map(({ kind, hostAt, baseAt, sandboxAt }) => [kind, hostAt, baseAt, sandboxAt]);

describe('three texts', () => {
  it('says of each stretch who changed it, and where it begins in each', () => {
    const base = text('1', '2', '3', '4', '5', '6', '7', '8', '9');
    const host = text('1', '2', 'three', '4', '5', '7', '8', 'nine');
    const sandbox = text('0', '1', '2', '3', '4', '5', '7', '8', 'neun');
    expect(shapes(threeWay(base, host, sandbox))).toEqual([
      ['sandbox', 1, 1, 1],
      ['same', 1, 1, 2],
      ['host', 3, 3, 4],
      ['same', 4, 4, 5],
      ['alike', 6, 6, 7],
      ['same', 6, 7, 7],
      ['both', 8, 9, 9],
    ]);
  });

  it('keeps a missing line feed, and a side that has nothing', () => {
    expect(threeWay('a\n', 'a', 'a\n')).toMatchObject([{ kind: 'host', host: [{ text: 'a', end: 'none' }] }]);
    expect(threeWay('a\n', '', 'b\n')).toMatchObject([{ kind: 'both', host: [], base: [{ text: 'a' }] }]);
    expect(threeWay('', '', '')).toEqual([]);
  });

  it('gives up where there are too many equal lines', () => {
    const many = '\n'.repeat(3_000);
    expect(threeWay(many, `${many}a\n`, `b\n${many}`)).toBeNull();
  });

  // fast-check prints a failing seed.
  const some = fc
    .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '__proto__\n', '\u202e\n'), { maxLength: 14 })
    .chain((lines) => fc.constantFrom(lines.join(''), `${lines.join('')}end`));

  it('loses no line of any side, and calls both what a merge puts markers around', () => {
    fc.assert(
      fc.property(some, some, some, (base, host, sandbox) => {
        const blocks = threeWay(base, host, sandbox) ?? [];
        expect(joined(blocks, 'base')).toBe(base);
        expect(joined(blocks, 'host')).toBe(host);
        expect(joined(blocks, 'sandbox')).toBe(sandbox);
        const both = blocks.filter(({ kind }) => kind === 'both').length;
        expect(both).toBe(mergeTexts(base, host, sandbox)?.conflicts);
      }),
      { numRuns: 500 },
    );
  });

  it('loses no line where there are two', () => {
    fc.assert(
      fc.property(some, some, (host, sandbox) => {
        const { blocks } = twoWay(host, sandbox);
        expect(joined(blocks, 'host')).toBe(host);
        expect(joined(blocks, 'sandbox')).toBe(sandbox);
        let [hostAt, sandboxAt] = [1, 1];
        for (const block of blocks) {
          expect([block.hostAt, block.sandboxAt]).toEqual([hostAt, sandboxAt]);
          hostAt += block.host.length;
          sandboxAt += block.kind === 'same' ? block.host.length : block.sandbox.length;
        }
      }),
      { numRuns: 300 },
    );
  });
});
