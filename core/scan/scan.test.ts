import { afterEach, describe, expect, test } from 'vitest';
import { type BytePath, nameOf } from '../../shared/bytes.ts';
import type { ChangeList } from '../../shared/model/change.ts';
import { asRoot, type TestOptions, type TestSession, testSession } from '../../testing/changes/changes.ts';
import { recordBases } from '../overlay/bases.ts';
import { reap } from './reap.ts';
import { hasPending, scan } from './scan.ts';

const open: TestSession[] = [];
function session(options?: TestOptions): TestSession {
  const made = testSession(options);
  open.push(made);
  return made;
}
afterEach(() => {
  for (const made of open.splice(0)) made.remove();
});

function lines(s: TestSession, list: ChangeList): string[] {
  return list.changes.map(
    (change) => `${change.kind} ${change.path.slice(s.ctx.coveredDirs[0]?.path.length ?? 0)}`,
  );
}

describe(`the change list, as ${asRoot ? 'root' : 'an ordinary user'}`, () => {
  const cases: { name: string; host: string; sandbox: string; expected: string[] }[] = [
    {
      name: 'a changed line is a modification',
      host: 'echo a > f',
      sandbox: 'echo b > f',
      expected: ['modified /f'],
    },
    {
      name: 'an appended line is a modification',
      host: 'echo a > f',
      sandbox: 'echo b >> f',
      expected: ['modified /f'],
    },
    { name: 'identical content is no change', host: 'echo a > f', sandbox: 'echo a > f', expected: [] },
    { name: 'a touched file is no change', host: 'echo a > f', sandbox: 'touch f', expected: [] },
    {
      name: 'a file that was made and removed is no change',
      host: 'true',
      sandbox: 'echo > n; rm n',
      expected: [],
    },
    {
      name: 'a mode is a change of its own',
      host: 'echo a > f',
      sandbox: 'chmod 600 f',
      expected: ['meta /f'],
    },
    {
      name: 'setuid is part of the mode',
      host: 'echo a > f; chmod 755 f',
      sandbox: 'chmod u+s f',
      expected: ['meta /f'],
    },
    {
      name: 'a directory mode is one too',
      host: 'mkdir -m 755 d',
      sandbox: 'chmod 700 d',
      expected: ['meta /d'],
    },
    {
      name: 'the mode of a directory that keeps its names',
      host: 'mkdir -m 755 d; echo > d/x; echo > d/y',
      sandbox: 'chmod 700 d; echo 1 > d/y',
      expected: ['meta /d', 'modified /d/y'],
    },
    {
      name: 'touched directories above a change are no changes',
      host: 'mkdir -p a/b/c; echo > a/b/c/x; echo > a/b/y',
      sandbox: 'echo 1 > a/b/c/new',
      expected: ['added /a/b/c/new'],
    },
    {
      name: 'a directory made again lists what it lost, at every depth',
      host: 'mkdir -p d/e/f d/g; echo 1 > d/e/f/x; echo 2 > d/e/y; echo 3 > d/same; echo 4 > d/g/h',
      sandbox: 'rm -rf d; mkdir -p d/e/f; echo 3 > d/same; echo n > d/e/f/new',
      expected: [
        'dir-replaced /d',
        'added /d/e/f/new',
        'deleted /d/e/f/x',
        'deleted /d/e/y',
        'deleted /d/g',
        'deleted /d/g/h',
      ],
    },
    {
      name: 'a directory made again just as it was is no change',
      host: 'mkdir d; echo 1 > d/x',
      sandbox: 'rm -rf d; mkdir d; echo 1 > d/x',
      expected: [],
    },
    {
      name: 'an empty directory made again is no change',
      host: 'mkdir d',
      sandbox: 'rmdir d; mkdir d',
      expected: [],
    },
    {
      name: 'names deleted one by one leave the directory alone',
      host: 'mkdir d; echo 1 > d/x; echo 2 > d/y',
      sandbox: 'rm d/x d/y',
      expected: ['deleted /d/x', 'deleted /d/y'],
    },
    {
      name: 'a rename is a deletion and an addition',
      host: 'mkdir d; echo 1 > d/x',
      sandbox: 'mv d/x d/y',
      expected: ['deleted /d/x', 'added /d/y'],
    },
    {
      name: 'a file with the name of a directory prefix sorts by bytes, parents first',
      host: 'true',
      sandbox: 'mkdir a; echo > a/b; echo > a.txt; echo > a-b',
      expected: ['added /a', 'added /a-b', 'added /a.txt', 'added /a/b'],
    },
  ];
  for (const { name, host, sandbox, expected } of cases) {
    test(name, async () => {
      const s = session();
      s.onHost(host);
      s.inSandbox(sandbox);
      expect(lines(s, await scan(s.ctx))).toEqual(expected);
      expect(await hasPending(s.ctx)).toBe(expected.length > 0);
    });
  }

  test('names are bytes: newline, invalid UTF-8, 255 bytes, spaces, overlay option characters', async () => {
    const s = session();
    const long = 'n'.repeat(255);
    s.onHost(`mkdir $'d\\n\\xff'; echo 1 > $'d\\n\\xff/keep'; echo 2 > $'d\\n\\xff/gone'`);
    s.inSandbox(`rm $'d\\n\\xff/gone'; echo > $'d\\n\\xff/a b,c:d\\\\e'; echo > ${long}; echo > $'\\xe4'`);
    const list = await scan(s.ctx);
    expect(list.changes.map((change) => nameOf(change.path))).toEqual(['a b,c:d\\e', 'gone', long, '\xe4']);
  });

  for (const name of [
    'with space',
    'with:colon,comma',
    'back\\slash',
    'quo\'te"s',
    'new\nline',
    'ünïcode',
    '#hash=equals',
  ]) {
    test(`a place named ${JSON.stringify(name)} can be viewed`, async () => {
      const s = session({ name });
      s.onHost('mkdir d; echo 1 > d/x; echo 2 > d/y');
      s.inSandbox('rm -rf d; mkdir d; echo 3 > d/y');
      expect(lines(s, await scan(s.ctx))).toEqual(['dir-replaced /d', 'deleted /d/x', 'modified /d/y']);
    });
  }

  test('a state directory inside the place is viewed through a wrapped layer and never listed', async () => {
    const s = session({ stateInside: true });
    s.onHost('mkdir d; echo 1 > d/x; echo 2 > d/y');
    s.inSandbox('rm -rf d; mkdir d; echo > d/z; echo 1 > .state/evil; chmod 777 .state');
    expect(lines(s, await scan(s.ctx))).toEqual([
      'dir-replaced /d',
      'deleted /d/x',
      'deleted /d/y',
      'added /d/z',
    ]);
  });

  test('deleting a directory that holds an excluded one lists everything but it', async () => {
    const s = session();
    s.onHost(
      'mkdir -p home/.claude/projects/p; echo 1 > home/.claude/projects/p/log; echo 2 > home/.claude/own; echo 3 > home/f',
    );
    s.ctx.excluded.push(`${s.ctx.home}/home/.claude/projects` as BytePath);
    s.inSandbox('rm -rf home');
    expect(lines(s, await scan(s.ctx))).toEqual(['deleted /home/.claude/own', 'deleted /home/f']);
  });

  test('memory files of the client are listed with the directories they need, the rest of projects/ is not', async () => {
    const s = session();
    s.ctx.excluded.push(`${s.ctx.home}/.claude/projects` as BytePath);
    s.inSandbox(
      'mkdir -p .claude/projects/p/memory .claude/projects/q; cd .claude/projects; echo > p/memory/M.md; echo > p/log; echo > q/log',
    );
    expect(lines(s, await scan(s.ctx))).toEqual([
      'added /.claude',
      'added /.claude/projects',
      'added /.claude/projects/p',
      'added /.claude/projects/p/memory',
      'added /.claude/projects/p/memory/M.md',
    ]);
  });

  test('sockets and ignored entries are marked, counted apart and not pending', async () => {
    const s = session();
    s.ctx.ignore = ['~/.cache/'];
    s.inSandbox(
      `mkdir -p .cache/a; echo 12345 > .cache/a/b; perl -MIO::Socket::UNIX -e 'IO::Socket::UNIX->new(Local => "sock", Listen => 1)'`,
    );
    const list = await scan(s.ctx);
    expect(list.changes.map((change) => change.ignored)).toEqual([
      '~/.cache/',
      '~/.cache/',
      '~/.cache/',
      'socket',
    ]);
    expect(list.ignored).toEqual({ count: 4, bytes: 6 });
    expect(list.counts.added).toBe(0);
    expect(await hasPending(s.ctx)).toBe(false);
    s.inSandbox('echo > real');
    expect(await hasPending(s.ctx)).toBe(true);
  });

  type Closed = { name: string; host: string; sandbox: string; expected: string[] };
  const closed: Closed[] = [
    {
      name: 'a new one',
      host: 'true',
      sandbox: 'mkdir d; echo > d/x; chmod 000 d; echo > e',
      expected: ['added /d unreadable', 'added /e null'],
    },
    {
      name: 'one of the host with a change in it',
      host: 'mkdir d; echo 1 > d/x; echo 1 > d/y',
      sandbox: 'echo 2 > d/x; chmod 000 d',
      expected: ['meta /d unreadable'],
    },
    {
      name: 'one that may be listed and not entered',
      host: 'mkdir d; echo 1 > d/x; echo 1 > d/y',
      sandbox: 'rm d/x; chmod 600 d',
      expected: ['meta /d unreadable'],
    },
    {
      name: 'one in place of a file',
      host: 'echo 1 > d',
      sandbox: 'rm d; mkdir d; echo > d/x; chmod 300 d',
      expected: ['replaced /d unreadable'],
    },
    {
      name: 'one that is closed on the host too',
      host: 'mkdir d; echo 1 > d/x; chmod 000 d',
      sandbox: 'chmod 700 d; echo 2 > d/x; chmod 000 d',
      expected: ['meta /d unreadable'],
    },
  ];
  test.for(closed)(
    'a directory closed to its owner is listed and blocks no later call: $name',
    async (row, ctx) => {
      if (asRoot) return ctx.skip('root reads everything');
      const s = session();
      s.onHost(`${row.host}; sleep 0.05`);
      s.inSandbox(row.sandbox);
      for (const round of ['before', 'after']) {
        const list = await scan(s.ctx);
        const seen = list.changes.map((c) => `${c.kind} ${c.path.slice(s.host.length)} ${c.conflict}`);
        expect([round, ...seen]).toEqual([round, ...row.expected]);
        expect(list.problems.map(({ path }) => path)).toEqual([`${s.host}/d`]);
        expect(await hasPending(s.ctx)).toBe(true);
        await recordBases(s.ctx);
        await reap(s.ctx);
      }
      s.inSandbox('chmod 700 d; test "$(ls d)"');
      expect((await scan(s.ctx)).changes.map(({ conflict }) => conflict)).not.toContain('unreadable');
    },
  );

  test('what the sandbox wrote into a directory that only the host closes is not lost from sight', async (ctx) => {
    if (asRoot) return ctx.skip('root reads everything');
    const s = session();
    s.onHost('mkdir d; echo 1 > d/x; chmod 000 d; sleep 0.05');
    s.inSandbox('chmod 700 d; echo 2 > d/x');
    await recordBases(s.ctx);
    await reap(s.ctx);
    const list = await scan(s.ctx);
    expect(lines(s, list)).toEqual(['meta /d']);
    expect(list.problems.length).toBeGreaterThan(0);
    s.onHost('chmod 700 d');
    expect(lines(s, await scan(s.ctx))).toEqual(['modified /d/x']);
  });

  test('the revision stays while nothing changes and moves with either side', async () => {
    const s = session();
    s.onHost('echo a > f; echo a > g');
    s.inSandbox('echo b > f; rm g');
    const first = (await scan(s.ctx)).revision;
    expect((await scan(s.ctx)).revision).toBe(first);
    s.inSandbox('echo c > f');
    const second = (await scan(s.ctx)).revision;
    expect(second).not.toBe(first);
    s.onHost('echo b > g');
    expect((await scan(s.ctx)).revision).not.toBe(second);
  });

  test('a change carries the identities of both sides, which an edit of the same size moves', async () => {
    const s = session();
    s.onHost('echo a > f; echo a > gone');
    s.inSandbox('echo b > f; echo c > new; rm gone');
    const sides = async () =>
      (await scan(s.ctx)).changes.map(({ hostIdentity, upperIdentity }) => [hostIdentity, upperIdentity]);
    const [f, gone, added] = await sides();
    expect([f, gone, added].map((one) => one?.map((id) => id !== undefined))).toEqual([
      [true, true],
      [true, false],
      [false, true],
    ]);
    s.onHost('echo h > f');
    const [after] = await sides();
    expect(after?.[0]).not.toBe(f?.[0]);
    expect(after?.[1]).toBe(f?.[1]);
  });

  test('a scan beside a live session sees what it wrote', async () => {
    const s = session();
    s.onHost('mkdir d; echo 1 > d/x; echo 2 > d/y');
    const live = await s.live('rm -rf d; mkdir d; echo new > d/z; echo ready; read');
    try {
      expect(lines(s, await scan(s.ctx))).toEqual([
        'dir-replaced /d',
        'deleted /d/x',
        'deleted /d/y',
        'added /d/z',
      ]);
    } finally {
      await live.stop();
    }
  });

  test('a repository and a database are groups', async () => {
    const s = session();
    s.inSandbox(
      'mkdir -p r/.git/objects; echo > r/.git/HEAD; echo > r/f; echo > a.db; echo > a.db-wal; echo > b.db; echo > .gitignore',
    );
    const groups = Object.fromEntries(
      (await scan(s.ctx)).changes.map((c) => [c.path.slice(s.host.length), c.group]),
    );
    expect(groups).toEqual({
      '/.gitignore': null,
      '/a.db': `sqlite:${s.host}/a.db`,
      '/a.db-wal': `sqlite:${s.host}/a.db`,
      '/b.db': null,
      '/r': null,
      '/r/.git': `git:${s.host}/r/.git`,
      '/r/.git/HEAD': `git:${s.host}/r/.git`,
      '/r/.git/objects': `git:${s.host}/r/.git`,
      '/r/f': null,
    });
  });
});
