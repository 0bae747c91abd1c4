import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RuleFile } from '../../../shared/model/rule.ts';
import { plainFacts } from '../../../testing/rules/facts.ts';
import { RulesPlace } from '../../../testing/rules/place.ts';
import { takeFileLock } from '../../kernel/proc/file-lock.ts';
import { judge } from '../judge/judge.ts';
import { addRule, changeRules, type Edit, importRules, trustProject, type WritableScope } from './edit.ts';
import { verifyRules } from './verify.ts';

let place: RulesPlace;
beforeEach(() => {
  place = new RulesPlace();
});
afterEach(() => place.remove());

const editOf = (scope: WritableScope): Edit => ({ request: place.request(), facts: plainFacts(), scope });
const contentOf = (file: string): RuleFile => JSON.parse(readFileSync(file, 'utf8'));
const modeOf = (file: string) => lstatSync(file).mode & 0o777;
const A = { tool: '^A$' };
const B = { tool: '^B$' };

describe('addRule', () => {
  it('makes the file of each scope, with its directory', async () => {
    for (const [scope, file] of [
      ['user', place.user],
      ['project', place.own],
      ['session', place.session],
    ] as const) {
      const rule = { tool: `^${scope}$` };
      expect(await addRule(editOf(scope), 'allow', rule)).toMatchObject({
        file,
        list: 'allow',
        index: 0,
        trusted: true,
      });
      expect(contentOf(file)).toEqual({ version: 2, allow: [rule] });
    }
    expect([modeOf(place.user), modeOf(dirname(place.user)), modeOf(place.own)]).toEqual([
      0o600, 0o700, 0o644,
    ]);
    expect(place.load().ordered).toHaveLength(3);
  });

  it('keeps unknown keys, the order of keys, the other rules and the mode', async () => {
    const before = {
      note: 1,
      deny: [{ ...B, own: 2 }],
      version: 1,
      effects: [{ paths: ['x'], do: 'flag', x: 1 }],
      allow: [A],
    };
    place.put(place.user, before);
    chmodSync(place.user, 0o640);
    await addRule(editOf('user'), 'deny', { tool: '^C$' });
    expect(readFileSync(place.user, 'utf8')).toBe(
      `${JSON.stringify({ ...before, deny: [{ ...B, own: 2 }, { tool: '^C$' }] }, null, 2)}\n`,
    );
    expect(modeOf(place.user)).toBe(0o640);
  });

  it('makes version 2 of version 1 with the first ask rule', async () => {
    place.put(place.user, { version: 1, allow: [A] });
    await addRule(editOf('user'), 'allow', B);
    expect(contentOf(place.user).version).toBe(1);
    await addRule(editOf('user'), 'ask', { tool: '^C$' });
    expect(contentOf(place.user)).toEqual({ version: 2, allow: [A, B], ask: [{ tool: '^C$' }] });
  });

  it('refuses what contradicts a rule of another scope, and leaves everything as it was', async () => {
    place.put(place.own, { version: 2, deny: [A] });
    place.put(place.user, { version: 2, allow: [B] });
    const before = readFileSync(place.user, 'utf8');
    const names = readdirSync(dirname(place.user));
    await expect(addRule(editOf('user'), 'allow', A)).rejects.toMatchObject({
      code: 'bad-input',
      path: place.user,
    });
    await expect(addRule(editOf('session'), 'ask', A)).rejects.toMatchObject({ code: 'bad-input' });
    expect(readFileSync(place.user, 'utf8')).toBe(before);
    expect(readdirSync(dirname(place.user))).toEqual(names);
    expect(existsSync(place.session)).toBe(false);
    expect(place.load().files.find(({ scope }) => scope === 'user')?.state).toBe('good');
  });

  it('refuses a rule whose own tests fail, or whose pattern cannot be used', async () => {
    const rule = { tool: '^Bash$', match: { command: '^ls' } };
    await expect(
      addRule(editOf('user'), 'allow', { ...rule, tests: { no: ['ls -l'] } }),
    ).rejects.toMatchObject({
      code: 'bad-input',
    });
    await expect(addRule(editOf('user'), 'allow', { tool: '(' })).rejects.toMatchObject({
      code: 'bad-input',
    });
    await addRule(editOf('user'), 'allow', { ...rule, tests: { yes: ['ls -l'], no: ['rm x'] } });
    expect(place.load().ordered).toHaveLength(1);
  });

  it('refuses to change a file that cannot be used', async () => {
    place.put(place.user, { version: 2, allow: [A] });
    place.load();
    place.put(place.user, '{"version":2,');
    await expect(addRule(editOf('user'), 'allow', B)).rejects.toMatchObject({
      code: 'corrupt',
      path: place.user,
    });
    expect(readFileSync(place.user, 'utf8')).toBe('{"version":2,');
    mkdirSync(dirname(place.session), { recursive: true });
    symlinkSync(place.user, place.session);
    await expect(addRule(editOf('session'), 'allow', B)).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('an error that was there before does not keep from adding or removing', async () => {
    place.put(place.own, { version: 2, deny: [A] });
    place.put(place.user, { version: 2, allow: [B, A, { tool: '^C$' }] });
    await addRule(editOf('user'), 'allow', { tool: '^D$' });
    await changeRules(editOf('user'), { do: 'remove', list: 'allow', index: 0 });
    await changeRules(editOf('user'), { do: 'remove', list: 'allow', index: 0 });
    expect(verifyRules(place.load(), plainFacts()).filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('keeps the content from before in the state directory', async () => {
    place.put(place.user, { version: 2, allow: [A] });
    await addRule(editOf('user'), 'allow', B);
    const dir = join(place.stateDir, 'rules');
    const [backup = ''] = readdirSync(dir).filter((name) => name.endsWith('.before.json'));
    expect(contentOf(join(dir, backup))).toEqual({ version: 2, allow: [A] });
  });

  it('waits for the lock, and says so when it is not free', async () => {
    await addRule(editOf('user'), 'allow', A);
    const release = await takeFileLock(join(place.stateDir, 'rules.lock'));
    await expect(addRule(editOf('user'), 'allow', B)).rejects.toMatchObject({ code: 'busy' });
    await release();
    await addRule(editOf('user'), 'allow', B);
    expect(contentOf(place.user).allow).toEqual([A, B]);
  });

  it('loses nothing when several add at once', async () => {
    const names = Array.from({ length: 12 }, (_, i) => `^T${i}$`);
    await Promise.all(
      names.map((tool, i) => addRule(editOf(i % 2 === 0 ? 'user' : 'session'), 'allow', { tool })),
    );
    const tools = place.load().ordered.map(({ rule }) => rule.tool);
    expect(tools.sort()).toEqual(names.sort());
  });
});

describe('changeRules', () => {
  const C = { tool: '^C$' };
  const change = (what: Parameters<typeof changeRules>[1], seen?: string) =>
    changeRules({ ...editOf('user'), ...(seen === undefined ? {} : { seen }) }, what);

  it('replaces a rule in its place or at the end of another list, and keeps keys that are not its own', async () => {
    place.put(place.user, { version: 1, allow: [A, { ...B, reason: 'x', note: 1, _source_hash: 'h' }, C] });
    const rule = { tool: '^D$', disabled: true };
    expect(await change({ do: 'replace', list: 'allow', index: 1, rule, to: 'allow' })).toMatchObject({
      list: 'allow',
      index: 1,
    });
    const kept = { ...rule, note: 1, _source_hash: 'h' };
    expect(contentOf(place.user)).toEqual({ version: 1, allow: [A, kept, C] });
    expect(place.load().ordered).toHaveLength(3);
    await change({ do: 'replace', list: 'allow', index: 0, rule: A, to: 'ask' });
    expect(contentOf(place.user)).toEqual({ version: 2, allow: [kept, C], ask: [A] });
  });

  it('moves a rule to another place of its list', async () => {
    place.put(place.user, { version: 2, allow: [A, B, C] });
    expect(await change({ do: 'move', list: 'allow', index: 2, before: 0 })).toMatchObject({
      index: 0,
      rule: C,
    });
    expect(contentOf(place.user).allow).toEqual([C, A, B]);
    await change({ do: 'move', list: 'allow', index: 0, before: 9 });
    expect(contentOf(place.user).allow).toEqual([A, B, C]);
  });

  it('refuses a change of another content than the user saw', async () => {
    await change({ do: 'add', list: 'allow', rule: A }, '');
    const before = contentOf(place.user);
    await expect(change({ do: 'add', list: 'allow', rule: B }, '')).rejects.toMatchObject({
      code: 'stale-revision',
    });
    await expect(change({ do: 'remove', list: 'allow', index: 0 }, 'f00')).rejects.toMatchObject({
      code: 'stale-revision',
    });
    expect(contentOf(place.user)).toEqual(before);
    const [file] = place.load().files;
    await change({ do: 'add', list: 'allow', rule: B }, file?.hash ?? '');
    expect(contentOf(place.user).allow).toEqual([A, B]);
  });

  it('a disabled rule stays in the file and counts for nothing', async () => {
    place.put(place.user, { version: 2, deny: [{ ...A, disabled: true }], allow: [A] });
    expect(verifyRules(place.load(), plainFacts())).toEqual([]);
    const call = { tool: 'A', input: {}, cwd: '/p', mode: 'default' };
    expect(judge(call, place.load(), plainFacts())).toMatchObject({ decision: 'allow' });
  });
});

describe('removing a rule', () => {
  it('removes one, and names what is not there', async () => {
    place.put(place.user, { version: 2, allow: [A, B], note: 1 });
    expect(await changeRules(editOf('user'), { do: 'remove', list: 'allow', index: 0 })).toMatchObject({
      rule: A,
      index: 0,
    });
    expect(contentOf(place.user)).toEqual({ version: 2, allow: [B], note: 1 });
    await expect(
      changeRules(editOf('user'), { do: 'remove', list: 'allow', index: 1 }),
    ).rejects.toMatchObject({ code: 'not-found' });
    await expect(changeRules(editOf('user'), { do: 'remove', list: 'deny', index: 0 })).rejects.toMatchObject(
      { code: 'not-found' },
    );
    await expect(
      changeRules(editOf('session'), { do: 'remove', list: 'deny', index: 0 }),
    ).rejects.toMatchObject({ code: 'not-found' });
    expect(existsSync(place.session)).toBe(false);
  });
});

describe('trust', () => {
  const counting = () => place.load().ordered.length;

  it('stays with what the user changes in trusted content, not with what they change in other content', async () => {
    place.put(place.own, { version: 2, allow: [A] });
    expect(await addRule(editOf('project'), 'allow', B)).toMatchObject({ trusted: false });
    expect(counting()).toBe(0);
    expect(await trustProject(place.request())).toHaveLength(1);
    expect(await trustProject(place.request())).toHaveLength(0);
    expect(counting()).toBe(2);
    expect(await addRule(editOf('project'), 'allow', { tool: '^C$' })).toMatchObject({
      trusted: true,
      findings: [],
    });
    expect(counting()).toBe(3);
  });
});

it('what is imported into a project’s file counts once the user trusts it', async () => {
  const imported = (tool: string) => ({
    ...{ scope: 'project' as const, list: 'allow' as const, rule: { tool }, entry: tool, file: '' },
  });
  expect(await importRules(editOf('project'), [imported('^A$')], [])).toMatchObject({
    trusted: false,
    findings: [{ code: 'untrusted' }],
  });
  expect(place.load().ordered).toHaveLength(0);
  await trustProject(place.request());
  expect(place.load().ordered).toHaveLength(1);
  await importRules(editOf('project'), [imported('^B$')], []);
  expect(place.load().ordered).toHaveLength(0);
});

it('changes what was imported, which stays known to the next import, and trusted', async () => {
  for (const scope of ['user', 'project'] as const) {
    const rules = ['^A$', '^B$'].map((tool) => ({
      ...{ scope, list: 'allow' as const, rule: { tool, _source_hash: tool }, entry: tool, file: '' },
    }));
    const edit = { ...editOf(scope), imported: true };
    await importRules(edit, rules, []);
    await trustProject(place.request());
    await changeRules(edit, { do: 'remove', list: 'allow', index: 0 });
    const off = { tool: '^B$', disabled: true };
    const done = await changeRules(edit, { do: 'replace', list: 'allow', index: 0, rule: off, to: 'allow' });
    expect(done).toMatchObject({ rule: { ...off, _source_hash: '^B$' }, trusted: true });
    expect(place.read(done.file)).toMatchObject({ allow: [{ disabled: true }] });
  }
});

it('does not change a file of which a key would be lost', async () => {
  const text = '{"//":"a","version":2,"//":"b"}';
  place.put(place.user, text);
  await expect(addRule(editOf('user'), 'deny', A)).rejects.toMatchObject({ code: 'corrupt' });
  expect(readFileSync(place.user, 'utf8')).toBe(text);
});

it('two imports at once write each rule once', async () => {
  const plan = ['^A$', '^B$'].map((tool) => {
    const rule = { tool, _source_hash: tool };
    return { scope: 'user' as const, list: 'allow' as const, rule, entry: tool, file: '' };
  });
  await Promise.all([1, 2, 3].map(() => importRules(editOf('user'), plan, [])));
  expect(contentOf(place.userImported).allow).toEqual(plan.map(({ rule }) => rule));
});

it('a directory that cannot be written is named', async (ctx) => {
  if (process.getuid?.() === 0) return ctx.skip('root writes everywhere');
  place.put(place.own, { version: 2, allow: [A] });
  chmodSync(dirname(place.own), 0o555);
  await expect(addRule(editOf('project'), 'allow', B)).rejects.toMatchObject({ code: 'io', path: place.own });
  chmodSync(dirname(place.own), 0o755);
  expect(contentOf(place.own)).toEqual({ version: 2, allow: [A] });
});

it('what an editor writes meanwhile, without the lock, is not lost', async () => {
  place.put(place.user, { version: 2, allow: [A] });
  const changed = addRule(editOf('user'), 'allow', B).catch((error: unknown) => error);
  const kept = join(place.stateDir, 'rules');
  const hasBackup = () => existsSync(kept) && readdirSync(kept).some((name) => name.endsWith('.before.json'));
  while (!hasBackup()) await setImmediate();
  place.put(place.user, { version: 2, deny: [A] });
  expect(await changed).toMatchObject({ code: 'stale-revision' });
  expect(contentOf(place.user)).toEqual({ version: 2, deny: [A] });
  expect(readdirSync(dirname(place.user))).toEqual(['rules.json']);
});

describe('verifyRules', () => {
  const codes = () => verifyRules(place.load(), plainFacts()).map(({ code, at }) => `${code} ${at}`.trim());

  it('tries tests and effects within a time limit, and counts the tests that were not tried', () => {
    const evil = { tool: '^Bash$', match: { command: '(a+)+$' } };
    const yes = Array.from({ length: 1_000 }, (_, i) => `${'a'.repeat(50)}${i}!`);
    const effects = [
      { paths: [`${'*a'.repeat(12)}b`], do: 'never' },
      { paths: ['**/.env'], do: 'never' },
    ];
    place.put(place.user, { version: 2, ask: [{ ...evil, tests: { yes, no: ['b'] } }], effects });
    const found = verifyRules(place.load(), plainFacts());
    const of = (at: string) => found.filter((one) => one.code === 'slow' && one.at === at);
    expect(of('ask[0]').some(({ text }) => /^99\d tests were not tried/.test(text))).toBe(true);
    expect([of('effects[0]').length, of('effects[1]').length]).toEqual([1, 0]);
  });

  it('only the user’s own file commits by itself, and only as it is; others are named', () => {
    const auto = {
      version: 2,
      effects: [
        { paths: ['x'], do: 'flag' },
        { paths: ['y'], do: 'auto' },
      ],
    };
    const imported = join(dirname(place.user), 'rules.imported.json');
    for (const file of [place.user, place.own, imported]) place.put(file, auto);
    expect(verifyRules(place.load(), plainFacts())).toMatchObject([
      { code: 'effect', level: 'warning', file: imported, at: 'effects[1]' },
      { code: 'effect', level: 'warning', file: place.own, at: 'effects[1]' },
    ]);
    expect(place.load().auto.map((one) => one.place)).toEqual([`effects[1] of ${place.user}`]);
    expect(place.load().effects).toHaveLength(3);
    place.put(place.user, 'no JSON');
    expect(place.load().auto).toEqual([]);
  });

  it('names a mode that Claude Code has not', () => {
    const allow = [
      { ...A, modes: ['plan', 'plann'] },
      { ...A, modes: [] },
      { ...A, modes: ['plan'] },
    ];
    place.put(place.user, { version: 2, allow });
    expect(verifyRules(place.load(), plainFacts()).filter(({ code }) => code === 'mode')).toEqual([
      expect.objectContaining({
        level: 'warning',
        at: 'allow[0]',
        text: expect.stringMatching(/"plann".*: default,/),
      }),
      expect.objectContaining({ level: 'warning', at: 'allow[1]', text: expect.stringContaining('no mode') }),
    ]);
  });

  it('finds nothing in good files', () => {
    place.put(place.user, { version: 2, allow: [A], deny: [B] });
    expect(codes()).toEqual([]);
  });

  it.each([
    [{ version: 2, allow: [A, A] }, ['duplicate allow[1]']],
    [{ version: 2, allow: [A], deny: [A] }, ['conflict allow[0]']],
    [{ version: 2, allow: [A], ask: [A] }, ['conflict ask[0]']],
    [{ version: 2, allow: [A], ask: [{ ...A, modes: ['plan'] }] }, []],
    [
      {
        version: 2,
        allow: [
          { ...A, reason: 'x' },
          { ...A, reason: 'y' },
        ],
      },
      ['duplicate allow[1]'],
    ],
    [{ version: 2, ask: [A], allow: [{ ...A, match: { x: 'y' } }] }, ['shadowed allow[0]']],
    [
      { version: 2, deny: [A], ask: [{ ...A, match: { x: 'y' } }], allow: [{ ...A, modes: ['plan'] }] },
      ['shadowed ask[0]', 'shadowed allow[0]'],
    ],
    [
      {
        version: 2,
        allow: [A, { ...A, match: { x: 'y' } }, { tool: '^B$' }],
        ask: [{ ...A, match: { x: 'z' } }, A, { ...A, match: { x: 'y' }, modes: ['plan'] }],
      },
      ['conflict ask[1]', 'shadowed allow[1]', 'shadowed ask[2]'],
    ],
    [{ version: 2, allow: [{ ...A, until: '2025-01-01' }] }, ['expired allow[0]']],
    [{ version: 2, allowed_dirs: ['x', '/y', '~/z'] }, ['directory allowed_dirs']],
    [{ version: 2, effects: [{ paths: ['dist/'], do: 'auto' }] }, []],
    [{ version: 2, deny: [{ tool: 'Bash', match: { command: '(a+)+$' } }] }, ['slow deny[0]']],
    [
      {
        version: 2,
        deny: [{ tool: 'Bash', match: { command: '^rm' }, tests: { yes: ['ls'], no: ['rm x'] } }],
      },
      ['test deny[0]', 'test deny[0]'],
    ],
    [
      {
        version: 2,
        ask: [
          {
            tool: '^Write$',
            match: { file_path: '^/etc/' },
            tests: { yes: [{ tool: 'Write', input: { file_path: '/etc/x' } }] },
          },
        ],
      },
      [],
    ],
    [
      {
        version: 2,
        allow: [
          {
            tool: '^Bash$',
            match: { command: '^ls' },
            tests: { yes: ['ls; ls'], no: ['ls; rm x', 'f() { ls; }'] },
          },
        ],
      },
      [],
    ],
    [
      { version: 2, allow: [{ ...A, tests: { yes: [{ tool: 'A', input: {} }] }, until: '2025-01-01' }] },
      ['expired allow[0]'],
    ],
  ])('%j', (content, expected) => {
    place.put(place.user, content);
    expect(codes()).toEqual(expected);
  });

  it('names no more slow patterns than it has the time for', () => {
    const slow = (i: number) => ({ tool: 'Bash', match: { [`f${i}`]: '(a+)+$' } });
    place.put(place.own, { version: 2, deny: Array.from({ length: 200 }, (_one, i) => slow(i)) });
    expect(codes()).toHaveLength(5);
  });

  it('finds what waits for trust, and a file that cannot be used beside its last good version', () => {
    place.put(place.own, { version: 2, allow: [A] });
    place.put(place.user, { version: 2, deny: [B] });
    expect(codes()).toEqual(['untrusted']);
    place.put(place.user, 'x');
    expect(codes()).toEqual(['unusable', 'untrusted']);
  });
});
