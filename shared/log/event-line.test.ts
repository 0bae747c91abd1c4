import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEvent } from '../../testing/log/event-arbitrary.ts';
import { MAX_LOG_LINE_BYTES } from '../limits.ts';
import { type EventOf, isLogEvent, type LogEvent } from './events.ts';
import { eventLine } from './lines.ts';

const at = '2026-01-01T00:00:00.000Z';
const request = (command: string): EventOf<'call.requested'> => ({
  v: 1,
  t: 'call.requested',
  at,
  request: 'r1',
  claude: 'c',
  tool: 'Bash',
  command,
  cwd: '/p',
  agent: '',
  background: false,
  mode: 'sandbox',
  reason: 'default',
  text: '',
  twins: 0,
});
const outcome = (head: string, tail: string): EventOf<'call.outcome'> => ({
  v: 1,
  t: 'call.outcome',
  at,
  request: 'r1',
  ok: true,
  interrupted: false,
  background: '',
  head,
  tail,
  cut: 10,
  ms: 1,
  unsandboxed: false,
});
const bytes = (text: string): number => Buffer.byteLength(text);

describe('eventLine', () => {
  it('writes an event of ordinary size as it is, on one line', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const line = eventLine(event);
        expect(line).not.toContain('\n');
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(event)));
      }),
    );
  });

  it.each<[string, LogEvent]>([
    ['plain letters', request('x'.repeat(130_000))],
    ['control characters, six bytes each in JSON', request('\u0001'.repeat(130_000))],
    ['emoji, which must not be split', request('🦊'.repeat(40_000))],
    ['lone surrogates', request('\ud83e'.repeat(40_000))],
    ['two long texts', outcome('\u0000'.repeat(8192), '\u0000'.repeat(8192))],
    [
      'thousands of pids',
      { v: 1, t: 'call.left', at, call: 'c', pids: Array.from({ length: 20_000 }, (_, i) => i + 100_000) },
    ],
  ])('cuts %s to a valid event that fits one line', (_name, event) => {
    const line = eventLine(event);
    expect(bytes(line)).toBeLessThanOrEqual(MAX_LOG_LINE_BYTES - 2);
    expect(bytes(line)).toBeGreaterThan(MAX_LOG_LINE_BYTES / 3);
    expect(isLogEvent(JSON.parse(line))).toBe(true);
  });

  it('says in a cut text how many bytes are missing', () => {
    const event: EventOf<'call.requested'> = JSON.parse(eventLine(request('é'.repeat(65_000))));
    const [, kept = '', missing = ''] = /^(é*)… \[(\d+) bytes cut\]$/.exec(event.command) ?? [];
    expect(bytes(kept)).toBeGreaterThan(60_000);
    expect(bytes(kept) + Number(missing)).toBe(130_000);
  });

  it('counts what an outcome lost in its `cut`, keeping the beginning of head and the end of tail', () => {
    const head = `first${'\u0001'.repeat(8000)}`;
    const tail = `${'\u0002'.repeat(8000)}last`;
    const event: EventOf<'call.outcome'> = JSON.parse(eventLine(outcome(head, tail)));
    expect(head.startsWith(event.head)).toBe(true);
    expect(tail.endsWith(event.tail)).toBe(true);
    expect(event.head.startsWith('first') && event.tail.endsWith('last')).toBe(true);
    expect(event.cut).toBe(10 + bytes(head) + bytes(tail) - bytes(event.head) - bytes(event.tail));
  });

  it('never splits a surrogate pair, whatever the length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 65_300, max: 65_600 }), fc.boolean(), (length, inTail) => {
        const text = `${'a'.repeat(length % 4)}${'🦊'.repeat(length / 4)}`;
        const line = eventLine(inTail ? outcome('', text) : outcome(text, ''));
        const event: EventOf<'call.outcome'> = JSON.parse(line);
        // Throws for half a pair.
        expect(() => encodeURIComponent(inTail ? event.tail : event.head)).not.toThrow();
        expect(bytes(line)).toBeLessThanOrEqual(MAX_LOG_LINE_BYTES - 2);
      }),
      { numRuns: 50 },
    );
  });
});
