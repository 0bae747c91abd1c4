/** git beside pending files, with the real client: what is asked, what that does to its rules and modes, what the model reads. */
import { afterEach, describe, expect, test } from 'vitest';
import { Bench, type BenchOptions } from './bench.ts';
import { bash } from './mock-api.ts';
import { Terminal } from './terminal.ts';

const open: (Bench | Terminal)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const ALLOW = { permissions: { allow: ['Bash'] } };

/** A bench whose project is a repository with one commit of `a`. */
async function repository(options: BenchOptions): Promise<Bench> {
  const bench = await Bench.open({ settings: ALLOW, ...options });
  open.push(bench);
  bench.write('.gitconfig', '[user]\n\tname = t\n\temail = t@t\n[init]\n\tdefaultBranch = main\n');
  bench.write('project/a', 'one\n');
  expect(await bench.sh('git init -q && git add . && git commit -qm first')).toMatchObject({ code: 0 });
  return bench;
}

async function git(bench: Bench, ...words: string[]): Promise<string> {
  return (await bench.exec(['git', ...words])).out;
}

async function terminal(bench: Bench): Promise<Terminal> {
  // Not in auto mode, whose check asks a server that is not there: whether that stops a call is not for us to say.
  const screen = await Terminal.open(bench, { args: ['--permission-mode', 'default'] });
  open.push(screen);
  await screen.ready();
  return screen;
}

const COMMIT = 'git add -A && git commit -qm second';
const REASON =
  /^trai: `git add` and `git commit` would run on the host without 1 pending change: A made\. .*\/trai:commit/;
const scenarios = { commit: [bash('touch made'), bash(COMMIT)] };

describe('with pending changes in the repository', () => {
  test.each([
    ['allowed by a rule for Bash', { allow: ['Bash'] }, []],
    [
      'allowed by a rule of its own',
      { allow: ['Bash(touch:*)', 'Bash(git add:*)', 'Bash(git commit:*)'] },
      [],
    ],
    ['in bypassPermissions', {}, ['--permission-mode', 'bypassPermissions']],
    ['in acceptEdits', { allow: ['Bash'] }, ['--permission-mode', 'acceptEdits']],
    ['in dontAsk', { allow: ['Bash'] }, ['--permission-mode', 'dontAsk']],
  ] as const)(
    'git commit %s is denied where nobody can be asked, and the model reads why',
    async (_what, permissions, args) => {
      const bench = await repository({ settings: { permissions }, scenarios });
      const run = await bench.claude('SCENARIO:commit', { args });
      expect(run.results[1]).toMatchObject({ error: true, text: expect.stringMatching(REASON) });
      // What to do then stands there, too.
      expect(run.results[1]?.text).toMatch(
        /Do not try it another way\..*end with the exact commands that are left/,
      );
      expect(await git(bench, 'log', '--format=%s')).toBe('first\n');
      expect(await bench.pending('made')).toBe('');
      // Denied, not slipped past the sandbox.
      expect(bench.log().filter((event) => event['t'] === 'call.started')).toHaveLength(1);
      expect(bench.log().filter((event) => event['unsandboxed'] === true)).toEqual([]);
    },
  );

  test("a deny rule of the user's is not turned into a question", async () => {
    const permissions = { allow: ['Bash'], deny: ['Bash(git commit:*)'] };
    const bench = await repository({ settings: { permissions }, scenarios });
    const run = await bench.claude('SCENARIO:commit');
    expect(run.results[1]).toMatchObject({ error: true, text: expect.stringContaining('denied') });
    expect(run.results[1]?.text).not.toMatch(REASON);
  });

  test('the user sees the question with its reason, and what they allow runs on the host', async () => {
    const bench = await repository({ scenarios });
    const screen = await terminal(bench);
    await screen.type('SCENARIO:commit');
    await screen.sees(/would run on the host without 1[\s\S]*Do you want to proceed/);
    expect(await git(bench, 'log', '--format=%s')).toBe('first\n');
    await screen.confirm('Do you want to proceed');
    await bench.until(
      () => bench.log().filter((event) => event['t'] === 'call.ended').length === 2,
      () => screen.screen(),
    );
    // Nothing to commit there: `made` is pending, as they were told.
    const decided = bench.log().filter((event) => event['t'] === 'call.decided');
    expect(decided.map((event) => `${event['mode']} ${event['matched']}`)).toEqual([
      'sandbox exact',
      'host exact',
    ]);
    expect(bench.read('made')).toBeNull();
  });

  test('"warn" lets it run, and reading is never asked about', async () => {
    const bench = await repository({
      scenarios: {
        ...scenarios,
        read: [bash('echo x > made'), bash('git status --short; git log --format=%s')],
      },
    });
    const read = await bench.claude('SCENARIO:read');
    expect(read.results[1]).toMatchObject({ error: false, text: 'first' });
    bench.write('.config/trai/config.json', '{"hostWithPending":"warn"}');
    bench.write('project/on-host', '');
    const run = await bench.claude('SCENARIO:commit');
    expect(run.results[1]).toMatchObject({ error: false });
    expect(await git(bench, 'show', '--format=%s', '--name-only')).toBe('second\n\non-host\n');
  });

  test('after /trai:commit, git commit has it, and nobody is asked', async () => {
    const bench = await repository({ scenarios: { make: [bash('echo x > made')], git: [bash(COMMIT)] } });
    await bench.claude('SCENARIO:make');
    await bench.claude('/trai:commit', { args: ['--continue'] });
    const run = await bench.claude('SCENARIO:git', { args: ['--continue'] });
    expect(run.results.at(-1)).toMatchObject({ error: false });
    expect(await git(bench, 'show', '--format=%s', '--name-only')).toBe('second\n\nmade\n');
    expect(await git(bench, 'status', '--porcelain')).toBe('');
  });

  test('a line that the user types runs, and they read what is not there', async () => {
    const bench = await repository({ scenarios });
    const screen = await terminal(bench);
    await screen.type('! echo x > made');
    await bench.until(async () => (await bench.pending('made')) !== null);
    await screen.type('! git commit --allow-empty -qm typed');
    await screen.sees('would run on the host without 1 pending change');
    await bench.until(async () => (await git(bench, 'log', '--format=%s')) === 'typed\nfirst\n');
  });
});

