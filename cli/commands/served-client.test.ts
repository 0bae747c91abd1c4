/** `trai claude` and `trai box` where a server answers: no Node is beside the client, which otherwise is started the same. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processArguments, processIds, processProgram, processStat } from '../../core/kernel/proc/proc.ts';
import { mountSource } from '../../core/sandbox/context.ts';
import { endProcesses, liveProcesses } from '../../core/sandbox/live.ts';
import { eachInAPlace, leaving, type Place, type Result } from '../../testing/cli.ts';

let place: Place;
let home: string;
eachInAPlace(
  (made) => {
    place = made;
  },
  // Covered, unlike temporary directories.
  userInfo().homedir,
);
beforeEach(() => {
  home = join(place.base, 'home');
  for (const dir of ['.config/trai', '.claude']) mkdirSync(join(home, dir), { recursive: true });
  mkdirSync(join(place.base, 'bin'));
  configure({});
  // Each start of Node leaves a line.
  const noting = `const [, , first, , command] = process.argv;
    const line = (first === '--start-fd' ? command : first) + '\\n';
    require('node:fs').appendFileSync(${JSON.stringify(nodes())}, line)`;
  writeFileSync(join(place.base, 'noting.cjs'), noting);
  expect(place.trai(['ui', '--print'], env()).rc).toBe(0);
});
afterEach(async () => {
  const pid = serverPid();
  if (pid !== null) {
    process.kill(pid, 'SIGCONT');
    process.kill(pid);
    // It still writes into the directories that are removed next.
    await expect.poll(() => isRunning(pid)).toBe(false);
  }
  for (const session of sessions()) await endProcesses(mountSource(place.state, session));
});

const nodes = () => join(place.base, 'nodes');
const env = (): NodeJS.ProcessEnv => ({
  HOME: home,
  PATH: `${join(place.base, 'bin')}:${place.env['PATH']}`,
  NODE_OPTIONS: `--require=${join(place.base, 'noting.cjs')}`,
});
const configure = (server: object) =>
  writeFileSync(join(home, '.config/trai/config.json'), JSON.stringify({ server }));
/** By Node: the commands that were given to it since. */
const byNode = (): string[] =>
  existsSync(nodes())
    ? readFileSync(nodes(), 'utf8')
        .split('\n')
        .filter((line) => /^[a-z]/.test(line) && line !== 'undefined')
    : [];
