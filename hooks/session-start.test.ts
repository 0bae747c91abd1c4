import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { stateDir } from '../core/session/dirs.ts';
import { CLAUDE_ID, event, HookBench, type Ran } from './hook.testing.ts';

const open: HookBench[] = [];
afterEach(async () => {
  for (const bench of open.splice(0)) await bench.close();
});
function makeBench(name?: string): HookBench {
  const bench = new HookBench(name);
  open.push(bench);
  mkdirSync(envDir(bench), { recursive: true });
  return bench;
}
const envDir = (bench: HookBench): string => path.join(path.dirname(bench.state), 'session-env');
const envFile = (bench: HookBench): string => path.join(envDir(bench), 'sessionstart-hook-0.sh');
const read = (file: string): string => readFileSync(file, 'utf8');

async function start(
  bench: HookBench,
  more: Record<string, unknown> = {},
  env: Record<string, string> = {},
): Promise<Ran> {
  const body = event({ hook_event_name: 'SessionStart', source: 'startup', ...more });
  const variables = {
    CLAUDE_ENV_FILE: envFile(bench),
    CLAUDE_PID: String(process.pid),
    AI_AGENT: 'claude-code_2-1-330_harness',
    ...env,
  };
  const late = new AbortController();
  const second = bench.run('session-start.sh', ['late'], body, variables, late.signal);
  const ran = await bench.run('session-start.sh', [], body, variables);
  late.abort();
  await second;
  return ran;
}

