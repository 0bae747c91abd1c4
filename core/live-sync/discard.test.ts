/** Discard, its undo, and the undo of a commit while a process of the session runs, through the merged view. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type BytePath, fromText, isWithin, nameOf } from '../../shared/bytes.ts';
import { REPLAY_KEPT_MS } from '../../shared/limits.ts';
import { CLOCK_TICK_MS } from '../../shared/log/call-times.ts';
import type { DiscardReport } from '../../shared/model/commit.ts';
import { Died } from '../../testing/commit/fault-port.ts';
import { hasPython, NO_PYTHON } from '../../testing/commit/python.ts';
import { hidingFile, inNamespace, type LiveCall, liveCall } from '../../testing/sandbox/live-call.ts';
import { type TestSession, testSession } from '../../testing/sandbox/session.ts';
import { lookAtDiscard } from '../commit/discard/discard-part.ts';
import { readHistory } from '../commit/history/history.ts';
import { HELD_OPEN, IN_VIEW, MOUNTED_OVER, NOT_ALL_READ } from '../commit/messages/reasons.ts';
import { JOBS } from '../jobs/jobs.ts';
import { nodePort } from '../kernel/fs/port.ts';
import { isQuiet } from '../sandbox/live.ts';
import { withLock } from '../sandbox/lock.ts';
import { ownReplayDirs, replayDirs } from '../sandbox/replay-dirs.ts';
import { scan } from '../scan/scan.ts';
import { discardLive } from './discard.ts';

let s: TestSession;
let call: LiveCall;
afterEach(async () => {
  vi.restoreAllMocks();
  await s.close();
});

const at = (name: string): string => path.join(s.project, name);
const bytes = (...names: string[]): BytePath[] => names.map((name) => fromText(at(name)));
const onHost = (lines: string): string =>
  execFileSync('bash', ['-ec', lines], { cwd: s.project, stdio: 'pipe', encoding: 'utf8' });
const inside = async (lines: string): Promise<string> => await call.inside(lines);

/** `host` on the host, then `lines` inside, in a call that stays. */
async function live(host: string, lines: string, under?: string): Promise<void> {
  s = await testSession(under);
  s.ctx.excluded.push(...replayDirs(s.ctx.projectRoot));
  writeFileSync(`${s.sessionDir}/calls.jsonl`, '');
  mkdirSync(at('.git'));
  onHost(host);
  // What the host changed in the same tick of the clock would count as changed meanwhile.
  await sleep(3 * CLOCK_TICK_MS);
  call = await liveCall(s, `cd '${s.project}'; ${lines.replaceAll('\n', '; ')}`);
  await JOBS.tidy(s.ctx, { earliestCall: null });
  // What was written in the same tick of the clock does not go by one rename.
  await sleep(2 * CLOCK_TICK_MS);
}

const discard = async (...names: string[]): Promise<DiscardReport> => {
  // As root everything is covered, and other programs change files elsewhere.
  const paths = names.length === 0 ? [s.ctx.projectRoot] : bytes(...names);
  const scope = { kind: 'paths' as const, paths };
  return await JOBS.discard(s.ctx, { scope, revision: null, endProcesses: false });
};

const pending = async (): Promise<string[]> =>
  (await scan(s.ctx)).changes.flatMap(({ kind, path: one, conflict }) => {
    if (!isWithin(one, s.ctx.projectRoot)) return [];
    const name = Buffer.from(one, 'latin1')
      .toString()
      .slice(s.project.length + 1);
    return `${kind} ${name}${conflict === null ? '' : ` (${conflict})`}`;
  });

/** Everything of the project as the process inside sees it: names, modes, contents. */
const VIEW = `find . -name .git -prune -o -printf '%p %y %m %l\\n' -type f -exec sha256sum {} \\; | LC_ALL=C sort`;
const view = async (): Promise<string> => await inside(VIEW);
const hostView = (): string => onHost(VIEW);

async function ended(): Promise<void> {
  await call.end();
  await expect.poll(async () => await isQuiet(s.ctx), { timeout: 60_000 }).toBe(true);
}

async function quiet(): Promise<void> {
  await ended();
  await JOBS.tidy(s.ctx, { earliestCall: null });
}

const NEW = 'mkdir -p new/deep; echo n > new/n; echo m > new/deep/m';
/** Of another time than `new`, by which descriptors are told apart. */
const LATER = 'echo 1 > f; until [ f -nt new/deep/m ]; do echo 1 > f; done';

/** Runs the lines in a process of the session, one at each call, which waits for its end. */
async function stepping(...lines: readonly string[]): Promise<() => void> {
  const [go, said] = [`${s.base}/go`, `${s.base}/said`];
  const steps = lines.map((line) => `read -r x < ${go}; ${line}; echo > ${said}`).join('; ');
  await inside(`mkfifo ${go} ${said}; { ${steps}; } </dev/null >/dev/null 2>&1 &`);
  return () => {
    writeFileSync(go, '\n');
    readFileSync(said);
  };
}

function dyingAsOneIsTakenOut(): void {
  const { rename } = nodePort;
  vi.spyOn(nodePort, 'rename').mockImplementation((from, to) => {
    if (to.includes('/kept-')) throw new Died('rename');
    rename(from, to);
  });
}

const SCENE = `mkdir -p d/sub keep re typed; echo 1 > f; echo x > d/x; echo y > d/sub/y; echo k > keep/k; echo r > re/r
ln -s f l; echo t > t; echo z > typed/z; echo gone > gone; chmod 755 keep; echo m > m`;
const CHANGES = `echo 2 > f; rm -r d; mkdir -p new/deep; echo n > new/n; echo nn > new/deep/n; rm -r re; mkdir re; echo other > re/o
ln -sfn d l; rm t; mkdir t; echo in > t/in; rm -r typed; echo file > typed; rm gone; chmod 700 keep; mkfifo new/p; chmod 600 m; ln new/n hard`;

