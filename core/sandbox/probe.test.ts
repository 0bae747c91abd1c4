import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asRoot } from '../../testing/changes/changes.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { onSmallDisk } from '../../testing/sandbox/small-disk.ts';
import { coveringDir } from '../session/session-context.ts';
import { endProcesses, isQuiet } from './live.ts';
import { withLock } from './lock.ts';

let s: TestSession;
beforeEach(async () => {
  s = await testSession();
});
afterEach(async () => await s.close());

const check = async (): Promise<boolean> => await withLock(s, () => isQuiet(s.ctx));
/** Of the covered directory that holds the project, wherever TMPDIR is. */
const upper = (): string => coveringDir(s.ctx.coveredDirs, s.ctx.projectRoot)?.upper ?? '';
// Renamed, since only root may write to some directories in it.
const loseUpper = (): void => renameSync(upper(), `${upper()}-lost`);

describe(`a session, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each([
    ['is gone', () => {}],
    ['is another directory', () => mkdirSync(s.project)],
    ['is a file', () => writeFileSync(s.project, '')],
  ])('whose project %s by now is live as long as a process runs, and quiet afterwards', async (_, since) => {
    await s.call('sleep 300 >/dev/null 2>&1 & disown');
    renameSync(s.project, `${s.project}.old`);
    since();
    expect(await check()).toBe(false);
    expect(await endProcesses(s.ctx.source)).toHaveLength(1);
    expect(await check()).toBe(true);
    rmSync(s.project, { recursive: true, force: true });
    renameSync(`${s.project}.old`, s.project);
    expect((await s.call('echo on')).stdout).toBe('on\n');
  });

  it('of which one upper can not be asked is not taken for quiet: what was found is said, and where', async () => {
    await s.call('echo pending > f');
    loseUpper();
    writeFileSync(upper(), '');
    await expect(check()).rejects.toMatchObject({
      code: 'not-entered',
      path: upper(),
      message: expect.stringMatching(/expected to mount .*\/u, found: \S/),
    });
  });

  it('is told live or quiet where the disk has room for nothing more', async () => {
    const said = await onSmallDisk(`${import.meta.dirname}/quiet-full-disk.fixture.ts`, 1_500_000, 1_000);
    expect(JSON.parse(said)).toEqual({ full: true, live: false, quiet: true });
  });

  it('without an upper is quiet: nobody can have one mounted that is not there', async () => {
    await s.call('echo pending > f');
    loseUpper();
    expect(await check()).toBe(true);
  });
});
