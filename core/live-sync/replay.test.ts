import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type BytePath, fromText, isWithin } from '../../shared/bytes.ts';
import { hidingFile, liveCall, reader } from '../../testing/sandbox/live-call.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { replay } from '../jobs/replay.ts';
import { recordBases } from '../overlay/bases.ts';
import { endProcesses, isQuiet } from '../sandbox/live.ts';
import { withLock } from '../sandbox/lock.ts';
import { noteReplayDir, replayDirs } from '../sandbox/replay-dirs.ts';
import { reap } from '../scan/reap.ts';
import { scan } from '../scan/scan.ts';
import { coveringDir, upperPath } from '../session/session-context.ts';
import { clearQuiet } from './kept-entries.ts';

let s: TestSession;
afterEach(async () => await s.close());

async function session(lines: string, under?: string): Promise<void> {
  s = await testSession(under);
  s.ctx.excluded.push(...replayDirs(s.ctx.projectRoot));
  onHost(lines);
}

const at = (name: string): string => path.join(s.project, name);
const bytes = (...names: string[]): BytePath[] => names.map((name) => fromText(at(name)));
const onHost = (lines: string): void =>
  void execFileSync('bash', ['-ec', lines], { cwd: s.project, stdio: 'pipe' });

const inUpper = (name: string): string => {
  const [file = '' as BytePath] = bytes(name);
  const covered = coveringDir(s.ctx.coveredDirs, file);
  return covered === null ? expect.fail('the project is not covered') : upperPath(covered, file);
};
/** What a killed replay leaves, in a quiet session. */
function leftByReplay(name: string): string {
  const [dir = '' as BytePath] = bytes(name);
  noteReplayDir(s.ctx, dir, () => mkdirSync(inUpper(name)));
  return inUpper(name);
}

const live = (lines?: string) => liveCall(s, lines);

const again = (...names: string[]) => replay(s.ctx, { paths: bytes(...names), everything: false });
const pending = async (): Promise<string[]> =>
  // As root everything is covered, and other programs change files elsewhere.
  (await scan(s.ctx)).changes.flatMap(({ kind, path: one, conflict }) => {
    if (!isWithin(one, s.ctx.projectRoot)) return [];
    const name = Buffer.from(one, 'latin1')
      .toString()
      .slice(s.project.length + 1);
    return `${kind} ${name}${conflict === null ? '' : ` (${conflict})`}`;
  });

function upperDir(): string {
  const covered = coveringDir(s.ctx.coveredDirs, s.ctx.projectRoot);
  return covered === null ? expect.fail('the project is covered') : upperPath(covered, s.ctx.projectRoot);
}

function upper(): string[] {
  if (!existsSync(upperDir())) return [];
  return readdirSync(upperDir(), { recursive: true, encoding: 'utf8' }).sort();
}

async function quiet(): Promise<void> {
  await endProcesses(s.ctx.source);
  await withLock(s, async () => {
    await recordBases(s.ctx);
    expect(await isQuiet(s.ctx)).toBe(true);
    expect(clearQuiet(s.ctx)).toEqual([]);
    await reap(s.ctx);
  });
}

