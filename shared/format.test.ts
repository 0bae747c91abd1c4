import { expect, test } from 'vitest';
import { durationText, sizeText } from './format.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 kB'],
  [1_449, '1.4 kB'],
  [999_999, '1 MB'],
  [312_000_000, '312 MB'],
])('%d bytes are %s', (value, text) => expect(sizeText(value)).toBe(text));

test.each([
  [7, '7 ms'],
  [4_240, '4.2 s'],
  [59_949, '59.9 s'],
  [59_990, '1 min'],
  [119_800, '2 min'],
  [192_000, '3 min 12 s'],
  [7_200_000, '2 h'],
  [7_500_000, '2 h 5 min'],
])('%d ms are %s', (value, text) => expect(durationText(value)).toBe(text));
