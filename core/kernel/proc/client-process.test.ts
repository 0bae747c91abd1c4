import { describe, expect, it } from 'vitest';
import { isClaudeClient } from './caller.ts';

describe('isClaudeClient', () => {
  it.each<[string, string | null, string[], boolean]>([
    ['on PATH', '/usr/local/bin/claude', ['claude', '-p', 'x'], true],
    ['of the native installer', '/home/u/.local/share/claude/versions/2.1.330', ['claude'], true],
    [
      'of the npm package',
      '/usr/lib/node_modules/@anthropic-ai/claude-code-linux-x64/claude',
      ['/x/claude'],
      true,
    ],
    [
      'as a script',
      '/usr/bin/node',
      ['node', '--max-old-space-size=1', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js'],
      true,
    ],
    ['as a script called claude', '/usr/bin/node', ['/usr/bin/node', '/usr/bin/claude'], true],
    ['of another user, whose program cannot be looked at', null, ['claude'], true],
    ['renamed, its argv[0] too: not known by its looks', '/home/u/bin/c', ['c'], false],
    ['a shell that mentions it', '/usr/bin/bash', ['bash', '-c', 'claude -p x'], false],
    ['an editor on a file of that name', '/usr/bin/vim', ['vim', '/home/u/claude'], false],
    [
      'a script that gets the name as an argument',
      '/usr/bin/node',
      ['node', 'build.js', '/usr/bin/claude'],
      false,
    ],
    ['a program with a longer name', '/usr/bin/claude-helper', ['claude-helper'], false],
    ['a kernel thread', null, [], false],
  ])('%s', (_name, program, argv, expected) => {
    expect(isClaudeClient({ program, argv })).toBe(expected);
  });
});