describe.each([
  ['of its own place', undefined],
  ['deep in a place, beside the state directory', homedir()],
])('what the host changes is seen in a live session, in a project %s', (_name, under) => {
  it('a changed file, by rename and in place, with mode and time, and it is no pending change', async () => {
    await session('mkdir -p src .git; echo old > src/a; echo old > src/b; chmod 755 src/b', under);
    const { inside } = await live('cat src/a src/b');
    onHost('echo new > n; touch -d 2001-01-01T00:00:00.123456789Z n; mv n src/a; echo new > src/b');
    expect((await again('src/a', 'src/b')).replayed).toHaveLength(2);
    expect(await inside('cat src/a src/b')).toBe('new\nnew\n');
    expect(await inside('stat -c "%a %.9Y" src/a src/b')).toBe(
      execFileSync('stat', ['-c', '%a %.9Y', at('src/a'), at('src/b')], { encoding: 'utf8' }),
    );
    expect(await pending()).toEqual([]);
    // Nor when the host changes again without a replay.
    onHost('echo newer > src/a; chmod 700 src/b; rm src/b');
    expect(await pending()).toEqual([]);
    expect(upper().filter((name) => !name.includes('.trai-replay'))).toEqual([
      '.git',
      'src',
      'src/a',
      'src/b',
    ]);
    await quiet();
    expect(upper()).toEqual([]);
    expect((await s.call('cat src/a; ls src .git -A')).stdout).toBe('newer\n.git:\n\nsrc:\na\n');
  });

  it('but not what a box hides: the kernel would show it there', async () => {
    await session('echo old > .env; echo old > b', under);
    const { inside, end } = await live(`cat .env b; ${hidingFile('.env')}`);
    for (const line of ['echo new > n; mv n .env; echo new > b', 'rm .env', 'echo newer > .env']) {
      onHost(line);
      expect((await again('.env', 'b')).replayed).not.toContain(bytes('.env')[0]);
      expect(await inside('cat .env b')).toBe('new\n');
    }
    await end();
    expect(await pending()).toEqual([]);
    expect((await s.call('cat .env')).stdout).toBe('newer\n');
  });

  it('again and again, and what is the same already is left alone', async () => {
    await session('echo 0 > a', under);
    const { inside } = await live('cat a');
    for (const n of [1, 2, 3]) {
      onHost(`echo ${n} > a`);
      expect((await again('a')).replayed).toEqual(bytes('a'));
      expect(await inside('cat a')).toBe(`${n}\n`);
      expect((await again('a')).replayed).toEqual([]);
    }
    expect(await pending()).toEqual([]);
  });

  it('new files and directories, removed ones, and links', async () => {
    await session('mkdir d e; echo x > d/x; echo y > e/y; ln -s x d/l', under);
    const { inside } = await live('ls -R . new 2>/dev/null; cat d/x e/y >/dev/null');
    onHost('mkdir -p new/sub; echo n > new/sub/f; echo n > d/n; rm d/x; rm -r e; ln -sfn n d/l');
    const report = await again('new', 'd/n', 'd/x', 'e/y', 'e', 'd/l');
    expect(report.left).toEqual([]);
    expect(await inside('ls -R; cat new/sub/f d/n d/l; readlink d/l')).toBe(
      '.:\nd\nnew\n\n./d:\nl\nn\n\n./new:\nsub\n\n./new/sub:\nf\nn\nn\nn\nn\n',
    );
    expect(await pending()).toEqual([]);
    onHost('rm -r new d; mkdir -p e; echo again > e/y');
    await again('new', 'd', 'e', 'e/y');
    expect(await inside('ls -R; cat e/y')).toBe('.:\ne\n\n./e:\ny\nagain\n');
    expect(await pending()).toEqual([]);
    await quiet();
    expect(upper()).toEqual([]);
  });

  it('a name that the host removed and made again', async () => {
    await session('echo 1 > a', under);
    const { inside } = await live('cat a');
    for (const n of [2, 3]) {
      onHost('rm a');
      await again('a');
      expect(await inside('cat a 2>&1 || :')).toContain('No such file');
      onHost(`echo ${n} > a`);
      await again('a');
      expect(await inside('cat a')).toBe(`${n}\n`);
      expect(await pending()).toEqual([]);
    }
  });

  it('what nobody named, after a command of the host that may have changed anything', async () => {
    await session('mkdir node_modules; echo 1 > a; echo 1 > b', under);
    const { inside } = await live('cat a b; ls node_modules/x 2>/dev/null || :');
    onHost('echo 2 > a');
    await again('a');
    onHost('echo 3 > n; mv n a; echo 3 > n; mv n b; touch node_modules/x');
    expect(await inside('cat a')).toBe('2\n');
    await replay(s.ctx, { paths: [], everything: true });
    expect(await inside('cat a b; ls node_modules')).toBe('3\n3\nx\n');
  });
});

