import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BytePath, bytePath, fromText, isBelowAny, toDisplay } from './bytes.ts';

/** Inverse of `toDisplay`. */
function readBack(shown: string): BytePath {
  let bytes = '';
  for (const [part] of shown.matchAll(/\\(?:\\|[nrt]|x[0-9a-f]{2}|u\{[0-9a-f]+\})|[^\\]/gu)) {
    const simple: Record<string, string> = { '\\\\': '\\', '\\n': '\n', '\\r': '\r', '\\t': '\t' };
    if (part in simple) bytes += simple[part];
    else if (part.startsWith('\\x')) bytes += String.fromCharCode(Number.parseInt(part.slice(2), 16));
    else if (part.startsWith('\\u'))
      bytes += fromText(String.fromCodePoint(Number.parseInt(part.slice(3), 16)));
    else bytes += fromText(part);
  }
  return bytePath(bytes);
}

const bytes = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0x5c, 0x6e, 0x78, 0x0a)))
  .map((codes) => bytePath(String.fromCharCode(...codes)));
const text = fc
  .string({
    unit: fc.constantFrom('\\', 'n', 'x', 'u', '{', '\n', '\u202e', '\ufeff', '\u0080', 'é', '🙂', '0', 'a'),
  })
  .map(fromText);

describe('toDisplay', () => {
  it('shows no two names alike: what is shown can be read back', () => {
    fc.assert(
      fc.property(fc.oneof(bytes, text), (path) => {
        expect(readBack(toDisplay(path))).toBe(path);
      }),
    );
  });

  it('leaves nothing that is invisible or turns the text around', () => {
    fc.assert(
      fc.property(fc.oneof(bytes, text), (path) => {
        expect(toDisplay(path)).not.toMatch(
          /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/,
        );
      }),
    );
  });

  it.each([
    ['plain', 'plain'],
    ['a\\nb', 'a\\\\nb'],
    ['a\nb', 'a\\nb'],
    ['\ufeffbom', '\\u{feff}bom'],
    ['x\u202ey', 'x\\u{202e}y'],
  ])('shows %j as %s', (name, shown) => {
    expect(toDisplay(fromText(name))).toBe(shown);
  });
});

describe('what lies below a set of directories', () => {
  it.each([
    ['/a/b/c', ['/a'], true],
    ['/a/b', ['/a/b'], false],
    ['/ab', ['/a'], false],
    ['/a', ['/'], true],
    ['/', ['/'], false],
    ['/a', [], false],
  ])('%s and %j: %s', (path, dirs, expected) => {
    expect(isBelowAny(bytePath(path), new Set(dirs))).toBe(expected);
  });
});