const CHANGING: ReadonlySet<string> = new Set([
  'link',
  'rename',
  'unlink',
  'rmdir',
  'mkdir',
  'append',
  'run',
]);

/** Calls of the port that a discard makes after `lines`, which are run for that many files; and those that change something. */
async function callsOf(host: string, lines: string, files: number): Promise<[all: number, changes: number]> {
  const each = (line: string) => `for i in $(seq ${files}); do ${line}; done`;
  await live(`mkdir d; ${each(host)}`, `mkdir n; ${each(lines)}`);
  const counts = Object.entries(nodePort).flatMap(([name, call]) =>
    typeof call === 'function' ? [{ name, spy: vi.spyOn(nodePort, name as keyof typeof nodePort) }] : [],
  );
  // What was taken stays for a while: on a slow machine some of it would go at once.
  vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  expect((await discard()).left).toBeUndefined();
  const sum = (of: typeof counts) => of.reduce((all, { spy }) => all + spy.mock.calls.length, 0);
  const calls: [number, number] = [sum(counts), sum(counts.filter(({ name }) => CHANGING.has(name)))];
  vi.restoreAllMocks();
  expect(await pending()).toEqual([]);
  await s.close();
  return calls;
}

it('a discard of a live session changes and asks as much for each entry, however many go', async () => {
  const of = async (files: number) => await callsOf('echo 1 > d/$i', 'echo 2 >> d/$i; echo 1 > d/n$i', files);
  const [[few], [more], [most]] = [await of(20), await of(40), await of(80)];
  expect(more - few).toBeGreaterThan(20);
  expect(most - more).toBe(2 * (more - few));
});

it('a directory of which nothing is the host’s leaves a live view by one rename, however much is in it', async () => {
  const of = async (files: number) => await callsOf(':', 'mkdir n/$i; echo $i > n/$i/f', files);
  const [[few, fewChanges], [more, moreChanges], [most, mostChanges]] = [
    await of(20),
    await of(40),
    await of(80),
  ];
  expect(most - more).toBe(2 * (more - few));
  expect(fewChanges).toBeGreaterThan(3);
  expect([moreChanges, mostChanges]).toEqual([fewChanges, fewChanges]);
});

