import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configDirOf, sessionResumedBy, sessionsNamedIn } from './attach.ts';

describe('sessionsNamedIn', () => {
  it.each<[string, unknown[], string[]]>([
    [
      'a copied line that names its origin',
      [{ sessionId: 'new', forkedFrom: { sessionId: 'old', messageUuid: 'm' } }],
      ['old', 'new'],
    ],
    ['an origin in plain text', [{ sessionId: 'new', forkedFrom: 'old' }], ['old', 'new']],
    [
      'lines with the id of the session they were copied from',
      [{ type: 'summary' }, { sessionId: 'old' }, { sessionId: 'old' }],
      ['old'],
    ],
    [
      'text of the conversation, which is not looked into',
      [{ message: { sessionId: 'x' }, text: 'sessionId' }],
      [],
    ],
    ['other shapes', [null, 1, 'sessionId', ['a'], { sessionId: 5, forkedFrom: [] }], []],
  ])('reads %s', (_name, lines, expected) => {
    expect(sessionsNamedIn(lines.map((line) => JSON.stringify(line)).join('\n'))).toEqual(expected);
  });

  it('passes over a line that was cut off', () => {
    expect(sessionsNamedIn('{"sessionId":"a"}\n{"sessionId":"b')).toEqual(['a']);
  });

  it('never fails, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json()), { maxLength: 5 }), (lines) => {
        for (const id of sessionsNamedIn(lines.join('\n'))) expect(id).not.toBe('');
      }),
    );
  });
});

describe('configDirOf', () => {
  it.each<[string, string | null]>([
    ['/home/kim/.claude/projects/-home-kim-shop/0b1c.jsonl', '/home/kim/.claude'],
    ['/data/projects/claude/projects/-srv/0b1c.jsonl', '/data/projects/claude'],
    ['/home/kim/.claude/projects/-home-kim-shop/sub/0b1c.jsonl', null],
    ['projects/-srv/0b1c.jsonl', null],
    ['/tmp/0b1c.jsonl', null],
    ['', null],
  ])('of %j', (path, expected) => {
    expect(configDirOf(path)).toBe(expected);
  });
});

describe('sessionResumedBy', () => {
  it.each<[string[], string | null]>([
    [['claude', '--resume', 'id', '--fork-session'], 'id'],
    [['claude', '-p', 'x', '--resume=id'], 'id'],
    [['claude', '-r', 'id'], 'id'],
    [['claude', '--resume'], null],
    [['claude', '--continue', '--fork-session'], null],
    [['claude', '--', '--resume', 'id'], null],
  ])('of %j', (argv, expected) => {
    expect(sessionResumedBy(argv)).toBe(expected);
  });
});
