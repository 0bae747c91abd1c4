import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, finished } from '../../../testing/log/test-child.ts';
import { ROOT } from '../../../testing/root.ts';
import { NO_FUSE } from '../../../testing/sandbox/session.ts';

/**
 * Machines with other mounts: each case runs in a mount namespace, where `setup` (shell) arranges them below
 * $M, a directory on a tmpfs over /srv. Steps: `HOST …` runs on that machine, `CALL …` as a call, `PLAN`
 * makes the plan again, `BACK …` is a call in the background.
 */
const CHILD = `
  import { execFileSync } from 'node:child_process';
  import { mkdirSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { liveProcesses } from '#/core/sandbox/live.ts';
  import { testSession } from '#/testing/sandbox/session.ts';
  process.env.TRAI_LAUNCHER = process.argv[2];
  const steps = JSON.parse(process.argv[3]);
  mkdirSync('/srv/work');
  const session = await testSession('/srv/work');
  const out = [];
  try {
    for (const [kind, line] of steps) {
      if (kind === 'HOST') out.push(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' }));
      if (kind === 'PLAN') await session.replan().then(() => out.push('planned'), (error) => out.push(error.code));
      if (kind === 'CALL') { const { rc, stdout, stderr } = await session.call(line); out.push({ rc, stdout, stderr: stderr.slice(0, 300) }); }
      if (kind === 'BACK') {
        session.start(line);
        while (!(await liveProcesses(session.ctx.source)).some(({ command }) => command === line)) await sleep(20);
        out.push('');
      }
    }
  } finally {
    await session.close();
  }
  process.stdout.write(JSON.stringify(out));
  process.exit(0);
`;

type Step = ['HOST' | 'CALL' | 'PLAN' | 'BACK', string];
let dir: string;
let program: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'trai-mounts-'));
  program = await bundleProgram(dir, 'machine', CHILD);
}, 60_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Called {
  rc: number;
  stdout: string;
  stderr: string;
}

