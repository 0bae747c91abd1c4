import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEvent, eventOfType } from '../../testing/log/event-arbitrary.ts';
import { EVENT_FIELDS, type EventType, isLogEvent } from './events.ts';

const TYPES = Object.keys(EVENT_FIELDS) as EventType[];

/** Nearly valid values: wrong types, border numbers, words close to the allowed ones. */
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

/** The odd values that are valid for a kind of field. */
const FITS: Record<string, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  texts: (value) => Array.isArray(value) && value.length === 0,
  flag: (value) => value === true,
  count: (value) => value === 0 || value === 1,
  counts: (value) => Array.isArray(value) && value.length === 0,
  number: (value) => typeof value === 'number',
  mode: (value) => value === 'sandbox',
  reason: (value) => value === 'default',
};

function fits(t: EventType, name: string, value: unknown): boolean {
  if (name === 'v') return value === 1;
  if (name === 't') return value === t;
  if (name === 'at') return value === '2026-02-30T00:00:00.000Z' || value === '2026-01-01T24:00:00.000Z';
  const kind: unknown = Reflect.get(EVENT_FIELDS[t], name);
  return Array.isArray(kind) ? kind.includes(value) : FITS[String(kind)]?.(value) === true;
}

describe('the guard of log events', () => {
  it.each(TYPES)('accepts every %s event, also after a round trip through JSON', (t) => {
    fc.assert(
      fc.property(eventOfType(t), (event) => {
        const back: unknown = JSON.parse(JSON.stringify(event));
        expect([isLogEvent(event), isLogEvent(back)]).toEqual([true, true]);
      }),
      { numRuns: 50 },
    );
  });

  it.each(TYPES)('accepts in every field of %s what its kind allows, and no other odd value', (t) => {
    const [event] = fc.sample(eventOfType(t), { numRuns: 1, seed: 1 });
    for (const name of Object.keys(event ?? {})) {
      for (const value of ODD) {
        const changed = { ...event, [name]: value };
        expect([name, value, isLogEvent(changed)]).toEqual([name, value, fits(t, name, value)]);
      }
    }
  });

  it('refuses an event with a field missing, added or renamed', () => {
    const name = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'extra'), fc.string());
    fc.assert(
      fc.property(anyEvent, fc.nat(20), name, fc.jsonValue(), (event, index, other, value) => {
        const entries: [string, unknown][] = Object.entries(event);
        const at = index % entries.length;
        fc.pre(!entries.some(([own]) => own === other));
        const rest = entries.filter((_entry, i) => i !== at);
        expect(isLogEvent(Object.fromEntries(rest))).toBe(false);
        expect(isLogEvent(Object.fromEntries([...rest, [other, entries[at]?.[1]]]))).toBe(false);
        expect(isLogEvent(Object.fromEntries([...entries, [other, value]]))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses any other JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(isLogEvent(value)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each<[string, object]>([
    ['another version', { v: 2, t: 'call.failed', at: '2026-01-01T00:00:00.000Z', call: 'c', step: 1 }],
    [
      'a time without milliseconds',
      { v: 1, t: 'call.failed', at: '2026-01-01T00:00:00Z', call: 'c', step: 1 },
    ],
  ])('refuses %s', (_name, value) => {
    expect(isLogEvent(value)).toBe(false);
  });
});

it('a time is what Date.parse reads, in the form of toISOString', () => {
  const digits = (count: number, most: number) =>
    fc.oneof(fc.nat(most), fc.nat(most + 3)).map((number) => String(number).padStart(count, '0'));
  const parts = fc.tuple(digits(4, 9996), digits(2, 12), digits(2, 31), digits(2, 24));
  const rest = fc.tuple(
    digits(2, 59),
    digits(2, 59),
    fc.constantFrom('.000Z', '.999Z', 'Z', '.000', '.0000Z'),
  );
  const zero = fc.constant(['00', '00', '.000Z'] as const);
  fc.assert(
    fc.property(parts, fc.oneof(rest, zero), ([year, month, day, hour], [minute, second, end]) => {
      const at = `${year}-${month}-${day}T${hour}:${minute}:${second}${end}`;
      const isRead = at.length === 24 && at.endsWith('Z') && !Number.isNaN(Date.parse(at));
      expect(isLogEvent({ v: 1, t: 'call.failed', at, call: 'c', step: 1 }), at).toBe(isRead);
    }),
    { numRuns: 3_000 },
  );
});