describe('in a live session', () => {
  it('a discard of everything shows the host again, and its undo brings everything back', async () => {
    await live(SCENE, CHANGES);
    const [changed, host] = [await view(), hostView()];
    const listed = await pending();
    expect(listed.length).toBeGreaterThan(12);
    const report = await discard();
    expect(report.left).toBeUndefined();
    expect(await pending()).toEqual([]);
    expect(await view()).toBe(host);
    expect(hostView()).toBe(host);
    await JOBS.undo(s.ctx, { trash: report.trash });
    expect(await pending()).toEqual(listed);
    expect(await view()).toBe(changed);
    expect(hostView()).toBe(host);
    expect(readHistory(s.ctx)).toMatchObject([{ kind: 'discard', state: 'undone' }]);
    await quiet();
    expect(await pending()).toEqual(listed);
  });

  it('what was discarded can be undone when the session is quiet, and the overlay keeps nothing of it', async () => {
    await live(SCENE, CHANGES);
    const [listed, host] = [await pending(), hostView()];
    const { trash } = await discard();
    await quiet();
    expect(await pending()).toEqual([]);
    await JOBS.undo(s.ctx, { trash });
    expect(await pending()).toEqual(listed);
    expect(hostView()).toBe(host);
  });

  it('what comes back is on disk before the trash gives it up', async () => {
    await live('echo 1 > f', 'echo 2 > f; echo n > n');
    const { trash } = await discard();
    const order: string[] = [];
    const { syncFs, unlink } = nodePort;
    vi.spyOn(nodePort, 'syncFs').mockImplementation(async (fd) => {
      await syncFs(fd);
      order.push('synced');
    });
    vi.spyOn(nodePort, 'unlink').mockImplementation((file) => {
      if (realpathSync(path.dirname(file)).startsWith(`${s.state}/trash/${trash}/overlay`))
        order.push('gone');
      unlink(file);
    });
    await JOBS.undo(s.ctx, { trash });
    expect(order).toEqual(['synced', 'gone', 'gone']);
  });

  it('an interrupted discard keeps what it has taken, also where nothing can take the rest', async () => {
    await live(':', 'mkdir -p new/deep; echo n > new/n; echo m > new/deep/m');
    const [changed, listed] = [await view(), await pending()];
    // Entry by entry, as a process works in it.
    await inside('cd new');
    const { rmdir } = nodePort;
    vi.spyOn(nodePort, 'rmdir').mockImplementation((dir) => {
      if (dir.endsWith('/deep')) throw new Died('rmdir');
      rmdir(dir);
    });
    await expect(discard()).rejects.toThrow(Died);
    vi.restoreAllMocks();
    expect(await inside('cd ..; ls new')).toBe('deep\n');
    // Names of the user's, where trai would keep what it takes out.
    onHost('mkdir .git/.trai-replay .trai-replay');
    s.ctx.home = s.ctx.projectRoot;
    await JOBS.recover(s.ctx, null);
    onHost('rmdir .git/.trai-replay .trai-replay');
    const [entry] = readHistory(s.ctx);
    expect(await pending()).toEqual(['added new', 'added new/deep']);
    await discard();
    await JOBS.undo(s.ctx, { trash: entry?.trash ?? '' });
    expect(await view()).toBe(changed);
    expect(await pending()).toEqual(listed);
  });

  it('a part of it: the rest stays as it is', async () => {
    await live(SCENE, CHANGES);
    const { entries } = await discard('f', 'd', 'new/deep');
    expect(entries).toBeGreaterThan(3);
    expect(await inside('cat f d/x d/sub/y; ls new re; cat re/o')).toBe(
      '1\nx\ny\nnew:\nn\np\n\nre:\no\nother\n',
    );
    const listed = await pending();
    expect(listed).toContain('added new/n');
    expect(listed.filter((one) => /\b(f|d|new\/deep)\b/.test(one))).toEqual([]);
  });

  it('a later write is pending anew, and the next change of the host a conflict', async () => {
    await live(SCENE, CHANGES);
    await discard();
    await inside('echo 3 > f; echo more >> d/x; echo new > gone');
    await JOBS.tidy(s.ctx, { earliestCall: null });
    expect(await pending()).toEqual(['modified d/x', 'modified f', 'modified gone']);
    onHost('echo h > f');
    expect(await pending()).toContain('modified f (host-changed)');
    expect(onHost('cat d/x')).toBe('x\n');
  });

  it('a deletion stays pending while a process has something of that directory open', async () => {
    await live('mkdir d; echo x > d/x; echo 1 > f', 'exec 7<d/x; rm -r d; echo 2 > f');
    const listed = (await pending()).filter((one) => one.includes(' d'));
    const { left } = await discard();
    expect(left).toEqual([{ path: fromText(at('d')), why: HELD_OPEN }]);
    expect(await pending()).toEqual(listed);
    // The name is neither shown nor half there (ESTALE).
    expect(await inside('ls; mkdir e && rmdir e; cat f; exec 7<&-')).toBe('f\n1\n');
    expect((await discard()).left).toBeUndefined();
    expect(await inside('cat d/x; ls')).toBe('x\nd\nf\n');
    expect(await pending()).toEqual([]);
  });

  it('a deletion that could not stay pending, as the disk is full, is discarded and can come back', async () => {
    await live('mkdir d; echo x > d/x', 'exec 7<d/x; rm -r d');
    const listed = await pending();
    const { rename } = nodePort;
    vi.spyOn(nodePort, 'rename').mockImplementation((from, to) => {
      if (nameOf(from).startsWith('out')) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      rename(from, to);
    });
    const { left, entries, trash } = await discard();
    vi.restoreAllMocks();
    expect([left, entries]).toEqual([undefined, 1]);
    expect(await pending()).toEqual([]);
    expect(await inside('exec 7<&-; cat d/x')).toBe('x\n');
    await JOBS.undo(s.ctx, { trash });
    expect(await pending()).toEqual(listed);
  });

  it.each([
    ['dir-replaced', 'mkdir d; echo n > d/n', 'live'],
    ['dir-replaced', 'mkdir d; echo n > d/n', 'quiet'],
    ['replaced', 'echo n > d', 'live'],
    ['replaced', 'echo n > d', 'quiet'],
  ])(
    'what was made in the place of a directory of which a process has something open comes back: %s by %s, %s',
    async (kind, make, as) => {
      await live('mkdir d; echo x > d/x', `exec 7<d/x; rm -r d; ${make}`);
      const [changed, listed] = [await view(), await pending()];
      expect(listed).toContain(`${kind} d`);
      const { left, trash } = await discard();
      expect(left).toEqual([{ path: fromText(at('d')), why: HELD_OPEN }]);
      expect(await pending()).toContain('deleted d');
      if (as === 'quiet') await quiet();
      await JOBS.undo(s.ctx, { trash });
      expect(await pending()).toEqual(listed);
      if (as === 'live') expect(await view()).toBe(changed);
    },
  );

  it.each(['live', 'quiet'])('what comes back is in conflict as it was: %s', async (as) => {
    await live('echo 1 > f; mkdir d; echo x > d/x', ':');
    await inside('echo 2 > f; exec 7<d/x; rm -r d; mkdir d; echo n > d/n');
    await JOBS.tidy(s.ctx, { earliestCall: null });
    onHost('echo h > f; echo h > d/x');
    await sleep(3 * CLOCK_TICK_MS);
    const listed = await pending();
    expect(listed).toEqual(
      expect.arrayContaining(['modified f (host-changed)', 'deleted d/x (host-changed)']),
    );
    // Leaves an untouched copy of the host's `f`, and a whiteout in the place of `d`.
    const { trash } = await discard();
    await JOBS.tidy(s.ctx, { earliestCall: null });
    expect(await pending()).toContain('deleted d/x (host-changed)');
    if (as === 'quiet') await ended();
    await JOBS.undo(s.ctx, { trash });
    expect(await pending()).toEqual(listed);
  });

  it.each([
    ['was deleted', 'rm -r d', ['deleted d', 'deleted d/x']],
    ['was made again', 'rm -r d; mkdir d; echo n > d/n', ['added d/n', 'deleted d/x', 'dir-replaced d']],
  ])(
    'a directory that %s stays as on the host while a process has a file of it open',
    async (_, make, listed) => {
      await live('mkdir d; echo x > d/x; echo 1 > f', `${make}; echo 2 > f`);
      const { trash } = await discard();
      await quiet();
      call = await liveCall(s, `cd '${s.project}'; exec 7<d/x`);
      await expect(JOBS.undo(s.ctx, { trash })).rejects.toMatchObject({
        code: 'not-empty',
        message: expect.stringContaining(IN_VIEW),
      });
      expect(await pending()).toEqual([]);
      expect(await inside('cat d/x f')).toBe('x\n1\n');
      await quiet();
      await JOBS.undo(s.ctx, { trash });
      const again = (await pending()).map((one) => one.replace(' (unknown-base)', ''));
      expect(again.sort()).toEqual([...listed, 'modified f']);
    },
  );

  it('a deletion by the session is in the way of an undo', async () => {
    await live('mkdir d; echo x > d/x', 'rm -r d; mkdir d; echo n > d/n');
    const { trash } = await discard();
    await inside('rm -r d');
    await expect(JOBS.undo(s.ctx, { trash })).rejects.toMatchObject({ code: 'not-empty' });
    expect(await pending()).toContain('deleted d');
    await quiet();
    await expect(JOBS.undo(s.ctx, { trash })).rejects.toMatchObject({ code: 'not-empty' });
  });

  it('the directory that a run died about, before it was noted whose it is, is never pending', async () => {
    await live('echo 1 > f', 'echo 2 > f');
    await inside('mkdir -p .git/.trai-replay/in');
    const made = { path: `${s.project}/.git/.trai-replay`, id: null };
    writeFileSync(`${s.ctx.sessionDir}/overlay/replay-dirs.jsonl`, `${JSON.stringify(made)}\n`);
    await discard();
    expect(await inside('ls .git/.trai-replay')).toContain('kept-');
    s.ctx.excluded = [fromText(s.state), ...ownReplayDirs(s.ctx)];
    expect(await pending()).toEqual([]);
  });

  it('what a process has open for writing stays pending, and is named with the process', async () => {
    await live(
      'echo 1 > f; echo 1 > g',
      'echo 2 > f; echo 2 > g; mkdir new; echo a > new/a; exec 5>>f 6>>new/a',
    );
    const { left, trash } = await discard();
    expect(left?.map(({ path: one, why }) => `${one.slice(s.project.length + 1)}: ${why}`)).toEqual([
      expect.stringMatching(/^f: .*\(process \d+\).* open for writing/),
      expect.stringMatching(/^new: .*\(process \d+\).* open for writing/),
    ]);
    expect(await pending()).toEqual(['modified f', 'added new', 'added new/a']);
    expect(await inside('echo 3 >&5; echo b >&6; cat f new/a g')).toBe('2\n3\na\nb\n1\n');
    expect(onHost('cat f')).toBe('1\n');
    await JOBS.undo(s.ctx, { trash });
    expect(await inside('cat g')).toBe('2\n');
    await expect(discard('f')).rejects.toMatchObject({ code: 'live' });
    expect(await pending()).toContain('modified f');
  });

  it('what a process writes between the copy to the trash and the removal stays pending', async () => {
    await live('echo 1 > f; echo 1 > g', 'echo 2 > f; echo 2 > g; echo n > n; mkdir new; echo o > new/o');
    const { syncFs } = nodePort;
    vi.spyOn(nodePort, 'syncFs').mockImplementation(async (fd) => {
      await inside('echo 3 > f; echo more >> n; echo more >> new/o');
      await syncFs(fd);
    });
    const { left } = await discard();
    expect(left?.map(({ path: one }) => one.slice(s.project.length + 1))).toEqual(['f', 'n', 'new']);
    expect(await inside('cat f g n new/o')).toBe('3\n1\nn\nmore\no\nmore\n');
    expect(onHost('ls; cat f')).toBe('f\ng\n1\n');
    expect(await pending()).toEqual(['modified f', 'added n', 'added new', 'added new/o']);
  });

  it('what a process has mapped for writing stays pending', async (ctx) => {
    if (!hasPython) ctx.skip(NO_PYTHON);
    await live('echo 11111111 > f', 'echo 22222222 > f');
    const program = `import mmap,sys
f=open("f","r+b"); m=mmap.mmap(f.fileno(),0); f.close(); print("mapped",flush=True)
sys.stdin.readline(); m[0:1]=b"3"; m.flush()`;
    writeFileSync(`${s.base}/map.py`, program);
    await inside(
      `mkfifo ${s.base}/go ${s.base}/said; python3 ${s.base}/map.py < ${s.base}/go > ${s.base}/said &`,
    );
    await inside(`exec 8>${s.base}/go; read -r x < ${s.base}/said; echo $x`);
    await expect(discard('f')).rejects.toMatchObject({ code: 'live' });
    expect(await inside('echo >&8; wait; cat f')).toBe('32222222\n');
    expect(onHost('cat f')).toBe('11111111\n');
  });

  it.each([
    ['opens a file for writing', 'exec 9>>new/deep/m', 'echo more >&9', 'new/deep/m'],
    ['writes to a file', 'echo more >> new/n', ':', 'new/n'],
    ['makes an entry', 'echo more > new/beside', ':', 'new/beside'],
    ['gives a file a second name', 'ln new/n second; echo more >> second', ':', 'new/n'],
    ['begins to work in it', 'cd new/deep', 'echo more > late', 'new/deep/late'],
  ])(
    'loses nothing of a process that, as a new directory leaves the view, %s',
    async (_, first, then, at) => {
      await live(':', `${NEW}; ${LATER}`);
      const step = await stepping(first, then);
      const { rename } = nodePort;
      let taken = 0;
      vi.spyOn(nodePort, 'rename').mockImplementation((from, to) => {
        if (from.endsWith('/new') && to.includes('/kept-') && taken++ === 0) step();
        rename(from, to);
      });
      const { left = [] } = await discard();
      expect(taken).toBe(1);
      step();
      expect(left.map(({ path: one }) => one)).toEqual(bytes('new'));
      expect(onHost('ls')).toBe('');
      await quiet();
      expect((await pending()).filter((one) => one.includes(at))).toEqual([`added ${at}`]);
      const { stdout } = await s.call(`cd '${s.project}'; ls; tail -n 1 ${at}`);
      expect(stdout).toContain('more\n');
      expect(stdout).not.toContain('f\n');
    },
  );

  it('leaves what a box hides, which the kernel would show there, and so does its undo', async () => {
    const host = 'echo host > .env; mkdir d; echo host > d/f';
    await live(host, 'echo pending > .env; echo new > d/new; echo 2 > f');
    const { trash } = await discard('.env');
    await ended();
    call = await liveCall(s, `cd '${s.project}'; ${hidingFile('.env')}`);
    await expect(JOBS.undo(s.ctx, { trash })).rejects.toThrow(MOUNTED_OVER);
    expect(await inside('cat .env')).toBe('');
    await ended();
    call = await liveCall(s, `cd '${s.project}'; ${hidingFile('d/new')}`);
    expect((await discard('d/new', 'f')).left).toEqual([{ path: bytes('d/new')[0], why: MOUNTED_OVER }]);
    expect(await inside('cat d/new; ls')).toBe('d\n');
    await ended();
    expect(await pending()).toEqual(['added d/new']);
  });

  it('leaves what a box shows by another name, so that nothing is lost that is written there', async () => {
    await live(
      'echo host > f; echo > g; mkdir shown',
      'echo 2 > f; mkdir -p new/deep; echo 1 > new/deep/n; echo g > g',
    );
    await ended();
    const bind = 'mount --bind f l; mount --bind new/deep shown';
    call = await liveCall(s, `cd '${s.project}'; : > l; ${inNamespace(bind)}`);
    const left = bytes('f', 'l', 'new').map((one) => ({ path: one, why: MOUNTED_OVER }));
    expect(await discard()).toMatchObject({ left });
    expect(await inside('echo 3 >> l; echo 3 > shown/late; cat f l g')).toBe('2\n3\n2\n3\n\n');
    await ended();
    expect(await pending()).toEqual([
      'modified f',
      'added l',
      'added new',
      'added new/deep',
      'added new/deep/late',
      'added new/deep/n',
    ]);
  });

  it('removes nothing of what is mounted in a new directory as it leaves the view, or later', async (ctx) => {
    if (process.getuid?.() !== 0) ctx.skip('only root can mount in a session');
    await live(':', `${NEW}; echo 1 > f`);
    const [mounted, file] = [`${s.base}/mounted`, `${s.base}/mounted/p`];
    mkdirSync(mounted);
    writeFileSync(file, 'p');
    const step = await stepping(`mount --bind ${mounted} new/deep`, 'umount new/deep');
    const { rename } = nodePort;
    let taken = 0;
    vi.spyOn(nodePort, 'rename').mockImplementation((from, to) => {
      if (from.endsWith('/new') && to.includes('/kept-') && taken++ === 0) step();
      rename(from, to);
    });
    const { left } = await discard();
    expect([taken, left?.map(({ path: one }) => one)]).toEqual([1, bytes('new')]);
    step();
    vi.restoreAllMocks();
    // Nothing has waited long enough.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    await discard('new');
    const kept = `${at('.git/.trai-replay')}/kept-*/deep`;
    await inside(`mount --bind ${mounted} ${kept}`);
    vi.restoreAllMocks();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * REPLAY_KEPT_MS);
    const again = async () => await JOBS.replay(s.ctx, { paths: [], everything: false });
    expect(await again()).toMatchObject({ kept: 1 });
    await inside(`cd .git/.trai-replay; mv kept-* gone-kept; cd -`);
    expect(await again()).toMatchObject({ kept: 1 });
    expect(readFileSync(file, 'utf8')).toBe('p');
    await inside('umount .git/.trai-replay/gone-kept/deep');
    expect(await again()).toMatchObject({ kept: 0 });
    expect(readFileSync(file, 'utf8')).toBe('p');
  });

  it('loses nothing of what a process maps and writes on a tmpfs, where that changes no times', async (ctx) => {
    if (!hasPython) ctx.skip(NO_PYTHON);
    if (process.getuid?.() !== 0) ctx.skip('only root can mount');
    const under = mkdtempSync(path.join(tmpdir(), 'trai-tmpfs-'));
    execFileSync('mount', ['-t', 'tmpfs', 'trai-test', under]);
    onTestFinished(() => {
      execFileSync('umount', ['-l', under]);
      rmdirSync(under);
    });
    await live(':', `${NEW}; echo 1 > f`, under);
    const program = `import mmap,sys
f=open("new/n","r+b"); m=mmap.mmap(f.fileno(),0); m[0]; f.close()
m[0:1]=b"X"; m.close()`;
    writeFileSync(`${s.base}/map.py`, program);
    const step = await stepping(`python3 ${s.base}/map.py`);
    const { rename } = nodePort;
    let taken = 0;
    vi.spyOn(nodePort, 'rename').mockImplementation((from, to) => {
      if (from.endsWith('/new') && to.includes('/kept-') && taken++ === 0) step();
      rename(from, to);
    });
    const { left } = await discard();
    expect([taken, left?.map(({ path: one }) => one)]).toEqual([1, bytes('new')]);
    expect(await pending()).toEqual(['added new', 'added new/deep', 'added new/deep/m', 'added new/n']);
    expect(await inside('cat new/n')).toBe('X\n');
  });

  it('what is made in a new directory after it has left the view becomes visible', async () => {
    await live(':', 'mkdir -p new/deep; echo n > new/n; echo m > new/deep/m');
    // The look at what has waited long enough comes last.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    expect((await discard()).left).toBeUndefined();
    vi.restoreAllMocks();
    // As a process that had it open all the time.
    await inside('cd .git/.trai-replay/kept-*/deep && echo more > late; cd -');
    await quiet();
    expect(await pending()).toEqual(
      ['', '/deep', '/deep/late', '/deep/m', '/n'].map((name) => `added trai-kept-1${name}`),
    );
    expect((await s.call(`cat '${at('trai-kept-1/deep/late')}'`)).stdout).toBe('more\n');
  });

  it('a new directory whose name a process has taken meanwhile comes back beside it', async () => {
    await live(':', NEW);
    const step = await stepping('echo more >> new/n', 'echo file > new');
    const { rename } = nodePort;
    let [taken, given] = [0, 0];
    vi.spyOn(nodePort, 'rename').mockImplementation((from, to) => {
      const isTaken = to.includes('/kept-') && taken++ === 0;
      // Not the rename of its copy to the trash, which comes before.
      const isGiven = taken > 0 && to.endsWith('/new') && given++ === 0;
      if (isTaken || isGiven) step();
      rename(from, to);
    });
    await expect(discard()).rejects.toMatchObject({ code: 'live' });
    vi.restoreAllMocks();
    expect(await inside('cat new new.trai-1/n')).toBe('file\nn\nmore\n');
  });

  it('a directory that has left the view is kept while a process works in it', async () => {
    await live(':', `${NEW}; echo 1 > f`);
    // Nothing has waited long enough.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    await discard('new');
    await inside('cd .git/.trai-replay/kept-*/deep');
    vi.restoreAllMocks();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 2 * REPLAY_KEPT_MS);
    await discard('f');
    expect(await inside('cat m; cd -; echo 1 > f')).toContain('m\n');
    const { rmdir } = nodePort;
    vi.spyOn(nodePort, 'rmdir').mockImplementation((dir) => {
      if (dir.includes('gone-')) throw Object.assign(new Error('busy'), { code: 'EBUSY' });
      rmdir(dir);
    });
    // One that can't be removed is in nobody's way.
    for (const line of ['echo 2 > f', 'echo 3 > f']) {
      await inside(line);
      await discard('f');
    }
    vi.restoreAllMocks();
    expect(await inside('ls .git/.trai-replay')).toContain('gone-');
    await quiet();
    expect(await pending()).toEqual([]);
  });

  it('a new directory goes by one rename whatever its names, modes and links are', async () => {
    const names =
      "mkdir -p new/ro new/$'\\xff'; echo a > new/ro/a; echo b > new/$'\\xff/\\n'; ln new/ro/a new/b";
    await live(':', `${names}; ln -s nowhere new/l; chmod 444 new/b; chmod 555 new/ro; chmod 1777 new`);
    const [changed, listed] = [await view(), await pending()];
    const link = vi.spyOn(nodePort, 'link');
    const { left, trash } = await discard();
    expect([left, link.mock.calls]).toEqual([undefined, []]);
    vi.restoreAllMocks();
    expect([await view(), await pending()]).toEqual([hostView(), []]);
    await JOBS.undo(s.ctx, { trash });
    expect([await view(), await pending()]).toEqual([changed, listed]);
    await discard();
    await quiet();
    expect((await s.call(`ls -A '${s.project}' '${at('.git')}'`)).stdout).not.toContain('.trai-replay');
  });

  it('a directory that was made again comes back whole when a process writes in it as it leaves the view', async () => {
    await live('mkdir new; echo h > new/h', `rm -r new; ${NEW}`);
    const listed = await pending();
    const step = await stepping('echo more > new/beside');
    const { rename } = nodePort;
    vi.spyOn(nodePort, 'rename').mockImplementation((from, to) => {
      if (from.endsWith('/new') && to.includes('/kept-')) step();
      rename(from, to);
    });
    await expect(discard()).rejects.toMatchObject({ code: 'live' });
    vi.restoreAllMocks();
    expect(listed).toContain('dir-replaced new');
    expect((await pending()).filter((one) => one !== 'added new/beside')).toEqual(listed);
    expect(await inside('ls new; cat new/beside')).toBe('beside\ndeep\nn\nmore\n');
    expect((await discard()).left).toBeUndefined();
    expect(await inside('ls new')).toBe('h\n');
  });

  it.each([
    ['by one rename', ':'],
    ['entry by entry', 'exec 7<.git/HEAD'],
  ])(
    'a repository that was made in the session goes %s, though trai keeps what it takes out in .git',
    async (_, use) => {
      await live('rmdir .git', `mkdir -p .git/refs; echo h > .git/HEAD; echo n > n; ${use}`);
      expect((await discard()).left).toBeUndefined();
      expect(await pending()).toEqual([]);
      expect(await inside('ls -A')).toBe('.trai-replay\n');
      await quiet();
      expect((await s.call(`ls -A '${s.project}'`)).stdout).toBe('');
    },
  );

  it('the undo of a repository that was discarded brings back nothing that trai kept in it', async () => {
    await live('rmdir .git', `mkdir -p .git/refs; echo h > .git/HEAD; echo n > n; ${NEW}`);
    const listed = async () => {
      // As the next job finds them: a directory that comes back is another one.
      s.ctx.excluded = [fromText(s.state), ...ownReplayDirs(s.ctx)];
      return await pending();
    };
    await discard('n', 'new');
    const repository = ['added .git', 'added .git/HEAD', 'added .git/refs'];
    expect(await listed()).toEqual(repository);
    const { trash } = await discard();
    expect(await listed()).toEqual([]);
    expect(await inside('ls .trai-replay')).toMatch(/kept-.*\nkept-.*\nkept-/);
    await JOBS.undo(s.ctx, { trash });
    expect(await listed()).toEqual(repository);
    await quiet();
    expect(await listed()).toEqual(repository);
    expect((await s.call(`ls -A '${s.project}' '${at('.git')}'`)).stdout).not.toContain('.trai-replay');
  });

  it('a directory that nobody may look into stays pending, named, and goes when the session is quiet', async (ctx) => {
    if (process.getuid?.() === 0) ctx.skip('root reads every directory');
    await live(
      'mkdir d; echo 1 > f',
      'echo 2 > f; mkdir -p new closed/in; echo n > new/n; echo m > d/m; mkdir d/in; chmod 000 closed/in d/in',
    );
    const { left } = await discard();
    expect(left).toEqual(bytes('closed', 'd/in').map((one) => ({ path: one, why: NOT_ALL_READ })));
    const rest = ['added closed', 'added closed/in (unreadable)', 'added d/in (unreadable)'];
    expect(await pending()).toEqual(rest);
    await expect(discard()).rejects.toMatchObject({ code: 'live' });
    await quiet();
    const { trash } = await discard();
    expect(await pending()).toEqual([]);
    await JOBS.undo(s.ctx, { trash });
    expect(await pending()).toEqual(rest);
  });

  it('a directory that a process closes after a death stops no recovery', async (ctx) => {
    if (process.getuid?.() === 0) ctx.skip('root reads every directory');
    await live('mkdir d; echo x > d/x', 'echo n > d/n; echo 2 > d/x');
    dyingAsOneIsTakenOut();
    await expect(discard()).rejects.toThrow(Died);
    vi.restoreAllMocks();
    await inside('chmod 000 d');
    await JOBS.recover(s.ctx, null);
    await inside('chmod 755 d');
    expect(await inside('cat d/n d/x')).toBe('n\n2\n');
    expect((await discard()).left).toBeUndefined();
    expect(await pending()).toEqual([]);
  });

  it('a file that can’t be read stays pending, and stops nothing, also after a death', async (ctx) => {
    if (process.getuid?.() === 0) ctx.skip('root reads every file');
    await live(':', `${NEW}; chmod 000 new/deep/m; echo 1 > f`);
    const listed = await pending();
    const { left } = await discard('new', 'f');
    expect(left).toEqual([{ path: bytes('new')[0], why: NOT_ALL_READ }]);
    expect(await pending()).toEqual(listed.filter((one) => one !== 'added f'));
    dyingAsOneIsTakenOut();
    await expect(discard('new')).rejects.toThrow(Died);
    vi.restoreAllMocks();
    await quiet();
    expect(await pending()).toContain('added new/deep/m');
  });

  it('a process that works in a discarded directory goes on, and writes nothing to the host', async () => {
    await live(
      'mkdir old; echo o > old/o',
      'mkdir new; echo n > new/n; rm -r old; mkdir old; echo p > old/p; cd new',
    );
    expect((await discard()).left).toBeUndefined();
    expect(await inside('echo x > x 2>/dev/null || echo no; cd ..; ls; cat old/o')).toBe('no\nold\no\n');
    expect(onHost('ls')).toBe('old\n');
  });

  it('what is in the way of the undo is named, and nothing is changed', async () => {
    await live(SCENE, CHANGES);
    const { trash } = await discard();
    await inside('echo 3 > f');
    const before = await view();
    await expect(JOBS.undo(s.ctx, { trash })).rejects.toMatchObject({ code: 'not-empty' });
    expect(await view()).toBe(before);
    await discard('f');
    const [entry] = readHistory(s.ctx);
    expect(entry?.kind).toBe('discard');
  });

  it('watchers inside are told of a discard and of its undo', async () => {
    await live('echo 1 > f; mkdir d; echo x > d/x', 'echo 2 > f; echo n > n; rm -r d');
    const watcher = `${s.base}/watch.cjs`;
    writeFileSync(
      watcher,
      `const fs=require('fs');fs.watch('.',(_,name)=>fs.appendFileSync('${s.base}/seen',name+'\\n'));fs.writeFileSync('${s.base}/up','');setInterval(()=>{},1e6)`,
    );
    await inside(`'${process.execPath}' ${watcher} & `);
    await expect.poll(() => existsSync(`${s.base}/up`), { timeout: 60_000 }).toBe(true);
    const seen = () =>
      existsSync(`${s.base}/seen`) ? readFileSync(`${s.base}/seen`, 'utf8').split('\n') : [];
    const unseen = (...names: string[]) => names.filter((name) => !seen().includes(name));
    const { trash } = await discard();
    // Of a directory that the host has, its parent is told: a name of ours comes and goes.
    await expect.poll(() => unseen('f', 'n', '.trai-replay-seen'), { timeout: 50_000 }).toEqual([]);
    writeFileSync(`${s.base}/seen`, '');
    await JOBS.undo(s.ctx, { trash });
    await expect.poll(() => unseen('f', 'n', 'd'), { timeout: 50_000 }).toEqual([]);
  });
});