/** For an ordinary user, a user namespace in which that user is root. */
async function machine(setup: string, steps: Step[]): Promise<(string | Called)[]> {
  const enter = process.getuid?.() === 0 ? ['-m'] : ['-U', '-r', '-m'];
  const script = `mount -t tmpfs tmpfs /srv && mkdir /srv/m && cd /srv/m && ${setup} && cd / && exec "$@"`;
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

/** A call must not reach `file` of the host; it may fail or be pending. */
function notWritten(file: string): Step[] {
  return [
    ['CALL', `echo MODEL > ${file}`],
    ['HOST', `cat ${file} 2>/dev/null || echo none`],
  ];
}

describe('nothing is written on the host', () => {
  it.each([
    [
      'a directory that is a mount point itself and holds another one',
      'mkdir v && mount -t tmpfs t v && echo old > v/f && mkdir v/n && mount -t tmpfs t v/n',
      '/srv/m/v/f',
      'old',
    ],
    [
      'a file that is mounted by itself',
      'mkdir d && echo old > src && : > d/f && mount --bind src d/f',
      '/srv/m/d/f',
      'old',
    ],
    [
      'beside a file that is mounted by itself',
      'mkdir d && echo old > d/g && : > d/f && mount --bind /etc/passwd d/f',
      '/srv/m/d/g',
      'old',
    ],
    [
      'a mount below a directory that can be searched but not listed',
      'mkdir -p h/u && mount -t tmpfs t h/u && echo old > h/u/f && chmod 0711 h',
      '/srv/m/h/u/f',
      'old',
    ],
    [
      'a mount point whose flags are locked',
      'mkdir v && mount -t tmpfs -o nosuid,nodev,noexec t v && echo old > v/f && mkdir v/n && mount -t tmpfs t v/n',
      '/srv/m/v/f',
      'old',
    ],
  ])(
    'in %s',
    async (_, setup, file, before) => {
      const [, host] = await machine(setup, notWritten(file));
      expect(host).toBe(`${before}\n`);
    },
    60_000,
  );

  it('in a mount that was read-only when the plan was made', async () => {
    const out = await machine(
      'mkdir v && mount -t tmpfs t v && echo old > v/f && mount -o remount,bind,ro /srv/m/v',
      [
        ['CALL', 'echo MODEL > /srv/m/v/f'],
        ['HOST', 'mount -o remount,bind,rw /srv/m/v'],
        ['CALL', 'echo MODEL > /srv/m/v/f; cat /srv/m/v/f'],
        ['HOST', 'cat /srv/m/v/f'],
      ],
    );
    expect(out[2]).toMatchObject({ rc: 0, stdout: 'MODEL\n', stderr: '' });
    expect(out[3]).toBe('old\n');
  }, 60_000);

  it('when the plan’s list of mounts is empty or lacks a line', async () => {
    const out = await machine('true', [
      ['HOST', 'cd /srv/work/*/state/sessions/s1/plan/current/ && cp fstab ../../fstab.kept && : > fstab'],
      ['CALL', 'ONCE=1; echo ran'],
      ['HOST', 'cd /srv/work/*/state/sessions/s1/plan/current/ && grep -v " /usr " ../../fstab.kept > fstab'],
      ['CALL', 'ONCE=1; echo ran'],
      ['CALL', 'echo ran'],
    ]);
    for (const call of [out[1], out[3]]) {
      expect(call).toMatchObject({ rc: 125, stdout: '' });
      expect(call).toHaveProperty('stderr', expect.stringContaining('not as planned'));
    }
    // Its plan is made anew.
    expect(out[4]).toMatchObject({ rc: 0, stdout: 'ran\n' });
  }, 60_000);
});

it('a file system whose server does not answer keeps no call waiting', async (ctx) => {
  if (NO_FUSE !== '') return ctx.skip(NO_FUSE);
  // Nobody reads from this descriptor: a stat of the mount point would hang.
  const out = await machine(
    'mkdir dead beside && exec 9<>/dev/fuse && mount -i -t fuse -o fd=9,rootmode=40000,user_id=0,group_id=0 dead dead',
    [
      ['CALL', 'echo x > /srv/m/beside/f; cat /srv/m/beside/f'],
      ['HOST', 'ls /srv/m/beside'],
    ],
  );
  expect(out).toMatchObject([{ rc: 0, stdout: 'x\n', stderr: '' }, '']);
}, 60_000);

it('a mount that another one lies over is nothing to plan for', async () => {
  const out = await machine('mkdir -p h/deep && mount -t tmpfs a h/deep && mount -t tmpfs b h', [
    ['CALL', 'echo x > /srv/m/h/f; cat /srv/m/h/f'],
    ['HOST', 'ls -A /srv/m/h'],
  ]);
  expect(out).toMatchObject([{ rc: 0, stdout: 'x\n', stderr: '' }, '']);
}, 60_000);

describe('a session whose mounts change', () => {
  it('plans again when a directory beside a mount comes or goes', async () => {
    const out = await machine('mkdir -p d/a d/n && mount -t tmpfs t d/n', [
      ['HOST', 'rmdir /srv/m/d/a; mkdir /srv/m/d/b'],
      ['PLAN', ''],
      ['CALL', 'echo x > /srv/m/d/b/f; cat /srv/m/d/b/f'],
      ['HOST', 'ls /srv/m/d/b'],
    ]);
    expect(out[2]).toMatchObject({ rc: 0, stdout: 'x\n' });
    expect(out[3]).toBe('');
  }, 60_000);

  it.each([
    ['comes', 'mkdir n', 'mount -t tmpfs t /srv/m/n'],
    ['goes', 'mkdir n && mount -t tmpfs t n', 'umount /srv/m/n'],
    ['comes on a file', 'mkdir n && : > n/g', 'mount --bind /etc/hostname /srv/m/n/g'],
  ])(
    'is entered all the same when one %s between the claim and the entry',
    async (_, setup, change) => {
      const out = await machine(setup, [
        ['CALL', 'echo first'],
        ['HOST', change],
        ['CALL', 'echo x > f; cat f'],
        ['HOST', 'ls /srv/work/*/project/f 2>/dev/null || true'],
      ]);
      expect(out).toMatchObject([{ rc: 0 }, '', { rc: 0, stdout: 'x\n', stderr: '' }, '']);
    },
    60_000,
  );

  it('does not join a namespace that a command made out of the session’s and changed', async () => {
    const out = await machine('true', [
      [
        'CALL',
        // The mounts change before the pipe gets an end.
        'echo seen > f; mkfifo p; (setsid unshare -U -r -m sh -c "mount -t tmpfs t . && cd \\"$PWD\\" && echo up >&3 && exec sleep 60 3>&-" 3>p >/dev/null 2>&1 &) ; read -r up <p; echo $up',
      ],
      ['CALL', 'cat f; echo lost > g'],
    ]);
    expect(out[0]).toMatchObject({ rc: 0, stdout: 'up\n' });
    // The process with other mounts keeps the session busy; no call may run in its view.
    expect(out[1]).toMatchObject({ rc: 125, stdout: '' });
  }, 60_000);

  it('a namespace that was made before keeps new top-level directories read-only', async () => {
    const out = await machine('true', [
      ['BACK', 'sleep 20'],
      ['CALL', '(echo x > /trai-root-test) 2>&1 | grep -c -i -e "read-only" -e "denied"'],
    ]);
    expect(out[1]).toMatchObject({ stdout: '1\n' });
  }, 60_000);
});
