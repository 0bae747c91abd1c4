import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, finished } from '../../log/node/test-child.ts';
import { claudeAncestor } from './ancestry.ts';
import { processArguments, processEnvironment, processProgram, processStat } from './proc.ts';
import { testState } from './testing.ts';

const states = testState('ancestry');
afterAll(states.remove);
let program = '';
/** A copy of bash that is called like the client. */
const client = join(states.top, 'bin', 'claude');

beforeAll(async () => {
  mkdirSync(join(states.top, 'bin'));
  copyFileSync('/bin/bash', client);
  symlinkSync('/bin/bash', join(states.top, 'bin', 'linked'));
  program = await bundleProgram(
    states.top,
    'ancestor',
    `
    import { claudeAncestor } from '#shared/session/node/ancestry.ts';
    console.log(JSON.stringify(claudeAncestor()));
  `,
  );
});

/** What the program says when it is started by these arguments; `started` is the pid of the outermost process. */
async function ask(command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], NODE: process.execPath, PROGRAM: program, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { stdout, stderr } = await finished(child);
  expect(stderr).toBe('');
  const found: unknown = JSON.parse(stdout);
  return { found, started: child.pid ?? 0 };
}

// `; :` keeps bash from exec'ing its last command: the ancestor must stay.
const RUN = '"$NODE" "$PROGRAM"; :';
const here = claudeAncestor();

describe.skipIf(here !== null)(
  'claudeAncestor (skipped: these tests themselves run below a Claude client)',
  () => {
    it('finds none above an ordinary shell', async () => {
      expect((await ask('bash', ['-c', RUN])).found).toBeNull();
      expect((await ask('bash', ['-c', 'exec "$NODE" "$PROGRAM"'])).found).toBeNull();
    });

    it('finds the client above, with its start time, through other programs', async () => {
      const nested = `env -i NODE="$NODE" PROGRAM="$PROGRAM" /bin/sh -c '/bin/bash -c "\\"\\$NODE\\" \\"\\$PROGRAM\\"; :"; :'; :`;
      const { found, started } = await ask(client, ['-c', nested]);
      expect(found).toEqual({ pid: started, start: expect.stringMatching(/^\d+$/) });
    });

    it('finds it in a session and process group of its own', async () => {
      const { found, started } = await ask(client, ['-c', `setsid --wait bash -c '${RUN}'; :`]);
      expect(found).toMatchObject({ pid: started });
    });

    it('finds a client that is a renamed program but shows its name as argv[0]', async () => {
      const { found } = await ask('bash', ['-c', `exec -a claude bash -c '${RUN}'`]);
      expect(found).not.toBeNull();
    });

    it.each([{ CLAUDECODE: '1' }, { CLAUDE_PID: '1' }])('believes its own environment: %j', async (env) => {
      expect((await ask(process.execPath, [program], env)).found).not.toBeNull();
    });

    it('finds the mark in a shell above that was left out for the program', async () => {
      const { found, started } = await ask('bash', ['-c', `env -u CLAUDECODE bash -c '${RUN}'; :`], {
        CLAUDECODE: '1',
      });
      expect(found).toMatchObject({ pid: started });
    });

    it('does not take CLAUDECODE=0 or an empty CLAUDE_PID for a mark', async () => {
      expect((await ask('bash', ['-c', RUN], { CLAUDECODE: '0', CLAUDE_PID: '' })).found).toBeNull();
    });

    it('gives none for a process that is gone', () => {
      expect(claudeAncestor(2 ** 22 + 1, {})).toBeNull();
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
    // Before its exec the child is still ours in name: wait until it speaks.
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
