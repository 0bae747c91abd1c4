/** Changes of time alone: `touch`, or a file that was written again as it was. */
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { brief, commitNow, requestFor, undoRequest } from '../../../testing/commit/commit.ts';
import { Died, FaultPort } from '../../../testing/commit/fault-port.ts';
import { recordBases } from '../../overlay/bases.ts';
import { reap } from '../../scan/reap.ts';
import { hasPending, scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';
import { finishCommit } from '../recover/recover.ts';
import { redoCommit } from '../undo/redo.ts';
import { undoCommit } from '../undo/undo.ts';

let open: TestSession[] = [];
function session(host: string): TestSession {
  const made = testSession();
  open.push(made);
  made.onHost(`${host}; find . -exec touch -hd @1000000000 {} +`);
  return made;
}
afterEach(() => {
  for (const one of open) one.remove();
  open = [];
});

const OLD = 1_000_000_000;
const NEW = 1_500_000_000;
const timeOf = (t: TestSession, name: string) => Math.floor(lstatSync(`${t.host}/${name}`).mtimeMs / 1000);

describe(`the modification time of a file alone, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  const touch = `touch -d @${NEW}.123456789 touched; cat same > copy; cat copy > same; touch -d @${NEW}.123456789 same; rm copy`;

  it('is no change, survives the reaper, goes with a commit, and comes and goes with undo and redo', async () => {
    const t = session('echo t > touched; echo s > same; echo o > opened; mkdir d');
    t.inSandbox(`${touch}; : >> opened; touch d; echo n > n`);
    await recordBases(t.ctx);
    await reap(t.ctx);
    const list = await scan(t.ctx);
    expect([brief(list, t.host), list.times, list.ignored.count]).toEqual([['added n'], 2, 0]);
    expect(await commitNow(t)).toMatchObject({ state: 'applied', applied: 1, times: 2, ignored: 0 });
    expect(['touched', 'same', 'opened', 'd'].map((name) => timeOf(t, name)).slice(0, 3)).toEqual([
      NEW,
      NEW,
      OLD,
    ]);
    expect(readdirSync(t.upper)).toEqual([]);
    expect((await scan(t.ctx)).times).toBeUndefined();

    await undoCommit(t.ctx, undoRequest());
    expect([timeOf(t, 'touched'), timeOf(t, 'same')]).toEqual([OLD, OLD]);
    const again = await scan(t.ctx);
    expect([brief(again, t.host), again.times]).toEqual([['added n'], 2]);
    await redoCommit(t.ctx, again);
    expect([timeOf(t, 'touched'), timeOf(t, 'same')]).toEqual([NEW, NEW]);
  });

  it('is nothing that is pending, and all that a commit may be about', async () => {
    const t = session('echo t > touched; echo s > same');
    t.inSandbox(touch);
    expect(await hasPending(t.ctx)).toBe(false);
    expect(await commitNow(t)).toMatchObject({ state: 'applied', applied: 0, times: 2 });
    expect(timeOf(t, 'touched')).toBe(NEW);
  });

  it('goes with the mode of a file, and with a part that holds it', async () => {
    const t = session('mkdir d; echo t > d/touched; echo m > mode; echo o > other');
    t.inSandbox(`touch -d @${NEW}.123456789 d/touched mode other; chmod 600 mode; echo n > d/n`);
    const list = await scan(t.ctx);
    const exactly = new Set(
      [...list.changes, ...(list.timed ?? [])]
        .map(({ path }) => path)
        .filter((path) => !path.endsWith('/other')),
    );
    expect(await commitAll(t.ctx, list, requestFor(list, { exactly }))).toMatchObject({
      applied: 2,
      times: 1,
    });
    expect(['d/touched', 'mode', 'other'].map((name) => timeOf(t, name))).toEqual([NEW, NEW, OLD]);
    expect(lstatSync(`${t.host}/mode`).mode & 0o777).toBe(0o600);
    await undoCommit(t.ctx, undoRequest());
    expect(['d/touched', 'mode', 'other'].map((name) => timeOf(t, name))).toEqual([OLD, OLD, OLD]);
  });

  it.each([
    ['the content', 'echo host > touched', 'host\n'],
    ['the time', 'touch -d @1200000000 touched', 't\n'],
  ])('is never set over what the host has changed since: %s', async (_, change, text) => {
    const t = session('echo t > touched');
    t.inSandbox(`touch -d @${NEW}.123456789 touched`);
    await recordBases(t.ctx);
    const before = await scan(t.ctx);
    t.onHost(change);
    const at = timeOf(t, 'touched');
    expect(await commitAll(t.ctx, before, requestFor(before))).toMatchObject({ state: 'partial' });
    const after = await scan(t.ctx);
    expect([after.changes, after.times]).toEqual([[], undefined]);
    await reap(t.ctx);
    expect([
      timeOf(t, 'touched'),
      spawnSync('cat', [`${t.host}/touched`], { encoding: 'utf8' }).stdout,
    ]).toEqual([at, text]);
  });

  it('is set by the next run, whoever dies between mode and time', async () => {
    for (const method of ['chmod', 'utimes'] as const) {
      const t = session('echo m > mode');
      t.inSandbox(`touch -d @${NEW}.123456789 mode; chmod 600 mode`);
      const list = await scan(t.ctx);
      const faulty = new FaultPort(1, 'die', undefined, method);
      const tools = { port: faulty.port };
      const dying = commitAll(t.ctx, list, requestFor(list), tools);
      await expect(dying).rejects.toThrow(Died);
      faulty.dispose();
      expect([method, timeOf(t, 'mode')]).toEqual([method, OLD]);
      expect(await finishCommit(t.ctx)).toMatchObject({ state: 'applied', applied: 1 });
      expect([timeOf(t, 'mode'), lstatSync(`${t.host}/mode`).mode & 0o777]).toEqual([NEW, 0o600]);
    }
  });

  it('decides what make has to do: the host is as up to date as the sandbox was', async (ctx) => {
    if (spawnSync('make', ['--version']).error !== undefined) return ctx.skip('make is not installed');
    const t = session("printf 'out: in\\n\\ttouch out\\n' > Makefile; echo i > in; echo o > out");
    t.onHost('touch -d @1000000100 in');
    t.inSandbox('make -s; make -q');
    const ask = () => spawnSync('make', ['-q'], { cwd: t.host }).status;
    expect(ask()).toBe(1);
    await commitNow(t);
    expect(ask()).toBe(0);
  });
});
