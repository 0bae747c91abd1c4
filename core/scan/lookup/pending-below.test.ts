import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fromText } from '../../../shared/bytes.ts';
import { type TestSession, testSession } from '../../../testing/changes/changes.ts';
import { pendingBelow } from './overlap.ts';

let s: TestSession;
beforeEach(() => {
  s = testSession();
});
afterEach(() => s.remove());

const below = (name = '', limit = 100) => pendingBelow(s.ctx, fromText(`${s.host}${name}`), limit);

test('counts what was made, changed or deleted, at any depth; directories and what is ignored or excluded are left out', () => {
  s.onHost(
    'mkdir -p a/b c; echo 1 > a/changed; echo 1 > a/b/gone; echo 1 > c/other; mkdir gone-too; echo 1 > gone-too/x',
  );
  s.inSandbox(
    'echo 2 > a/changed; rm a/b/gone; mkdir a/new; echo 3 > a/new/x; mkdir cache own; echo 4 > cache/x; echo 5 > own/x; rm -r gone-too',
  );
  s.ctx.excluded.push(fromText(`${s.host}/own`));
  const ctx = { ...s.ctx, ignore: ['cache/'] };
  expect(pendingBelow(ctx, s.ctx.home, 100)).toMatchObject({ count: 4, more: false });
  expect(pendingBelow(s.ctx, s.ctx.home, 100)).toMatchObject({ count: 5 });
  expect(below('/a')).toMatchObject({ count: 3 });
  expect(below('/a/b')).toMatchObject({ count: 1 });
  expect(below('/c')).toMatchObject({ count: 0 });
  expect(below('/none/at/all')).toMatchObject({ count: 0 });
});

test('a mark of deletion whose name the host has lost says nothing', () => {
  s.onHost('echo 1 > a; echo 1 > b');
  s.inSandbox('rm a b');
  s.onHost('rm a');
  expect(below()).toMatchObject({ count: 1 });
});

test('stops at the limit, and says that there is more only then', () => {
  s.inSandbox('touch 1 2 3');
  expect(below('', 3)).toMatchObject({ count: 3, more: false });
  expect(below('', 2)).toMatchObject({ count: 2, more: true });
});

test('the signature stays while content changes, and moves with the paths', () => {
  s.inSandbox('echo 1 > a');
  const first = below();
  s.inSandbox('echo 2 > a');
  expect(below()).toEqual(first);
  s.inSandbox('mv a b');
  expect(below().signature).not.toBe(first.signature);
});

test('a covered directory below the directory counts with it, one above counts for its part', () => {
  s.inSandbox('mkdir in; echo 1 > in/hidden; echo 1 > beside');
  const upper = `${s.ctx.stateDir}/inner`;
  mkdirSync(upper);
  writeFileSync(`${upper}/x`, '');
  writeFileSync(`${upper}/y`, '');
  const [outer] = s.ctx.coveredDirs;
  if (outer === undefined) throw new Error('the session covers nothing');
  s.ctx.coveredDirs.push({ ...outer, n: 8, path: fromText(`${s.host}/in`), upper: fromText(upper) });
  expect(below('/in')).toMatchObject({ count: 2 });
  expect(pendingBelow(s.ctx, fromText('/'), 100)).toMatchObject({ count: 4 });
});
