import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGrant } from '../core/session/grants.ts';
import { eachInAPlace, type Place } from '../testing/cli.ts';
import { linesOf, putSession } from '../testing/rules/decisions.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

const rules = (...args: string[]) => place.trai(['rules', ...args]);
const json = (name: string, ...args: string[]) => JSON.parse(rules(name, '--json', ...args).out);
const userFile = () => join(place.base, 'home/.config/trai/rules.json');
const put = (file: string, content: unknown) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
};

describe('trai rules', { timeout: 120_000 }, () => {
  it('adds, lists, tests and removes rules, without session and server', () => {
    expect(rules('add', 'user', 'Bash', '^rm ', 'use trash', '--deny')).toMatchObject({ rc: 0 });
    expect(rules('add', 'user', 'WebFetch', '^https://example\\.org/').rc).toBe(0);
    expect(rules('add', 'project', '^mcp__x__', '--ask').rc).toBe(0);
    expect(JSON.parse(readFileSync(userFile(), 'utf8'))).toEqual({
      version: 2,
      deny: [{ tool: '^Bash$', match: { command: '^rm ' }, reason: 'use trash' }],
      allow: [{ tool: '^WebFetch$', match: { url: '^https://example\\.org/' } }],
    });
    const listed = json('list');
    expect(listed.rules.filter(({ scope }: { scope: string }) => scope !== 'built-in')).toMatchObject([
      { scope: 'user', list: 'deny', index: 0, source: 'authored', counts: true },
      { scope: 'user', list: 'allow', index: 0 },
      { scope: 'project', list: 'ask', index: 0 },
    ]);
    expect(json('list', '--scope', 'project').rules).toHaveLength(1);
    expect(json('list', '--list', 'deny').rules).toHaveLength(1);
    expect(json('list', '--tool', 'Web').rules).toHaveLength(2);
    expect(rules('list', '--flat').out.split('\n')[0]?.split('\t').slice(0, 3)).toEqual([
      'deny',
      'user',
      '0',
    ]);
    expect(rules('remove', 'user', 'deny', '0').rc).toBe(0);
    expect(json('list', '--list', 'deny').rules).toEqual([]);
  });

  it('test --json prints one object: decision, why, segments, and what the settings of Claude Code say', () => {
    put(userFile(), {
      version: 2,
      deny: [{ tool: '^Bash$', match: { command: '^rm ' } }],
      allow: [{ tool: '^Bash$', match: { command: '^npm test$' } }],
    });
    put(join(place.project, '.claude/settings.json'), {
      permissions: {
        deny: ['Bash(curl *)'],
        ask: ['Bash(git push:*)'],
        allow: ['Bash(npm test)', 'WebFetch(domain:x.org)'],
      },
    });
    const verdict = json('test', '--', 'npm', 'test');
    expect(Object.keys(verdict)).toEqual(expect.arrayContaining(['decision', 'why', 'segments', 'settings']));
    expect(verdict).toMatchObject({
      decision: 'allow',
      runs: 'sandbox',
      segments: [
        { text: 'npm test', decision: 'allow', rule: { file: userFile(), list: 'allow', index: 0 } },
      ],
      settings: {
        decision: 'allow',
        matches: [{ list: 'allow', entry: 'Bash(npm test)', scope: 'project' }],
      },
    });
    expect(json('test', 'npm test | cat')).toMatchObject({
      decision: 'allow',
      segments: [{ by: 'rule' }, { by: 'read-only' }],
      settings: { decision: 'pass' },
    });
    expect(json('test', '--', 'sudo', 'rm', 'a b')).toMatchObject({ decision: 'deny' });
    expect(json('test', 'curl https://x; ls')).toMatchObject({ settings: { decision: 'deny' } });
    expect(json('test', 'ls && git push origin')).toMatchObject({ settings: { decision: 'ask' } });
    expect(json('test', '--tool', 'WebFetch', '--', '{"url":"https://x.org/a"}')).toMatchObject({
      decision: 'pass',
      segments: [],
      settings: { decision: 'allow' },
    });
    expect(json('test', '--tool', 'Skill').decision).toBe('allow');
    expect(rules('test', '--format', 'json', 'ls').out).toMatch(/^\{"decision":"allow"/);
    expect(rules('test', 'rm x').out).toMatch(/^deny: /);
  });

  it('list says of a rule when it counts, and that an expired one does not', () => {
    const about = (until: string, modes?: string[]) => ({ tool: '^A$', until, ...(modes && { modes }) });
    put(userFile(), { version: 2, allow: [about('2020-01-01'), about('9999-01-01', ['plan', 'auto'])] });
    expect(json('list', '--scope', 'user').rules).toMatchObject([{ counts: false }, { counts: true }]);
    expect(rules('list', '--scope', 'user').out.split('\n').slice(1, 3)).toEqual([
      '  user 0      ^A$  (until 2020-01-01)  (does not count)',
      '  user 1      ^A$  (modes plan, auto)  (until 9999-01-01)',
    ]);
  });

  it('verify exits with 0, 1 for errors, 2 for warnings with --strict', () => {
    expect(rules('verify').rc).toBe(0);
    const rule = { tool: '^A$' };
    put(userFile(), { version: 2, allow: [rule, rule] });
    expect(rules('verify')).toMatchObject({ rc: 0 });
    expect(rules('verify', '--strict').rc).toBe(2);
    expect(json('verify')).toMatchObject({
      ok: true,
      errors: 0,
      warnings: 1,
      findings: [{ code: 'duplicate' }],
    });
    expect(rules('verify', '--strict', '--scope', 'project').rc).toBe(0);
    put(userFile(), { version: 2, allow: [rule], deny: [rule] });
    expect(rules('verify')).toMatchObject({ rc: 1 });
    put(userFile(), '{"version":2');
    expect(rules('verify').rc).toBe(1);
    expect(rules('verify').out).toContain(userFile());
    put(join(place.project, '.claude/trai.rules.json'), '{');
    const [, found = ''] = /rules: (.*)/.exec(place.trai(['doctor']).out) ?? [];
    expect(found).toMatch(
      /rules\.json: not JSON.*last good version.*trai\.rules\.json: not JSON.*no good version/,
    );
    expect(rules('list').out).toMatch(/^.*home.*rules\.json: not JSON.*last good version.*$/m);
    expect(place.trai(['doctor']).out).not.toContain('passthru');
    put(join(place.project, '.claude/settings.json'), { enabledPlugins: { 'passthru@x': true } });
    expect(place.trai(['doctor']).out).toMatch(/note {2}passthru: .*on.*\n.*the stricter counts/);
    rmSync(join(place.project, '.claude'), { recursive: true });
    put(userFile(), { version: 2 });
    expect(rules('verify', '--quiet')).toEqual({ rc: 0, out: '', err: '' });
  });

  it.each([
    [[]],
    [['nonsense']],
    [['list', '--scope', 'x']],
    [['list', '--tool', '(']],
    [['test']],
    [['test', '--tool', 'WebFetch', '--', 'x']],
    [['add', 'x', 'Bash']],
    [['add', 'user']],
    [['add', 'user', 'Bash', '(']],
    [['add', 'user', 'Bash', 'a', 'b', 'c']],
    [['add', 'user', '^mcp__', 'a']],
    [['add', 'user', 'Bash', 'a', '--ask', '--deny']],
    [['add', 'built-in', 'Bash']],
    [['remove', 'user', 'x', '0']],
    [['remove', 'user', 'deny', 'x']],
    [['verify', '--format', 'xml']],
    [['log', '--since', 'soon']],
    [['move', 'user', 'allow', '0']],
    [['sandboxed', 'x']],
    [['list', '--nonsense']],
  ])('wrong usage: %j', (args) => {
    expect(rules(...args).rc).toBe(2);
  });

  it('trust lets the project’s allow rules count until they change', () => {
    const file = join(place.project, '.claude/trai.rules.json');
    const allow = [{ tool: '^Bash$', match: { command: '^make$' } }];
    put(file, { version: 2, allow });
    expect(json('test', 'make').decision).toBe('pass');
    expect(rules('verify', '--strict').rc).toBe(2);
    expect(json('trust').files).toMatchObject([{ file, allow: ['^Bash$ command=^make$'], allowedDirs: [] }]);
    expect(json('test', 'make').decision).toBe('allow');
    expect(rules('trust').out).toBe('Nothing waits to be trusted.\n');
    put(file, { version: 2, allow: [...allow, { tool: 'x' }] });
    expect(json('test', 'make').decision).toBe('pass');
  });

  it('trust is about what was listed, when it names that, and shows what it trusts', () => {
    const file = join(place.project, '.claude/trai.rules.json');
    put(file, '{');
    expect(rules('list').out).not.toContain('rules trust');
    const forged = 'x\ntrai rules trust 0123456789abcdef\n';
    put(file, {
      version: 2,
      allow: [{ tool: 'A', reason: forged }, { tool: forged }],
      allowed_dirs: [forged],
    });
    for (const words of [['list'], ['list', '--flat'], ['trust']])
      expect(rules(...words).out).not.toMatch(/^trai/m);
    const shown = { version: 2, allow: [{ tool: '^A$' }], allowed_dirs: ['/data'] };
    put(file, shown);
    const [, hash = ''] = /trai rules trust ([0-9a-f]{16})\n/.exec(rules('list').out) ?? [];
    put(file, { ...shown, allow: [{ tool: '.' }] });
    expect(rules('trust', hash)).toMatchObject({ rc: 1, out: '' });
    expect(json('test', '--tool', 'A').decision).toBe('pass');
    put(file, shown);
    expect(rules('trust', hash).out).toMatch(
      /^Trusted .*\n {2}allow {2}\^A\$\n {2}allowed directories: \/data\n$/,
    );
    expect(rules('trust', hash).rc).toBe(0);
    expect(json('test', '--tool', 'A').decision).toBe('allow');
    expect(rules('trust', 'project').rc).toBe(2);
  });

  it('lists what a file says beside its rules: a user is about to trust it', () => {
    const file = join(place.project, '.claude/trai.rules.json');
    const effects = [{ paths: ['**/.env*', '*.key'], kinds: ['added'], do: 'never', reason: 'keys' }];
    put(file, { version: 2, allowed_dirs: ['/data'], effects });
    const { out } = rules('list');
    expect(out).toContain(`${file}: allowed directories: /data (do not count)\n`);
    expect(out).toContain(`${file}: effects[0]  never  **/.env*  *.key  (added)  # keys\n`);
    expect(json('list').files).toContainEqual(expect.objectContaining({ allowedDirs: ['/data'], effects }));
  });

  it('edits, moves, disables and says how a rule would have matched', () => {
    put(userFile(), { version: 2, allow: [{ tool: '^Bash$', match: { command: '^a$' } }, { tool: '^B$' }] });
    const allow = () => JSON.parse(readFileSync(userFile(), 'utf8')).allow;
    expect(rules('edit', 'user', 'allow', '0', '^b$', '--reason', 'why', '--off').rc).toBe(0);
    const edited = { tool: '^Bash$', match: { command: '^b$' }, reason: 'why', disabled: true };
    expect(allow()).toEqual([edited, { tool: '^B$' }]);
    expect(rules('list').out).toContain('command=^b$  (does not count)  # why');
    expect(rules('move', 'user', 'allow', '1', '0').rc).toBe(0);
    expect(rules('edit', 'user', 'allow', '1', '--on', '--deny', '--reason', '').rc).toBe(0);
    expect(JSON.parse(readFileSync(userFile(), 'utf8'))).toEqual({
      version: 2,
      allow: [{ tool: '^B$' }],
      deny: [{ tool: '^Bash$', match: { command: '^b$' } }],
    });
    expect(rules('edit', 'user', 'allow', '7').rc).toBe(1);
    expect(rules('edit', 'user', 'allow', '0', '(').rc).toBe(2);
    const before = allow();
    expect(rules('edit', 'user', 'allow', '0', '--on', '--off').rc).toBe(2);
    expect(allow()).toEqual(before);
  });

  it('log, test --history and sandboxed read what was decided in all sessions', async () => {
    const at = new Date().toISOString();
    const calls = [
      { command: 'make all', at, said: { decision: 'ask', by: 'rule' } as const },
      { command: 'make clean', at, rc: null },
      { command: 'touch x', at },
    ];
    await putSession(place.state, 's1', linesOf(calls), place.project);
    expect(
      rules('log')
        .out.split('\n')
        .filter((line) => line !== ''),
    ).toHaveLength(3);
    expect(json('log', '--event', '^ask', '--since', '1h').decisions).toMatchObject([
      { subject: 'make all' },
    ]);
    expect(json('log', '--event', '^pass$').decisions).not.toEqual([]);
    expect(json('log', '--tail', '1').decisions).toHaveLength(1);
    expect(json('test', '--history', '^make')).toMatchObject({ looked: 3, matched: 2, asked: 2, denied: 1 });
    expect(rules('test', '--history', '--deny', '--', '^make').out).toContain('matches 2 of 3 calls');
    expect(rules('suggest').out).toContain('No suggestions');
    const shown = rules('sandboxed', 'allow');
    expect(shown).toMatchObject({ rc: 1 });
    expect(shown.out).toContain('Of 2 shell calls that were left to Claude Code, "allow" lets 2 run');
    expect(shown.out).toContain('The network is open');
    expect(rules('sandboxed', 'allow', '--yes').rc).toBe(0);
    expect(json('test', 'touch x').by).toBe('sandboxed');
    expect(rules('sandboxed', 'ask').rc).toBe(0);
    expect(json('sandboxed').sandboxed).toBe('ask');
  });

  it('import shows what it would write, writes it once, and names what no rule can say', () => {
    put(join(place.project, '.claude/settings.json'), {
      permissions: { allow: ['Bash(npm run test:*)', 'Read(src/[ab].ts)'], deny: ['Edit(//etc/**)'] },
    });
    const shown = rules('import', 'settings');
    expect(shown.out).toContain('2 rules to import.');
    expect(shown.out).toContain('left: Read(src/[ab].ts)');
    const file = join(place.project, '.claude/trai.rules.imported.json');
    expect(existsSync(file)).toBe(false);
    // The project's entries come with the repository, as its rules do.
    const imported = rules('import', 'settings', '--yes');
    expect(imported.out).toContain(`Written to ${file}`);
    expect(imported.out).toContain('do not count until you trust them');
    expect(json('import', 'settings')).toMatchObject({ rules: [], known: 2 });
    expect(json('list', '--source', 'imported').rules).toHaveLength(2);
    expect(rules('remove', 'project', 'deny', '0').rc).toBe(1);
    expect(rules('remove', 'session', 'deny', '0', '--source', 'imported').rc).toBe(2);
    expect(json('test', 'npm run test x').decision).toBe('pass');
    expect(rules('trust').rc).toBe(0);
    expect(json('test', 'npm run test x').decision).toBe('allow');
    put(join(place.project, '.claude/passthru.json'), { version: 1, deny: [{ tool: '^X$' }] });
    expect(json('import', 'passthru', '--yes').rules).toMatchObject([
      { list: 'deny', rule: { tool: '^X$' } },
    ]);
    const imported0 = ['project', 'deny', '0', '--source', 'imported'];
    expect(rules('edit', ...imported0, '--off').rc).toBe(0);
    expect(json('import', 'settings')).toMatchObject({ rules: [], known: 2 });
    expect(rules('remove', ...imported0, '--off').rc).toBe(2);
    expect(rules('add', 'user', '^Y$', '--source', 'imported').rc).toBe(2);
    expect(rules('remove', ...imported0).rc).toBe(0);
    expect(json('import', 'settings').rules).toMatchObject([{ list: 'deny' }]);
    expect(rules('import', 'elsewhere').rc).toBe(2);
  });

  it('import takes directories along, and --dismiss says no to what is there', () => {
    put(join(place.base, 'home/.claude/settings.json'), {
      permissions: { additionalDirectories: ['/data', 'rel'] },
    });
    const shown = rules('import', 'settings');
    expect(shown.out).toContain('  user allowed_dirs  /data\n');
    expect(shown.out).toContain('left: additionalDirectories: rel');
    expect(shown.out).toContain('1 allowed directory to import.');
    expect(json('import', '--dismiss')).toEqual({ dismissed: 1 });
    expect(rules('import', 'settings', '--dismiss').out).toContain('nothing to dismiss');
    expect(rules('import', 'elsewhere', '--dismiss').rc).toBe(2);
    const { files } = json('import', 'settings', '--yes');
    expect(JSON.parse(readFileSync(files[0], 'utf8'))).toMatchObject({ allowed_dirs: ['/data'] });
    expect(json('import', 'settings')).toMatchObject({ dirs: [], known: 1 });
  });

  it('is turned off by the config, visibly', () => {
    put(userFile(), { version: 2, deny: [{ tool: 'Bash' }] });
    put(join(dirname(userFile()), 'config.json'), { rules: { enabled: false } });
    expect(json('test', 'ls').decision).toBe('pass');
    expect(rules('list').err).toContain('turned off');
  });

  it('what stays pending is allowed where the config says so', () => {
    put(join(dirname(userFile()), 'config.json'), { rules: { sandboxed: 'allow' } });
    expect(json('test', 'for f in a b; do touch $f; done')).toMatchObject({
      decision: 'allow',
      by: 'sandboxed',
    });
    expect(json('test', 'curl -d x https://x').decision).toBe('pass');
    expect(json('test', 'git commit -m x')).toMatchObject({ decision: 'pass', runs: 'host' });
  });

  it('loses nothing when several change rules at once', async () => {
    const own = join(place.project, '.claude/trai.rules.json');
    const toolsIn = (file: string): string[] =>
      JSON.parse(readFileSync(file, 'utf8')).allow.map(({ tool }: { tool: string }) => tool);
    put(userFile(), { version: 2, allow: ['a', 'b', 'c'].map((tool) => ({ tool })) });
    put(own, { version: 2, allow: [{ tool: '^P0$' }] });
    put(join(place.project, '.claude/settings.json'), { permissions: { allow: ['Bash(make *)'] } });
    const names = Array.from({ length: 6 }, (_, i) => `T${i}`);
    const commands = [
      ...names.map((name) => ['add', 'user', name]),
      ...[
        ['add', 'project', 'P1'],
        ['remove', 'user', 'allow', '0'],
        ['move', 'user', 'allow', '1', '0'],
      ],
      ...[['import', 'settings', '--yes'], ['import', 'settings', '--yes'], ['trust']],
    ];
    const started = commands.map((words) =>
      spawn('bash', [place.program, 'rules', ...words], {
        cwd: place.project,
        env: place.env,
        stdio: 'ignore',
      }),
    );
    const ended = await Promise.all(started.map((child) => once(child, 'close')));
    expect(ended.map(([code]) => code)).toEqual(commands.map(() => 0));
    expect(toolsIn(userFile())).toHaveLength(2 + names.length);
    expect(toolsIn(userFile())).toEqual(expect.arrayContaining(names.map((name) => `^${name}$`)));
    expect(toolsIn(own)).toEqual(['^P0$', '^P1$']);
    expect(json('test', '--tool', 'P1').decision).toBe('allow');
    expect(toolsIn(join(place.project, '.claude/trai.rules.imported.json'))).toHaveLength(1);
  });

  it('typed as /trai:rules it takes what was typed, and changes rules once', async () => {
    const below = { CLAUDECODE: '1', CLAUDE_PID: '1' };
    const typed = (...more: string[]) => place.trai(['rules', '--from-prompt', ...more], below);
    await putSession(place.state, 's', [], place.project);
    const permit = (what: string) => openGrant(join(place.state, 'sessions/s'), { kind: 'permit', what });
    expect(typed().rc).toBe(1);
    await permit("rules add user Bash '^rm ' --deny");
    expect(typed()).toMatchObject({ rc: 0 });
    expect(JSON.parse(readFileSync(userFile(), 'utf8')).deny).toHaveLength(1);
    expect(typed().rc).toBe(1);
    await permit('rules test -- rm x');
    expect(typed('--answer').out).toContain('"decision":"block"');
    expect(place.trai(['rules', 'remove', 'user', 'deny', '0'], below).rc).toBe(1);
    expect(place.trai(['rules', 'sandboxed', 'allow', '--yes'], below).rc).toBe(1);
    expect(place.trai(['rules', 'import', 'settings', '--yes'], below).rc).toBe(1);
    expect(place.trai(['rules', 'list'], below).rc).toBe(0);
  });

  it('only the user changes rules: a command below a client is refused', () => {
    const inside = place.trai([
      'exec',
      '--session',
      's',
      '--',
      place.program,
      'rules',
      'add',
      'user',
      'Bash',
    ]);
    expect(inside.rc).toBe(1);
    expect(inside.err).toMatch(/^trai: /);
    const typed = rules('add', 'user', 'Bash', '--from-prompt');
    expect(typed).toMatchObject({ rc: 1 });
    expect(typed.err).toContain('only the user');
  });
});
