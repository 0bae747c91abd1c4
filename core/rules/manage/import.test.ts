import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SettingsEntry, SettingsScope, ToolCall } from '../../../shared/model/rule.ts';
import { plainFacts, ruleSet } from '../../../testing/rules/facts.ts';
import { RulesPlace } from '../../../testing/rules/place.ts';
import { judge } from '../judge/judge.ts';
import { cutText } from '../judge/segments.ts';
import { importRules, trustProject } from './edit.ts';
import { type ImportSource, planImport, ruleOfEntry } from './import.ts';
import { settingsSay } from './settings.ts';

const where = { home: '/home/kim', projectRoot: '/p' };
const entry = (
  text: string,
  scope: SettingsScope = 'project',
  list: SettingsEntry['list'] = 'deny',
): SettingsEntry => {
  const file = scope === 'user' ? '/home/kim/.claude/settings.json' : '/p/.claude/settings.json';
  return { scope, file, list, entry: text };
};
const call = (tool: string, input: object): ToolCall => ({ tool, input, cwd: '/p', mode: 'default' });
const bash = (command: string) => call('Bash', { command });
const edit = (file_path: string) => call('Edit', { file_path });

describe('an imported entry decides what the client’s own does', () => {
  it.each<[string, ToolCall[], ToolCall[], SettingsScope?]>([
    ['Bash', [bash('x')], [call('BashOutput', {}), edit('/p/a')]],
    ['Bash(npm run:*)', [bash('npm run'), bash('npm run x -y')], [bash('npm runx'), bash('npm test')]],
    ['Bash(npm run *)', [bash('npm run x'), bash('true && npm run a')], [bash('npm runner')]],
    ['Bash(git * main)', [bash('git push main')], [bash('git push main2')]],
    ['Bash(a.b)', [bash('a.b')], [bash('axb')]],
    ['Bash(git status)', [bash('git status')], [bash('git status -s')]],
    ['WebSearch', [call('WebSearch', { query: 'x' })], [call('WebFetch', { url: 'https://x' })]],
    ['Skill(review)', [call('Skill', { skill: 'review' })], [call('Skill', { skill: 'review2' })]],
    ['Read(//d/**)', [call('Read', { file_path: '/d/a/b' })], [call('Read', { file_path: '/dd/a' })]],
    ['Read(//d/a)', [call('Read', { file_path: '/d/a' })], [call('Read', { file_path: '/d/b' })]],
    [
      'WebFetch(domain:x.org)',
      [call('WebFetch', { url: 'https://x.org/a' })],
      [call('WebFetch', { url: 'https://x.org.evil/' }), call('WebFetch', { url: 'https://x.org@evil/' })],
    ],
    ['mcp__git', [call('mcp__git__push', {})], [call('mcp__github__push', {})]],
    ['mcp__git__push', [call('mcp__git__push', {})], [call('mcp__git__pull', {})]],
    ['Edit(//etc/**)', [edit('/etc/a/b')], [edit('/p/etc/a')]],
    ['Edit(~/.ssh)', [edit('/home/kim/.ssh/a')], [edit('/home/kim/.sshx')]],
    ['Edit(/src/*.ts)', [edit('/p/src/a.ts')], [edit('/p/src/a/b.ts'), edit('/src/a.ts')]],
    ['Edit(**/.env)', [edit('/p/.env'), edit('/p/a/.env')], [edit('/p/a.env')]],
    ['Edit(/x/*)', [edit('/home/kim/.claude/x/a')], [edit('/p/x/a')], 'user'],
  ])('%s', (text, yes, no, scope) => {
    const rule = ruleOfEntry(entry(text, scope), where);
    if (typeof rule === 'string') throw new Error(rule);
    const set = ruleSet({ user: { version: 2, deny: [rule] } });
    for (const [calls, expected] of [
      [yes, 'deny'],
      [no, 'other'],
    ] as const)
      for (const one of calls) {
        const found = judge(one, set, plainFacts()).decision === 'deny' ? 'deny' : 'other';
        expect(found, JSON.stringify(one)).toBe(expected);
        const command = (one.input as { command?: string }).command;
        const cut = command === undefined ? null : cutText(command, '/p', '/home/kim');
        const said = settingsSay(one, cut, [entry(text, scope)], { env: {}, ...where });
        expect(said.decision === 'deny' ? 'deny' : 'other', `client: ${JSON.stringify(one)}`).toBe(expected);
      }
  });

  it.each([['Edit(src/{a,b})'], ['WebFetch(x)'], ['Grep(a)'], ['()'], ['Edit()'], ['Skill(a*)']])(
    'or is left: %s',
    (text) => {
      expect(typeof ruleOfEntry(entry(text), where)).toBe('string');
    },
  );

  it('or is left where the directory is not known', () => {
    expect(typeof ruleOfEntry(entry('Edit(src/a)', 'user'), where)).toBe('string');
    expect(typeof ruleOfEntry(entry('Edit(*.md)', 'user', 'allow'), where)).toBe('string');
  });

  it.each<[string, ToolCall[], ToolCall[]]>([
    ['Edit(*.md)', [edit('/p/a/b.md')], [edit('/home/kim/b.md')]],
    ['Edit(**/x)', [edit('/p/x')], [edit('/x')]],
    ['Write(//d/**)', [call('Write', { file_path: '/d/a' })], [edit('/d/a')]],
    ['NotebookEdit(//d/**)', [call('NotebookEdit', { notebook_path: '/d/a' })], [edit('/d/a')]],
    ['mcp__git*', [call('mcp__github__x', {})], [call('mcp__gi__x', {})]],
  ])('and allows no more than that: %s', (text, yes, no) => {
    const rule = ruleOfEntry(entry(text, 'project', 'allow'), where);
    const set = ruleSet({ user: { version: 2, allow: [rule] } });
    for (const one of yes) expect(judge(one, set, plainFacts()).decision, JSON.stringify(one)).toBe('allow');
    for (const one of no) expect(judge(one, set, plainFacts()).decision, JSON.stringify(one)).toBe('pass');
  });
});

