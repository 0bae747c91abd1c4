import { existsSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { Bench, type BenchOptions } from './bench.ts';
import { bash } from './mock-api.ts';
import { Terminal } from './terminal.ts';

const open: (Bench | Terminal)[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
async function makeBench(options: BenchOptions): Promise<Bench> {
  const bench = await Bench.open({ settings: { permissions: { allow: ['Bash'] } }, ...options });
  open.push(bench);
  return bench;
}

const ZSH = ['/bin/zsh', '/usr/bin/zsh'].find((file) => existsSync(file));
const withoutZsh = ZSH === undefined ? ' (skipped: zsh is not installed)' : '';

describe.skipIf(ZSH === undefined)(`zsh as the client's shell${withoutZsh}`, () => {
  const env = { SHELL: ZSH ?? '' };
  const ZSHRC = `greet() { print -r -- "greetings, $1" }
alias hello='echo from an alias'
setopt c_bases
`;
  const SHELL_STATE = 'echo level $SHLVL; setopt; alias; typeset +f';

  test('calls are in the sandbox, with functions, aliases, options, status and directory of the shell', async () => {
    const bench = await makeBench({
      env,
      scenarios: {
        zsh: [
          bash('print -r -- "$ZSH_VERSION" > made.txt; greet me; hello'),
          bash('false | true; print -r -- $pipestatus; exit 3'),
          bash(SHELL_STATE),
          bash('cd sub'),
          bash('pwd; cat ../made.txt > /dev/null && echo seen'),
          bash('kill -9 $$'),
        ],
      },
    });
    bench.write('.zshrc', ZSHRC);
    bench.write('project/sub/file', '');
    const run = await bench.claude('SCENARIO:zsh', { args: ['--permission-mode', 'bypassPermissions'] });
    const plain = await plainly(bench, SHELL_STATE);
    expect(plain).toMatch(/level \d\n[\s\S]*cbases\n[\s\S]*hello=[\s\S]*greet/);
    expect(run.results.map((result) => result.text)).toEqual([
      'greetings, me\nfrom an alias',
      'Exit code 3\n1 0',
      plain,
      expect.anything(),
      `${bench.project}/sub\nseen`,
      'Exit code 137',
    ]);
    expect(await bench.pending('made.txt')).toMatch(/^5\.\d/);
    expect(bench.read('made.txt')).toBeNull();
    const ended = bench.log().filter((event) => event['t'] === 'call.ended');
    expect(ended.map((event) => event['rc'])).toEqual([0, 3, 0, 0, 0, 137]);
    const decided = bench.log().filter((event) => event['t'] === 'call.decided');
    expect(decided.map((event) => `${event['mode']} ${event['matched']}`)).toEqual(
      Array(6).fill('sandbox exact'),
    );
  });

  test('a `!` command that the user types is in the sandbox too', async () => {
    const bench = await makeBench({ env });
    const screen = await Terminal.open(bench);
    open.push(screen);
    await screen.ready();
    await screen.type('! print -r -- $ZSH_VERSION > by-hand');
    await bench.until(
      async () => /^5\.\d/.test((await bench.pending('by-hand')) ?? ''),
      () => screen.screen(),
    );
    expect(bench.read('by-hand')).toBeNull();
  });

  test('where the launcher is gone, zsh runs nothing either and names what is pending', async () => {
    const bench = await makeBench({
      env,
      scenarios: {
        gone: async ({ step }) => {
          if (step === 1) await bench.sh('rm -r "$0"/bin', { words: [bench.state] });
          return [bash('print 1 > one'), bash('print 2 > two; print RAN')][step] ?? null;
        },
      },
    });
    const run = await bench.claude('SCENARIO:gone');
    expect(run.results[1]).toMatchObject({
      error: true,
      text: expect.stringContaining(`${bench.state}/sessions/${run.session}`),
    });
    expect(run.results[1]?.text).not.toMatch(/^RAN/m);
    expect([bench.read('one'), bench.read('two')]).toEqual([null, null]);
    expect(await bench.pending('one')).toBe('1\n');
  });

  /** What the same client prints for a command without trai. */
  async function plainly(bench: Bench, command: string): Promise<string> {
    const plain = await makeBench({
      env,
      plugin: null,
      person: bench.person,
      scenarios: { one: [bash(command)] },
    });
    plain.write('.zshrc', ZSHRC);
    const run = await plain.claude('SCENARIO:one', { args: ['--permission-mode', 'bypassPermissions'] });
    return run.results[0]?.text ?? '';
  }
});

test.each([
  ['a shell that the client does not use', '/usr/bin/fish'],
  ['dash', '/bin/dash'],
])('with SHELL naming %s, %s, calls are in the sandbox', async (_what, shell) => {
  const bench = await makeBench({
    env: { SHELL: shell },
    scenarios: { one: [bash('echo x > made.txt; printenv TRAI_IN || true'), bash('cat made.txt')] },
  });
  const run = await bench.claude('SCENARIO:one');
  expect(run.results.map((result) => result.text)).toEqual(['(Bash completed with no output)', 'x']);
  expect(bench.read('made.txt')).toBeNull();
});
