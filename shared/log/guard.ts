/** Is this value (out of JSON.parse) an event? Written by hand: zod takes 60 ms to load, which a call cannot afford. */
import { REASONS } from '../model/decision.ts';
import { EVENT_FIELDS, type FieldKind, isEventType, isLogTime } from './fields.ts';
import type { LogEvent } from './types.ts';

const MODES: readonly string[] = ['sandbox', 'host', 'refuse'];

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown): boolean => typeof value === 'string';

const CHECKS: Record<Extract<FieldKind, string>, (value: unknown) => boolean> = {
  text: isText,
  texts: (value) => Array.isArray(value) && value.every(isText),
  flag: (value) => typeof value === 'boolean',
  count: isCount,
  counts: (value) => Array.isArray(value) && value.every(isCount),
  number: (value) => Number.isFinite(value),
  mode: (value) => typeof value === 'string' && MODES.includes(value),
  reason: (value) => typeof value === 'string' && Object.hasOwn(REASONS, value),
};

function fits(kind: FieldKind, value: unknown): boolean {
  if (typeof kind === 'string') return CHECKS[kind](value);
  return typeof value === 'string' && kind.includes(value);
}

/** True for exactly the values that the schema accepts (held by a property test): every field there, no other. */
export function isLogEvent(value: unknown): value is LogEvent {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const found = new Map<string, unknown>(Object.entries(value));
  const type = found.get('t');
  const at = found.get('at');
  if (found.get('v') !== 1 || !isEventType(type) || typeof at !== 'string' || !isLogTime(at)) return false;
  const fields = Object.entries<FieldKind>(EVENT_FIELDS[type]);
  return (
    found.size === fields.length + 3 &&
    fields.every(([name, kind]) => found.has(name) && fits(kind, found.get(name)))
  );
}