describe('the line', () => {
  const NAMES = [
    'plain',
    'with blank',
    "it's",
    "''",
    '"$(id)`id`"',
    '\\back\\',
    '-n',
    '*?[a]',
    'ümlaut\u{1F600}',
  ];
  const SHELLS = ['/bin/bash', '/usr/bin/zsh'].filter((shell) => existsSync(shell));

  test.each(SHELLS.flatMap((shell) => NAMES.map((name) => [shell, name] as const)))(
    'in %s with a state directory called %j it starts the launcher with session, shell and text',
    async (shell, name) => {
      const bench = makeBench(name);
      await start(bench);
      // Stands in for the launcher: prints its arguments, then runs the shell again.
      const launcher = path.join(bench.state, 'bin/0.1.0/launch');
      const stub = `printf '<%s>\\n' "$1" "$2" "$3"; export TRAI_IN=$BASHPID; exec "$2" -c "$3"`;
      writeFileSync(launcher, stub);
      chmodSync(launcher, 0o600);
      const text = `source x 2>/dev/null || true && ${read(envFile(bench))}: && eval 'echo "in:\${TRAI_IN-}"; env | grep TRAI_IN || :' < /dev/null && pwd`;
      const env = { PATH: '/usr/bin:/bin', SHELL: shell };
      const ran = spawnSync(shell, ['-c', text], { encoding: 'utf8', cwd: '/', env });
      // The shell that runs again goes on after the line, and the guard is not in the command's environment.
      expect(ran.stdout).toContain(`<${CLAUDE_ID}>\n<${shell}>\n<${text}>\nin:`);
      expect(ran.stdout).toMatch(/\nin:\d+\n\/\n$/);
      expect(ran.stdout).not.toContain('TRAI_IN=');
    },
  );

  test.each(SHELLS)('in %s without its launcher nothing runs, and the user reads why', async (shell) => {
    const bench = makeBench("it's");
    await start(bench);
    rmSync(path.join(bench.state, 'bin'), { recursive: true });
    const text = `true && ${read(envFile(bench))}: && eval 'echo RAN' && pwd`;
    const ran = spawnSync(shell, ['-c', text], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', SHELL: shell },
    });
    expect(ran).toMatchObject({ status: 125, stdout: '' });
    const session = `${bench.state}/sessions/${CLAUDE_ID}`;
    expect(ran.stderr).toContain(
      `${bench.state}/bin/0.1.0/launch is gone (was trai removed?). Nothing of the command was run. To go on without trai, delete ${envFile(bench)} `,
    );
    expect(ran.stderr).toContain(`\n${session} is gone, too, with what was pending in it.`);
    mkdirSync(`${session}/overlay`, { recursive: true });
    const again = spawnSync(shell, ['-c', text], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', SHELL: shell },
    });
    expect(again).toMatchObject({ status: 125, stdout: '' });
    expect(again.stderr).toContain(
      `was not committed is in ${session}. To get it, install trai again and type /trai:commit`,
    );
  });

  test('with execfail set, a launcher that cannot be started still runs nothing', async () => {
    const bench = makeBench();
    await start(bench);
    const line = read(envFile(bench)).replace(/exec '[^']*bash'/, "exec '/nonexistent/bash'");
    const ran = spawnSync('/bin/bash', ['-c', `shopt -s execfail; true && ${line}: && eval 'echo RAN'`], {
      encoding: 'utf8',
    });
    expect(ran).toMatchObject({ status: 125, stdout: '' });
  });

  test.each(['', '/not/there'])('it names no link above the state directory at "far%s"', async (below) => {
    const bench = makeBench();
    const [far, near] = [path.join(bench.dir, 'far'), path.join(bench.dir, 'near')];
    mkdirSync(far);
    symlinkSync(far, near);
    await start(bench, {}, { TRAI_STATE_HOME: `${near}${below}/s` });
    expect(read(envFile(bench))).toContain(`'${far}${below}/s/bin/0.1.0/launch'`);
    expect(read(envFile(bench))).not.toContain(near);
    expect(read(`${far}${below}/s/claude-env/${CLAUDE_ID}`)).toContain(read(envFile(bench)));
  });

  test.each<[string, string]>([
    ['TRAI_STATE_HOME', '/s//'],
    ['TRAI_STATE_HOME', '/s/.'],
    ['TRAI_STATE_HOME', '//s'],
    ['TRAI_STATE_HOME', '/./missing/../s/x/..'],
    ['XDG_STATE_HOME', '/x/../s/.'],
    ['HOME', '//s/./'],
  ])('it names the state directory as the server does where %s ends in %s', async (name, end) => {
    const bench = makeBench();
    const named = { HOME: bench.dir, [name]: `${bench.dir}${end}` };
    await start(bench, {}, { TRAI_STATE_HOME: '', XDG_STATE_HOME: '', ...named });
    const state = stateDir(named);
    expect(state).toMatch(/^[^.]*\/s(\/trai|\/\.local\/state\/trai)?$/);
    expect(read(envFile(bench))).toContain(`'${state}/bin/0.1.0/launch'`);
    expect(read(`${state}/claude-env/${CLAUDE_ID}`)).toContain(read(envFile(bench)));
  });

  test('it is one line, and our lines in other env files go, nothing else does', async () => {
    const bench = makeBench();
    const other = path.join(envDir(bench), 'sessionstart-hook-7.sh');
    writeFileSync(other, 'export A=1\nif old; then :; fi # trai:old.session\n# trai: a remark\nexport B=2\n');
    await start(bench);
    expect(read(envFile(bench)).split('\n')).toHaveLength(2);
    expect(read(other)).toBe('export A=1\n# trai: a remark\nexport B=2\n');
  });

  test('it is in place although everything after it fails', async () => {
    const bench = makeBench();
    rmSync(bench.state, { recursive: true });
    writeFileSync(bench.state, 'a file where the state directory should be');
    const ran = await start(bench);
    expect(read(envFile(bench))).toContain(`# trai:${CLAUDE_ID}`);
    expect(JSON.parse(ran.out).systemMessage).toContain('could not be written');
  });
});

test('under a limit of file sizes it says what could not be written, instead of ending without a word', () => {
  const bench = makeBench();
  const script = ['/bin/bash', '-p', path.join(bench.root, 'hooks/session-start.sh')];
  const { status, stdout } = spawnSync('/bin/bash', ['-c', 'ulimit -f 0; exec "$@"', 'sh', ...script], {
    input: event({ hook_event_name: 'SessionStart', source: 'startup' }),
    encoding: 'utf8',
    env: {
      PATH: '/usr/bin:/bin',
      HOME: path.dirname(bench.state),
      TRAI_STATE_HOME: bench.state,
      CLAUDE_ENV_FILE: envFile(bench),
      CLAUDE_PID: String(process.pid),
    },
  });
  expect(status).toBe(0);
  expect(JSON.parse(stdout).systemMessage).toContain('could not be written');
});