it('what holds in one project only is no rule for all', () => {
  const place = new RulesPlace();
  try {
    place.put(join(place.project, '.claude/settings.local.json'), {
      permissions: { allow: ['Bash(make *)', 'Edit(/src/**)', 'Edit(//etc/**)'], deny: ['Bash(rm *)'] },
    });
    const plan = planImport('settings', {
      ...{ env: {}, home: place.base, projectRoot: place.project, set: place.load() },
    });
    expect(plan.rules.map(({ scope, list, entry: text }) => [scope, list, text])).toEqual([
      ['user', 'deny', 'Bash(rm *)'],
      ['user', 'allow', 'Edit(/src/**)'],
    ]);
    expect(plan.left.map(({ entry: text }) => text)).toEqual(['Bash(make *)', 'Edit(//etc/**)']);
  } finally {
    place.remove();
  }
});

it('what cannot be a rule, or contradicts one, is named and left, and the rest is imported', () => {
  const place = new RulesPlace();
  try {
    const request = () => ({ env: {}, home: place.base, projectRoot: place.project, set: place.load() });
    const entriesOf = (from: ImportSource) => {
      const { rules, left } = planImport(from, request());
      return [rules.map(({ list, entry: text }) => `${list} ${text}`), left.map(({ entry: text }) => text)];
    };
    const deny = [{ tool: '^A$' }, { tool: '^B$', match: { x: '(?R)' } }];
    place.put(join(place.base, '.claude/passthru.json'), { version: 1, deny, ask: [null, 7, { tool: '(' }] });
    expect(entriesOf('passthru')).toEqual([['deny ^A$'], ['^B$ x=(?R)']]);
    place.put(join(place.base, '.claude/settings.json'), {
      permissions: { allow: ['Bash(rm:*)', 'Bash(ls:*)', 'Bash(make:*)'] },
    });
    place.put(join(place.project, '.claude/settings.json'), { permissions: { deny: ['Bash(rm:*)'] } });
    const command = '^make( [\\s\\S]*)?$';
    place.put(place.own, { version: 2, ask: [{ tool: '^Bash$', match: { command } }] });
    expect(entriesOf('settings')).toEqual([
      ['allow Bash(ls:*)', 'deny Bash(rm:*)'],
      ['Bash(rm:*)', 'Bash(make:*)'],
    ]);
  } finally {
    place.remove();
  }
});

