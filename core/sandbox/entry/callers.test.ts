/** The launcher with closed standard descriptors, under limits, with an unusable umask. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestSession, testSession } from '../../../testing/sandbox/session.ts';

const isRoot = process.getuid?.() === 0;
let session: TestSession;

beforeEach(async () => {
  session = await testSession();
  await session.call('true');
});
afterEach(async () => await session.close());

/** In `line`, `"$@"` is the launcher. */
async function by(line: string, command: string): Promise<{ rc: unknown; said: string }> {
  const launch = ['/bin/bash', '-p', join(session.state, 'bin/0/launch'), 's1', '/bin/bash', command, ''];
  const child = spawn('/bin/bash', ['-c', line, 'sh', ...launch], {
    cwd: session.project,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
  const [rc] = await once(child, 'close');
  return { rc, said };
}

const CLOSED = ['<&-', '>&-', '2>&-', '<&- >&-', '<&- 2>&-', '>&- 2>&-', '<&- >&- 2>&-'];

it.each(CLOSED.flatMap((closed) => ['', 'HOST=1; '].map((where) => [closed, where] as const)))(
  'a call with %s keeps its status, and no file of ours is open in it (%s)',
  async (closed, where) => {
    const { rc } = await by(`exec "$@" ${closed}`, `${where}ls -l /proc/$$/fd >open; exit 3`);
    expect(rc).toBe(3);
    const open =
      where === ''
        ? (await session.call('cat open')).stdout
        : readFileSync(join(session.project, 'open'), 'utf8');
    expect(open).toContain(' -> ');
    expect(open).not.toContain(session.state);
  },
);

describe('a call that can not write down how far it is runs nothing, and says what may be the cause', () => {
  it.each(['ulimit -f 0', "trap '' XFSZ; ulimit -f 0"])('%s', async (limit) => {
    for (const where of ['', 'HOST=1; ']) {
      const { rc, said } = await by(`${limit}; exec "$@"`, `${where}echo ran`);
      expect(rc).toBe(125);
      expect(said).toMatch(
        /^trai: the log could not be written: .* Nothing of the command was run\.\n.*ulimit -f/,
      );
      expect(said).not.toMatch(/^ran$/m);
    }
  });

  it('umask 777', async (ctx) => {
    if (isRoot) return ctx.skip('root writes to files of any mode');
    const { rc, said } = await by('umask 777; exec "$@"', 'echo ran');
    expect(rc).toBe(125);
    expect(said).toMatch(/^trai: could not write .* Nothing of the command was run\.\n.*umask/);
  });
});

it('a command is ended by a limit of file sizes as it is without us', async () => {
  for (const where of ['', 'HOST=1; ']) {
    const { rc } = await by('exec "$@"', `${where}ulimit -f 1; exec head -c 100000 /dev/zero >big`);
    expect(rc).toBe(128 + 25);
  }
});
