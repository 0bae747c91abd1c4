import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fromText } from '../../../shared/bytes.ts';
import { DEFAULT_CONFIG } from '../../../shared/config/config.ts';
import { plainFacts } from '../../../testing/rules/facts.ts';
import { RulesPlace } from '../../../testing/rules/place.ts';
import { judge } from '../judge/judge.ts';
import { judgeFacts } from '../judge/judge-facts.ts';
import { MAX_RULE_FILE_BYTES, RuleFiles } from './files.ts';
import { loadRules, type RuleSet } from './rule-set.ts';
import { readTrusted, trustContent } from './trust.ts';

let place: RulesPlace;
beforeEach(() => {
  place = new RulesPlace();
});
afterEach(() => place.remove());

const tool = (name: string) => ({ tool: `^${name}$` });
const decisionOn = (name: string, set: RuleSet) =>
  judge({ tool: name, input: {}, cwd: '/p', mode: 'default' }, set, plainFacts()).decision;
const stateOf = (set: RuleSet, file: string) => set.files.find(({ path }) => path === fromText(file));

describe('loadRules', () => {
  it('finds nothing where there are no files, and writes nothing', () => {
    const set = place.load();
    expect(set.files.map(({ state }) => state)).toEqual(Array(5).fill('missing'));
    expect(decisionOn('Read', set)).toBe('pass');
    expect(existsSync(place.stateDir)).toBe(false);
  });

  it('merges user, project and session in this order', async () => {
    place.put(place.user, { version: 2, allow: [tool('A')], ask: [tool('B')] });
    place.put(place.userImported, { version: 1, allow: [tool('C')] });
    place.put(place.own, { version: 2, ask: [tool('A')], allow: [tool('D')] });
    place.put(place.session, { version: 2, allow: [tool('B'), tool('E')] });
    await trustAll();
    const set = place.load();
    expect(['A', 'B', 'C', 'D', 'E', 'F'].map((name) => decisionOn(name, set))).toEqual([
      'allow',
      'ask',
      'allow',
      'allow',
      'allow',
      'pass',
    ]);
    expect(set.ordered.map(({ ref }) => `${ref.scope} ${ref.list}[${ref.index}]`)).toEqual([
      ...['user allow[0]', 'user ask[0]', 'user allow[0]', 'project ask[0]', 'project allow[0]'],
      ...['session allow[0]', 'session allow[1]'],
    ]);
  });

  it('has no session scope without a session', () => {
    place.put(place.session, { version: 2, deny: [tool('A')] });
    expect(loadRules(place.request({ session: null })).deny).toEqual([]);
  });

  it('reads a file once a version, also one that changes without changing its size', () => {
    const files = new RuleFiles(place.stateDir);
    place.put(place.user, { version: 1, deny: [tool('A')] });
    const first = loadRules(place.request(), files);
    expect(loadRules(place.request(), files).deny[0]).toBe(first.deny[0]);
    place.put(place.user, { version: 1, deny: [tool('B')] });
    expect(decisionOn('B', loadRules(place.request(), files))).toBe('deny');
    utimesSync(place.user, 1, 1);
    expect(loadRules(place.request(), files).deny[0]).not.toBe(first.deny[0]);
    rmSync(place.user);
    expect(loadRules(place.request(), files).deny).toEqual([]);
  });

  it('is turned off by the config', () => {
    place.put(place.user, { version: 1, deny: [tool('A')] });
    const config = { rules: { ...DEFAULT_CONFIG.rules, enabled: false } };
    const set = loadRules(place.request({ config }));
    expect(decisionOn('A', set)).toBe('pass');
    expect(decisionOn('Skill', set)).toBe('pass');
  });

  it('takes a byte order mark, CRLF, and keys that objects inherit', () => {
    const rule = '{"tool":"^A$","match":{"__proto__":"x","constructor":"y"},"__proto__":{"reason":"z"}}';
    place.put(
      place.user,
      `\ufeff{"version":2,\r\n"deny":[${rule},{"tool":"^B$"}],\r\n"__proto__":{"allow":[{}]}}\r\n`,
    );
    const set = place.load();
    expect(stateOf(set, place.user)).toMatchObject({ state: 'good', problems: [] });
    expect(['A', 'B', 'C'].map((name) => decisionOn(name, set))).toEqual(['pass', 'deny', 'pass']);
    const input = JSON.parse('{"__proto__":"x","constructor":"y"}');
    const call = { tool: 'A', input, cwd: '/p', mode: 'default' };
    expect(judge(call, set, plainFacts()).decision).toBe('deny');
  });

  it('expands ~ in allowed directories and drops relative ones', () => {
    place.put(place.user, { version: 1, allowed_dirs: ['/a', '~/b', '../c', '~', '/a'] });
    expect(place.load().allowedDirs).toEqual(['/a', `${place.base}/b`, place.base]);
  });
});

