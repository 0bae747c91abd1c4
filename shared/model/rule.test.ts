import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isRuleFile, ruleFileProblems } from './rule.ts';

const filled = z.string().min(1);
const call = z.union([z.string(), z.looseObject({ tool: filled, input: z.record(z.string(), z.unknown()) })]);
const time = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/)
  .refine((text) => !Number.isNaN(Date.parse(text)));
const rule = z
  .looseObject({
    tool: filled.optional(),
    match: z.record(z.string(), z.string()).optional(),
    reason: z.string().optional(),
    _source_hash: z.string().optional(),
    tests: z.looseObject({ yes: z.array(call).optional(), no: z.array(call).optional() }).optional(),
    modes: z.array(filled).optional(),
    until: time.optional(),
    disabled: z.boolean().optional(),
  })
  .refine(({ tool, match = {} }) => tool !== undefined || Object.keys(match).length > 0);
const lists = {
  allowed_dirs: z.array(filled).optional(),
  effects: z
    .array(
      z.looseObject({
        paths: z.array(filled).min(1),
        kinds: z.array(z.enum(['added', 'modified', 'deleted'])).optional(),
        do: z.enum(['flag', 'confirm', 'never']),
        reason: z.string().optional(),
      }),
    )
    .optional(),
  allow: z.array(rule).optional(),
  deny: z.array(rule).optional(),
};

/** The second declaration of the format, which the guard must equal. */
const FILE = z.union([
  z.looseObject({ version: z.literal(1), ...lists }),
  z.looseObject({ version: z.literal(2), ...lists, ask: z.array(rule).optional() }),
]);

const text = fc.constantFrom(...'Bash ^rm ( 2026-01-01 default a b c d e f g h'.split(' '), '');
const moment = fc.constantFrom(
  ...['2026-01-01', '2026-01-01T00:00:00Z', '2026-12-31T23:59:59.123+02:00', '2026-13-01', 'x'],
);
const junk = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.boolean(),
  fc.array(text),
  fc.dictionary(text, text),
);
const may = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 40, arbitrary: value as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: junk });
const some = <T>(value: fc.Arbitrary<T>) => fc.array(value, { maxLength: 2 });
const anyCall = fc.oneof(
  text,
  fc.record({ tool: may(text), input: may(fc.dictionary(text, junk)) }, { requiredKeys: [] }),
);
const anyRule = fc.record(
  {
    tool: may(text),
    match: may(fc.dictionary(text, may(text))),
    reason: may(text),
    _source_hash: may(text),
    tests: may(
      fc.record({ yes: may(some(may(anyCall))), no: may(some(may(anyCall))) }, { requiredKeys: [] }),
    ),
    modes: may(some(may(text))),
    until: may(moment),
    disabled: may(fc.boolean()),
    note: junk,
  },
  { requiredKeys: [] },
);
const anyEffect = fc.record(
  {
    paths: may(some(may(text))),
    kinds: may(some(may(fc.constantFrom('added', 'modified', 'deleted')))),
    do: may(fc.constantFrom('flag', 'confirm', 'never')),
    reason: may(fc.string()),
    note: junk,
  },
  { requiredKeys: ['paths', 'do'] },
);
const list = may(some(may(anyRule)));
const anyFile = fc.record(
  {
    version: fc.constantFrom(1, 1, 2, 2, 2, 3),
    allowed_dirs: may(some(may(text))),
    allow: list,
    ask: list,
    deny: list,
    effects: may(some(may(anyEffect))),
  },
  { requiredKeys: ['version'] },
);

describe('isRuleFile', () => {
  test('accepts exactly what the schema accepts', () => {
    let good = 0;
    fc.assert(
      fc.property(fc.oneof(anyFile, junk), (value) => {
        const expected = FILE.safeParse(value).success;
        if (expected) good += 1;
        expect(isRuleFile(value)).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
    expect(good).toBeGreaterThan(100);
  });

  test.each([
    [{}, 'version: expected 1 or 2'],
    [{ version: 3 }, 'version: expected 1 or 2'],
    [{ version: 2, allow: {} }, 'allow: expected an array of rules'],
    [{ version: 2, allow: [{}] }, 'allow[0]: expected "tool" or a field in "match"'],
    [{ version: 2, allow: [{ match: {} }] }, 'allow[0]: expected "tool" or a field in "match"'],
    [{ version: 2, ask: [{ tool: '' }] }, 'ask[0].tool: expected a pattern'],
    [{ version: 2, deny: [{ match: { command: 7 } }] }, 'deny[0].match.command: expected a pattern'],
    [{ version: 2, deny: [{ tool: 'x', until: 'tomorrow' }] }, 'deny[0].until: expected an ISO time'],
    [
      { version: 2, effects: [{ paths: ['x'], do: 'commit' }] },
      'effects[0].do: expected flag, confirm, never, auto',
    ],
    [[], 'expected an object'],
  ])('names what is wrong with %j', (value, problem) => {
    expect(ruleFileProblems(value)).toContain(problem);
  });

  test('does not look at ask rules of version 1, and keeps unknown keys', () => {
    expect(isRuleFile({ version: 1, ask: 7, note: [{}], deny: [{ tool: 'x', note: 1 }] })).toBe(true);
  });
});
