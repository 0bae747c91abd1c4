import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SettingsEntry, ToolCall } from '../../../shared/model/rule.ts';
import { cutText } from '../judge/segments.ts';
import { hasPassthru, settingsEntries, settingsSay } from './settings.ts';

const place = { env: {}, home: '/home/kim', projectRoot: '/p' };

function says(
  list: SettingsEntry['list'],
  entry: string,
  call: ToolCall,
  scope: SettingsEntry['scope'] = 'project',
) {
  const file = scope === 'user' ? '/home/kim/.claude/settings.json' : '/p/.claude/settings.json';
  const command = call.tool === 'Bash' ? (call.input as { command: string }).command : null;
  const cut = command === null ? null : cutText(command, call.cwd, place.home);
  return settingsSay(call, cut, [{ scope, file, list, entry }], place).decision;
}

const bash = (command: string): ToolCall => ({
  tool: 'Bash',
  input: { command },
  cwd: '/p',
  mode: 'default',
});
const file = (tool: string, path: string): ToolCall => ({
  tool,
  input: { file_path: path },
  cwd: '/p/src',
  mode: '',
});

describe('settingsSay', () => {
  it.each([
    ['Bash', 'anything; else', true],
    ['Bash(*)', 'anything', true],
    ['Bash(npm test)', 'npm test', true],
    ['Bash(npm test)', 'npm test --x', false],
    ['Bash(npm run:*)', 'npm run build', true],
    ['Bash(npm run:*)', 'npm run', true],
    ['Bash(npm run:*)', 'npm runx', false],
    ['Bash(npm run *)', 'npm run build', true],
    ['Bash(npm run *)', 'npm runx', false],
    ['Bash(git * main)', 'git push origin main', true],
    ['Bash(ls:*)', 'ls && rm x', false],
    ['Bash(ls:*)', 'ls -l && ls', true],
    ['Bash(ls)', 'Bash', false],
    ['Read', 'ls', false],
  ])('allow %s, on %s: %s', (entry, command, expected) => {
    expect(says('allow', entry, bash(command))).toBe(expected ? 'allow' : 'pass');
  });

  it('one command is enough for deny and ask', () => {
    expect(says('deny', 'Bash(rm:*)', bash('ls && rm x'))).toBe('deny');
    expect(says('ask', 'Bash(rm:*)', bash('ls && rm x'))).toBe('ask');
    expect(says('deny', 'Bash(rm:*)', bash('ls'))).toBe('pass');
  });

  it.each([
    ['Read(//etc/**)', file('Read', '/etc/a/b'), true],
    ['Read(//etc/*)', file('Read', '/etc/a/b'), false],
    ['Read(~/.ssh/**)', file('Read', '/home/kim/.ssh/id'), true],
    ['Read(/docs/**)', file('Read', '/p/docs/a.md'), true],
    ['Read(lib/**)', file('Read', '/p/src/lib/a'), true],
    ['Read(lib/**)', file('Read', '/p/lib/a'), false],
    ['Read(.env)', file('Read', '/p/src/x/.env'), true],
    ['Edit(/docs/)', file('Write', '/p/docs/a.md'), true],
    ['Edit(/docs/**)', file('Read', '/p/docs/a.md'), false],
    ['Read(/docs/**)', file('Grep', '/p/docs/a.md'), true],
    [
      'WebFetch(domain:x.org)',
      { tool: 'WebFetch', input: { url: 'https://x.org/a' }, cwd: '/p', mode: '' },
      true,
    ],
    [
      'WebFetch(domain:x.org)',
      { tool: 'WebFetch', input: { url: 'https://y.org/?x.org' }, cwd: '/p', mode: '' },
      false,
    ],
    ['mcp__db', { tool: 'mcp__db__query', input: {}, cwd: '/p', mode: '' }, true],
    ['mcp__db__*', { tool: 'mcp__db__query', input: {}, cwd: '/p', mode: '' }, true],
    ['mcp__db', { tool: 'mcp__dbx__query', input: {}, cwd: '/p', mode: '' }, false],
    ['Skill(review)', { tool: 'Skill', input: { skill: 'review' }, cwd: '/p', mode: '' }, true],
  ] as const)('%s: %j %s', (entry, call, expected) => {
    expect(says('deny', entry, call)).toBe(expected ? 'deny' : 'pass');
  });

  it('a path of user settings begins at their directory', () => {
    const call = file('Read', '/home/kim/.claude/x');
    expect(says('deny', 'Read(/x)', call, 'user')).toBe('deny');
    expect(says('deny', 'Read(/x)', call)).toBe('pass');
  });
});

describe('settingsEntries', () => {
  let base: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'trai-settings-'));
  });
  afterEach(() => rmSync(base, { recursive: true }));

  it('reads user, project and local settings, and passes over what is damaged', () => {
    const put = (name: string, text: string) => {
      mkdirSync(dirname(join(base, name)), { recursive: true });
      writeFileSync(join(base, name), text);
    };
    put('home/.claude/settings.json', '{"permissions":{"allow":["A",7],"deny":"x"}}');
    put('p/.claude/settings.json', '{"permissions":{"ask":["B"]}}');
    put('p/.claude/settings.local.json', '{"permissions":');
    const about = { home: join(base, 'home'), projectRoot: join(base, 'p') };
    const found = settingsEntries({ env: {}, ...about }).filter(({ scope }) => scope !== 'managed');
    expect(found.map(({ scope, list, entry }) => `${scope} ${list} ${entry}`)).toEqual([
      'user allow A',
      'project ask B',
    ]);
    put('other/settings.json', '{"permissions":{"deny":["C"]}}');
    const env = { CLAUDE_CONFIG_DIR: join(base, 'other') };
    expect(settingsEntries({ env, ...about }).map(({ entry }) => entry)).toEqual(
      expect.arrayContaining(['C', 'B']),
    );
    // As managers of dotfiles have them.
    mkdirSync(join(base, 'linked'));
    symlinkSync('../other/settings.json', join(base, 'linked/settings.json'));
    const linked = { CLAUDE_CONFIG_DIR: join(base, 'linked') };
    expect(settingsEntries({ env: linked, ...about })).toContainEqual({
      ...{ scope: 'user', list: 'deny', entry: 'C', file: join(base, 'linked/settings.json') },
    });
  });
});

describe('hasPassthru', () => {
  let base: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'trai-settings-'));
  });
  afterEach(() => rmSync(base, { recursive: true }));

  it.each([
    [{}, false],
    [{ user: { 'passthru@x': true } }, true],
    [{ user: { 'passthru@x': true }, local: { 'passthru@x': false } }, false],
    [{ user: { 'passthru@x': false, 'other@passthru': true }, project: { 'passthru@y': true } }, true],
    [{ user: { 'other@passthru': true, 'passthru@x': 'yes' } }, false],
    [{ user: ['passthru'], local: null }, false],
  ])('%j: %s', (plugins: Record<string, unknown>, expected) => {
    const files = {
      user: 'settings.json',
      project: 'p/.claude/settings.json',
      local: 'p/.claude/settings.local.json',
    };
    mkdirSync(join(base, 'p/.claude'), { recursive: true });
    for (const [scope, file] of Object.entries(files))
      writeFileSync(join(base, file), JSON.stringify({ enabledPlugins: plugins[scope] }));
    const env = { CLAUDE_CONFIG_DIR: base };
    expect(hasPassthru({ env, home: base, projectRoot: join(base, 'p') })).toBe(expected);
  });
});
