import { expect, test } from 'vitest';
import { hexRows } from './BinaryView.tsx';

test('bytes stand sixteen a row, and only printable ASCII is drawn', () => {
  const hex = Buffer.from(`${'A'.repeat(16)}\u001b[31m<é`).toString('hex');
  expect(hexRows(hex)).toEqual([
    '000000  41 41 41 41 41 41 41 41 41 41 41 41 41 41 41 41  AAAAAAAAAAAAAAAA',
    '000010  1b 5b 33 31 6d 3c c3 a9                          .[31m<..',
  ]);
  expect(hexRows('')).toEqual([]);
});