describe('which session', () => {
  const sessionIn = (bench: HookBench): string | undefined => /# trai:(\S+)/.exec(read(envFile(bench)))?.[1];
  const OTHER = '99999999-1111-4222-8333-444455556666';

  test('a client session that is known keeps its session', async () => {
    const bench = makeBench();
    bench.put(`claude/${CLAUDE_ID}`, 'earlier\n');
    await start(bench, { source: 'resume' });
    expect(sessionIn(bench)).toBe('earlier');
  });

  test.each(['clear', 'fork'])(
    '%s in the same client process goes on with the session of that process',
    async (source) => {
      const bench = makeBench();
      await start(bench);
      await start(bench, { session_id: OTHER, source });
      expect(sessionIn(bench)).toBe(CLAUDE_ID);
      expect(read(path.join(bench.state, 'claude', OTHER))).toBe(`${CLAUDE_ID}\n`);
    },
  );

  test.each([[['--resume', OTHER]], [[`--resume=${OTHER}`]], [['-r', OTHER]]])(
    'a fork in a new process goes on with the session that %j names',
    async (args) => {
      const bench = makeBench();
      bench.put(`claude/${OTHER}`, 'earlier\n');
      const client = spawn('bash', ['-c', 'read; :', 'claude', ...args, '--fork-session'], { stdio: 'pipe' });
      try {
        await start(bench, { source: 'fork' }, { CLAUDE_PID: String(client.pid) });
        expect(sessionIn(bench)).toBe('earlier');
      } finally {
        client.stdin.end();
      }
    },
  );

  test('a start in the same process, and a clear in another, begin a session of their own', async () => {
    const bench = makeBench();
    await start(bench);
    await start(bench, { session_id: OTHER });
    expect(sessionIn(bench)).toBe(OTHER);
    await start(bench, { session_id: 'third', source: 'clear' }, { CLAUDE_PID: String(process.ppid) });
    expect(sessionIn(bench)).toBe('third');
  });

  test.each([
    ['../../etc/passwd', 'x..-..-etc-passwd'],
    ['a b;c$(id)', 'a-b-c--id-'],
    [`${'a'.repeat(100)}`, 'a'.repeat(64)],
    ['-n', 'x-n'],
  ])('the id %j becomes %j', async (id, expected) => {
    const bench = makeBench();
    await start(bench, { session_id: id });
    expect(sessionIn(bench)).toBe(expected);
  });
});

describe('off for the session', () => {
  test.each([
    ['an old client', { AI_AGENT: 'claude-code_2-1-138_harness' }, '2.1.139 or newer, this is 2.1.138'],
    ['an older one', { AI_AGENT: 'claude-code/2.1.120/harness' }, '2.1.139 or newer, this is 2.1.120'],
    ["Claude Code's own sandbox", { SANDBOX_RUNTIME: '1' }, "Claude Code's own sandbox is on"],
    ['a shell that is not bash or zsh', { CLAUDE_CODE_SHELL: '/usr/bin/fish' }, 'needs bash or zsh'],
    ['no env file', { CLAUDE_ENV_FILE: '' }, 'no CLAUDE_ENV_FILE'],
  ])('with %s: no line, the reason is said, and calls pass visibly', async (_what, env, reason) => {
    const bench = makeBench();
    writeFileSync(envFile(bench), 'an old line');
    const ran = await start(bench, {}, env);
    expect(JSON.parse(ran.out).systemMessage).toContain(reason);
    expect('CLAUDE_ENV_FILE' in env ? '' : read(envFile(bench))).toBe('');
    const call = await bench.hook(['PreToolUse', 'block']);
    expect(call.code).toBe(0);
    expect(JSON.parse(call.out).systemMessage).toContain(reason);
    await start(bench);
    expect((await bench.hook(['PreToolUse', 'block'])).code).toBe(2);
  });
});

