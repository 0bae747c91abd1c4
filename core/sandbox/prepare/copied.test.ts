import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, finished } from '../../../testing/log/test-child.ts';
import { ROOT } from '../../../testing/root.ts';

/**
 * A home directory (/srv/home, on a tmpfs) with a mount below it and the state directory in it. `P` is the
 * project. `SCAN` gives the change list, `COMMIT` commits all, `BACK` starts a call and waits for its file
 * `up`.
 */
const CHILD = `
  import { execFileSync } from 'node:child_process';
  import { existsSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { recordBases } from '#/core/overlay/bases.ts';
  import { scan } from '#/core/scan/scan.ts';
  import { commitAll } from '#/core/commit/commit.ts';
  import { requestFor } from '#/testing/commit/commit.ts';
  import { testSession } from '#/testing/sandbox/session.ts';
  process.env.TRAI_LAUNCHER = process.argv[2];
  const session = await testSession('/srv/home/.local/state');
  const named = (line) => line.replaceAll('P/', session.project + '/');
  const out = [];
  try {
    for (const [kind, line] of JSON.parse(process.argv[3])) {
      if (kind === 'HOST') out.push(execFileSync('/bin/sh', ['-c', named(line)], { encoding: 'utf8', cwd: '/srv/home' }));
      if (kind === 'PLAN') await session.replan().then(() => out.push('planned'), (error) => out.push(error.message));
      if (kind === 'CALL') { const { rc, stdout, stderr } = await session.call(named(line)); out.push({ rc, stdout, stderr }); }
      if (kind === 'BACK') {
        session.start(named(line));
        while ((await session.call('test -e /srv/home/up')).rc !== 0) await sleep(20);
        out.push('');
      }
      if (kind === 'SCAN' || kind === 'COMMIT') {
        await recordBases(session.ctx);
        const list = await scan(session.ctx);
        out.push(list.changes.map((one) => [one.kind, one.path.replace(session.project + '/', 'P/'), one.conflict ?? ''].join(' ').trim()));
        if (list.problems.length > 0) out.push(list.problems);
        if (kind === 'COMMIT') {
          const { state, failed, notApplied } = await commitAll(session.ctx, list, requestFor(list));
          if (state !== 'applied') out.push([failed, notApplied]);
        }
      }
    }
  } finally {
    await session.close();
  }
  process.stdout.write(JSON.stringify(out));
  process.exit(0);
`;

