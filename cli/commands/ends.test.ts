/** However `trai claude` and `trai box` end: nothing runs on, what was written is pending, and the log is closed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processArguments, processIds, processStat } from '../../core/kernel/proc/proc.ts';
import { mountSource } from '../../core/sandbox/context.ts';
import { endProcesses } from '../../core/sandbox/live.ts';
import { eachInAPlace, type Place } from '../../testing/cli.ts';

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
  mkdirSync(join(home, '.config/trai'), { recursive: true });
  mkdirSync(join(home, '.claude/plugins'), { recursive: true });
  mkdirSync(join(place.base, 'bin'));
  writeFileSync(join(home, '.config/trai/config.json'), '{}');
  // One that no signal of the terminal reaches, and one that is waited for.
  const left = 'setsid sleep 5000 < /dev/null > /dev/null 2>&1 &';
  const lines = ['echo one > f', left, 'echo up', 'exec sleep 5001'];
  writeFileSync(join(place.base, 'bin/claude'), `#!/bin/bash\n${lines.join('\n')}\n`, { mode: 0o755 });
});
afterEach(async () => {
  for (const session of existsSync(sessions()) ? readdirSync(sessions()) : [])
    await endProcesses(mountSource(place.state, session));
  const pid = serverPid();
  if (pid === null) return;
  process.kill(pid);
  // It still writes into the directories that are removed next.
  await expect.poll(() => isRunning(pid)).toBe(false);
});

const env = () => ({ HOME: home, PATH: `${join(place.base, 'bin')}:${place.env['PATH']}` });
const sessions = (): string => join(place.state, 'sessions');
const isRunning = (pid: number): boolean => (processStat(pid)?.state ?? 'Z') !== 'Z';
const wordsOf = (pid: number): string => (processArguments(pid) ?? []).join(' ');

function serverPid(): number | null {
  const file = join(place.state, 'server.json');
  const pid = existsSync(file) ? Number(JSON.parse(readFileSync(file, 'utf8')).pid) : 0;
  return pid > 0 && isRunning(pid) ? pid : null;
}

/** Kills the server, and waits for that of a running client. */
async function anotherServer(): Promise<void> {
  const first = serverPid();
  process.kill(first ?? expect.fail('no server is running'), 'SIGKILL');
  const isAnother = (pid: number | null) => pid !== null && pid !== first;
  await expect.poll(() => isAnother(serverPid())).toBe(true);
}

/** The second: who makes the client for bin/trai, which waits for it; or Node stays beside it. */
const WAYS = [
  ['claude', 'node'],
  ['claude', 'server'],
  ['box', 'node'],
  ['box', 'server'],
  ['claude', 'node beside'],
  ['box', 'node beside'],
] as const;
type Way = (typeof WAYS)[number];

interface Started {
  session: string;
  /** script(1), which holds the terminal. */
  terminal: ChildProcess;
  gone: Promise<unknown>;
  /** What the terminal shows until now. */
  shown(): string;
  /** Those that `trai` has started, and itself. */
  pids: number[];
  pid(part: 'trai' | 'launch' | 'bwrap'): number;
}

