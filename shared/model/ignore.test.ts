import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claudeOwnFiles, excludedBelow, isExcluded, mayHoldListed } from '../../core/sandbox/claude-files.ts';
import { type BytePath, bytePath, fromText } from '../bytes.ts';
import { DEFAULT_CONFIG } from '../config/config.ts';
import { compileIgnore } from './ignore.ts';

const home = bytePath('/home/u');
const projectRoot = bytePath('/home/u/proj');

describe('ignore rules', () => {
  const rows: [rule: string, path: string, isDir: boolean, matches: boolean][] = [
    ['~/.cache/', '/home/u/.cache', true, true],
    ['~/.cache/', '/home/u/.cache/a/b', false, true],
    ['~/.cache/', '/home/u/.cache', false, false],
    ['~/.cache/', '/home/u/.cached/a', false, false],
    ['~/.cache/', '/home/u/proj/.cache/a', false, false],
    ['~/.lesshst', '/home/u/.lesshst', false, true],
    ['~/.lesshst', '/home/u/.lesshst2', false, false],
    ['~/.lesshst', '/home/u/xlesshst', false, false],
    ['/opt/x', '/opt/x/y', false, true],
    ['/opt/x', '/home/opt/x', false, false],
    ['*.log', '/any/where/a.log', false, true],
    ['*.log', '/any/where/a.log.txt', false, false],
    ['*.log', '/any/dir.log/inside', false, true],
    ['~/*.tmp', '/home/u/a.tmp', false, true],
    ['~/*.tmp', '/home/u/sub/a.tmp', false, false],
    ['~/**/*.tmp', '/home/u/sub/deep/a.tmp', false, true],
    ['~/**/*.tmp', '/home/u/a.tmp', false, true],
    ['a/b', '/x/a/b/c', false, true],
    ['a/b', '/x/xa/b', false, false],
    ['file?.txt', '/x/file1.txt', false, true],
    ['outside-project:__pycache__/', '/home/u/lib/__pycache__/m.pyc', false, true],
    ['outside-project:__pycache__/', '/home/u/proj/__pycache__/m.pyc', false, false],
    ['outside-project:__pycache__/', '/home/u/projector/__pycache__', true, true],
    ['(weird)+[x]', '/x/(weird)+[x]', false, true],
    ['*.log', '/a/new\nline.log', false, true],
    ['**/.env*', '/any/where/.env.local', false, true],
    ['**/.env*', '/any/where/x.env', false, false],
    ['**/x/', '/a/x/b/x', false, true],
    ['**/**/x', '/x', false, true],
    ['outside-project:**/x', '/home/u/proj/x', false, false],
    ['outside-project:**/x', '/home/u/x', false, true],
    ['project:**/x', '/home/u/proj/a/x', false, true],
    ['project:**/x', '/home/u/x', false, false],
    ['project:**/x/', '/home/u/proj/x/a/x', false, true],
    ['project:**/x/', '/home/u/proj/a/x', false, false],
    ['~/a/**/x/', '/home/u/a/x/x', false, true],
  ];
  test.each(rows)('%s on %s (directory: %s) is %s', (rule, path, isDir, matches) => {
    const found = compileIgnore({ ignore: [rule], home, projectRoot })(bytePath(path), isDir);
    expect(found).toBe(matches ? rule : null);
  });

  test('a rule is about what some name on the way to a path matches', () => {
    const part = fc.constantFrom('a', 'b', '*', '?', 'a*', '**', '**');
    const name = fc.constantFrom('a', 'b', 'ab', 'a\nb', '\u{ff}', '.a');
    const glob = fc.tuple(fc.array(part, { maxLength: 4 }), fc.constantFrom('a', 'b', '*', 'a?'));
    const rule = fc.record({
      start: fc.constantFrom('', '/', 'project:'),
      glob,
      end: fc.constantFrom('', '/'),
    });
    const isName = (one: string, text: string) =>
      new RegExp(`^${one.replaceAll('*', '[^]*').replaceAll('?', '[^]')}$`).test(text);
    const fits = ([one, ...parts]: string[], [text, ...names]: string[]): boolean => {
      if (one === undefined) return text === undefined;
      if (one === '**')
        return (
          fits(parts, text === undefined ? [] : [text, ...names]) ||
          (text !== undefined && fits([one, ...parts], names))
        );
      return text !== undefined && isName(one, text) && fits(parts, names);
    };
    fc.assert(
      fc.property(
        rule,
        fc.array(name, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        (made, names, isDir) => {
          const parts = [...(made.start === '' ? ['**'] : []), ...made.glob[0], made.glob[1]];
          const expected = names.some(
            (_, i) =>
              fits(parts, names.slice(0, i + 1)) && (made.end === '' || isDir || i + 1 < names.length),
          );
          const text = `${made.start}${[...made.glob[0], made.glob[1]].join('/')}${made.end}`;
          const above = made.start === 'project:' ? `${projectRoot}/` : '/';
          const matches = compileIgnore({ ignore: [text], home, projectRoot });
          expect(matches(`${above}${names.join('/')}` as BytePath, isDir) !== null, text).toBe(expected);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('a rule in UTF-8 matches the name as bytes', () => {
    expect(compileIgnore({ ignore: ['müll'], home, projectRoot })(fromText('/x/müll'), true)).toBe('müll');
  });

  test('the first rule that matches is named, and the defaults leave a project alone', () => {
    const ruleFor = compileIgnore({ ignore: DEFAULT_CONFIG.ignore, home, projectRoot });
    expect(ruleFor(bytePath('/home/u/.npm/_logs/x'), false)).toBe('~/.npm/_logs/');
    expect(ruleFor(bytePath('/home/u/.npmrc'), false)).toBeNull();
    expect(ruleFor(bytePath('/home/u/proj/node_modules/x'), false)).toBeNull();
  });
});

describe("the client's own files", () => {
  const excluded = claudeOwnFiles(home, [bytePath('/home/u/.claude'), bytePath('/work/claude')]);
  const rows: [path: string, excluded: boolean][] = [
    ['/home/u/.claude.json', true],
    ['/home/u/.claude.json.backup', true],
    ['/home/u/.claude', false],
    ['/home/u/.claude/projects/p/x.jsonl', true],
    ['/home/u/.claude/projects/p/memory/MEMORY.md', false],
    ['/home/u/.claude/projects/p/memory', false],
    ['/home/u/.claude/projects/p/memoryless', true],
    ['/home/u/.claude/settings.json', false],
    ['/home/u/.claude/plugins/data/x', true],
    ['/home/u/.claude/plugins/known.json', false],
    ['/home/u/.claude/sessionsx', false],
    ['/work/claude/projects/p/x.jsonl', true],
    ['/work/claude/projects/p/memory/MEMORY.md', false],
    ['/work/claude/.claude.json.lock', true],
    ['/work/claude/settings.json', false],
    ['/work/projects/p/x.jsonl', false],
  ];
  test.each(rows)('%s is left alone: %s', (path, expected) => {
    expect(isExcluded(bytePath(path), excluded)).toBe(expected);
  });

  test('a walk goes into projects/ for the memory files, and no further than it must', () => {
    expect(mayHoldListed(bytePath('/home/u/.claude/projects'), excluded)).toBe(true);
    expect(mayHoldListed(bytePath('/home/u/.claude/projects/p'), excluded)).toBe(true);
    expect(mayHoldListed(bytePath('/home/u/.claude/projects/p/sub'), excluded)).toBe(false);
    expect(mayHoldListed(bytePath('/home/u/.claude/cache'), excluded)).toBe(false);
  });

  test('what lies below a directory is known from the list alone', () => {
    expect(excludedBelow(bytePath('/home/u/.claude/plugins'), excluded)).toHaveLength(2);
    expect(excludedBelow(bytePath('/home/u/proj'), excluded)).toEqual([]);
  });
});