describe('what it leaves behind', () => {
  test('the record is what PreToolUse compares with', async () => {
    const bench = makeBench();
    await start(bench);
    await bench.serve('{proof}\n0\nout\n');
    await bench.hook(['PreToolUse', 'block']);
    expect(bench.asked.at(-1)?.headers['x-trai-env']).toBe('ok');
  });

  test('the launcher is copied whole, a changed file is replaced, and nobody else can read the state', async () => {
    const bench = makeBench();
    bench.fallback('export {}');
    await start(bench);
    const bin = path.join(bench.state, 'bin/0.1.0');
    const sources = ['launch', 'enter', 'inner'];
    for (const name of sources)
      expect(read(path.join(bin, name))).toBe(read(path.join(bench.root, 'hooks/launcher', name)));
    expect(read(path.join(bin, 'lib/fallback.mjs'))).toBe('export {}');
    writeFileSync(path.join(bench.root, 'hooks/launcher/enter'), 'new');
    await start(bench);
    expect(read(path.join(bin, 'enter'))).toBe('new');
    expect(execFileSync('find', [bench.state, '-perm', '/077'], { encoding: 'utf8' })).toBe('');
  });

  test('Node is found where only a version manager has it, and an old one is passed over', async () => {
    const bench = makeBench();
    const home = path.join(bench.dir, 'home');
    const nvm = path.join(home, '.nvm/versions/node');
    const stub = (version: string): void => {
      const bin = path.join(nvm, `v${version}/bin`);
      mkdirSync(bin, { recursive: true });
      writeFileSync(path.join(bin, 'node'), `#!/bin/bash\necho "${version} \${BASH_SOURCE[0]}"\n`, {
        mode: 0o755,
      });
    };
    stub('20.18.1');
    stub('9.0.0');
    stub('22.3.0');
    const only = path.join(bench.dir, 'path');
    mkdirSync(only);
    await start(bench, {}, { PATH: only, HOME: home });
    expect(read(path.join(bench.state, 'node'))).toBe(`${path.join(nvm, 'v22.3.0/bin/node')}\n`);
  });

  test('the server is started with few variables, none of them the key, and not when the config says so', async () => {
    const bench = makeBench();
    const out = path.join(bench.dir, 'environment');
    const source = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(out)}, JSON.stringify(process.env));`;
    bench.fallback('console.log("{}")');
    writeFileSync(path.join(bench.root, 'lib/server.mjs'), source);
    const config = path.join(bench.dir, 'config');
    mkdirSync(path.join(config, 'trai'), { recursive: true });
    writeFileSync(path.join(config, 'trai/config.json'), '{ "server": { "autostart" : false } }');
    const env = { ANTHROPIC_API_KEY: 'sk-secret', XDG_CONFIG_HOME: config };
    expect((await start(bench, {}, env)).out).toBe('{}\n');
    expect(existsSync(out)).toBe(false);
    writeFileSync(path.join(config, 'trai/config.json'), '{}');
    await start(bench, {}, env);
    expect(Object.keys(JSON.parse(read(out)))).not.toContain('ANTHROPIC_API_KEY');
    expect(JSON.parse(read(out))).toMatchObject({
      HOME: path.dirname(bench.state),
      TRAI_STATE_HOME: bench.state,
    });
  });

  test('it starts no program of the project’s, which PATH may name first', async () => {
    const bench = makeBench();
    const [bin, started] = [path.join(bench.dir, 'node_modules/.bin'), path.join(bench.dir, 'started')];
    mkdirSync(bin, { recursive: true });
    const noting = path.join(bin, '.noting');
    const source = `#!/bin/bash\necho "\${0##*/}" >>'${started}'\nexec /usr/bin/"\${0##*/}" "$@"\n`;
    writeFileSync(noting, source, { mode: 0o755 });
    for (const name of readdirSync('/usr/bin').filter((one) => one !== 'node'))
      symlinkSync(noting, path.join(bin, name));
    bench.fallback('console.log("{}")');
    writeFileSync(path.join(bench.root, 'lib/server.mjs'), '');
    const env = { PATH: `${bin}:/usr/bin:/bin` };
    expect((await start(bench, {}, env)).out).toBe('{}\n');
    expect((await start(bench, {}, env)).out).toBe('{}\n');
    expect((await bench.run('start-server.sh', [], '', env)).out).toMatch(/^\d+\n$/);
    expect(existsSync(started) ? read(started) : '').toBe('');
  });

  test('a Node that a relative entry of PATH leads to is not the user’s', async () => {
    const bench = makeBench();
    const started = path.join(bench.dir, 'started');
    const bin = path.join(bench.dir, 'bin');
    mkdirSync(bin);
    writeFileSync(path.join(bin, 'node'), `#!/bin/bash\necho >'${started}'\n`, { mode: 0o755 });
    await start(bench, {}, { PATH: `${path.relative('/', bin)}:/usr/bin:/bin` });
    expect(existsSync(started)).toBe(false);
  });

  test('a server that is missing is in the error log', async () => {
    const bench = makeBench();
    rmSync(path.join(bench.root, 'lib/server.mjs'), { force: true });
    await start(bench);
    expect(read(path.join(bench.state, 'hook-errors.log'))).toContain('lib/server.mjs is missing');
  });

  test('an error log and records never hold the environment', async () => {
    const bench = makeBench();
    await start(bench, {}, { ANTHROPIC_API_KEY: 'sk-secret', CLAUDE_CODE_MESSAGING_TOKEN: 'token-secret' });
    const found = spawnSync('grep', ['-r', 'secret', bench.state], { encoding: 'utf8' });
    expect(found.stdout).toBe('');
    expect(statSync(path.join(bench.state, 'hook-errors.log')).size).toBeGreaterThan(0);
  });
});