it('a key without a meaning may stand twice', () => {
  const rule = '{"//":"a","tool":"^X$","//":"b","x":{"tool":1,"tool":2},"tests":{"no":["y"]}}';
  place.put(place.user, `{"//":1,"version":2,"deny":[${rule}],"//":{"allow":1,"allow":2}}`);
  expect(place.load().files[0]).toMatchObject({ state: 'good', problems: [] });
  expect(place.load().deny).toHaveLength(1);
});

describe('a file that cannot be used', () => {
  const broken: readonly (readonly [string, (file: string) => void])[] = [
    ['no JSON', (file) => place.put(file, '{"version":2')],
    ['empty', (file) => place.put(file, '')],
    ['another version', (file) => place.put(file, { version: 3 })],
    ['a wrong shape', (file) => place.put(file, { version: 1, deny: [{}] })],
    ['a wrong pattern', (file) => place.put(file, { version: 1, deny: [{ tool: '(' }] })],
    ['a list twice', (file) => place.put(file, '{"version":2,"deny":[{"tool":"^X$"}],"deny":[]}')],
    ['a key of a rule twice', (file) => place.put(file, '{"version":1,"deny":[{"tool":"A","tool":"B"}]}')],
    [
      'a key of an effect twice',
      (file) => place.put(file, '{"version":2,"effects":[{"paths":["a"],"do":"never","do":"flag"}]}'),
    ],
    [
      'a key of a test twice',
      (file) => place.put(file, '{"version":1,"deny":[{"tool":"A","tests":{"no":["a"],"no":["b"]}}]}'),
    ],
    ['a field twice', (file) => place.put(file, '{"version":1,"deny":[{"match":{"a":"x","\\u0061":"y"}}]}')],
    [
      'not UTF-8',
      (file) => {
        place.put(file, '');
        writeFileSync(file, Buffer.from('{"version":1,"deny":[{"tool":"é"}]}', 'latin1'));
      },
    ],
    [
      'a FIFO',
      (file) => {
        place.put(file, '');
        rmSync(file);
        execFileSync('mkfifo', [file]);
      },
    ],
    ['too large', (file) => place.put(file, `{"version":1}${' '.repeat(MAX_RULE_FILE_BYTES)}`)],
    ['a directory', (file) => mkdirSync(file, { recursive: true })],
    [
      'a link',
      (file) => {
        place.put(`${file}.target`, { version: 1 });
        symlinkSync(`${file}.target`, file);
      },
    ],
  ];

  it.each(broken)('%s: asks about everything that nothing before it decides', (_, make) => {
    place.put(place.user, { version: 2, allow: [tool('A')], deny: [tool('B')] });
    make(place.session);
    const set = place.load();
    expect(stateOf(set, place.session)).toMatchObject({ state: 'broken', hash: null });
    expect(stateOf(set, place.session)?.problems).toHaveLength(1);
    expect(['A', 'B', 'C', 'Skill'].map((name) => decisionOn(name, set))).toEqual([
      'allow',
      'deny',
      'ask',
      'ask',
    ]);
    const verdict = judge({ tool: 'C', input: {}, cwd: '/', mode: '' }, set, plainFacts());
    expect(verdict).toMatchObject({ by: 'broken', rule: { file: place.session } });
  });

  it.each(broken)('%s: leaves the last good version in force, also for the next process', (_, make) => {
    place.put(place.user, { version: 2, deny: [tool('B')], allow: [tool('A')] });
    const files = new RuleFiles(place.stateDir);
    expect(stateOf(loadRules(place.request(), files), place.user)?.state).toBe('good');
    rmSync(place.user);
    make(place.user);
    for (const set of [loadRules(place.request(), files), place.load()]) {
      expect(stateOf(set, place.user)).toMatchObject({ state: 'last-good' });
      expect(['A', 'B', 'C'].map((name) => decisionOn(name, set))).toEqual(['allow', 'deny', 'pass']);
    }
    rmSync(place.user, { recursive: true });
    place.put(place.user, { version: 2, deny: [tool('C')] });
    expect(decisionOn('B', loadRules(place.request(), files))).toBe('pass');
  });

  it('unreadable: its last good version stays (root reads it)', (ctx) => {
    if (process.getuid?.() === 0) return ctx.skip('root reads every file');
    place.put(place.user, { version: 2, deny: [tool('B')] });
    expect(decisionOn('B', place.load())).toBe('deny');
    chmodSync(place.user, 0);
    expect(stateOf(place.load(), place.user)).toMatchObject({ state: 'last-good' });
    expect(decisionOn('B', place.load())).toBe('deny');
  });

  it('of another user: only a project’s file may be (needs root)', (ctx) => {
    if (process.getuid?.() !== 0) return ctx.skip('only root gives files away');
    for (const file of [place.user, place.own]) {
      place.put(file, { version: 2, deny: [tool('B')] });
      chownSync(file, 12_345, 12_345);
    }
    const set = place.load();
    expect(stateOf(set, place.user)?.state).toBe('broken');
    expect(stateOf(set, place.own)?.state).toBe('good');
  });

  it('is not replaced by the last good version of another path', () => {
    place.put(place.user, { version: 2, deny: [tool('B')] });
    place.load();
    place.put(place.session, 'x');
    expect(stateOf(place.load(), place.session)?.state).toBe('broken');
  });
});

