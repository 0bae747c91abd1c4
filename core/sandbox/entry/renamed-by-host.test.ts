/** A copy-up records its inode on the host. As root the kernel merged it with that inode's new name. */
import { execFileSync } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import { type TestSession, testSession } from '../../../testing/sandbox/session.ts';
import { recordBases } from '../../overlay/bases.ts';
import { reap } from '../../scan/reap.ts';

let t: TestSession | undefined;
afterEach(async () => await t?.close());

async function session(): Promise<TestSession> {
  t = await testSession();
  return t;
}

const onHost = (s: TestSession, line: string) => execFileSync('bash', ['-ec', line], { cwd: s.project });
const inside = async (s: TestSession, line: string) => await s.call(line, { cwd: s.project });

it.each(['f g', 'g f'])(
  'a file that the host has renamed is not the sandbox’s copy of it (cat %s)',
  async (names) => {
    const s = await session();
    onHost(s, 'echo host > f');
    await inside(s, 'echo box > f');
    await recordBases(s.ctx);
    onHost(s, 'mv f g');
    const shown = await inside(s, `cat ${names}`);
    expect(shown).toMatchObject({
      rc: 0,
      stderr: '',
      stdout: names === 'f g' ? 'box\nhost\n' : 'host\nbox\n',
    });
    await inside(s, 'cat f; echo more >> g');
    expect((await inside(s, 'cat f g')).stdout).toBe('box\nhost\nmore\n');
  },
);

it('a new name for a file of the host is there in the next call', async () => {
  const s = await session();
  onHost(s, 'echo host > f');
  await inside(s, 'ln f new');
  await recordBases(s.ctx);
  await reap(s.ctx);
  expect(await inside(s, 'cat f new; ls')).toMatchObject({ rc: 0, stdout: 'host\nhost\nf\nnew\n' });
});
