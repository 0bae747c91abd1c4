import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyEvent } from '../../testing/log/event-arbitrary.ts';
import { MAX_LINE_CHARS, MAX_LOG_LINE_BYTES } from '../limits.ts';
import type { LogEvent } from './events.ts';
import { isRaw, LogParser, parseLine, type RawLine } from './lines.ts';

const event: LogEvent = { v: 1, t: 'call.failed', at: '2026-01-01T00:00:00.000Z', call: 'ü', step: 3 };
const json = JSON.stringify(event);

describe('parseLine', () => {
  it.each([
    ['a line cut off', json.slice(0, -1), 'torn'],
    ['text', 'hello', 'not-json'],
    ['two lines that were glued', json + json, 'not-json'],
    ['an event of a later version', json.replace('"v":1', '"v":2'), 'unknown-version'],
    ['an event of another kind', json.replace('call.failed', 'call.paused'), 'unknown-type'],
    ['an event with a name that objects inherit', json.replace('call.failed', 'toString'), 'unknown-type'],
    ['an event with a wrong field', json.replace('"step":3', '"step":"3"'), 'bad-shape'],
    ['an array', '[1]', 'bad-shape'],
    ['an object without a version', '{"t":"call.failed"}', 'bad-shape'],
  ])('keeps %s raw', (_name, text, problem) => {
    expect(parseLine(text, 7)).toEqual({ raw: text, offset: 7, problem });
  });
});

it('a parser of some events gives these, and every line that is no event', () => {
  const other = JSON.stringify({ v: 1, at: event.at, t: 'session.end', claude: 'c', reason: 'x' });
  const text = [json, other, 'rubbish', json.replace('call.failed', 'call.paused'), ''].join('\n');
  const lines = new LogParser({ types: new Set(['call.failed']) }).push(new Uint8Array(Buffer.from(text)));
  expect(lines.map((line) => (isRaw(line) ? line.problem : line.t))).toEqual([
    ...['call.failed', 'not-json', 'unknown-type'],
  ]);
});

it('leaves out an event that is enough, and passes over what has its request, and nothing else', () => {
  const failed = (request: string): LogEvent => {
    return {
      v: 1,
      t: 'permission.outcome',
      at: event.at,
      request,
      outcome: 'failed',
      by: 'client',
      error: 'x',
    };
  };
  const closed = (request: string) => ({
    v: 1,
    t: 'call.closed',
    at: event.at,
    request,
    call: '',
    why: 'not-run',
  });
  const log = [closed('a'), failed('a'), failed('a'), closed('a'), closed('b'), failed(''), closed('')];
  const elsewhere = { v: 1, t: 'call.closed', at: event.at, call: '', request: 'a', why: 'not-run' };
  const text = [...log, elsewhere].map((one) => `${JSON.stringify(one)}\n`).join('');
  const parser = new LogParser({
    types: new Set(['permission.outcome', 'call.closed']),
    isEnough: ({ t }) => t === 'permission.outcome',
  });
  const wanted = [closed('a'), closed('b'), failed(''), closed(''), elsewhere];
  expect(parser.push(new Uint8Array(Buffer.from(text)))).toEqual(wanted);
});

/** Events, rubbish, empty lines, invalid UTF-8. */
const anyLine: fc.Arbitrary<Uint8Array> = fc.oneof(
  anyEvent.map((value) => new Uint8Array(Buffer.from(JSON.stringify(value)))),
  fc.uint8Array({ maxLength: 30 }).map((bytes) => bytes.filter((byte) => byte !== 10)),
  fc.constant(new Uint8Array()),
);

const shown = (text: string): string =>
  text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}…` : text;

function parseInPieces(bytes: Uint8Array, cuts: number[]): unknown[] {
  const parser = new LogParser();
  const lines: unknown[] = [];
  const borders = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
  for (let i = 1; i < borders.length; i++) {
    const chunk = bytes.slice(borders[i - 1], borders[i]);
    lines.push(...parser.push(chunk));
    chunk.fill(0x78); // The parser may not rely on the buffer after push.
  }
  return [...lines, parser.pending()];
}

describe('LogParser', () => {
  it('gives the same lines for any split of the bytes, each with the offset at which it begins', () => {
    fc.assert(
      fc.property(
        fc.array(anyLine, { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.boolean(),
        (parts, cuts, closed) => {
          const bytes = Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]));
          const whole = new Uint8Array(closed ? bytes : bytes.subarray(0, -1));
          const expected: unknown[] = [];
          let offset = 0;
          let pending: RawLine | null = null;
          parts.forEach((part, i) => {
            const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(part);
            if (part.length > 0 && !closed && i === parts.length - 1)
              pending = { raw: shown(text), offset, problem: 'torn' };
            else if (part.length > 0) expected.push(parseLine(text, offset));
            offset += part.length + 1;
          });
          expect(parseInPieces(whole, cuts)).toEqual([...expected, pending]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('keeps the beginning of a line that is too long, and reads on behind it', () => {
    const parser = new LogParser();
    const lines = [];
    const mebibyte = Buffer.alloc(1024 * 1024, 'y');
    for (let i = 0; i < 50; i++) lines.push(...parser.push(mebibyte));
    expect(parser.pending()).toMatchObject({ offset: 0, problem: 'too-long' });
    lines.push(...parser.push(Buffer.from(`\n${json}\n`)));
    expect(lines).toEqual([{ raw: `${'y'.repeat(MAX_LINE_CHARS)}…`, offset: 0, problem: 'too-long' }, event]);
  });

  it('still takes a line of exactly the longest length', () => {
    const long = { ...event, call: '' };
    const padded = { ...long, call: 'z'.repeat(MAX_LOG_LINE_BYTES - JSON.stringify(long).length) };
    const lines = new LogParser().push(
      Buffer.from(`${JSON.stringify(padded)}\n${JSON.stringify(padded)}z\n`),
    );
    expect(lines.map((line) => (isRaw(line) ? line.problem : true))).toEqual([true, 'too-long']);
  });

  it('shows a long line that is no event only in its first part', () => {
    const [line] = new LogParser().push(Buffer.from(`${'é'.repeat(5_000)}\n`));
    expect(line).toMatchObject({ raw: `${'é'.repeat(MAX_LINE_CHARS)}…`, problem: 'not-json' });
  });
});
