import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type BytePath, bytePath, parentOf } from '../../../shared/bytes.ts';
import { testSession } from '../../../testing/sandbox/session.ts';
import { makeCoveredDirs } from '../prepare/covered-dirs.ts';

const base = mkdtempSync(join(tmpdir(), 'trai-places-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

it('a place is over its own directory also where the number was another’s in a try that came to nothing', () => {
  const [overlay, gone, kept] = ['overlay', 'gone', 'kept'].map((name) => bytePath(join(base, name)));
  if (overlay === undefined || gone === undefined || kept === undefined) throw new Error('no paths');
  for (const dir of [overlay, kept]) mkdirSync(dir);
  const uid = process.getuid?.() ?? 0;
  expect(() => makeCoveredDirs({ overlayDir: overlay, paths: [gone, kept], uid })).toThrow(/ENOENT/);
  const [covered] = makeCoveredDirs({ overlayDir: overlay, paths: [kept], uid });
  expect(covered).toMatchObject({ path: kept });
  expect(readlinkSync(`${covered?.upper.slice(0, -2)}/l`)).toBe(kept);
});

it('a session that began with a directory as a whole keeps it, with what is pending in it', async (ctx) => {
  const session = await testSession(base);
  try {
    const paths = () => session.ctx.coveredDirs.map((covered) => covered.path);
    // Not a mount, which would be covered in parts.
    const isPart = (path: BytePath) =>
      path.split('/').length === 3 && statSync(path).dev === statSync(parentOf(path)).dev;
    const home = paths().find((path) => isPart(path) && statSync(parentOf(path)).uid === 0);
    if (session.ctx.root || home === undefined)
      return ctx.skip('no directory of others has one of this user’s in it');
    const whole = parentOf(home);
    expect(paths()).not.toContain(whole);
    // The base record tells a chmod of the covered directory from the host's.
    const recorded = readFileSync(join(session.sessionDir, 'overlay/base.jsonl'), 'latin1');
    expect(recorded).toContain(`"path":${JSON.stringify(home)},"state":"known"`);
    for (const name of ['plan', 'overlay'])
      rmSync(join(session.sessionDir, name), { recursive: true, force: true });
    mkdirSync(join(session.sessionDir, 'overlay'));
    makeCoveredDirs({
      overlayDir: bytePath(join(session.sessionDir, 'overlay')),
      paths: [whole],
      uid: process.getuid?.() ?? 0,
    });
    await session.replan();
    expect(paths()).toContain(whole);
    expect(paths()).not.toContain(home);
    const file = join(home, `.trai-test-${process.pid}`);
    await session.call(`echo x > '${file}'`);
    rmSync(join(session.sessionDir, 'plan'), { recursive: true });
    await session.replan();
    expect(paths()).toContain(whole);
    expect((await session.call(`cat '${file}'`)).stdout).toBe('x\n');
  } finally {
    await session.close();
  }
}, 60_000);