it('an allow rule of a project that is not trusted contradicts nothing', async () => {
  const place = new RulesPlace();
  try {
    const match = { command: '^make( [\\s\\S]*)?$' };
    place.put(place.own, { version: 2, allow: [{ tool: '^Bash$', match }] });
    place.put(join(place.base, '.claude/settings.json'), { permissions: { deny: ['Bash(make:*)'] } });
    const request = place.request();
    const plan = () =>
      planImport('settings', { env: {}, home: place.base, projectRoot: place.project, set: place.load() });
    expect(plan()).toMatchObject({ rules: [{ list: 'deny' }], left: [] });
    await importRules({ request, facts: plainFacts(), scope: 'user' }, plan().rules, []);
    expect(place.load().deny).toHaveLength(1);
    rmSync(place.userImported);
    await trustProject(request);
    expect(plan()).toMatchObject({ rules: [], left: [{ entry: 'Bash(make:*)' }] });
  } finally {
    place.remove();
  }
});

describe('directories', () => {
  let place: RulesPlace;
  beforeEach(() => {
    place = new RulesPlace();
  });
  afterEach(() => place.remove());

  const plan = (from: ImportSource) =>
    planImport(from, { env: {}, home: place.base, projectRoot: place.project, set: place.load() });
  const put = (file: string, permissions: object) => place.put(join(place.base, file), { permissions });

  it('of the settings become allowed directories where that says the same, and are named otherwise', () => {
    put('.claude/settings.json', { additionalDirectories: ['/data', '~/notes', '../x', 7] });
    put('project/.claude/settings.json', { additionalDirectories: ['/srv', 'docs'] });
    put('project/.claude/settings.local.json', { additionalDirectories: ['/own'] });
    const found = plan('settings');
    expect(found.dirs.map(({ scope, dir }) => [scope, dir])).toEqual([
      ['user', '/data'],
      ['user', '~/notes'],
      ['project', '/srv'],
    ]);
    expect(found.left.map(({ entry: text }) => text)).toEqual([
      'additionalDirectories: ../x',
      'additionalDirectories: docs',
      'additionalDirectories: /own',
    ]);
  });

  it('of the passthru plugin too; what is there already is known, what the file has twice is not', () => {
    const twice = { tool: '^A$' };
    const file = { version: 1, allowed_dirs: ['/data', '/data', 'rel', '/known'], allow: [twice, twice] };
    place.put(join(place.base, '.claude/passthru.json'), file);
    place.put(place.user, { version: 2, allowed_dirs: ['/known'] });
    const found = plan('passthru');
    expect([found.dirs.map(({ dir }) => dir), found.rules.length, found.known]).toEqual([['/data'], 1, 1]);
    expect(found.left.map(({ entry: text }) => text)).toEqual(['allowed_dirs: rel']);
  });

  it('a file of any size, as a repository may bring it, is not read', () => {
    const rules = Array.from({ length: 40_000 }, (_, i) => ({ tool: `^tool${i}$`, reason: 'x'.repeat(40) }));
    place.put(join(place.project, '.claude/passthru.json'), { version: 1, deny: rules });
    place.put(join(place.project, '.claude/settings.json'), {
      permissions: { deny: rules.map(({ tool, reason }) => tool + reason) },
    });
    expect([plan('passthru'), plan('settings')].flatMap(({ rules: all }) => all)).toEqual([]);
  });
});