test('a compound that mixes a writing git with other commands is refused, and the model reads how to go on', async () => {
  const bench = await repository({
    scenarios: { mixed: [bash('touch made && git add made'), bash('git -c core.pager=x stash && touch b')] },
  });
  const run = await bench.claude('SCENARIO:mixed');
  for (const { error, text } of run.results) {
    expect(error).toBe(true);
    expect(text).toContain('Run `git ...` as a call of its own');
  }
  expect(await bench.pending('made')).toBeNull();
});

test('git that may run other programs is asked about although nothing is pending', async () => {
  const alias = "git -c alias.x='!touch by-alias' x";
  const bench = await repository({
    scenarios: { runs: [bash(alias), bash('git -c user.name=n commit --allow-empty -qm plain')] },
  });
  const run = await bench.claude('SCENARIO:runs', { args: ['--permission-mode', 'bypassPermissions'] });
  expect(run.results[0]).toMatchObject({
    error: true,
    text: expect.stringContaining('may run other programs'),
  });
  expect(run.results[1]).toMatchObject({ error: false });
  expect(bench.read('by-alias')).toBeNull();
  expect(await git(bench, 'log', '--format=%an %s')).toBe('n plain\nt first\n');
});

test('the model is told which pending changes are in conflict after git has moved the files below them', async () => {
  const bench = await repository({
    scenarios: { pull: [bash('echo mine > a; echo new > b'), bash('git merge -q topic')] },
  });
  expect(
    await bench.sh('git checkout -qb topic; echo topic > a; git commit -qam topic; git checkout -q main'),
  ).toMatchObject({ code: 0 });
  bench.write('.config/trai/config.json', '{"hostWithPending":"warn"}');
  const run = await bench.claude('SCENARIO:pull');
  expect(run.results[1]).toMatchObject({ error: false });
  const read = JSON.stringify(bench.api.requests.at(-1)?.messages);
  expect(read).toContain('1 pending change is in conflict since `git merge` ran on the host: a (');
  expect(bench.log().filter((event) => event['code'] === 'host-conflicts')).toHaveLength(1);
  expect(await bench.pending('a')).toBe('mine\n');
});

test('what git throws away for the model is brought back by the lines in the log', async () => {
  const bench = await repository({ scenarios: { lose: [bash('git reset --hard'), bash('git clean -fdx')] } });
  bench.write('project/a', 'changed\n');
  bench.write('project/untracked', 'mine\n');
  const run = await bench.claude('SCENARIO:lose');
  expect(run.results.map((result) => result.error)).toEqual([false, false]);
  expect([bench.read('a'), bench.read('untracked')]).toEqual(['one\n', null]);
  const lines = bench
    .log()
    .flatMap((event) => (event['t'] === 'call.saved' ? (event['restore'] as string[]) : []));
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(await bench.sh(line, { cwd: '/' })).toMatchObject({ code: 0 });
  expect([bench.read('a'), bench.read('untracked')]).toEqual(['changed\n', 'mine\n']);
});

test('without a server the same is asked, kept and told', async () => {
  const bench = await repository({
    scenarios: { node: [bash('git reset --hard'), bash('echo x > made'), bash(COMMIT)] },
  });
  bench.write('.config/trai/config.json', '{"server":{"autostart":false}}');
  bench.write('project/a', 'changed\n');
  const run = await bench.claude('SCENARIO:node');
  expect(run.results[2]).toMatchObject({ error: true, text: expect.stringMatching(REASON) });
  const lines = bench
    .log()
    .flatMap((event) => (event['t'] === 'call.saved' ? (event['restore'] as string[]) : []));
  for (const line of lines) expect(await bench.sh(line, { cwd: '/' })).toMatchObject({ code: 0 });
  expect(bench.read('a')).toBe('changed\n');
});
