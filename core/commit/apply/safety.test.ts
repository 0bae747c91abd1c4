import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { nameOf } from '../../../shared/bytes.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, commitNow, quickLook, requestFor } from '../../../testing/commit/commit.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import { recordBases } from '../../overlay/bases.ts';
import { scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';
import { dropCommitted } from './cleanup.ts';

let open: TestSession[] = [];
function session(): TestSession {
  const made = testSession();
  open.push(made);
  return made;
}
afterEach(() => {
  for (const one of open) one.remove();
  open = [];
});

/** A port that does something right before the first call of `method` that `when` accepts. */
function portWith(
  method: 'link' | 'rename' | 'rmdir',
  when: (path: string) => boolean,
  act: () => void,
): FsPort {
  let armed = true;
  const trip = (path: string) => {
    if (!armed || !when(path)) return;
    armed = false;
    act();
  };
  const port: FsPort = { ...nodePort };
  if (method === 'rmdir') {
    port.rmdir = (path) => {
      trip(path);
      nodePort.rmdir(path);
    };
  } else {
    port[method] = (from, to) => {
      trip(to);
      nodePort[method](from, to);
    };
  }
  return port;
}

const read = (t: TestSession, name: string) => readFileSync(`${t.host}/${name}`, 'utf8');

describe(`what a commit must not do, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it('refuses a list that is not the reviewed one, and touches nothing', async () => {
    const t = session();
    t.inSandbox('echo a > a');
    const list = await scan(t.ctx);
    const stale = requestFor(list, { revision: 'other' });
    await expect(commitAll(t.ctx, list, stale)).rejects.toMatchObject({ code: 'stale-revision' });
    expect(readdirSync(t.host)).toEqual([]);
    expect(existsSync(`${t.ctx.sessionDir}/commits`)).toBe(false);
  });

  it('asks for the count before an entry of the home goes, and takes the right one only', async () => {
    const t = session();
    t.onHost('mkdir docs; echo a > docs/a');
    t.inSandbox('rm -r docs');
    const list = await scan(t.ctx);
    const asked = (extra: object) => commitAll(t.ctx, list, requestFor(list, { yes: false, ...extra }));
    await expect(asked({})).rejects.toMatchObject({ code: 'mass-guard', data: { count: 2 } });
    await expect(asked({ typedCount: 1 })).rejects.toMatchObject({ code: 'mass-guard' });
    expect(existsSync(`${t.host}/docs/a`)).toBe(true);
    expect((await asked({ typedCount: 2 })).state).toBe('applied');
    expect(existsSync(`${t.host}/docs`)).toBe(false);
  });

  it('refuses conflicts, keeps the host or takes the sandbox as told', async () => {
    const t = session();
    t.onHost('echo 1 > a; echo 1 > b; echo 1 > c');
    t.inSandbox('echo s > a; echo s > b; echo s > c');
    await recordBases(t.ctx);
    t.onHost('echo host > a; echo host > b');
    await expect(commitNow(t)).rejects.toMatchObject({ code: 'conflicts' });
    expect(read(t, 'c')).toBe('1\n');
    const list = await scan(t.ctx);
    const b = list.changes.find(({ path }) => path.endsWith('/b'))?.id ?? '';
    const report = await commitNow(t, {
      request: { conflicts: 'keep-host', choices: { [b]: 'take-sandbox' } },
    });
    expect(report).toMatchObject({ state: 'applied', applied: 2, kept: 1 });
    expect([read(t, 'a'), read(t, 'b'), read(t, 'c')]).toEqual(['host\n', 's\n', 's\n']);
    expect(brief(await scan(t.ctx), t.host)).toEqual(['modified a']);
  });

  it.each([
    [
      'a file changed',
      'echo a > a',
      'echo s > a',
      () => (t: TestSession) => writeFileSync(`${t.host}/a`, 'late\n'),
      'a',
      'late\n',
    ],
    [
      'a new name taken',
      'true',
      'echo s > a',
      () => (t: TestSession) => writeFileSync(`${t.host}/a`, 'late\n'),
      'a',
      'late\n',
    ],
    [
      'a deleted file changed',
      'mkdir d; echo a > d/a',
      'rm d/a',
      () => (t: TestSession) => writeFileSync(`${t.host}/d/a`, 'late\n'),
      'd/a',
      'late\n',
    ],
    [
      'a file put into a deleted directory',
      'mkdir -p d/e; echo a > d/e/a',
      'rm -r d',
      () => (t: TestSession) => writeFileSync(`${t.host}/d/e/new`, 'late\n'),
      'd/e/new',
      'late\n',
    ],
    [
      'a file put into a replaced directory',
      'mkdir -p d/e; echo a > d/e/a',
      'rm -r d; echo s > d',
      () => (t: TestSession) => writeFileSync(`${t.host}/d/e/new`, 'late\n'),
      'd/e/new',
      'late\n',
    ],
  ])(
    'never overwrites what the host did after the review: %s',
    async (_, before, inside, late, path, content) => {
      const t = session();
      t.onHost(`${before}; echo o > other`);
      t.inSandbox(`${inside}; echo s > other`);
      const list = await scan(t.ctx);
      late()(t);
      const report = await commitAll(t.ctx, list, requestFor(list));
      expect(report.state).toBe('partial');
      expect(report.failed.length).toBeGreaterThan(0);
      expect(read(t, path)).toBe(content);
      expect(read(t, 'other')).toBe('s\n');
    },
  );

  it('does not replace a name that appears at the very last moment', async () => {
    const t = session();
    t.inSandbox('echo s > a');
    const list = await scan(t.ctx);
    const port = portWith(
      'link',
      (to) => to.endsWith('/a'),
      () => writeFileSync(`${t.host}/a`, 'late\n'),
    );
    const report = await commitAll(t.ctx, list, requestFor(list), { port });
    expect(report).toMatchObject({ state: 'partial', applied: 0 });
    expect(read(t, 'a')).toBe('late\n');
  });

  it('does not delete a directory into which something came at the very last moment', async () => {
    const t = session();
    t.onHost('mkdir d; echo a > d/a');
    t.inSandbox('rm -r d');
    const list = await scan(t.ctx);
    const port = portWith(
      'rename',
      (path) => path.endsWith('/l1'),
      () => writeFileSync(`${t.host}/d/late`, 'late\n'),
    );
    const report = await commitAll(t.ctx, list, requestFor(list), { port });
    expect(report.failed.map(({ message }) => message).join()).toContain('not in the reviewed list');
    expect(read(t, 'd/late')).toBe('late\n');
  });

  it.each(['before the commit', 'right before the rename'])(
    'does not follow a parent that became a link %s',
    async (when) => {
      const t = session();
      const outside = `${t.host}/../outside`;
      mkdirSync(outside);
      t.onHost('mkdir d; echo a > d/a; echo b > d/b');
      execFileSync('cp', ['-a', `${t.host}/d/a`, `${t.host}/d/b`, outside]);
      t.inSandbox('echo s > d/a; rm d/b; echo n > d/n');
      const list = await scan(t.ctx);
      const swap = () => {
        renameSync(`${t.host}/d`, `${t.host}/moved`);
        symlinkSync(outside, `${t.host}/d`);
      };
      const port =
        when === 'before the commit' ? nodePort : portWith('rename', (to) => to.endsWith('/a'), swap);
      if (when === 'before the commit') swap();
      await commitAll(t.ctx, list, requestFor(list), { port });
      expect(readFileSync(`${outside}/a`, 'utf8')).toBe('a\n');
      expect(readdirSync(outside).sort()).toEqual(['a', 'b']);
      expect(lstatSync(`${t.host}/d`).isSymbolicLink()).toBe(true);
    },
  );

  it('leaves pipes and devices pending until they are asked for, also in the place of a file; a deleted one goes', async () => {
    const t = session();
    t.onHost('echo f > f; mkfifo gone');
    const device = asRoot ? '; mknod null c 1 3' : '';
    t.inSandbox(`mkdir d; mkfifo d/p; rm f gone; mkfifo f; echo x > d/x${device}`);
    const list = await scan(t.ctx);
    const ignored = list.changes.filter((one) => one.ignored !== null).map(({ path }) => nameOf(path));
    expect(ignored.sort()).toEqual(['f', 'p', ...(asRoot ? ['null'] : [])].sort());
    const report = await commitNow(t, { request: { includeIgnored: false } });
    expect(report).toMatchObject({ state: 'applied', applied: 3, ignored: ignored.length });
    expect([...quickLook(t.host).keys()]).toEqual(['d', 'd/x', 'f']);
    expect(readFileSync(`${t.host}/f`, 'utf8')).toBe('f\n');
    expect(await commitNow(t)).toMatchObject({ state: 'applied', applied: ignored.length, ignored: 0 });
    expect(lstatSync(`${t.host}/d/p`).isFIFO() && lstatSync(`${t.host}/f`).isFIFO()).toBe(true);
  });

  it('leaves ignored entries pending, also inside a new directory, and does not hide what was committed', async () => {
    const t = session();
    t.ctx.ignore = ['**/noise'];
    t.inSandbox('mkdir d; echo a > d/a; echo n > d/noise; mkdir d/e; echo x > d/e/x');
    const list = await scan(t.ctx);
    for (const one of list.changes) if (one.path.endsWith('/noise')) one.ignored = 'noise';
    const report = await commitAll(t.ctx, list, requestFor(list, { includeIgnored: false }));
    expect(report).toMatchObject({ state: 'applied', applied: 4, ignored: 1 });
    expect([...quickLook(t.host).keys()]).toEqual(['d', 'd/a', 'd/e', 'd/e/x']);
    t.inSandbox('[ "$(cat d/a d/noise d/e/x)" = "a\nn\nx" ]');
    expect(brief(await scan(t.ctx), t.host)).toEqual(['added d/noise']);
    t.inSandbox('echo more >> d/a');
    await recordBases(t.ctx);
    expect(
      (await scan(t.ctx)).changes.map(({ path, conflict }) => [path.slice(t.host.length), conflict]),
    ).toEqual([
      ['/d/a', null],
      ['/d/noise', null],
    ]);
  });

  it('in a live session copies: the next write of the running process is pending, not on the host', async () => {
    const t = session();
    t.onHost('echo h > changed');
    const live = await t.live(
      'exec 3>log; echo one >&3; echo s > changed; mkdir n; echo n > n/n; echo ready; read _; echo two >&3; read _; echo three > n/late; echo done; read _',
    );
    const before = quickLook(t.upper);
    const report = await commitNow(t, { live: true });
    expect(report).toMatchObject({ state: 'applied', copies: true });
    expect([read(t, 'log'), read(t, 'changed'), read(t, 'n/n')]).toEqual(['one\n', 's\n', 'n\n']);
    expect(quickLook(t.upper)).toEqual(before);
    expect(brief(await scan(t.ctx), t.host)).toEqual([]);
    await live.stop();
  });

  it('takes committed copies out of the upper when it is quiet, but none that was written to since', async () => {
    const t = session();
    t.onHost('echo h > gone; mkdir old; echo x > old/x; echo y > old/y');
    const live = await t.live(
      'echo one > log; echo s > same; rm gone; mkdir n; echo n > n/n; rm -r old; mkdir old; echo o > old/x; echo ready; read _ || true; echo two >> log; echo late > n/late; echo late > old/late',
    );
    expect((await commitNow(t, { live: true })).state).toBe('applied');
    await live.stop();
    expect(await dropCommitted(t.ctx)).toBeGreaterThan(0);
    // What the sandbox made again hides the host's: it stays whole, or its committed file would look deleted.
    const upper = [...quickLook(t.upper).keys()];
    expect(upper.filter((path) => !/^n(\/|$)/.test(path))).toEqual(['log', 'old', 'old/late', 'old/x']);
    const list = await scan(t.ctx);
    expect(
      list.changes.map(({ path, kind, conflict }) => [path.slice(t.host.length), kind, conflict]),
    ).toEqual([
      ['/log', 'modified', null],
      ['/n/late', 'added', null],
      ['/old/late', 'added', null],
    ]);
    t.inSandbox(
      '[ "$(cat log same n/n n/late old/x old/late)" = "one\ntwo\ns\nn\nlate\no\nlate" ] && [ ! -e gone ]',
    );
    expect(read(t, 'log')).toBe('one\n');
    expect(await dropCommitted(t.ctx)).toBe(0);
  });

  it('reports what can not be written, applies the rest', async ({ skip }) => {
    if (asRoot) return skip('no directory is closed to root');
    const t = session();
    t.onHost('mkdir -p /tmp/none; mkdir d; echo a > d/a');
    t.inSandbox('echo s > ok');
    const list = await scan(t.ctx);
    const foreign = list.changes[0];
    if (foreign === undefined) throw new Error('expected a change');
    // The directory belongs to somebody else: /usr is as good as any.
    const place = {
      n: 9,
      path: '/usr' as typeof foreign.path,
      upper: t.ctx.coveredDirs[0]?.upper ?? foreign.path,
      work: foreign.path,
    };
    const ctx = { ...t.ctx, places: [place] };
    const lying = { ...list, changes: [{ ...foreign, path: '/usr/ok' as typeof foreign.path }] };
    const report = await commitAll(ctx, lying, requestFor(lying));
    expect(report).toMatchObject({ state: 'partial', applied: 0, failed: [{ path: '/usr/ok' }] });
  });
});