type Step = ['HOST' | 'CALL' | 'PLAN' | 'BACK' | 'SCAN' | 'COMMIT', string];
let dir: string;
let program: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'trai-copied-'));
  program = await bundleProgram(dir, 'home', CHILD);
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** SHLVL: without it, bash takes a socket at stdin (Node's pipes) for a login and reads ~/.bashrc. */
async function home(steps: Step[], setup = ''): Promise<unknown[]> {
  const enter = process.getuid?.() === 0 ? ['-m'] : ['-U', '-r', '-m'];
  const script = `mount -t tmpfs tmpfs /srv && mkdir -p /srv/home/.local/state /srv/home/dir /srv/home/remote && cd /srv/home
    mount -t tmpfs far remote && echo far > remote/f && echo old > .bashrc && echo old > dir/f && ln -s dir link && chmod 0640 .bashrc
    ${setup}
    cd / && exec env HOME=/srv/home SHLVL=2 "$@"`;
  const launcher = join(ROOT, 'hooks/launcher');
  const child = spawn(
    'unshare',
    [...enter, '/bin/sh', '-ec', script, 'sh', process.execPath, program, launcher, JSON.stringify(steps)],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const { stdout, stderr } = await finished(child);
  if (stdout === '') throw new Error(`the machine did not come up: ${stderr}`);
  return JSON.parse(stdout);
}

const fine = (stdout: string) => ({ rc: 0, stdout, stderr: '' });

describe('a home directory with a mount below it', () => {
  it('can be written as any other place, and what is written there is pending', async () => {
    const out = await home([
      ['CALL', 'cd /srv/home; ls -A; cat .bashrc link/f remote/f; stat -c "%a %F" .bashrc link .'],
      [
        'CALL',
        'cd /srv/home; echo new >> .bashrc; rm link; mkdir -p made/deep; echo x > made/deep/f; echo y > dir/f; echo z > remote/f',
      ],
      ['HOST', 'cat .bashrc dir/f remote/f; ls -A; ls -A .local/state/*/state/ | grep -c mask'],
      ['SCAN', ''],
      ['COMMIT', ''],
      ['HOST', 'cat .bashrc dir/f remote/f made/deep/f; test -e link || echo gone; stat -c %a .bashrc'],
      ['PLAN', ''],
      ['SCAN', ''],
      ['CALL', 'cat /srv/home/.bashrc /srv/home/made/deep/f'],
    ]);
    expect(out[0]).toEqual(
      fine(
        '.bashrc\n.local\ndir\nlink\nremote\nold\nold\nfar\n640 regular file\n777 symbolic link\n755 directory\n',
      ),
    );
    expect(out[1]).toEqual(fine(''));
    expect(out[2]).toBe('old\nold\nfar\n.bashrc\n.local\ndir\nlink\nremote\n1\n');
    const changes = [
      'modified /srv/home/.bashrc',
      'modified /srv/home/dir/f',
      'deleted /srv/home/link',
      'added /srv/home/made',
      'added /srv/home/made/deep',
      'added /srv/home/made/deep/f',
      'modified /srv/home/remote/f',
    ];
    expect(out[3]).toEqual(changes);
    expect(out[5]).toBe('old\nnew\ny\nz\nx\ngone\n640\n');
    expect(out[7]).toEqual([]);
    expect(out[8]).toEqual(fine('old\nnew\nx\n'));
  }, 60_000);

  it('shows what the host changes there, and what both sides changed is in conflict', async () => {
    const out = await home([
      ['CALL', 'cat /srv/home/.bashrc'],
      ['HOST', 'echo later > .bashrc; echo more > .profile; mkdir young; echo h > young/f'],
      ['PLAN', ''],
      ['CALL', 'cd /srv/home; cat .bashrc .profile young/f; echo mine > .bashrc'],
      ['SCAN', ''],
      ['HOST', 'echo theirs > .bashrc'],
      ['PLAN', ''],
      ['CALL', 'cat /srv/home/.bashrc'],
      ['SCAN', ''],
    ]);
    expect(out[3]).toEqual(fine('later\nmore\nh\n'));
    expect(out[4]).toEqual(['modified /srv/home/.bashrc']);
    expect(out[7]).toEqual(fine('mine\n'));
    expect(out[8]).toEqual(['modified /srv/home/.bashrc host-changed']);
  }, 60_000);

  it('never takes for seen what the host changed after the copy was made', async () => {
    const out = await home([
      // A live session keeps its copy, and so the old content.
      ['BACK', 'touch /srv/home/up; sleep 60'],
      ['HOST', 'echo theirs > .bashrc; echo new > created; mkdir young; echo h > young/f; rm link'],
      ['PLAN', ''],
      [
        'CALL',
        'cd /srv/home; echo mine >> .bashrc; echo mine > created; mkdir -p young; echo mine > young/f; rm link; ln -s x link; cat .bashrc',
      ],
      ['SCAN', ''],
    ]);
    expect(out[3]).toEqual(fine('old\nmine\n'));
    expect(out[4]).toEqual([
      'modified /srv/home/.bashrc host-changed',
      'modified /srv/home/created host-created',
      'modified /srv/home/link host-deleted',
      'added /srv/home/up',
      'modified /srv/home/young/f host-created',
    ]);
  }, 60_000);

  it('shows files that are too large for a copy, or not to be read, as they are, and read-only', async () => {
    const out = await home(
      [
        [
          'CALL',
          'cd /srv/home; stat -c "%s" large; (echo x >> large) 2>&1 | grep -c "Read-only"; echo x > small; cat small',
        ],
        ['HOST', 'stat -c "%s" large; ls small 2>/dev/null || echo none'],
        ['SCAN', ''],
      ],
      'truncate -s 65M large',
    );
    expect(out).toEqual([fine('68157440\n1\nx\n'), '68157440\nnone\n', ['added /srv/home/small']]);
  }, 60_000);

  it('goes on showing what is pending where the host has made the file too large for a copy', async () => {
    const out = await home([
      ['CALL', 'cd /srv/home; echo mine >> .bashrc'],
      ['HOST', 'truncate -s 65M .bashrc'],
      ['PLAN', ''],
      ['CALL', 'cd /srv/home; echo more >> .bashrc; cat .bashrc'],
      ['SCAN', ''],
    ]);
    const pending = ['modified /srv/home/.bashrc host-changed'];
    expect(out).toEqual([fine(''), '', 'planned', fine('old\nmine\nmore\n'), pending]);
  }, 60_000);

  it('lets nothing run when something is mounted below it after the plan was made, until it is made anew', async () => {
    const late =
      'mkdir dir/new other; for d in dir/new other; do mount -t tmpfs late $d; echo late > $d/f; done';
    const write = 'cd /srv/home; for d in dir/new other; do cat $d/f; echo mine > $d/mine; done';
    const out = await home([
      ['CALL', 'cat /srv/home/dir/f'],
      ['HOST', late],
      ['CALL', `ONCE=1; ${write}`],
      ['CALL', write],
      ['HOST', 'ls dir/new other'],
      ['SCAN', ''],
    ]);
    expect(out[2]).toMatchObject({ rc: 125, stdout: '' });
    expect(out[3]).toEqual(fine('late\nlate\n'));
    expect(out[4]).toBe('dir/new:\nf\n\nother:\nf\n');
    expect(out[5]).toEqual(['added /srv/home/dir/new/mine', 'added /srv/home/other/mine']);
  }, 60_000);

  it('lets nothing be written on the host that is not a place of its own', async () => {
    const out = await home([
      [
        'CALL',
        'cd /srv/home; for d in . dir remote .local; do echo x > $d/trai-x; done; rmdir dir remote 2>&1 | grep -c busy',
      ],
      ['HOST', 'find . -name trai-x -not -path "*/overlays/*"'],
    ]);
    expect(out).toEqual([fine('2\n'), '']);
  }, 60_000);
});

it('a project with a mount inside it can be written in its top directory too, and git works below it', async () => {
  const out = await home([
    [
      'HOST',
      'mkdir P/data P/src P/vol; echo v > vol-file; cd P/; git init -q; echo old > top; mount --bind /srv/home/dir P/data; mount -t tmpfs t P/vol; : > one; mount --bind /srv/home/vol-file one',
    ],
    ['PLAN', ''],
    [
      'CALL',
      'echo new > top; echo x > data/f; echo y > vol/g; echo z > made; cat one; (echo w > one) 2>&1 | grep -c Read-only; cd src && git rev-parse --show-prefix',
    ],
    ['HOST', 'cat P/top P/data/f; ls P/vol'],
    ['SCAN', ''],
    ['COMMIT', ''],
    ['HOST', 'cat P/top P/made dir/f P/vol/g || true'],
  ]);
  expect(out[2]).toEqual(fine('v\n1\nsrc/\n'));
  expect(out[3]).toBe('old\nold\n');
  expect(out[4]).toEqual(['modified P/data/f', 'added P/made', 'modified P/top', 'added P/vol/g']);
  expect(out[6]).toBe('new\nz\nx\ny\n');
}, 60_000);