/** In a terminal of its own, up to the client's first line. */
async function start([level, by]: Way, around = (line: string) => `exec ${line}`): Promise<Started> {
  const isBeside = by === 'node beside';
  if (by === 'server') expect(place.trai(['ui', '--print'], env()).rc).toBe(0);
  const named = by === 'server' ? [] : ['--session', level];
  const words = ['bash', place.program, level, ...named, ...(level === 'box' ? ['-y'] : [])];
  const line = words.map((word) => `'${word}'`).join(' ');
  const terminal = spawn('script', ['-qec', around(line), '/dev/null'], {
    cwd: place.project,
    // With BASH_ENV bash could change the client's variables.
    env: { ...place.env, ...env(), ...(isBeside ? { BASH_ENV: '/nonexistent' } : {}) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(terminal, 'exit');
  let out = '';
  terminal.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  await expect.poll(() => out).toContain('up');
  let pids: number[] = [];
  const hasLeft = (): boolean => {
    pids = below(terminal.pid ?? -1);
    return pids.some((one) => wordsOf(one).startsWith('sleep 5000'));
  };
  await expect.poll(hasLeft).toBe(true);
  const [session = ''] = readdirSync(sessions());
  const isNode = (one: number) => / \S+cli\.cjs /.test(wordsOf(one));
  expect(pids.some(isNode)).toBe(isBeside);
  const trai = isBeside ? / \S+cli\.cjs / : /^bash \S+bin\/trai /;
  const parts = { trai, launch: /\/launch -o client/, bwrap: /^\S*bwrap / };
  const pid = (part: keyof typeof parts): number =>
    pids.find((one) => parts[part].test(wordsOf(one))) ?? expect.fail(`no ${part} is running`);
  return { session, terminal, gone, shown: () => out, pids, pid };
}

function below(pid: number): number[] {
  return processIds()
    .filter((one) => processStat(one)?.parent === pid)
    .flatMap((child) => [child, ...below(child)]);
}

const log = (session: string): { t: string; call?: string }[] =>
  readFileSync(join(sessions(), session, 'calls.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** A next look: the server, a new one if needed, closes what cannot end by itself. */
async function expectOver({ session, pids }: Pick<Started, 'session' | 'pids'>): Promise<void> {
  await expect.poll(() => pids.filter(isRunning).map(wordsOf)).toEqual([]);
  expect(place.trai(['ui', '--print'], env()).rc).toBe(0);
  const callsOf = (...types: string[]) =>
    log(session).flatMap(({ t, call }) => (types.includes(t) && call !== undefined ? [call] : []));
  await expect
    .poll(() => callsOf('call.ended', 'call.closed').sort())
    .toEqual(callsOf('call.started').sort());
  expect(JSON.parse(place.trai(['ps', '--session', session, '--json'], env()).out).processes).toEqual([]);
  expect(place.trai(['diff', '--list', '--session', session], env()).out.trim()).toBe('A f');
  // Quiet: another one can start there.
  expect(place.trai(['exec', '--session', session, '--', 'cat', 'f'], env()).out).toBe('one\n');
  expect(existsSync(join(place.project, 'f'))).toBe(false);
}

it('what outlives its terminal has its own status', async () => {
  const status = join(place.base, 'status');
  const command = `bash '${place.program}' box -y --shell --write direct -- bash -c 'echo >up; sleep 2; exit 9'`;
  // Nothing of another session of processes gets the signal.
  const terminal = spawn('script', ['-qec', 'exec setsid --wait bash -c "$LINE"', '/dev/null'], {
    cwd: place.project,
    env: { ...place.env, ...env(), LINE: `${command}; echo $? >'${status}'` },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  await expect.poll(() => existsSync(join(place.project, 'up'))).toBe(true);
  terminal.kill('SIGKILL');
  await expect.poll(() => existsSync(status) && readFileSync(status, 'utf8')).toBe('9\n');
});

describe.each(WAYS)('trai %s, by %s', (...[level, by]) => {
  const way = [level, by] as Way;

  it('whose terminal is closed (SIGHUP)', async () => {
    const status = join(place.base, 'status');
    const started = await start(way, (line) =>
      // As an interactive shell, whose terminal it is.
      ['exec 3<&0', "trap 'kill -HUP $!' HUP", `${line} <&3 & wait $!`, `wait $!; echo $? >'${status}'`].join(
        '; ',
      ),
    );
    started.terminal.kill('SIGKILL');
    await started.gone;
    await expectOver(started);
    // By the signal, and by no failure of its own (134).
    await expect.poll(() => existsSync(status) && readFileSync(status, 'utf8')).toBe('129\n');
  });

  it('by Ctrl-C to a client that catches it: what it then does is done, and its status counts', async () => {
    const program = join(place.base, 'bin/claude');
    const lines = `trap 'echo caught; sleep 0.5; echo ended; exit 9' INT\necho one > f\nsleep 5000 &\necho up\nwait`;
    writeFileSync(program, `#!/bin/bash\n${lines}\n`);
    const started = await start(way);
    started.terminal.stdin?.write('\x03');
    expect(await started.gone).toEqual([9, null]);
    expect(started.shown()).toMatch(/caught\s+ended/);
    await expectOver(started);
  });

  it('by Ctrl-C in the terminal', async () => {
    const started = await start(way);
    started.terminal.stdin?.write('\x03');
    expect(await started.gone).toEqual([130, null]);
    await expectOver(started);
  });

  it('by SIGTERM', async () => {
    const started = await start(way);
    process.kill(started.pid('trai'), 'SIGTERM');
    expect(await started.gone).toEqual([143, null]);
    await expectOver(started);
  });

  it('after its server was killed, and it has started another one', async () => {
    const started = await start(way);
    await anotherServer();
    process.kill(started.pid('trai'), 'SIGTERM');
    await started.gone;
    await expectOver(started);
  });

  it('after the plugin was taken away, as an update does', async () => {
    const started = await start(way);
    // By then it has loaded what it needs later.
    await anotherServer();
    const parts = join(dirname(place.program), '../lib/cli');
    renameSync(parts, `${parts}.gone`);
    try {
      process.kill(started.pid('trai'), 'SIGTERM');
      await started.gone;
    } finally {
      renameSync(`${parts}.gone`, parts);
    }
    expect(started.shown()).toContain('1 change pending');
    expect(started.shown()).not.toContain('Cannot find module');
    await expectOver(started);
  });
});

it.each([
  [WAYS[0], 'launch'],
  [WAYS[1], 'launch'],
  [WAYS[2], 'trai'],
  [WAYS[2], 'launch'],
  [WAYS[2], 'bwrap'],
  [WAYS[3], 'trai'],
  [WAYS[3], 'launch'],
  [WAYS[3], 'bwrap'],
  [WAYS[4], 'launch'],
  [WAYS[5], 'trai'],
  [WAYS[5], 'launch'],
  [WAYS[5], 'bwrap'],
] as const)('trai %s of which %s is killed', async (way, part) => {
  const started = await start(way);
  process.kill(started.pid(part), 'SIGKILL');
  await started.gone;
  await expectOver(started);
});

it.each([WAYS[0], WAYS[1], WAYS[4]])(
  'trai %s, by %s, that is killed: what the terminal does not end is named, and can be ended',
  async (...way) => {
    const started = await start(way);
    process.kill(started.pid('trai'), 'SIGKILL');
    await started.gone;
    const named = place.trai(['ps', '--session', started.session], env()).out;
    expect(named).toContain('sleep 5000');
    expect(place.trai(['ps', '--end', '--session', started.session], env()).rc).toBe(0);
    await expectOver(started);
  },
);
