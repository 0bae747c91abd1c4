import { expect, test } from 'vitest';
import { closest } from './closest.ts';

const WORDS = ['status', 'diff', 'commit', 'discard', 'undo', 'export', 'exec', 'ps', 'ui', 'gc'];

test.each([
  ['comit', 'commit'],
  ['dif', 'diff'],
  ['discrad', 'discard'],
  ['statsu', 'status'],
  ['us', 'ps'],
  ['nonsense', undefined],
  ['x', undefined],
  ['', undefined],
])('who types %j meant %j', (typed, meant) => expect(closest(typed, WORDS)).toBe(meant));
