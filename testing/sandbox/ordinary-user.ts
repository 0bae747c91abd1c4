/**
 * An ordinary user on a machine that root arranges, in mount and network namespaces of its own. `/etc` is an
 * overlay of the real one, where tests may write; `/srv/home` is the user's home.
 */

import { spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundleProgram, finished } from '../log/test-child.ts';
import { ROOT } from '../root.ts';
import type { CallResult } from './session.ts';

/**
 * Steps as that user: `HOST` and `CALL` are shell lines, `PLAN` makes the mount plan again, `BACK` starts a
 * call and waits for the file `up` in its directory, `COMMIT` lists the changes and commits them.
 */
export type PersonStep = ['HOST' | 'CALL' | 'PLAN' | 'BACK' | 'COMMIT', string];

const CHILD = `
  import { execFileSync } from 'node:child_process';
  import { mkdirSync } from 'node:fs';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { CLOCK_TICK_MS } from '#/shared/log/call-times.ts';
  import { recordBases } from '#/core/overlay/bases.ts';
  import { scan } from '#/core/scan/scan.ts';
  import { commitAll } from '#/core/commit/commit.ts';
  import { requestFor } from '#/testing/commit/commit.ts';
  import { endProcesses } from '#/core/sandbox/live.ts';
  import { testSession } from '#/testing/sandbox/session.ts';
  const [launcher, steps] = process.argv.slice(2);
  process.env.TRAI_LAUNCHER = launcher;
  process.chdir(process.env.HOME);
  const session = await testSession(process.env.UNDER ?? process.env.HOME);
  const out = [];
  try {
    for (const [kind, line] of JSON.parse(steps)) {
      if (kind === 'HOST') {
        out.push(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' }));
        // Nearer to the next call it could not be told which of the two came first, and what both wrote is a conflict.
        await sleep(2 * CLOCK_TICK_MS);
      }
      if (kind === 'PLAN') await session.replan().then(() => out.push('planned'), (error) => out.push(error.code));
      if (kind === 'CALL') out.push(await session.call(line));
      if (kind === 'BACK') {
        session.start(line);
        while ((await session.call('test -e up')).rc !== 0) await sleep(20);
        out.push('');
      }
      if (kind === 'COMMIT') {
        await endProcesses(session.ctx.source);
        await recordBases(session.ctx);
        const list = await scan(session.ctx);
        out.push(list.changes.map((one) => one.kind + ' ' + one.path.replace(process.env.HOME + '/', '')).join(' | '));
        const { failed, notApplied } = await commitAll(session.ctx, list, requestFor(list));
        if (failed.length + notApplied.length > 0) throw new Error(JSON.stringify([failed, notApplied]));
      }
    }
  } finally {
    await session.close();
  }
  process.stdout.write(JSON.stringify(out));
  process.exit(0);
`;

export const PERSON = { name: 'trai-person', uid: 54321, home: '/srv/home' } as const;

const START = `
mount -t tmpfs -o mode=0755 tmpfs /srv
mkdir -p /srv/etc/u /srv/etc/w /srv/home
mount -t overlay etc -o lowerdir=/etc,upperdir=/srv/etc/u,workdir=/srv/etc/w /etc
echo '${PERSON.name}:x:${PERSON.uid}:${PERSON.uid}::${PERSON.home}:/bin/sh' >> /etc/passwd
echo '${PERSON.name}:x:${PERSON.uid}:' >> /etc/group
# The program may lie where the user can't go.
: > /srv/node
mount --bind "$1" /srv/node
shift
ip link set lo up
`;

export class PersonMachine {
  readonly #dir: string;
  readonly #program: string;

  private constructor(dir: string, program: string) {
    this.#dir = dir;
    this.#program = program;
  }

  static async make(): Promise<PersonMachine> {
    // The user may not be able to enter TMPDIR.
    const dir = mkdtempSync('/tmp/trai-person-');
    chmodSync(dir, 0o755);
    cpSync(join(ROOT, 'hooks/launcher'), join(dir, 'launcher'), { recursive: true });
    return new PersonMachine(dir, await bundleProgram(dir, 'person', CHILD));
  }

  /**
   * `setup`: shell lines that root runs (-e) before; `groups`: the user's supplementary groups; `env`: HOME
   * replaces `PERSON.home`, UNDER is where the project is made if not in HOME.
   */
  async run(
    setup: string,
    steps: readonly PersonStep[],
    more: { groups?: readonly number[]; env?: Readonly<Record<string, string>> } = {},
  ): Promise<(string | CallResult)[]> {
    const { uid, home, name } = PERSON;
    const groups =
      more.groups === undefined ? ['--clear-groups'] : ['--groups', [uid, ...more.groups].join(',')];
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin', HOME: home, USER: name, ...more.env };
    const script = `${START}\n${setup}\nchown ${uid}:${uid} ${home}\ncd ${home}\n"$@"\nexit`;
    const argv = [
      ...['setpriv', '--reuid', String(uid), '--regid', String(uid), ...groups],
      ...['env', '-i', ...Object.entries(env).map(([key, value]) => `${key}=${value}`)],
      ...['/srv/node', this.#program, join(this.#dir, 'launcher'), JSON.stringify(steps)],
    ];
    const child = spawn(
      'unshare',
      [
        '--mount',
        '--net',
        '--pid',
        '--fork',
        '--mount-proc',
        '--kill-child',
        '/bin/sh',
        '-ec',
        script,
        'sh',
        process.execPath,
        ...argv,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const { stdout, stderr } = await finished(child);
    if (stdout === '') throw new Error(`the machine did not come up: ${stderr}`);
    return JSON.parse(stdout);
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }
}
