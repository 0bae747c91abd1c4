import { mkdirSync, symlinkSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { bytePath } from '../../../shared/bytes.ts';
import { asRoot, type TestSession, testSession } from '../../../testing/changes/changes.ts';
import type { SessionContext } from '../../session/session-context.ts';
import { overlapOf } from './overlap.ts';

let open: TestSession[] = [];
afterEach(() => {
  for (const one of open) one.remove();
  open = [];
});

function two(before: string, a: string, b: string): { host: string; a: SessionContext; b: SessionContext } {
  const [one, other] = [testSession(), testSession()];
  open.push(one, other);
  // The second overlay gets the first one's host directory as its lower, under a number of its own.
  const overlay = `${other.ctx.sessionDir}/overlay`;
  for (const dir of ['4/u', '4/w']) mkdirSync(`${overlay}/${dir}`, { recursive: true });
  symlinkSync(one.host, `${overlay}/4/l`);
  const coveredDirs = one.ctx.coveredDirs.map((covered) => {
    return { ...covered, n: 4, upper: bytePath(`${overlay}/4/u`), work: bytePath(`${overlay}/4/w`) };
  });
  one.onHost(before);
  one.inSandbox(a);
  const ctx = { ...one.ctx, session: 's2', sessionDir: other.ctx.sessionDir, coveredDirs };
  one.inOverlay(overlay, 4, b);
  return { host: one.host, a: one.ctx, b: ctx };
}

async function shared(before: string, a: string, b: string, most = 50): Promise<string[]> {
  const made = two(before, a, b);
  const [there, back] = [await overlapOf(made.a, made.b, most), await overlapOf(made.b, made.a, most)];
  expect(back).toEqual(there);
  const names = there.paths.map((path) => path.slice(made.host.length + 1));
  return there.more ? [...names, '...'] : names;
}

describe(`paths that two sessions have pending, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  it.each([
    ['a file that both changed', 'echo 1 > f', 'echo a > f', 'echo b > f', ['f']],
    [
      'a file that both made, in directories that both made',
      '',
      'mkdir -p d/e; echo a > d/e/f; : > d/mine',
      'mkdir -p d/e; echo b > d/e/f; : > d/other',
      ['d/e/f'],
    ],
    ['other files of one directory', 'mkdir d', 'echo a > d/a', 'echo b > d/b', []],
    ['a file that one changed and the other deleted', 'echo 1 > f', 'echo a > f', 'rm f', ['f']],
    [
      'a directory that one deleted and in which the other changed something',
      'mkdir d; echo 1 > d/f',
      'rm -r d',
      'echo b > d/f',
      ['d'],
    ],
    ['a file that one only opened for writing', 'echo 1 > f', 'echo a > f', ': >> f', []],
    [
      'what one made and removed again',
      'echo 1 > f',
      'echo a > f; rm f; echo 1 > f; touch -r . f',
      ': > g; rm g',
      [],
    ],
    ['a link and a directory of one name', '', 'ln -s x l', 'mkdir l; echo 1 > l/f', ['l']],
    ['modes', 'echo 1 > f', 'chmod 600 f', 'chmod 700 f', ['f']],
  ])('%s', async (_what, before, a, b, expected) => {
    expect(await shared(before, a, b)).toEqual(expected);
  });

  it('looks past a directory that a command has closed', async () => {
    expect(
      await shared('', 'mkdir d; echo a > d/f; echo a > g; chmod 600 d', 'mkdir d; echo b > d/f; echo b > g'),
    ).toEqual(asRoot ? ['d/f', 'g'] : ['g']);
  });

  it('stops when there are enough', async () => {
    const make = 'for i in 1 2 3 4 5; do echo $RANDOM > $i; done';
    expect(await shared('', make, make, 3)).toEqual([
      expect.any(String),
      expect.any(String),
      expect.any(String),
      '...',
    ]);
  });

  it('leaves out what is ignored, and what the client itself rewrites', async () => {
    const made = two(
      '',
      'mkdir own; echo a > own/f; echo a > noise',
      'mkdir own; echo b > own/f; echo b > noise',
    );
    const where = { ...made.a, projectRoot: bytePath('/elsewhere'), ignore: ['/**/noise'] };
    const excluded = [bytePath(`${made.host}/own`)];
    expect(await overlapOf({ ...where, excluded }, made.b, 50)).toEqual({ paths: [], more: false });
  });
});
