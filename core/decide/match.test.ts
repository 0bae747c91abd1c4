import { describe, expect, it } from 'vitest';
import { matchRequest, type OpenRequest } from './call-text.ts';

const open = (request: string, command: string, cwd = '/p'): OpenRequest => ({ request, command, cwd });

describe('matchRequest', () => {
  it.each([
    ['the exact text', [open('a', 'ls'), open('b', 'pwd')], 'pwd', '/p', 'b', 'exact', 1],
    ['the oldest of twins', [open('a', 'ls'), open('b', 'ls')], 'ls', '/p', 'a', 'exact', 2],
    ['the directory before the order', [open('a', 'ls', '/q'), open('b', 'ls')], 'ls', '/p', 'b', 'exact', 1],
    ['the text where no directory fits', [open('a', 'ls', '/q')], 'ls', '/p', 'a', 'exact', 1],
    [
      'the text after the changes of the client',
      [open('a', 'x'), open('b', 'ls 2>nul')],
      'ls 2>/dev/null',
      '/p',
      'b',
      'normalised',
      1,
    ],
    ['the only open one', [open('a', 'git status')], 'rtk git status', '/p', 'a', 'only-open', 1],
    ['nothing among several', [open('a', 'x'), open('b', 'y')], 'z', '/p', null, 'none', 0],
    ['nothing when nothing is open', [], 'z', '/p', null, 'none', 0],
  ] as const)('finds %s', (_, requests, command, cwd, request, matched, twins) => {
    const found = matchRequest(requests, command, cwd);
    expect([found.request?.request ?? null, found.matched, found.twins]).toEqual([request, matched, twins]);
  });
});
