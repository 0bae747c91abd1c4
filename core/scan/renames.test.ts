import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeList } from '../../shared/model/change.ts';
import { asRoot, testSession } from '../../testing/changes/changes.ts';
import { commitNow } from '../../testing/commit/commit.ts';
import { recordBases } from '../overlay/bases.ts';
import { scan } from './scan.ts';

const HOST =
  'mkdir d; echo one > a; echo two > b; echo three > b2; echo four > l; ln l l2; : > empty; echo one > same; touch -r a same';
const CASES: { name: string; inside: string; expected: string[] }[] = [
  { name: 'a file', inside: 'mv b2 n', expected: ['b2 → n'] },
  { name: 'into a new directory', inside: 'mkdir n; mv b2 n/b2', expected: ['b2 → n/b2'] },
  { name: 'an empty file', inside: 'mv empty n', expected: ['empty → n'] },
  { name: 'with another mode', inside: 'mv b2 n; chmod 600 n', expected: ['b2 → n'] },
  { name: 'over a file that the sandbox made', inside: 'echo > n; mv b2 n', expected: ['b2 → n'] },
  { name: 'twice', inside: 'mv b2 n; mv n m', expected: ['b2 → m'] },
  { name: 'with other content: deletion and addition', inside: 'mv b2 n; echo >> n', expected: [] },
  { name: 'touched: deletion and addition', inside: 'mv b2 n; touch n', expected: [] },
  { name: 'a copy with the same time that was made anew', inside: 'cp -p b2 n; rm b2', expected: [] },
  { name: 'a link beside the old name is no rename', inside: 'ln b2 n', expected: [] },
  { name: 'one of two files that could be it, and both are gone', inside: 'mv a n; rm same', expected: [] },
  { name: 'one of several names: the kernel keeps no mark then', inside: 'mv l2 n', expected: [] },
  { name: 'two new names', inside: 'ln b2 n; mv b2 m', expected: [] },
  { name: 'two files change places: both are there still', inside: 'mv a n; mv b a; mv n b', expected: [] },
];

const mine = (i: number) => `case${i}`;

describe(`renames, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  const s = testSession();
  let found: string[];
  let left: ChangeList;
  beforeAll(async () => {
    const each = (lines: (one: (typeof CASES)[number]) => string) =>
      CASES.map((one, i) => `mkdir -p ${mine(i)}; ( cd ${mine(i)}; ${lines(one)} )`).join('\n');
    s.onHost(`${each(() => HOST)}\nsleep 0.05`);
    s.inSandbox(each(({ inside }) => inside));
    await recordBases(s.ctx);
    const below = (path: string) => path.slice(s.host.length + 1);
    found = (await scan(s.ctx)).changes.flatMap(({ path, renamedFrom }) =>
      renamedFrom === undefined ? [] : [`${below(renamedFrom)} → ${below(path)}`],
    );
    expect((await commitNow(s)).failed).toEqual([]);
    left = await scan(s.ctx);
  }, 600_000);
  afterAll(() => s.remove());

  test.each(CASES.map((one, i) => ({ ...one, at: `${mine(i)}/` })))('$name', ({ at, expected }) => {
    const here = found.filter((one) => one.startsWith(at)).map((one) => one.replaceAll(at, ''));
    expect(here).toEqual(expected);
  });

  test('are for showing: both entries are listed, and committed as ever', () => {
    expect(left.changes).toEqual([]);
  });
});
