import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, finished } from '../../../testing/log/test-child.ts';
import { testState } from '../../../testing/state-dir.ts';
import { type Caller, callerOf } from './caller.ts';
import { processArguments, processEnvironment, processProgram, processStat } from './proc.ts';

const states = testState('ancestry');
afterAll(states.remove);
let program = '';
const client = join(states.top, 'bin', 'claude');

beforeAll(async () => {
  mkdirSync(join(states.top, 'bin'));
  copyFileSync('/bin/bash', client);
  symlinkSync('/bin/bash', join(states.top, 'bin', 'linked'));
  program = await bundleProgram(
    states.top,
    'ancestor',
    `
    import { callerOf } from '#/core/kernel/proc/caller.ts';
    console.log(JSON.stringify(callerOf(process.pid, process.env.STATE ?? '/nonexistent')));
  `,
  );
});

async function ask(command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], NODE: process.execPath, PROGRAM: program, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { stdout, stderr } = await finished(child);
  expect(stderr).toBe('');
  const { kind, found }: Caller = JSON.parse(stdout);
  return { kind, found };
}

// `; :` keeps bash from exec'ing its last command: the ancestor must stay.
const RUN = '"$NODE" "$PROGRAM"; :';
const here = callerOf(process.pid, '/nonexistent');

describe.skipIf(here.kind !== 'user')(
  'callerOf (skipped: these tests themselves run below a Claude client)',
  () => {
    it('finds the user behind an ordinary shell', async () => {
      expect(await ask('bash', ['-c', RUN])).toMatchObject({ kind: 'user' });
      expect(await ask('bash', ['-c', 'exec "$NODE" "$PROGRAM"'])).toMatchObject({ kind: 'user' });
    });

    it('finds a client above through other programs', async () => {
      const nested = `env -i NODE="$NODE" PROGRAM="$PROGRAM" /bin/sh -c '/bin/bash -c "\\"\\$NODE\\" \\"\\$PROGRAM\\"; :"; :'; :`;
      expect(await ask(client, ['-c', nested])).toMatchObject({ kind: 'client' });
    });

    it('finds it from a session and process group of its own', async () => {
      expect(await ask(client, ['-c', `setsid --wait bash -c '${RUN}'; :`])).toMatchObject({
        kind: 'client',
      });
    });

    it('finds a client that is a renamed program but shows its name as argv[0]', async () => {
      expect(await ask('bash', ['-c', `exec -a claude bash -c '${RUN}'`])).toMatchObject({ kind: 'client' });
    });

    it.each([{ CLAUDECODE: '1' }, { CLAUDE_PID: '1' }])('believes its own environment: %j', async (env) => {
      expect(await ask(process.execPath, [program], env)).toMatchObject({ kind: 'client' });
    });

    it('finds the mark in a shell above that was left out for the program', async () => {
      const line = `env -u CLAUDECODE bash -c '${RUN}'; :`;
      expect(await ask('bash', ['-c', line], { CLAUDECODE: '1' })).toMatchObject({ kind: 'client' });
    });

    it('does not take CLAUDECODE=0 or an empty CLAUDE_PID for a mark', async () => {
      const env = { CLAUDECODE: '0', CLAUDE_PID: '' };
      expect(await ask('bash', ['-c', RUN], env)).toMatchObject({ kind: 'user' });
    });

    it('finds a client that a hook has registered, whatever it is called', async () => {
      const state = join(states.top, 'registered');
      mkdirSync(join(state, 'claude-pid'), { recursive: true });
      const line = `read -r -a stat </proc/$$/stat; : >"$STATE/claude-pid/$$.\${stat[21]}"; ${RUN}`;
      expect(await ask('bash', ['-c', line], { STATE: state })).toMatchObject({ kind: 'client' });
    });

    it('finds the launcher of a call above, or what it gives to a call', async () => {
      const state = join(states.top, 'launched');
      mkdirSync(join(state, 'bin/0'), { recursive: true });
      mkdirSync(join(state, 'sessions'));
      writeFileSync(join(state, 'bin/0/launch'), RUN);
      expect(await ask('bash', ['-p', join(state, 'bin/0/launch')])).toMatchObject({ kind: 'call' });
      expect(await ask('bash', [join(state, 'bin/0/launch')])).toMatchObject({ kind: 'call' });
      expect(await ask('bash', ['-c', RUN], { TRAI_CALL: 'c1' })).toMatchObject({ kind: 'call' });
    });

    it('knows nothing of a process that is gone', () => {
      expect(callerOf(2 ** 22 + 1, '/nonexistent').kind).toBe('unknown');
    });
  },
);

describe('what /proc says', () => {
  it('of this process', () => {
    expect(processStat(process.pid)).toMatchObject({
      parent: process.ppid,
      start: expect.stringMatching(/^\d+$/),
    });
    expect(processProgram(process.pid)).toBe(process.execPath);
    expect(processEnvironment(process.pid)?.has('PATH')).toBe(true);
  });

  it('of a process whose name and arguments are made to confuse', async () => {
    const odd = join(states.top, 'bin', 'a) S 1 (b');
    copyFileSync('/bin/bash', odd);
    const child = spawn(odd, ['-c', 'echo up; read', 'two words', 'line\nbreak'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const done = finished(child);
    // Until its exec the child still has the name of the parent.
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const pid = child.pid ?? 0;
    expect(processStat(pid)?.parent).toBe(process.pid);
    expect(processArguments(pid)).toEqual([odd, '-c', 'echo up; read', 'two words', 'line\nbreak']);
    expect(processProgram(pid)).toBe(odd);
    child.stdin.end();
    await done;
    expect([processStat(pid), processArguments(pid), processProgram(pid), processEnvironment(pid)]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