const sessions = (): string[] => {
  const dir = join(place.state, 'sessions');
  return existsSync(dir) ? readdirSync(dir) : [];
};
const isRunning = (pid: number): boolean => (processStat(pid)?.state ?? 'Z') !== 'Z';
function serverPid(): number | null {
  const file = join(place.state, 'server.json');
  const pid = existsSync(file) ? Number(JSON.parse(readFileSync(file, 'utf8')).pid) : 0;
  return pid > 0 && isRunning(pid) ? pid : null;
}
const log = (session: string): { t: string; rc?: number; command?: string; cwd?: string }[] =>
  readFileSync(join(place.state, 'sessions', session, 'calls.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** In place of the client: these lines, with the words of the command line. */
function client(lines: string): void {
  writeFileSync(join(place.base, 'bin/claude'), `#!/bin/bash\n${lines}\n`, { mode: 0o755 });
}
function run(lines: string, words: readonly string[] = [], more: NodeJS.ProcessEnv = {}): Result {
  client(lines);
  rmSync(nodes(), { force: true });
  return place.trai(['claude', ...words], { ...env(), ...more });
}

interface Opened {
  child: ChildProcess;
  inside(line: string): Promise<string>;
  /** Its status, and what was said on stderr. */
  close(): Promise<[number | null, string]>;
}
/** A client that does as the lines on its stdin say. */
async function open(words: readonly string[] = ['claude'], more: NodeJS.ProcessEnv = {}): Promise<Opened> {
  client('while read -r line; do eval "$line"; echo "#"; done; exit 3');
  rmSync(nodes(), { force: true });
  const child = spawn('bash', [place.program, ...words], {
    cwd: place.project,
    env: { ...place.env, ...env(), ...more },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const err = text(child.stderr);
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (said: string) => (out += said));
  const inside = async (line: string): Promise<string> => {
    out = '';
    child.stdin.write(`${line}\n`);
    await expect.poll(() => out).toContain('#\n');
    return out.slice(0, out.indexOf('#\n'));
  };
  const close = async (): Promise<[number | null, string]> => {
    const gone = once(child, 'exit');
    child.stdin.end();
    return [(await gone)[0], await err];
  };
  await inside('true');
  return { child, inside, close };
}
function below(pid: number): number[] {
  return processIds()
    .filter((one) => processStat(one)?.parent === pid)
    .flatMap((child) => [child, ...below(child)]);
}

function expectNoNode({ pid = 0 }: ChildProcess): void {
  const programs = below(pid).map((one) => `${processProgram(one)} ${processArguments(one)}`);
  expect(programs.join('\n')).toContain('/launch');
  expect(programs.filter((one) => one.includes('node'))).toEqual([]);
}

describe('trai claude where a server answers', () => {
  it('has no Node beside the client, gives its status, and says what is pending', async () => {
    const { child, inside, close } = await open();
    expectNoNode(child);
    const forged = place.trai(['client-ended', sessions()[0] ?? '', '0'], env());
    expect(forged).toMatchObject({ rc: 2, err: expect.stringContaining('expected the session of a client') });
    rmSync(nodes());
    await inside('echo one > f');
    const [status, said] = await close();
    expect([status, byNode()]).toEqual([3, []]);
    expect(said).toMatch(
      /^1 change pending: trai diff, .*dashboard: http:\/\/127\.0\.0\.1:\d+\/ \(trai ui\)\n$/,
    );
    const [session = ''] = sessions();
    expect(existsSync(join(place.state, 'sessions', session, 'client.json'))).toBe(false);
    expect(log(session).map(({ t }) => t)).toEqual(['session', 'call.decided', 'call.started', 'call.ended']);
    expect(log(session)[0]).toMatchObject({ source: 'client', cwd: place.project });
  });

  it('hands on words, variables, signals, directory and descriptors as Node does', () => {
    const words = [
      'a\nb',
      '',
      ' x ',
      'é',
      '*',
      '$(id)',
      'a\x1fb',
      '\\x41',
      '%s',
      '-p',
      '--',
      '--session',
      'x'.repeat(1e4),
    ];
    const lines = `shift 4; printf '<%s>' "$@"; tr '\\0' '\\n' < /proc/$$/environ | sort | grep -v '^\\(TRAI_CALL\\|NODE\\)='
      grep SigIgn /proc/self/status; pwd; umask; cat; ls /proc/self/fd`;
    const more = {
      root: 'kept',
      state: 'kept',
      'BASH_FUNC_module%%': '() {  echo hi\n}',
      CLAUDE: '',
    };
    const served = run(lines, ['--', ...words], more);
    expect(byNode()).toEqual([]);
    const [one = ''] = sessions();
    expect(log(one)[1]?.command).toContain("claude 'a\nb' '' ' x ' 'é' '*' '$(id)'");
    const own = run(lines, ['--session', 'x', '--', ...words], more);
    expect(byNode()).toEqual(['claude']);
    expect([served.rc, own.rc]).toEqual([0, 0]);
    // A descriptor of bin/trai reaches the client of Node.
    expect(served.out.replace(/(\n\d+)+\n$/, '')).toBe(own.out.replace(/(\n\d+)+\n$/, ''));
    // Those of its calls' namespaces (hooks/launcher/hold).
    const held = process.getuid?.() === 0 ? '' : '7\n8\n';
    const given = spawnSync('ls', ['/proc/self/fd'], { encoding: 'utf8' }).stdout;
    expect(served.out.endsWith(`\n0022\n${given}${held}`)).toBe(true);
  });

  it.each([
    ['POSIXLY_CORRECT', '1'],
    ['SHELLOPTS', 'errexit:nounset:posix'],
    ['BASHOPTS', 'failglob:nullglob'],
    ['BASH_ENV', '/nonexistent'],
    ['GLOBIGNORE', '/proc/*'],
    ['LC_ALL', 'C.UTF-8'],
  ])('runs with %s in the environment, and passes it on', (name, value) => {
    const ran = run(`tr '\\0' '\\n' < /proc/$$/environ | grep -a -F -A1 '${name}='; exit 4`, [], {
      [name]: value,
    });
    expect(ran.rc).toBe(4);
    expect(ran.out).toContain(name === 'SHELLOPTS' || name === 'BASHOPTS' ? `${name}=` : `${name}=${value}`);
  });

  it.each<[string, string[], Result['rc']]>([
    ['an option of trai’s own', ['--keep-running'], 0],
    ['a session that is named', ['--session', 'x'], 0],
    ['a conversation that is named', ['-p', '--resume', 'y'], 0],
    ['the newest session', ['-c'], 125],
    ['help', ['--help'], 0],
    ['a wrong option', ['--session'], 2],
  ])('leaves %s to Node, and no session of its own', (_, words, rc) => {
    expect(run('exit 0', words).rc).toBe(rc);
    expect(byNode()).toEqual(['claude']);
    expect(sessions().length).toBeLessThan(2);
  });

  it('leaves what cannot be to Node, which says why, and nothing of its own', () => {
    const none = place.trai(['claude'], { ...env(), PATH: place.env['PATH'] });
    expect(none).toMatchObject({ rc: 127, err: expect.stringContaining('found none') });
    expect(sessions()).toEqual([]);
    writeFileSync(join(home, '.claude/projects'), '');
    expect(run('echo ran')).toMatchObject({
      rc: 125,
      out: '',
      err: expect.stringContaining('.claude/projects'),
    });
    expect(byNode()).toEqual(['claude']);
    // Node's.
    expect(sessions()).toHaveLength(1);
    expect(readdirSync(join(place.state, 'overlays'))).toHaveLength(1);
    rmSync(join(home, '.claude/projects'));
    const inside = run('echo ran', [], { SANDBOX_RUNTIME: '1' });
    expect(inside).toMatchObject({ rc: 125, out: '', err: expect.stringContaining('SANDBOX_RUNTIME') });
  });

  it('hands on the descriptors that its caller has opened', () => {
    client('shift 4; cat "$1"');
    rmSync(nodes(), { force: true });
    const line = '"$0" claude -- <(echo given) <(echo more) 20<&0';
    const options = { cwd: place.project, env: { ...place.env, ...env() }, encoding: 'utf8' } as const;
    expect(spawnSync('bash', ['-c', line, place.program], options).stdout).toBe('given\n');
    expect(byNode()).toEqual([]);
  });

  it('leaves many words to Node', () => {
    const words = Array.from({ length: 3_000 }, (_, i) => `word-${i}`);
    expect(run('shift 4; echo $#', words).out).toBe('3000\n');
    expect(byNode()).toEqual(['claude']);
  });

  it.each([true, false])('ends as ever where its directory is gone (a server: %s)', async (isServed) => {
    configure({ autostart: false });
    const { close } = await open();
    const pid = serverPid() ?? expect.fail('no server is running');
    if (!isServed) {
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => isRunning(pid)).toBe(false);
    }
    rmSync(place.project, { recursive: true });
    const [status] = await close();
    expect([status, byNode()]).toEqual([3, isServed ? [] : ['client-ended']]);
    expect(existsSync(join(place.state, 'sessions', sessions()[0] ?? '', 'client.json'))).toBe(false);
  });

  /** What `run_client` sets, of a command that is this line. */
  const waited = (
    command: string,
    more: { signals?: string; signal?: string; meanwhile?: string },
  ): string => {
    const lines = `set -u
      t_root=$1 t_state=$2
      . "$t_root/hooks/lib/start-client.sh"
      seems_served() { :; }
      exec {t_err}>&2
      t_session=x t_keep=keep t_env=more t_more=() t_signals=${more.signals ?? ''} t_args=
      t_command=("$BASH" -c "$3" "$4")
      ${more.meanwhile ?? ''}
      run_client
      echo $t_rc`;
    const root = join(place.program, '../..');
    return spawnSync('bash', ['-c', lines, 'x', root, place.state, command, more.signal ?? ''], {
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
      timeout: 50_000,
      killSignal: 'SIGKILL',
    }).stdout;
  };

  it('hands on what a terminal cannot send', () => {
    // Once it is handed on and the command has begun.
    const send =
      'until [[ -n $(<"/proc/$t_child/task/$t_child/children") ]]; do sleep 0.01; done; kill -INT $$';
    const meanwhile = `trap() { builtin trap "$@"; [[ $* != 'forward INT INT' ]] || (${send} &); }`;
    // The shell goes on when the signal has ended its command.
    expect(waited('sleep 300; exit 9', { signals: 'INT,WINCH', meanwhile })).toBe('9\n');
    expect(waited('sleep 0.3; kill -INT $PPID; sleep 0.3; exit 8', {})).toBe('8\n');
  });

  it('hands on a signal that comes before there is a launcher', () => {
    const meanwhile = `trap() { builtin trap "$@"; [[ $* != 'forward QUIT QUIT' ]] || kill -TERM $$; }`;
    // No child of it would keep the test waiting that the signal does not reach.
    expect(waited('exec sleep 300', { meanwhile })).toBe('143\n');
  });

  it.each([
    ['INT', 130],
    ['TERM', 143],
    ['HUP', 129],
  ])('ends also where a SIG%s ends it and reaches bin/trai at that moment', (signal, status) => {
    const once = () => waited('kill -$0 $PPID $$; sleep 300', { signal });
    // bash loses the status in one of ten cases.
    expect(new Set(Array.from({ length: 60 }, once))).toEqual(new Set([`${status}\n`]));
  });

  it.each([
    ['the server', true, 'exit 3', 3],
    ['Node', false, 'exit 3', 3],
    ['the server, where the launcher was killed', true, 'kill -KILL $PPID', 143],
  ])('is told the status that bash has lost by %s', async (_, isServed, lines, status) => {
    configure({ autostart: false });
    const lost = join(place.base, 'lost');
    // As where a SIGTERM comes as the client ends. The launcher does not read it.
    writeFileSync(lost, 'wait() { builtin wait "$@"; t_caught=TERM; }; jobs() { echo 1; }');
    client(`echo up; read -r line; ${lines}`);
    rmSync(nodes(), { force: true });
    const child = spawn('bash', ['-c', '. "$2"; . "$0" "$1"', place.program, 'claude', lost], {
      cwd: place.project,
      env: { ...place.env, ...env() },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const pid = serverPid() ?? expect.fail('no server is running');
    if (!isServed) {
      process.kill(pid, 'SIGKILL');
      await expect.poll(() => isRunning(pid)).toBe(false);
    }
    child.stdin.end('\n');
    expect([(await once(child, 'exit'))[0], byNode()]).toEqual([status, isServed ? [] : ['client-ended']]);
  });

  it('waits for no server that hangs, which then leaves nothing behind', async () => {
    const pid = serverPid() ?? expect.fail('no server is running');
    process.kill(pid, 'SIGSTOP');
    rmSync(nodes());
    // Once Node was asked: what it asks itself is answered.
    const goOn = `until grep -q claude '${nodes()}'; do sleep 0.1; done; kill -CONT ${pid}`;
    spawn('sh', ['-c', goOn], { stdio: 'ignore' });
    const ran = run('exit 5', ['a']);
    expect([ran.rc, byNode()[0]]).toEqual([5, 'claude']);
    // What the server was asked before it hung.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await expect.poll(sessions).toHaveLength(1);
  });

  it('is ended by Node where no server is any more: what was left is named and ended, and what is pending is said', async () => {
    configure({ autostart: false });
    const { inside, close } = await open();
    await inside(`echo one > f; ${leaving(437)}`);
    const pid = serverPid() ?? expect.fail('no server is running');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
    const [status, said] = await close();
    expect([status, byNode()]).toEqual([3, ['client-ended']]);
    expect(said).toMatch(
      /^Ending 1 process that Claude Code left running:\n {2}\d+ {2}sleep 437\n1 change pending/,
    );
    const [session = ''] = sessions();
    expect(existsSync(join(place.state, 'sessions', session, 'client.json'))).toBe(false);
  });
});

describe('trai box -y where a server answers', () => {
  const box = (words: readonly string[], more: NodeJS.ProcessEnv = {}): Result => {
    rmSync(nodes(), { force: true });
    return place.trai(['box', ...words], { ...env(), ...more });
  };
  const kept = () =>
    readdirSync(join(place.state, 'box')).flatMap((id) => readdirSync(join(place.state, 'box', id, 'run')));

  it('shows and hands on what Node does, and leaves nothing behind', () => {
    const lines = `shift 4; printf '<%s>' "$@"; env | sort | grep -v '^TRAI_CALL='; pwd; umask; cat; ls /proc/self/fd; ls -A ~ /; exit 6`;
    const words = ['a\nb', '', ' x ', 'é', '*', '\\x41', '-p', '-y', '--'];
    const more = {
      ANTHROPIC_A: 'a\nb',
      FOO: 'hidden',
      LC_TIME: 'C',
      'BASH_FUNC_module%%': '() {  echo hi\n}',
    };
    client(lines);
    const served = box(['--yes', '--', ...words], more);
    expect(byNode()).toEqual([]);
    const own = box(['--yes', '--session', 'x', '--', ...words], more);
    expect(byNode()).toEqual(['box']);
    expect(served).toEqual(own);
    expect(served).toMatchObject({ rc: 6, err: '' });
    expect(kept()).toEqual([]);
    const [log1, log2] = sessions().map((session) => log(session)[1]?.command);
    expect(log1).toBe(log2);
  });

  it('runs a shell, or one command with words of any kind', () => {
    expect(box(['-y', '--shell', '--', 'bash', '-c', 'echo $0; exit 9', '--resume'])).toMatchObject({
      rc: 9,
      out: '--resume\n',
    });
    expect(byNode()).toEqual([]);
    const ran = box(['--shell', '-y'], { SHELL: '/bin/sh' });
    expect([ran.rc, byNode()]).toEqual([0, []]);
  });

  it('removes what a box has left that was killed before its launcher had begun', () => {
    expect(box(['-y', '--shell', '--', 'true']).rc).toBe(0);
    const [id = ''] = readdirSync(join(place.state, 'box'));
    const leave = (name: string) => writeFileSync(join(place.state, 'box', id, 'run', name), '');
    for (const name of ['status', 'status.args', 'status.gate']) leave(`s.${2 ** 30}.${name}`);
    leave(`s.${process.pid}.status.args`);
    expect(box(['-y', '--shell', '--', 'true']).rc).toBe(0);
    expect(kept()).toEqual([`s.${process.pid}.status.args`]);
  });

  it('mounts the plan that the server made, without the sockets that a box does not get', async () => {
    const socket = join(home, 'agent');
    const agent = createServer().listen(socket);
    await once(agent, 'listening');
    expect(box(['-y', '--shell', '--', 'true'], { SSH_AUTH_SOCK: socket }).rc).toBe(0);
    agent.close();
    const plans = readdirSync(join(place.state, 'sessions', sessions()[0] ?? '', 'plan'));
    expect(plans.filter((name) => name !== 'current')).toHaveLength(1);
  });

  it('leaves nothing of a box whose plan cannot be made', () => {
    rmSync(join(place.state, 'mask'), { recursive: true, force: true });
    // Where a file is, no directory can be made.
    writeFileSync(join(place.state, 'mask'), '');
    expect(box(['-y', '--shell', '--', 'true']).rc).toBe(125);
    expect(byNode()).toEqual(['box']);
    expect(kept()).toEqual([]);
  });

  it('has no variable of a file that bash reads first, nor one whose name bash cannot take away', () => {
    const first = join(place.base, 'first');
    writeFileSync(first, 'export LEFT=value');
    for (const more of [{ BASH_ENV: first }, { 'LEFT-OVER': 'value' }]) {
      const { rc, out } = box(['-y', '--shell', '--', 'env'], more);
      expect([rc, byNode()]).toEqual([0, ['box']]);
      expect(out).not.toContain('LEFT');
    }
  });

  it('says what bwrap could not do, as Node does', () => {
    const ran = box(['-y', '--shell', '--', '/nonexistent/program']);
    const own = box(['-y', '--session', 'x', '--shell', '--', '/nonexistent/program']);
    expect(ran).toEqual(own);
  });

  it('leaves to Node what the project’s file says, which may be more than it does', () => {
    mkdirSync(join(place.project, '.claude'));
    writeFileSync(join(place.project, '.claude/trai.box.json'), '{"net":"open","allow":["/"]}');
    const ran = box(['-y', '--shell', '--', 'true']);
    expect([ran.rc, byNode()]).toEqual([0, ['box']]);
    expect(ran.err).toContain('trai.box.json');
    expect(kept()).toEqual([]);
    expect(sessions()).toHaveLength(1);
  });

  it('is ended by Node where no server is any more', async () => {
    configure({ autostart: false });
    const child = spawn(
      'bash',
      [place.program, 'box', '-y', '--shell', '--', 'sh', '-c', 'echo one > f; echo up; read -r l; exit 1'],
      {
        cwd: place.project,
        env: { ...place.env, ...env() },
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    );
    const err = text(child.stderr);
    await once(child.stdout, 'data');
    const pid = serverPid() ?? expect.fail('no server is running');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
    rmSync(nodes(), { force: true });
    child.stdin.end('\n');
    expect((await once(child, 'exit'))[0]).toBe(1);
    expect(byNode()).toEqual(['client-ended']);
    expect(await err).toMatch(/^1 change pending: /);
    expect(kept()).toEqual([]);
  });
});

describe('a client that Node has made, where a server answers', () => {
  it.each<[string, string[]]>([
    ['claude', ['claude', '--keep-running']],
    ['claude', ['claude', '--session', 'my_session-1.2']],
    ['claude', ['claude', ...Array.from({ length: 3_000 }, (_, i) => `word-${i}`)]],
    ['box', ['box', '-y', '--session', 'x']],
    ['box', ['box', '-y', '--env', 'FOO', '--net', 'off']],
    ['box', ['box', '-y', '--net', 'list']],
    ['box', ['box', '-y', '--write', 'direct', '--commit-inside']],
  ])('has no Node beside it, and ends as ever (%s, %#)', async (command, words) => {
    const { child, inside, close } = await open(words, { FOO: 'bar', NODE: 'mine' });
    expectNoNode(child);
    const isShown = command === 'claude' || words.includes('FOO');
    expect(await inside('echo "$FOO,$NODE,$TRAI_ROOT,$([[ $TRAI_CALL ]] && echo call)"')).toBe(
      `${isShown ? 'bar' : ''},${command === 'claude' ? 'mine' : ''},,call\n`,
    );
    await inside('echo one > f; echo one > ~/.claude/CLAUDE.md');
    const [status, said] = await close();
    expect([status, byNode()]).toEqual([3, [command]]);
    expect(said).toMatch(/^\d changes? pending: trai diff, .*dashboard: http:/);
    const [session = ''] = sessions();
    expect(existsSync(join(place.state, 'sessions', session, 'client.json'))).toBe(false);
    expect(
      log(session)
        .filter(({ t }) => t.startsWith('call.'))
        .map(({ t }) => t),
    ).toEqual(['call.decided', 'call.started', 'call.ended']);
    if (command !== 'box') return;
    const [id = ''] = readdirSync(join(place.state, 'box'));
    expect(readdirSync(join(place.state, 'box', id, 'run'))).toEqual([]);
  });

  it('goes on in its session, and is the only one there', async () => {
    const first = await open(['box', '-y', '--session', 'x']);
    await first.inside('echo one > f');
    const other = place.trai(['claude', '--session', 'x'], env());
    expect(other).toMatchObject({ rc: 125, err: expect.stringContaining(`(process ${first.child.pid})`) });
    await first.close();
    const second = await open(['claude', '--continue']);
    expectNoNode(second.child);
    expect(await second.inside('cat f')).toBe('one\n');
    await second.close();
    expect(sessions()).toEqual(['x']);
  });

  it('leaves what it has started with --keep-running, also without a server', async () => {
    configure({ autostart: false });
    for (const isServed of [true, false]) {
      const { inside, close } = await open(['claude', '--keep-running']);
      await inside('(setsid sleep 438 </dev/null >/dev/null 2>&1 &)');
      const pid = serverPid() ?? expect.fail('no server is running');
      if (!isServed) {
        process.kill(pid, 'SIGKILL');
        await expect.poll(() => isRunning(pid)).toBe(false);
      }
      const [status, said] = await close();
      expect([status, byNode()]).toEqual([3, isServed ? ['claude'] : ['claude', 'client-ended']]);
      expect(said).toMatch(/^1 process of the session still running:\n {2}\d+ {2}sleep 438\n/);
    }
    const left = processIds().filter((pid) => processArguments(pid)?.join(' ') === 'sleep 438');
    expect(left).toHaveLength(2);
    for (const pid of left) process.kill(pid);
  });

  it.each<[string, string[]]>([
    ['the server would not serve it', ['claude', '--session', 'x']],
    ['the server would not serve it', ['box', '-y', '--session', 'x']],
    ['it has no name that the server knows', ['claude', '--session', 'x']],
  ])('has Node beside it where %s (%#)', async (why, words) => {
    const isBelow = why.startsWith('the server');
    const script = join(place.program, '../../hooks/lib/start-client.sh');
    const lines = readFileSync(script, 'utf8');
    if (!isBelow) writeFileSync(script, lines.replaceAll('>"/proc/$$/comm"', '>/dev/null'));
    const { child, inside, close } = await open(words, isBelow ? { CLAUDECODE: '1' } : {});
    writeFileSync(script, lines);
    const node = below(child.pid ?? 0).find((one) => processProgram(one) === process.execPath);
    const record = join(place.state, 'sessions/x/client.json');
    expect(JSON.parse(readFileSync(record, 'utf8'))).toMatchObject({ pid: node });
    await inside('echo one > f');
    const [status, said] = await close();
    expect([status, said]).toEqual([3, expect.stringMatching(/^1 change pending: /)]);
    expect(existsSync(record)).toBe(false);
  });

  it('is made by Node, which ends with bin/trai', async () => {
    client('exit 5');
    // It waits for its first answer.
    const pid = serverPid() ?? expect.fail('no server is running');
    process.kill(pid, 'SIGSTOP');
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      rmSync(nodes(), { force: true });
      const child = spawn('bash', [place.program, 'claude', '--session', 'x', 'a'], {
        cwd: place.project,
        env: { ...place.env, ...env() },
        stdio: 'ignore',
      });
      const gone = once(child, 'exit');
      await expect.poll(byNode, { timeout: 20_000 }).toEqual(['claude']);
      let all: number[] = [];
      const hasNode = (): boolean => {
        all = below(child.pid ?? 0);
        return all.some((one) => processArguments(one)?.includes('--start-fd'));
      };
      await expect.poll(hasNode).toBe(true);
      child.kill(signal);
      expect(await gone).toEqual(signal === 'SIGKILL' ? [null, signal] : [143, null]);
      await expect.poll(() => all.filter(isRunning)).toEqual([]);
    }
    process.kill(pid, 'SIGCONT');
    expect(run('exit 5', ['--session', 'x']).rc).toBe(5);
  });

  it('says with the launcher’s status why no server does what follows any more', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const preload = join(place.base, 'gone.cjs');
    const lines = `const { Socket } = require('node:net');
      const { write } = Socket.prototype;
      Socket.prototype.write = function (data, ...more) {
        if (String(data).includes('"session":"x"')) {
          process.kill(${serverPid()}, 'SIGKILL');
          require('node:fs').writeFileSync(${JSON.stringify(join(home, '.config/trai/config.json'))},
            '{"server":{"port":${port}}}');
          Socket.prototype.write = write;
          // Until it is gone.
          require('node:child_process').spawnSync('tail', ['--pid=${serverPid()}', '-s', '0.05', '-f', '/dev/null']);
        }
        return write.call(this, data, ...more);
      };`;
    writeFileSync(preload, lines);
    const ran = run('echo ran', ['--session', 'x'], { NODE_OPTIONS: `--require=${preload}` });
    taken.close();
    expect(ran).toMatchObject({ rc: 125, out: '', err: expect.stringContaining(`has port ${port}`) });
    configure({});
    expect(run('echo ran', ['--session', 'x'])).toMatchObject({ rc: 0, out: 'ran\n' });
  });

  /** While the script has, for the first text, the second. */
  function runChanged(from: string, to: string): Result {
    const script = join(place.program, '../../hooks/lib/start-client.sh');
    const text = readFileSync(script, 'utf8');
    expect(text).toContain(from);
    writeFileSync(
      script,
      text.replace(from, () => to),
    );
    const ran = run('echo ran', ['--session', 'x']);
    writeFileSync(script, text);
    return ran;
  }

  it.each([
    ['Node is known', '  t_node_pid=$!\n'],
    ['it is started', '  t_node_pid=\n'],
  ])('is ended by a signal that comes before %s', (_, line) => {
    expect(runChanged(line, `  kill -TERM $$\n${line}  kill -TERM $$\n`)).toEqual({
      rc: 143,
      out: '',
      err: '',
    });
  });

  /** What Node does first, with `fs` there. */
  const early = (lines: string): NodeJS.ProcessEnv => {
    const file = join(place.base, 'early.cjs');
    writeFileSync(
      file,
      `const fs = require('node:fs');
      if (process.argv[2] === '--start-fd') { ${lines} }
      require('node:module').syncBuiltinESMExports();`,
    );
    return { NODE_OPTIONS: `--require=${join(place.base, 'noting.cjs')} --require=${file}` };
  };

  it.each([10, 60, 300, -1])('is not started by %i bytes of a start', (bytes) => {
    const half = early(`const { writeSync } = fs;
      fs.writeSync = (fd, data, ...more) => {
        if (fd !== 3) return writeSync(fd, data, ...more);
        writeSync(fd, data.subarray(0, ${bytes}));
        process.kill(process.pid, 'SIGKILL');
      };`);
    const ran = run('echo ran', ['--session', 'x', ...Array.from({ length: 50 }, String)], half);
    expect(ran).toEqual({ rc: 137, out: '', err: '' });
    expect(run('echo ran', ['--session', 'x'])).toMatchObject({ rc: 0, out: 'ran\n' });
  });

  it('is started however long Node takes, also where reads have a time limit', () => {
    const slow = early('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);');
    expect(run('echo ran', ['--session', 'x'], { ...slow, TMOUT: '1' })).toMatchObject({
      rc: 0,
      out: 'ran\n',
    });
  });

  it.each<[string, NodeJS.ProcessEnv]>([
    ['bin/trai', {}],
    ['Node', { BASH_ENV: '/nonexistent' }],
  ])('gets more words than fit into one (started by %s)', (_, more) => {
    const words = Array.from({ length: 2_000 }, () => 'é '.repeat(50));
    expect(run('echo "$#"', ['--session', 'x', ...words], more)).toMatchObject({ rc: 0, out: '2004\n' });
  });

  it('has its own status where neither server nor plugin is there at the end', async () => {
    configure({ autostart: false });
    const { inside, close } = await open(['claude', '--session', 'x']);
    await inside('echo one > f');
    const pid = serverPid() ?? expect.fail('no server is running');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
    const program = join(place.program, '../../lib/cli.cjs');
    const text = readFileSync(place.program);
    renameSync(program, `${program}.gone`);
    writeFileSync(place.program, 'fi\n'.repeat(1_000));
    try {
      expect(await close()).toEqual([3, expect.stringContaining(`and ${program}, found that one is gone`)]);
    } finally {
      renameSync(`${program}.gone`, program);
      writeFileSync(place.program, text);
    }
    expect(run('cat f', ['--session', 'x'])).toMatchObject({ rc: 0, out: 'one\n' });
  });

  it('says that a plugin which has changed meanwhile has started nothing', () => {
    const ran = runChanged('^started\\ ', '^begun\\ ');
    expect(ran).toMatchObject({ rc: 125, out: '', err: expect.stringContaining('nothing was started') });
    expect(run('echo ran', ['--session', 'x'])).toMatchObject({ rc: 0, out: 'ran\n' });
  });

  describe('with --net list', () => {
    /** A server that does this with the byte for which the box waits. */
    async function serverThat(does: string): Promise<number> {
      const before = serverPid() ?? expect.fail('no server is running');
      process.kill(before);
      await expect.poll(() => isRunning(before)).toBe(false);
      const preload = join(place.base, 'preload.cjs');
      const lines = `const fs = require('node:fs');
        const { writeSync } = fs;
        fs.writeSync = (fd, data, ...more) => { if (data === 'x') { ${does} } return writeSync(fd, data, ...more); };
        require('node:module').syncBuiltinESMExports();`;
      writeFileSync(preload, lines);
      // hooks/start-server.sh gives it a fresh environment.
      const server = join(place.program, '../../lib/server.mjs');
      const own = { ...place.env, ...env(), TRAI_STATE_HOME: place.state };
      const child = spawn(process.execPath, ['--require', preload, server], {
        cwd: '/',
        env: own,
        stdio: 'ignore',
      });
      await expect.poll(serverPid, { timeout: 20_000 }).toBe(child.pid);
      return child.pid ?? 0;
    }
    function started(more: NodeJS.ProcessEnv = {}) {
      rmSync(nodes(), { force: true });
      const words = ['box', '-y', '--net', 'list', '--shell', '--', 'bash', '-c', 'echo ran'];
      const child = spawn('bash', [place.program, ...words], {
        cwd: place.project,
        env: { ...place.env, ...env(), ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      return { child, gone: once(child, 'exit'), out: text(child.stdout), err: text(child.stderr) };
    }
    const waits = async (): Promise<void> => {
      const record = () => join(place.state, 'sessions', sessions()[0] ?? '', 'network-box.json');
      await expect.poll(() => existsSync(record()), { timeout: 20_000 }).toBe(true);
    };
    beforeEach(() => configure({ autostart: false }));

    it.each([
      ['SIGTERM', 143],
      ['SIGHUP', 129],
      ['SIGQUIT', 131],
      ['SIGINT', 130],
    ] as const)('is ended by %s before it has begun, and nothing runs in it', async (signal, status) => {
      const keep = 'fs.rmSync = () => undefined; require("node:module").syncBuiltinESMExports();';
      await serverThat(`${keep} return 1;`);
      // As where the terminal sends it to the box as well.
      const preload = join(place.base, 'terminal.cjs');
      const lines = `const fs = require('node:fs');
        const { readFileSync } = fs;
        fs.readFileSync = (path, ...more) => String(path).endsWith('/legacy_tiocsti') ? '0' : readFileSync(path, ...more);
        require('node:module').syncBuiltinESMExports();`;
      writeFileSync(preload, lines);
      const more = { NODE_OPTIONS: `${env()['NODE_OPTIONS']} --require=${preload}` };
      const { child, gone, out } = started(more);
      await waits();
      child.kill(signal);
      expect([await gone, await out]).toEqual([[status, null], '']);
      expect(byNode()).toEqual(['box']);
    });

    it('is let go by the next server where one was killed', async () => {
      const first = await serverThat('process.kill(process.pid, "SIGKILL");');
      const { gone, out, err } = started();
      await waits();
      await expect.poll(() => isRunning(first)).toBe(false);
      expect(place.trai(['ui', '--print'], env()).rc).toBe(0);
      expect([await gone, await out, await err]).toEqual([[0, null], 'ran\n', '']);
    });

    it('runs nothing where its network cannot be opened, and says why', async () => {
      // What a box has as its proxy's.
      configure({ autostart: false, port: 3128 });
      await serverThat('return 1;');
      const { gone, out, err } = started();
      expect([await gone, await out]).toEqual([[125, null], '']);
      expect(await err).toMatch(/the box was not started: .*EADDRINUSE/);
      expect(byNode()).toEqual(['box']);
    });
  });
});

describe('the namespaces that a client holds for its calls', () => {
  const isRoot = process.getuid?.() === 0;
  const launcher = () => join(place.program, '../../hooks/launcher');
  /** As SessionStart makes it. */
  const launch = () =>
    `D="$TRAI_STATE_HOME/inside"; mkdir -p "$D/bin"; cp -r '${launcher()}' "$D/bin/0"
    call() { bash -c 'exec "$0" "$@"' "$D/bin/0/launch" "$(ls "$D/sessions")" /bin/bash "$1" '' 2>&1; }`;
  const NAMESPACES = 'readlink /proc/self/ns/user /proc/self/ns/mnt';
  const LOOK = `${NAMESPACES}; ls -A "$TRAI_STATE_HOME/inside"; ls /proc/self/fd | grep -c "^[4-9]$"; exit 5`;

  it('are one for all, hide the door, and stay without a process', async (ctx) => {
    if (isRoot) return ctx.skip('root’s calls make their own');
    const { inside, close } = await open();
    await inside(launch().replaceAll('\n', ';'));
    const held = await inside('readlink /proc/$$/fd/7 /proc/$$/fd/8');
    expect(held).toMatch(/^user:.*\nmnt:.*\n$/);
    expect(held).not.toBe(await inside(NAMESPACES.replaceAll('self', '$$')));
    const source = mountSource(place.state, sessions()[0] ?? '');
    await expect.poll(() => liveProcesses(source)).toHaveLength(1);
    for (const _ of [1, 2]) expect(await inside(`call '${LOOK}'; echo $?`)).toBe(`${held}0\n5\n`);
    await close();
    expect(await liveProcesses(source)).toEqual([]);
  });

  it.for([
    ['are closed', 'exec 7<&- 8<&-'],
    ['are files', 'exec 7</etc/passwd 8</etc/passwd'],
    ['are FIFOs without a writer', 'mkfifo p; exec 9<>p; exec 7<p 8<p 9<&-; rm p'],
    ['are the client’s own', 'exec 7</proc/$$/ns/user 8</proc/$$/ns/mnt'],
    ['hide nothing', `below 'mount -o bind,remount,ro "$0/inside"'`],
    ['hide it by what can be written to', `below 'mount -t tmpfs x "$0/inside"'`],
  ] as const)('a call makes its own where they %s', async ([, change], ctx) => {
    if (isRoot) return ctx.skip('root’s calls make their own');
    const { inside, close } = await open();
    await inside(launch().replaceAll('\n', ';'));
    const begun = `until grep -q ^sleep /proc/$!/cmdline; do sleep 0.01; done`;
    await inside(
      `below() { unshare -Urm sh -c "$1; exec sleep 300" "$TRAI_STATE_HOME" & ${begun}; exec 7</proc/$!/ns/user 8</proc/$!/ns/mnt; kill $!; }`,
    );
    // The kernel gives the number of one that has ended to the next.
    const links = 'readlink /proc/$$/ns/{user,mnt} /proc/$$/fd/{7,8,17,18}';
    const others = await inside(`exec 17<&7 18<&8; ${change}; ${links}`);
    const [user = '', mount = '', ...rest] = (await inside(`call '${LOOK}'; echo $?`)).split('\n');
    expect([user, mount]).toEqual([expect.stringMatching(/^user:/), expect.stringMatching(/^mnt:/)]);
    for (const own of [user, mount]) expect(others.split('\n')).not.toContain(own);
    expect(rest).toEqual(['0', '5', '']);
    await close();
  });

  it('are none in a box', async () => {
    const { inside, close } = await open(['box', '-y']);
    expect(await inside('readlink /proc/$$/fd/* | grep -c "^user:\\|^mnt:"')).toBe('0\n');
    await close();
  });

  it('are none where calls have rights over them: what one mounts no other sees', () => {
    configure({ autostart: false });
    client(
      `${launch()}\nreadlink /proc/$$/fd/[78]; call 'mount -t tmpfs x . 2>/dev/null'; call 'echo kept > f'; cat f`,
    );
    const words = ['--user', '--map-root-user', '--mount', 'bash', place.program, 'claude'];
    const ran = spawnSync('unshare', words, {
      cwd: place.project,
      env: { ...place.env, ...env(), TRAI_STATE_HOME: join(place.base, 'other') },
      encoding: 'utf8',
    });
    expect(ran).toMatchObject({ status: 0, stdout: 'kept\n' });
  });

  /** With this in place of the moment at which the client gets them. */
  async function whenMade(line: string): Promise<Result> {
    const file = join(launcher(), 'hold');
    const text = readFileSync(file, 'utf8');
    const at = 'command exec 7<"/proc/$t_pid';
    expect(text).toContain(at);
    writeFileSync(
      file,
      text.replace(at, () => `${line} && ${at}`),
    );
    const ran = run('echo ran; ls /proc/$$/fd | grep "^[78]$"', ['--keep-running']);
    writeFileSync(file, text);
    return ran;
  }

  it.for(['KILL', 'INT'])(
    'leave nothing behind where SIG%s ends the launcher meanwhile',
    async (name, ctx) => {
      if (isRoot) return ctx.skip('root’s calls make their own');
      const ran = await whenMade(`kill -${name} $$`);
      expect(ran).toMatchObject({ rc: name === 'KILL' ? 137 : 130, out: '' });
      await expect.poll(() => liveProcesses(mountSource(place.state, sessions()[0] ?? ''))).toEqual([]);
    },
  );

  it('are none, and nothing is said of it, where they cannot be had', async (ctx) => {
    if (isRoot) return ctx.skip('root’s calls make their own');
    expect(await whenMade('t_pid=none')).toEqual({ rc: 1, out: 'ran\n', err: '' });
  });
});

describe('the credentials of a client that a server has started', () => {
  const file = () => join(home, '.claude/.credentials.json');
  const host = () => readFileSync(file(), 'utf8');
  const refreshed = (content: string): void => {
    writeFileSync(`${file()}.new`, content, { mode: 0o600 });
    renameSync(`${file()}.new`, file());
  };

  it.each([
    ['the server', ['claude']],
    ['Node', ['claude', '--session', 'x']],
  ])(
    'are the host’s, and either side’s refresh is the other’s, also after the server was killed (made by %s)',
    async (_, words) => {
      refreshed('{"n":1}\n');
      const { inside, close } = await open(words);
      const seen = async () => await inside('cat ~/.claude/.credentials.json');
      refreshed('{"n":2}\n');
      await expect.poll(seen).toBe('{"n":2}\n');
      await inside(`echo '{"n":3}' > ~/.claude/.c && mv ~/.claude/.c ~/.claude/.credentials.json`);
      await expect.poll(host).toBe('{"n":3}\n');
      const first = serverPid() ?? expect.fail('no server is running');
      process.kill(first, 'SIGKILL');
      // Nobody follows now.
      await expect.poll(() => isRunning(first)).toBe(false);
      refreshed('{"n":4}\n');
      await expect.poll(() => serverPid() ?? first).not.toBe(first);
      await expect.poll(seen).toBe('{"n":4}\n');
      await inside(`echo '{"n":5}' > ~/.claude/.credentials.json`);
      await expect.poll(host).toBe('{"n":5}\n');
      await inside(`echo '{"n":6}' > ~/.claude/.credentials.json`);
      expect((await close())[0]).toBe(3);
      expect(host()).toBe('{"n":6}\n');
      expect(byNode().filter((name) => name === 'claude')).toHaveLength(words.length > 1 ? 1 : 0);
    },
  );
});