async function trustAll(): Promise<void> {
  const { project } = place.request();
  const hashes = place
    .load()
    .files.flatMap(({ scope, hash }) => (scope === 'project' && hash !== null ? [hash] : []));
  await trustContent(place.stateDir, project.id, hashes);
}

describe('the project’s files', () => {
  const content = {
    version: 2,
    allowed_dirs: ['/data'],
    allow: [tool('A')],
    ask: [tool('B')],
    deny: [tool('C')],
  };
  const decisions = () => ['A', 'B', 'C'].map((name) => decisionOn(name, place.load()));

  it('ask and deny at once; allow when the user has trusted them, and again after a change', async () => {
    place.put(place.own, content);
    expect(decisions()).toEqual(['pass', 'ask', 'deny']);
    expect(place.load().allowedDirs).toEqual([]);
    await trustAll();
    expect(decisions()).toEqual(['allow', 'ask', 'deny']);
    expect(place.load().allowedDirs).toEqual(['/data']);
    place.put(place.own, { ...content, allow: [tool('A'), tool('D')] });
    expect(decisions()).toEqual(['pass', 'ask', 'deny']);
    place.put(place.own, content);
    expect(decisions()).toEqual(['allow', 'ask', 'deny']);
  });

  it('are not trusted for another project', async () => {
    place.put(place.own, content);
    const { hash } = place.load().files.find(({ scope }) => scope === 'project') ?? {};
    await trustContent(place.stateDir, '0123456789abcdef', [hash ?? '']);
    expect(decisions()[0]).toBe('pass');
  });

  it('are not trusted when the record of it is damaged', async () => {
    place.put(place.own, content);
    await trustAll();
    expect(readTrusted(place.stateDir)).toHaveLength(1);
    place.put(join(place.stateDir, 'trust.json'), '{"v":1,"trusted":[{"project":7}]}');
    expect(decisions()[0]).toBe('pass');
    place.put(join(place.stateDir, 'trust.json'), 'x');
    expect(decisions()[0]).toBe('pass');
  });

  it('trusting twice keeps one record, readable for the user alone', async () => {
    place.put(place.own, content);
    await trustAll();
    await trustAll();
    expect(readTrusted(place.stateDir)).toHaveLength(1);
    expect(readFileSync(join(place.stateDir, 'trust.json'), 'utf8')).toMatch(/^\{"v":1,/);
  });
});

describe('the facts without a session', () => {
  it('follows links, also for what does not exist, and knows what it does not know', () => {
    const { base, project } = place;
    const facts = judgeFacts({ view: 'none', home: base, config: DEFAULT_CONFIG, runs: 'sandbox' });
    const resolved = (path: string) => facts.resolve(path)?.join(' ') ?? null;
    place.put(join(project, 'src/a'), 'x');
    symlinkSync('src', join(project, 'in'));
    symlinkSync('/etc', join(project, 'out'));
    symlinkSync('nowhere', join(project, 'dangling'));
    symlinkSync('loop', join(project, 'loop'));
    expect(resolved(join(project, 'in/a'))).toBe(join(project, 'src/a'));
    expect(resolved(join(project, 'in/new/b'))).toBe(join(project, 'src/new/b'));
    expect(resolved(`${project}/in/../x`)).toBe(join(project, 'x'));
    expect(resolved(`${project}/out/../x`)).toBe('/x');
    expect(resolved(`${project}/out/passwd`)).toBe('/etc/passwd');
    expect(resolved(`${project}/no/../../x`)).toBe(join(base, 'x'));
    expect(resolved(join(project, 'dangling'))).toBe(join(project, 'nowhere'));
    expect(resolved(join(project, 'dangling/x'))).toBe(join(project, 'nowhere/x'));
    expect(resolved(join(project, 'loop'))).toBeNull();
    expect(resolved(`${base}/`)).toBe(base);
    expect(resolved('/')).toBe('/');
    expect(facts.names(project)?.length).toBe(5);
    expect(facts.names(join(project, 'nothing'))).toEqual([]);
    expect(['/home/kim/a', '/proc/a', '/dev/null', `${project}/out/../dev/a`].map(facts.isPending)).toEqual([
      ...[true, false, false, false],
    ]);
  });
});