describe('the undo of a commit while a process of the session runs', () => {
  const commit = async () => {
    const list = await scan(s.ctx);
    const scope = { kind: 'paths' as const, paths: [s.ctx.projectRoot] };
    const request = {
      scope,
      revision: null,
      includeIgnored: true,
      conflicts: 'take-sandbox' as const,
      choices: {},
    };
    expect(list.problems).toEqual([]);
    return await JOBS.commit(s.ctx, { ...request, yes: true, typedCount: null });
  };
  const undo = (n: number) =>
    JOBS.undoCommit(s.ctx, {
      n,
      revision: null,
      conflicts: 'refuse',
      choices: {},
      yes: true,
      typedCount: null,
      endProcesses: false,
    });

  it.each([
    ['committed while it ran', false],
    ['committed before, so that the overlay had nothing of it any more', true],
  ])('shows the same inside, the host is as before, and a redo commits again: %s', async (_, between) => {
    await live(SCENE, CHANGES.replace('mkfifo new/p; ', ''));
    const [changed, host, listed] = [await view(), hostView(), await pending()];
    if (between) await quiet();
    const { n, failed } = await commit();
    expect(failed).toEqual([]);
    expect(hostView()).toBe(changed);
    if (between) call = await liveCall(s, `cd '${s.project}'`);
    expect(await view()).toBe(changed);
    expect(await undo(n)).toMatchObject({ state: 'applied', failed: [] });
    expect(hostView()).toBe(host);
    expect(await view()).toBe(changed);
    // A directory that was made again is pending as its entries then.
    const again = between ? listed.filter((one) => one !== 'dir-replaced re') : listed;
    expect(await pending()).toEqual(again);
    await inside('echo 4 > f');
    expect(onHost('cat f')).toBe('1\n');
    await inside('echo 2 > f');
    await quiet();
    expect(await pending()).toEqual(again);
    expect(hostView()).toBe(host);
  });

  it('is complete also when a process removes what it has made pending', async () => {
    await live('echo 1 > f', 'echo 2 > f; echo n > n');
    await quiet();
    const { n } = await commit();
    call = await liveCall(s, `cd '${s.project}'`);
    const { syncFs } = nodePort;
    vi.spyOn(nodePort, 'syncFs').mockImplementation(async (fd) => {
      if (!existsSync(at('n'))) await inside('rm -f n');
      await syncFs(fd);
    });
    expect(await undo(n)).toMatchObject({ state: 'applied', failed: [] });
    expect(onHost('ls; cat f')).toBe('f\n1\n');
    expect(await inside('ls; cat f')).toBe('f\n2\n');
    expect(await pending()).toEqual(['modified f']);
  });

  it('a redo in the same live session', async () => {
    await live(SCENE, CHANGES.replace('mkfifo new/p; ', ''));
    const changed = await view();
    await quiet();
    const { n } = await commit();
    call = await liveCall(s, `cd '${s.project}'; cat f new/n >/dev/null`);
    await undo(n);
    expect(await JOBS.redo(s.ctx, null)).toMatchObject({ state: 'applied', failed: [] });
    expect(hostView()).toBe(changed);
    expect(await view()).toBe(changed);
    expect(await pending()).toEqual([]);
  });

  it.each([
    ['works in', 'committed before', 'cd app', true],
    ['works in', 'committed while it ran', 'cd app', false],
    ['reads a file of', 'committed before', 'exec 5<app/a', true],
    ['reads a file of', 'committed while it ran', 'exec 5<app/a', false],
  ])('a new directory that a process %s stays on the host, named: %s', async (_, __, use, between) => {
    await live('echo 1 > f', `echo 2 > f; mkdir app; echo a > app/a; ${between ? ':' : use}`);
    if (between) await quiet();
    const { n } = await commit();
    if (between) call = await liveCall(s, `cd '${s.project}'; ${use}`);
    const report = await undo(n);
    expect(report.failed.map(({ path: one }) => one).sort()).toEqual(bytes('app', 'app/a'));
    expect(onHost('cat f app/a')).toBe('1\na\n');
    expect(await inside(`cd '${s.project}'; ls app; cat f`)).toBe('a\n2\n');
    expect(await pending()).toEqual(['modified f']);
    await quiet();
    expect(await pending()).toEqual(['modified f']);
  });
});