describe('on a machine so busy that the server takes seconds to start', () => {
  test('it is waited for, and Node is not asked instead', async () => {
    const bench = makeBench();
    bench.fallback(`console.log('{"systemMessage":"of Node"}')`);
    // Lives until another one answers.
    const source = `import { existsSync } from 'node:fs';
setInterval(() => existsSync('${bench.state}/server.json') && process.exit(), 20);
setTimeout(() => process.exit(), 30_000);`;
    writeFileSync(path.join(bench.root, 'lib/server.mjs'), source);
    const began = start(bench);
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    await bench.serve('{proof}\n0\nout\n{"systemMessage":"of the server"}');
    expect(JSON.parse((await began).out).systemMessage).toBe('of the server');
    expect(existsSync(path.join(bench.state, 'hook-errors.log'))).toBe(false);
  });

  test('the second hook waits for the line, whatever the environment has', async () => {
    const bench = makeBench();
    await start(bench);
    writeFileSync(envFile(bench), '');
    const variables = { CLAUDE_ENV_FILE: envFile(bench), CLAUDE_PID: String(process.pid), SILENT: 'yes' };
    const stop = new AbortController();
    const late = bench.run('session-start.sh', ['late'], event(), variables, stop.signal);
    const waits = new Promise((resolve) => setTimeout(() => resolve('waits'), 3_000));
    expect(await Promise.race([late, waits])).toBe('waits');
    stop.abort();
    await late;
  });

  test('a server that is slow is waited for, whatever SECONDS the environment has', async () => {
    const bench = makeBench();
    bench.fallback("console.log('of Node')");
    await bench.serve('{proof}\n0\nout\nof the server', undefined, { after: 1_500 });
    expect((await start(bench, {}, { SECONDS: '100' })).out).toBe('of the server');
  });

  test('all that it waits for fits into the client’s limits, and the third hook begins after the first was cut off', () => {
    const hooks = JSON.parse(read(path.join(import.meta.dirname, 'hooks.json'))).hooks.SessionStart[0].hooks;
    const [first, , mend] = hooks.map(({ timeout }: { timeout: number }) => timeout);
    const seconds = (file: string, pattern: RegExp) =>
      Number(pattern.exec(read(path.join(import.meta.dirname, file)))?.[1]);
    const server = seconds('lib/start-server.sh', /^SERVER_SECONDS=(\d+)$/m);
    const hello = seconds('lib/start-server.sh', /ANSWER_SECONDS=(\d+) STATUS/);
    const end = seconds('session-start.sh', /^ {2}answer_by (\d+)$/m);
    const before = hello + server + hello + 1;
    const script = `. lib/common.sh; . lib/more.sh; for SECONDS in {0..${before}}; do answer_by ${end}; echo $SECONDS $ANSWER_SECONDS $HOLD_SECONDS; done`;
    const { stdout } = spawnSync('/bin/bash', ['-c', `HERE=$PWD; ${script}`], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    const limits = stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    expect(limits).toHaveLength(before + 1);
    for (const [at = 0, proof = 0, answer = 0] of limits) {
      expect(Math.min(proof, answer)).toBeGreaterThan(1);
      expect(at + proof + answer).toBeLessThan(first);
    }
    const usual = seconds('lib/ask-server.sh', /^ANSWER_SECONDS=(\d+)$/m);
    const mends = seconds('session-start.sh', /end=\$\(\(SECONDS \+ (\d+)\)\)/);
    expect(mends).toBeGreaterThan(first);
    expect(mends + 2 * usual).toBeLessThan(mend);
  });
});
