import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { recordBases } from '../overlay/bases.ts';
import { reap } from './reap.ts';
import { scan } from './scan.ts';

let s: TestSession;
beforeEach(() => {
  s = testSession();
});
afterEach(() => s.remove());

function upper(): string[] {
  const out = execFileSync('find', ['.', '-mindepth', '1', '-printf', '%P\\n'], {
    cwd: s.upper,
    encoding: 'utf8',
  });
  return out
    .split('\n')
    .filter((line) => line !== '')
    .sort();
}

const tick = 'sleep 0.05';

describe(`the reaper, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  type Row = { name: string; host: string; sandbox: string; later?: string; left: string[] };
  const rows: Row[] = [
    {
      name: 'a file that was only opened for writing goes',
      host: 'mkdir d; echo a > d/f',
      sandbox: 'exec 3<>d/f',
      left: [],
    },
    {
      name: 'so does one that another name was given and taken',
      host: 'echo a > f',
      sandbox: 'ln f g; rm g',
      left: [],
    },
    {
      name: 'a changed file stays',
      host: 'mkdir d; echo a > d/f',
      sandbox: 'echo b > d/f',
      left: ['d', 'd/f'],
    },
    {
      name: 'a new file stays, and the directory that holds it',
      host: 'mkdir d',
      sandbox: 'echo b > d/n',
      left: ['d', 'd/n'],
    },
    { name: 'a new empty directory stays', host: 'true', sandbox: 'mkdir -p n/m', left: ['n', 'n/m'] },
    {
      name: 'a mode stays',
      host: 'echo a > f; mkdir d',
      sandbox: 'chmod 600 f; chmod 700 d',
      left: ['d', 'f'],
    },
    { name: 'a new time stays until the host moves on', host: 'echo a > f', sandbox: 'touch f', left: ['f'] },
    { name: 'and goes then', host: 'echo a > f', sandbox: 'touch f', later: 'echo b > f', left: [] },
    { name: 'a deletion stays', host: 'mkdir d; echo a > d/f', sandbox: 'rm d/f', left: ['d', 'd/f'] },
    {
      name: 'a deletion of what the host lost goes',
      host: 'mkdir d; echo a > d/f',
      sandbox: 'rm d/f',
      later: 'rm d/f',
      left: [],
    },
    {
      name: 'an unchanged copy goes although the host changed it',
      host: 'echo a > f',
      sandbox: 'exec 3<>f',
      later: 'echo b > f',
      left: [],
    },
    {
      name: 'an unchanged copy goes when the host removed it',
      host: 'mkdir d; echo a > d/f',
      sandbox: 'exec 3<>d/f',
      later: 'rm -r d',
      left: [],
    },
    {
      name: 'a changed copy stays when the host removed it',
      host: 'mkdir d; echo a > d/f',
      sandbox: 'echo b > d/f',
      later: 'rm -r d',
      left: ['d', 'd/f'],
    },
    {
      name: 'a changed copy stays when the host changed it too',
      host: 'echo a > f',
      sandbox: 'echo b > f',
      later: 'echo c > f',
      left: ['f'],
    },
    {
      name: 'an equal file in a directory that was made again stays: it would vanish',
      host: 'mkdir d; echo a > d/f; echo b > d/g',
      sandbox: 'cp -p d/f ../keep; rm -rf d; mkdir d; cp -p ../keep d/f; rm ../keep',
      left: ['d', 'd/f'],
    },
    {
      name: 'also when the upper has every name of the host',
      host: 'mkdir d; echo a > d/f',
      sandbox: 'cp -p d/f ../keep; rm -rf d; mkdir d; cp -p ../keep d/f; rm ../keep',
      left: ['d', 'd/f'],
    },
    {
      name: 'also in a directory below it',
      host: 'mkdir -p d/e; echo a > d/e/f',
      sandbox: 'cp -p d/e/f ../keep; rm -rf d; mkdir -p d/e; cp -p ../keep d/e/f; rm ../keep',
      left: ['d', 'd/e', 'd/e/f'],
    },
    {
      name: 'a new file stays although a link of the host now leads to an equal one',
      host: 'mkdir d ../e; echo a > d/f',
      sandbox: 'echo n > d/n',
      later: `cp -p ../state/sessions/s1/overlay/9/u/d/n ../e/n; rm -r d; ln -s ../e d`,
      left: ['d', 'd/n'],
    },
    {
      name: 'an empty directory that was made again stays while it hides names',
      host: 'mkdir d; echo a > d/f',
      sandbox: 'rm -rf d; mkdir d',
      left: ['d'],
    },
    { name: 'a socket or FIFO of the sandbox stays', host: 'true', sandbox: 'mkfifo p', left: ['p'] },
    {
      name: 'a link equal to the host goes only with its time',
      host: 'ln -s a l',
      sandbox: 'ln -sfn b l; ln -sfn a l',
      left: ['l'],
    },
    {
      name: 'a deletion in a directory goes when the host removes that, also when what is new there stays',
      host: 'mkdir d; echo a > d/f',
      sandbox: 'rm d/f; echo n > d/n',
      later: 'rm -r d',
      left: ['d', 'd/n'],
    },
    {
      name: 'a copy in a directory without a write bit goes',
      host: 'mkdir -p m/v; echo a > m/v/f; chmod 555 m/v',
      sandbox: 'exec 3<>m/v/f',
      left: [],
    },
    {
      name: 'an attribute stays, whatever the name is made of, and equal copies beside it go',
      host: `mkdir d e; echo a > d/f; echo a > $'d/\\xff\\n'; echo a > d/g; setfattr -n user.h -v 1 d/g`,
      sandbox: `setfattr -n user.x -v 1 d/f; setfattr -n user.x -v 1 $'d/\\xff\\n'; exec 3<>d/g; setfattr -n user.x -v 1 e`,
      left: ['d', 'd/f', 'd/\ufffd', 'e'],
    },
    {
      name: 'also when the host moves on: it is a conflict',
      host: 'echo a > f',
      sandbox: 'setfattr -n user.x -v 1 f',
      later: 'echo b > f',
      left: ['f'],
    },
  ];
  test.each(rows)('$name', async ({ host, sandbox, later, left }) => {
    s.onHost(`${host}; ${tick}`);
    s.inSandbox(sandbox);
    await recordBases(s.ctx, { earliestCall: Date.now() });
    s.onHost(`${tick}; ${later ?? 'true'}`);
    const before = await scan(s.ctx);
    const had = upper().length;
    const { removed } = await reap(s.ctx);
    expect(upper()).toEqual(left);
    expect(removed).toBe(had - left.length);
    const after = await scan(s.ctx);
    expect(after.changes).toEqual(before.changes);
    expect((await reap(s.ctx)).removed).toBe(0);
  });

  test.each([
    ['nothing', ''],
    ['a file', 'echo >'],
    ['a link to where it is', 'ln -s "$1.away"'],
  ])('a deletion in a place that is away for a while stays, with %s there', async (_, put) => {
    s.onHost(`mkdir d; echo a > d/f; echo a > g; ${tick}`);
    s.inSandbox('rm d/f g');
    await recordBases(s.ctx, { earliestCall: Date.now() });
    renameSync(s.host, `${s.host}.away`);
    if (put !== '') execFileSync('bash', ['-ec', `${put} "$0"`, s.host, s.host]);
    await reap(s.ctx);
    rmSync(s.host, { force: true });
    renameSync(`${s.host}.away`, s.host);
    expect(upper()).toEqual(['d', 'd/f', 'g']);
    expect((await scan(s.ctx)).changes.map(({ kind }) => kind)).toEqual(['deleted', 'deleted']);
  });

  test('after the reaper the sandbox sees the host again', async () => {
    s.onHost(`mkdir d; echo a > d/f; ${tick}`);
    s.inSandbox('exec 3<>d/f');
    await recordBases(s.ctx);
    s.onHost('echo host > d/f; echo new > d/new');
    await reap(s.ctx);
    s.onHost(tick);
    const earliestCall = Date.now();
    s.inSandbox('test "$(cat d/f)" = host; test -e d/new; echo more >> d/f');
    await recordBases(s.ctx, { earliestCall });
    expect((await scan(s.ctx)).changes.map(({ kind, conflict }) => [kind, conflict])).toEqual([
      ['modified', null],
    ]);
  });
});
