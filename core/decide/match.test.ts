import { describe, expect, it } from 'vitest';
import { matchRequest, type OpenRequest } from './call-text.ts';

const open = (request: string, command: string, cwd = '/p'): OpenRequest => ({ request, command, cwd });

describe('matchRequest', () => {
  it.each([
    ['the exact text', [open('a', 'ls'), open('b', 'pwd')], 'pwd', '/p', 'b', 'exact'],
    ['the oldest of twins', [open('a', 'ls'), open('b', 'ls')], 'ls', '/p', 'a', 'exact'],
    ['the directory before the order', [open('a', 'ls', '/q'), open('b', 'ls')], 'ls', '/p', 'b', 'exact'],
    ['the text where no directory fits', [open('a', 'ls', '/q')], 'ls', '/p', 'a', 'exact'],
    [
      'the text after the changes of the client',
      [open('a', 'x'), open('b', 'ls 2>nul')],
      'ls 2>/dev/null',
      '/p',
      'b',
      'normalised',
    ],
    ['the only open one', [open('a', 'git status')], 'rtk git status', '/p', 'a', 'only-open'],
    ['nothing among several', [open('a', 'x'), open('b', 'y')], 'z', '/p', null, 'none'],
    ['nothing when nothing is open', [], 'z', '/p', null, 'none'],
  ] as const)('finds %s', (_, requests, command, cwd, request, matched) => {
    const found = matchRequest(requests, command, cwd);
    expect([found.request?.request ?? null, found.matched]).toEqual([request, matched]);
  });
});