describe('what goes together', () => {
  it('a repository’s data stays with the one file of it that a process writes', async () => {
    await live(
      'git init -q r; echo a > r/a',
      'echo 1 > r/.git/one; echo 2 > r/.git/two; echo b > r/a; exec 5>>r/.git/two',
    );
    const { left } = await discard();
    expect(left?.map(({ path: one }) => one.slice(s.project.length + 1))).toEqual([
      'r/.git/one',
      'r/.git/two',
    ]);
    expect(await pending()).toEqual(['added r/.git/one', 'added r/.git/two']);
    expect(await inside('cat r/a')).toBe('a\n');
  });

  it.each([
    [
      'in a repository of the host’s',
      'git init -q r',
      'echo 1 > r/.git/one; echo 2 > r/.git/two; echo n > n',
    ],
    ['in one of the session’s', ':', 'mkdir -p r/.git; echo 1 > r/.git/one; echo 2 > r/.git/two; echo n > n'],
  ])('a repository’s data stays whole where a process writes it, and ends: %s', async (_, host, lines) => {
    await live(host, lines);
    const listed = await pending();
    const { syncFs } = nodePort;
    vi.spyOn(nodePort, 'syncFs').mockImplementationOnce(async (fd) => {
      await syncFs(fd);
      await inside('echo more >> r/.git/two');
      await ended();
    });
    const { left } = await discard();
    vi.restoreAllMocks();
    expect(left?.every(({ path: one }) => isWithin(one, fromText(at('r'))) || one === at('r'))).toBe(true);
    expect(await pending()).toEqual(listed.filter((one) => one !== 'added n'));
    expect((await s.call(`cd '${s.project}'; cat r/.git/one r/.git/two; ls`)).stdout).toBe('1\n2\nmore\nr\n');
  });

  it('what a process removes itself, and ends, is in the trash', async () => {
    await live(':', 'echo n > n');
    const { syncFs } = nodePort;
    vi.spyOn(nodePort, 'syncFs').mockImplementationOnce(async (fd) => {
      await syncFs(fd);
      await inside('rm n');
      await ended();
    });
    const { left, trash } = await discard();
    vi.restoreAllMocks();
    expect(left).toBeUndefined();
    await JOBS.undo(s.ctx, { trash });
    expect(await pending()).toEqual(['added n']);
  });

  it('a repository’s data stays with the one directory of it that nobody may look into', async (ctx) => {
    if (process.getuid?.() === 0) ctx.skip('root reads every directory');
    await live(
      'git init -q r',
      'echo 1 > r/.git/one; mkdir r/.git/closed; chmod 000 r/.git/closed; echo 2 > f',
    );
    const { left } = await discard();
    expect(left?.map(({ path: one }) => one)).toEqual(bytes('r/.git/closed', 'r/.git/one'));
    const rest = ['added r/.git/closed (unreadable)', 'added r/.git/one (unreadable)'];
    expect(await pending()).toEqual(rest);
  });

  it('what is written between the list and the discard stays pending, and the rest goes', async () => {
    await live('echo 1 > f', 'echo 2 > f; echo n > n');
    const { changes } = await scan(s.ctx);
    await inside('echo 3 > f');
    const { plan } = await lookAtDiscard(s.ctx, await scan(s.ctx), new Set(bytes('f', 'n')), true);
    const stale = plan.tops.map((top) => changes.find(({ path: one }) => one === top.path) ?? top);
    const tools = { port: nodePort, cancelled: () => false };
    const report = await withLock(s.ctx, async (session) => {
      return await discardLive(session, { ...plan, tops: stale }, tools);
    });
    expect(report).toMatchObject({ entries: 1, left: [{ path: bytes('f')[0] }] });
    expect(await pending()).toEqual(['modified f']);
    expect(await inside('cat f')).toBe('3\n');
  });
});