describe('what the sandbox has changed is its own', () => {
  const rows: {
    name: string;
    host: string;
    sandbox: string;
    later: string;
    names: string[];
    shows: string;
  }[] = [
    {
      name: 'a changed file',
      host: 'echo h > a',
      sandbox: 'echo s > a',
      later: 'echo h2 > a',
      names: ['a'],
      shows: 'modified a (unknown-base)',
    },
    {
      name: 'a deleted file',
      host: 'echo h > a',
      sandbox: 'rm a',
      later: 'echo h2 > a',
      names: ['a'],
      shows: 'deleted a (unknown-base)',
    },
    {
      name: 'a new file',
      host: ':',
      sandbox: 'echo s > a',
      later: 'echo h > a',
      names: ['a'],
      shows: 'modified a (unknown-base)',
    },
    {
      name: 'a file that the host removed',
      host: 'echo h > a',
      sandbox: 'echo s > a',
      later: 'rm a',
      names: ['a'],
      shows: 'added a',
    },
    {
      name: 'a directory made again',
      host: 'mkdir d; echo h > d/a',
      sandbox: 'rm -r d; mkdir d',
      later: 'echo h2 > d/a; echo n > d/n',
      names: ['d/a', 'd/n', 'd'],
      shows: 'dir-replaced d (unknown-base)',
    },
    {
      name: 'a deleted directory',
      host: 'mkdir d; echo h > d/a',
      sandbox: 'rm -r d',
      later: 'echo h2 > d/a',
      names: ['d/a'],
      shows: 'deleted d (unknown-base)',
    },
    {
      name: 'a directory that became a link',
      host: 'mkdir d e; echo h > d/a',
      sandbox: 'rm -r d; ln -s e d',
      later: 'echo h2 > d/a',
      names: ['d/a'],
      shows: 'replaced d (unknown-base)',
    },
    {
      name: 'new files in a directory that the host removed',
      host: 'mkdir d; echo h > d/a',
      sandbox: 'echo s > d/s',
      later: 'rm -r d',
      names: ['d/a', 'd'],
      shows: 'added d/s',
    },
  ];
  it.each(rows)('$name', async ({ host, sandbox, later, names, shows }) => {
    await session(host);
    const look = 'find . -printf "%p %y %l %s\\n" | sort; cat a d/a d/s 2>/dev/null || :';
    const { inside } = await live(sandbox);
    await inside('find . >/dev/null');
    const before = await inside(look);
    onHost(later);
    const report = await again(...names);
    expect(report.saved).toEqual([]);
    const after = await inside(look);
    if (!later.startsWith('rm -r')) expect(after).toBe(before);
    expect(after).toContain(sandbox.includes('echo s') ? '\ns' : '.');
    expect((await pending()).join('\n')).toContain(shows.replace(/ \(.*/, ''));
  });

  it('also after a copy of the host’s was there: an edit inside is pending, and the next edit of the host a conflict', async () => {
    await session('echo 1 > a');
    const { inside } = await live('cat a');
    onHost('echo 2 > a');
    await again('a');
    await inside('echo s > a');
    expect(await pending()).toEqual(['modified a']);
    onHost('echo 3 > a');
    expect((await again('a')).left).toEqual(bytes('a'));
    expect(await inside('cat a')).toBe('s\n');
    expect(await pending()).toEqual(['modified a (host-changed)']);
    await inside('rm a');
    expect(await pending()).toEqual(['deleted a (host-changed)']);
  });

  it('a file that a process has open for writing keeps it', async () => {
    await session('echo old > a');
    const { inside } = await live('exec 3>>a');
    onHost('echo host > n; mv n a');
    expect((await again('a')).left).toEqual(bytes('a'));
    await inside('echo more >&3');
    expect(await inside('cat a')).toBe('old\nmore\n');
  });

  it('nothing is written to the host, whatever links the sandbox made', async () => {
    await session('mkdir -p d out; echo h > d/a; echo o > out/a');
    await live('mv d d2; ln -s "$PWD/out" d; ln -s /proc/self/cwd/out p');
    onHost('echo h2 > d/a');
    await again('d/a', 'p/a');
    expect(readFileSync(at('out/a'), 'utf8')).toBe('o\n');
    expect(readdirSync(s.project).sort()).toEqual(['d', 'out']);
  });
});

describe('odd cases', () => {
  it('names of any bytes', async () => {
    await session(':');
    const name = Buffer.from([0xff, 0x0a, 0x20, 0x24, 0x2d]);
    const file = Buffer.concat([Buffer.from(`${s.project}/-`), name]);
    writeFileSync(file, 'old');
    const { inside } = await live('cat ./*');
    writeFileSync(file, 'new');
    await replay(s.ctx, { paths: [file.toString('latin1') as BytePath], everything: false });
    expect(await inside('cat ./*')).toBe('new');
  });

  it('a session without a process is left to its next call', async () => {
    await session('echo 1 > a');
    await s.call('cat a');
    onHost('echo 2 > a');
    expect(await again('a')).toMatchObject({ live: false, replayed: [] });
    expect((await s.call('cat a')).stdout).toBe('2\n');
    expect(upper()).toEqual([]);
  });

  it('modes, links and times that only the host has', async () => {
    await session('echo 1 > a; mkdir closed; echo 1 > closed/f');
    const { inside } = await live('cat a closed/f');
    chmodSync(at('a'), 0o640);
    utimesSync(at('a'), 1, 1);
    rmSync(at('closed/f'));
    symlinkSync('../a', at('closed/f'));
    await again('a', 'closed/f');
    expect(await inside('stat -c "%a %Y" a; readlink closed/f')).toBe('640 1\n../a\n');
    expect(readlinkSync(at('closed/f'))).toBe('../a');
    expect(lstatSync(at('a')).mtimeMs).toBe(1000);
    expect(await pending()).toEqual([]);
    renameSync(at('a'), at('b'));
    await again('a', 'b');
    expect(await inside('ls')).toBe('b\nclosed\n');
  });

  it('what a replay took out goes later; what a process has written to it since becomes a file of the project', async () => {
    await session('echo 1 > a; echo 1 > b; mkdir .git');
    const { inside } = await live('cat a b');
    onHost('echo 2 > a; echo 2 > b');
    expect(await again('a', 'b')).toMatchObject({ kept: 2, saved: [] });
    const dir = path.join(upperDir(), '.git/.trai-replay');
    const first = readdirSync(dir).find((name) => name !== 'in') ?? expect.fail('nothing is kept');
    // Like a process that opened it just before.
    await inside(`echo late >> .git/.trai-replay/${first}`);
    let saved: BytePath[] = [];
    await expect
      .poll(
        async () => {
          const report = await replay(s.ctx, { paths: [], everything: false });
          saved = [...saved, ...report.saved];
          return report.kept;
        },
        { timeout: 30_000, interval: 200 },
      )
      .toBe(0);
    expect(saved).toEqual(bytes('trai-kept-1'));
    expect(await inside('cat trai-kept-1; find .git -type f')).toMatch(/^[12]\nlate\n$/);
    expect(await pending()).toEqual(['added trai-kept-1']);
    await quiet();
    expect(upper()).toEqual(['trai-kept-1']);
  });

  it('what a killed replay had kept is not lost either', async () => {
    await session('echo 1 > a; mkdir .git');
    await s.call('echo kept > .git/kept-1');
    const own = leftByReplay('.git/.trai-replay');
    renameSync(inUpper('.git/kept-1'), `${own}/kept-1`);
    mkdirSync(`${own}/in`);
    await withLock(s, async () => {
      expect(clearQuiet(s.ctx)).toEqual(bytes('trai-kept-1'));
    });
    expect((await s.call('cat trai-kept-1; ls -A .git')).stdout).toBe('kept\n');
  });

  it('a project’s directory that can’t be written is refreshed', async () => {
    await session('mkdir ro; echo 1 > ro/a');
    const { inside } = await live('cat ro/a; chmod 555 ro');
    onHost('echo 2 > n; mv n ro/a');
    await again('ro/a');
    expect(await inside('cat ro/a')).toBe('2\n');
  });

  it('watchers inside are told', async () => {
    await session('mkdir d; echo 1 > a; echo 1 > d/gone');
    mkdirSync(path.join(s.base, 'out'));
    const watcher = `const fs = require('fs');
      for (const dir of ['.', 'd']) fs.watch(dir, (_e, name) => console.log('saw ' + dir + '/' + name));
      console.log('ready'); process.stdin.resume()`;
    const child = s.start(
      `cat a d/gone; exec ${process.execPath} -e ${JSON.stringify(watcher).replaceAll('\\n', ' ')}`,
    );
    const said = reader(child);
    await said.until('ready\n');
    onHost('echo 2 > a; rm d/gone; mkdir new; echo n > d/n');
    await again('a', 'd/gone', 'new', 'd/n');
    let seen = '';
    for (const want of ['saw ./a\n', 'saw d/gone\n', 'saw ./new\n', 'saw d/n\n'])
      if (!seen.includes(want)) seen += `${await said.until(want)}${want}`;
    expect(seen).not.toContain('ended');
  });
});

it('what the sandbox itself has put where files wait is made visible, and keeps nothing from being cleared', async () => {
  await session('echo old > file');
  leftByReplay('.trai-replay');
  await s.call(
    'mkdir -p .trai-replay/kept-x/deep; echo mine > .trai-replay/kept-x/deep/file; echo mine > .trai-replay/own',
  );
  await withLock(s, async () => {
    expect(await isQuiet(s.ctx)).toBe(true);
    clearQuiet(s.ctx);
  });
  expect(
    (await s.call('ls -d .trai-replay 2>&1; cat trai-kept-*/deep/file; cat trai-kept-* 2>/dev/null')).stdout,
  ).toMatch(/No such file.*\nmine\nmine\n$/);
});
