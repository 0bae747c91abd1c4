import { describe, expect, it, test } from 'vitest';
import { fromText } from '../bytes.ts';
import type { Change, ChangeKind, Side } from './change.ts';
import { countRisks, type Risk, risksOf, riskText } from './risk.ts';

const PLACE = { projectRoot: fromText('/home/kim/shop'), home: fromText('/home/kim') };
const file = (mode = 0o644): Side => ({ type: 'file', mode, uid: 1, gid: 1, size: 1 });
const link = (target: string): Side => ({
  type: 'symlink',
  mode: 0o777,
  uid: 1,
  gid: 1,
  size: 0,
  target: fromText(target),
});

function change(path: string, kind: ChangeKind, pending: Side | null, host: Side | null = null): Change {
  const full = path.startsWith('/') ? path : `/home/kim/shop/${path}`;
  const rest = { ignored: null, conflict: null, group: null };
  return { id: '0', path: fromText(full), kind, pending, host, ...rest };
}
const added = (path: string, pending: Side = file()): Change => change(path, 'added', pending);

const rows: [what: string, change: Change, risks: Risk[]][] = [
  ['an ordinary file', added('src/a.ts'), []],
  ['a file of another project', added('/home/kim/other/a.ts'), ['outside']],
  ['a directory of that name', added('/home/kim/shop-2/a.ts'), ['outside']],
  ['the project itself', change('/home/kim/shop', 'meta', file(), file()), []],
  ['a new executable', added('run.sh', file(0o755)), ['executable']],
  ['one that ran before', change('run.sh', 'modified', file(0o755), file(0o744)), []],
  ['a file that can be run now', change('run.sh', 'meta', file(0o755), file()), ['executable']],
  ['a setuid file', added('su', file(0o4755)), ['setuid', 'executable']],
  ['a setgid file', added('sg', file(0o2644)), ['setuid']],
  ['one that was setuid before', change('su', 'modified', file(0o4755), file(0o4755)), []],
  ['a hook', added('.git/hooks/pre-commit', file(0o755)), ['git-hook', 'executable']],
  ['a hook of a submodule', added('lib/.git/hooks/pre-push'), ['git-hook']],
  ['the sample of a hook', added('.git/hooks/pre-commit.sample'), []],
  ['a hook that is removed', change('.git/hooks/pre-commit', 'deleted', null, file(0o755)), []],
  ['the settings of a repository', change('.git/config', 'modified', file(), file()), ['git-hook']],
  ['an object of a repository', added('.git/objects/ab/cdef'), []],
  ['the settings of git', added('/home/kim/.gitconfig'), ['git-hook', 'outside']],
  ['a shell start-up file', change('/home/kim/.bashrc', 'modified', file(), file()), ['startup', 'outside']],
  ['a file of that name elsewhere', added('home/.bashrc'), []],
  ['a user service', added('/home/kim/.config/systemd/user/x.service'), ['startup', 'outside']],
  ['a cron table', added('/etc/cron.d/x'), ['startup', 'outside']],
  ['a key', added('/home/kim/.ssh/authorized_keys'), ['credentials', 'outside']],
  ['a key that is removed', change('/home/kim/.ssh/id', 'deleted', null, file()), ['credentials', 'outside']],
  ['who there is', change('/etc/passwd', 'modified', file(), file()), ['credentials', 'outside']],
  ['settings of the client', added('.claude/settings.json'), ['agent']],
  ['permission rules of the project', added('.claude/trai.rules.json'), ['agent']],
  ['permission rules of the user', added('.config/trai/rules.imported.json'), ['agent']],
  ['what the agent is told', change('CLAUDE.md', 'modified', file(), file()), ['agent']],
  ['a link within', added('a/b', link('../c')), []],
  ['an absolute link within', added('a', link('/home/kim/shop/b')), []],
  ['a link out', added('a', link('../other')), ['link-out']],
  ['a link out in small steps', added('a/b', link('./../x/../../..')), ['link-out']],
  ['an absolute link out', added('a', link('/etc/passwd')), ['link-out']],
  ['a link outside', added('/home/kim/l', link('/etc')), ['outside']],
  ['a name that turns around', added('exe\u202Efdp.ts'), ['odd-name']],
  ['a name with a line feed', added('a\nb'), ['odd-name']],
  ['a name with a backslash', added('a\\b'), []],
  ['a name in other letters', added('größe-日本.ts'), []],
];

test('hidden characters are flagged where they were found, and not in what a commit leaves out', () => {
  const place = { ...PLACE, hidden: new Set(['0']) };
  expect(risksOf(added('src/a.ts'), place)).toEqual(['hidden']);
  expect(risksOf({ ...added('src/a.ts'), id: '1' }, place)).toEqual([]);
  expect(risksOf({ ...added('src/a.ts'), ignored: 'cache' }, place)).toEqual([]);
});

test.each(rows)('%s', (_what, one, risks) => {
  expect(risksOf(one, PLACE)).toEqual(risks);
});

test('a name that is no text', () => {
  const path = '/home/kim/shop/\xff' as Change['path'];
  expect(risksOf({ ...added('x'), path }, PLACE)).toEqual(['odd-name']);
});

it('says nothing of what a commit leaves out', () => {
  expect(risksOf({ ...added('/home/kim/.bashrc'), ignored: 'rule' }, PLACE)).toEqual([]);
});

describe('counting', () => {
  it('names each risk once, the worst first', () => {
    const list = [added('/home/kim/a'), added('/home/kim/b'), added('c', file(0o4755))];
    expect(countRisks(list, PLACE).map(riskText)).toEqual([
      '1 new setuid or setgid file',
      '2 outside the project',
      '1 newly executable',
    ]);
  });
});
