import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { commitNow } from '../../testing/commit/commit.ts';
import { recordBases } from '../overlay/bases.ts';
import { scan } from './scan.ts';

let s: TestSession;
beforeEach(() => {
  s = testSession();
});
afterEach(() => s.remove());

async function outcome(): Promise<string[]> {
  const { changes } = await scan(s.ctx);
  return changes.map(({ path, kind, conflict }) => `${conflict ?? kind} ${path.slice(s.host.length + 1)}`);
}

/** Longer than a tick of the kernel's clock. */
const tick = 'sleep 0.05';

const setfattr = (file: string) => `setfattr -n user.note -v 1 ${file}`;

describe(`a host file that is what it was, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  test.each([
    ['touched', 'touch f'],
    ['written anew in its place', 'cat f > t; cat t > f'],
    ['replaced by an equal one', 'cp -p f t; mv t f'],
    ['changed and changed back', 'echo other > f; echo host > f'],
    ['given another mode and its own again', 'chmod 600 f; chmod 644 f'],
  ])('is no conflict: %s', async (_, since) => {
    s.onHost(`umask 022; echo host > f; ${tick}`);
    s.inSandbox('echo sandbox > f');
    await recordBases(s.ctx);
    s.onHost(`${tick}; ${since}`);
    expect(await outcome()).toEqual(['modified f']);
    expect(await commitNow(s)).toMatchObject({ state: 'applied' });
    expect(readFileSync(`${s.host}/f`, 'utf8')).toBe('sandbox\n');
  });

  test.each([
    ['made anew', 'ln -sfn old l', 'modified l'],
    ['made to lead elsewhere', 'ln -sfn oth l', 'host-changed l'],
    ['given another name', 'ln -P l k', 'host-changed l'],
    ['replaced by a file', 'rm l; echo > l', 'host-changed l'],
  ])('of a link: %s', async (_, since, expected) => {
    s.onHost(`ln -s old l; ${tick}`);
    s.inSandbox('ln -sfn new l');
    await recordBases(s.ctx);
    s.onHost(`${tick}; ${since}`);
    expect(await outcome()).toEqual([expected]);
  });

  test('is no conflict when a branch was left and taken again', async () => {
    const git = 'git -c user.name=n -c user.email=e';
    s.onHost(
      `git init -qb one; echo host > f; git add f; ${git} commit -qm 1; git switch -qc two; echo two > f; ${git} commit -qam 2; git switch -q one; ${tick}`,
    );
    s.inSandbox('echo sandbox > f');
    await recordBases(s.ctx);
    s.onHost(`${tick}; git switch -q two`);
    expect(await outcome()).toEqual(['host-changed f']);
    s.onHost('git switch -q one');
    expect(await outcome()).toEqual(['modified f']);
  });

  test.each([
    ['other content of the same size and time', ':', 'touch -r f t; echo tsoh > f; touch -r t f; rm t'],
    ['another mode', ':', 'chmod 600 f'],
    ['another name of it', ':', 'ln f g'],
    ['an attribute', ':', setfattr('f')],
    ['an attribute of the sandbox’s', setfattr('f'), 'touch f'],
    ['it is no file any more', ':', 'mv f g; ln -s g f'],
  ])('is a conflict all the same: %s', async (_, inside, since) => {
    s.onHost(`umask 022; echo host > f; ${tick}`);
    s.inSandbox(`echo sandbox > f; ${inside}`);
    await recordBases(s.ctx);
    s.onHost(`${tick}; ${since}`);
    expect(await outcome()).toEqual(['host-changed f']);
  });

  test('says nothing for a database whose log the host has written since', async () => {
    s.onHost(`echo host > x.db; ${tick}`);
    s.inSandbox('echo sandbox > x.db');
    await recordBases(s.ctx);
    s.onHost(`${tick}; touch x.db; echo log > x.db-wal`);
    expect(await outcome()).toEqual(['host-changed x.db']);
  });
});
