/** Test support: random valid events, made from the field table. */
import * as fc from 'fast-check';
import {
  EVENT_FIELDS,
  type EventType,
  type FieldKind,
  isLogEvent,
  type LogEvent,
} from '../../shared/log/events.ts';
import { REASONS } from '../../shared/model/decision.ts';

const text = fc.string({ unit: 'binary', maxLength: 40 });
const count = fc.oneof(fc.nat(), fc.maxSafeNat());

const KINDS: Record<Extract<FieldKind, string>, fc.Arbitrary<unknown>> = {
  text,
  texts: fc.array(text, { maxLength: 4 }),
  flag: fc.boolean(),
  count,
  counts: fc.array(count, { maxLength: 4 }),
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  mode: fc.constantFrom('sandbox', 'host', 'refuse'),
  reason: fc.constantFrom(...Object.keys(REASONS)),
};

const time = fc
  .date({ min: new Date(0), max: new Date('2999-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

function ofKind(kind: FieldKind): fc.Arbitrary<unknown> {
  return typeof kind === 'string' ? KINDS[kind] : fc.constantFrom(...kind);
}

/** Any valid event of one type. */
export function eventOfType(t: EventType): fc.Arbitrary<LogEvent> {
  const fields = Object.entries<FieldKind>(EVENT_FIELDS[t]).map(
    ([name, kind]) => [name, ofKind(kind)] as const,
  );
  return fc
    .record<Record<string, unknown>>({
      v: fc.constant(1),
      t: fc.constant(t),
      at: time,
      ...Object.fromEntries(fields),
    })
    .map((event) => {
      const value: unknown = event;
      if (!isLogEvent(value))
        throw new Error(`the field table made an event that the guard refuses: ${JSON.stringify(event)}`);
      return value;
    });
}

/** Any valid event. */
export const anyEvent: fc.Arbitrary<LogEvent> = fc.oneof(
  ...(Object.keys(EVENT_FIELDS) as EventType[]).map((t) => eventOfType(t)),
);
