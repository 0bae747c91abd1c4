import * as fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import { anyEvent, eventOfType } from '../../testing/log/event-arbitrary.ts';
import { EVENT_FIELDS, type EventType } from './fields.ts';
import { isLogEvent } from './guard.ts';
import { logEventSchema } from './schema.ts';
import type { LogEvent } from './types.ts';

type Inferred = z.infer<typeof logEventSchema>;

const accepts = (value: unknown): boolean => logEventSchema.safeParse(value).success;
const TYPES = Object.keys(EVENT_FIELDS) as EventType[];

/** Values one step away from being right: wrong types, border numbers, words that are nearly the allowed ones. */
const ODD: unknown[] = [
  null,
  0,
  -1,
  1,
  1.5,
  -0,
  2 ** 53,
  -(2 ** 53),
  1e308,
  true,
  '',
  'sandbox',
  'Sandbox',
  'default',
  'toString',
  'exact',
  '__proto__',
  [],
  [1, -1],
  ['a', 1],
  {},
  '2026-02-30T00:00:00.000Z',
  '2026-13-01T00:00:00.000Z',
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.000+00:00',
  '2026-01-01T24:00:00.000Z',
  'call.started',
  'session',
];
const oddValue: fc.Arbitrary<unknown> = fc.oneof(fc.constantFrom(...ODD), fc.jsonValue());

type Mutation = { kind: 'set' | 'drop' | 'add' | 'rename'; at: number; value: unknown; name: string };
const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('set', 'drop', 'add', 'rename'),
  at: fc.nat(20),
  value: oddValue,
  name: fc.oneof(fc.constantFrom('v', 't', 'at', 'call', '__proto__', 'constructor', 'extra'), fc.string()),
});

function mutate(event: LogEvent, change: Mutation): unknown {
  const entries: [string, unknown][] = Object.entries(event);
  const at = change.at % entries.length;
  const [name, value] = entries[at] ?? ['', null];
  if (change.kind === 'set') entries[at] = [name, change.value];
  if (change.kind === 'drop') entries.splice(at, 1);
  if (change.kind === 'rename') entries[at] = [change.name, value];
  if (change.kind === 'add') entries.push([change.name, change.value]);
  return Object.fromEntries(entries);
}

describe('schema and guard', () => {
  it('the schema infers exactly the types of types.ts, both ways', () => {
    expectTypeOf<Inferred>().toExtend<LogEvent>();
    expectTypeOf<LogEvent>().toExtend<Inferred>();
    expectTypeOf<Inferred['t']>().toEqualTypeOf<LogEvent['t']>();
  });

  it.each(TYPES)('both accept every %s event, also after a round trip through JSON', (t) => {
    fc.assert(
      fc.property(eventOfType(t), (event) => {
        const back: unknown = JSON.parse(JSON.stringify(event));
        expect([isLogEvent(event), accepts(event), isLogEvent(back), accepts(back)]).toEqual([
          true,
          true,
          true,
          true,
        ]);
      }),
      { numRuns: 50 },
    );
  });

  it.each(TYPES)('both give the same answer for every odd value in every field of %s', (t) => {
    const [event] = fc.sample(eventOfType(t), { numRuns: 1, seed: 1 });
    for (const name of Object.keys(event ?? {})) {
      for (const value of ODD) {
        const changed = { ...event, [name]: value };
        expect([name, value, isLogEvent(changed)]).toEqual([name, value, accepts(changed)]);
      }
    }
  });

  it('both give the same answer for mutated events', () => {
    let refused = 0;
    fc.assert(
      fc.property(anyEvent, fc.array(mutation, { minLength: 1, maxLength: 3 }), (event, changes) => {
        let value: unknown = event;
        for (const change of changes)
          if (typeof value === 'object') value = mutate(value as LogEvent, change);
        if (!accepts(value)) refused++;
        expect(isLogEvent(value)).toBe(accepts(value));
      }),
      { numRuns: 5_000 },
    );
    expect(refused).toBeGreaterThan(1_000);
  });

  it('both give the same answer for any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isLogEvent(value)).toBe(accepts(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[string, object]>([
    ['a field missing', { v: 1, t: 'call.failed', at: '2026-01-01T00:00:00.000Z', call: 'c' }],
    [
      'a field too many',
      { v: 1, t: 'call.failed', at: '2026-01-01T00:00:00.000Z', call: 'c', step: 1, env: {} },
    ],
    ['another version', { v: 2, t: 'call.failed', at: '2026-01-01T00:00:00.000Z', call: 'c', step: 1 }],
    [
      'a time without milliseconds',
      { v: 1, t: 'call.failed', at: '2026-01-01T00:00:00Z', call: 'c', step: 1 },
    ],
  ])('both refuse %s', (_name, value) => {
    expect([isLogEvent(value), accepts(value)]).toEqual([false, false]);
  });
});
