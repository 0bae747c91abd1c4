import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BytePath, fromText } from '../../../shared/bytes.ts';
import { PERSON, PersonMachine } from '../../../testing/sandbox/ordinary-user.ts';
import type { CallResult } from '../../../testing/sandbox/session.ts';
import { isClosed } from './closed.ts';

const isRoot = process.getuid?.() === 0;
const at = (path: string): BytePath => fromText(path);

describe('what a user owns, or may write', () => {
  let dir: string;
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'trai-closed-'));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('is never closed, nor what is not there, nor anything to root', () => {
    expect(isClosed(at(dir))).toBe(false);
    chmodSync(dir, 0o555);
    expect(isClosed(at(dir))).toBe(false);
    chmodSync(dir, 0o700);
    expect(isClosed(at(join(dir, 'missing')))).toBe(false);
    expect(isClosed(at('/tmp'))).toBe(false);
    if (isRoot) expect(isClosed(at('/root'))).toBe(false);
  });

  it('is told of the machine’s own directories without an error', () => {
    expect(isClosed(at('/usr'))).toBe(false);
    const root = execFileSync('stat', ['-c', '%u %a', '/root'], { encoding: 'utf8' }).trim();
    if (!isRoot && root === '0 700') expect(isClosed(at('/root'))).toBe(true);
  });
});

describe.skipIf(!isRoot)(
  `places in which a user can write nothing${isRoot ? ' (needs root)' : ' (skipped, needs root: only root can make them)'}`,
  () => {
    let machine: PersonMachine;
    beforeAll(async () => {
      machine = await PersonMachine.make();
    }, 60_000);
    afterAll(() => machine.remove());

    /** `/srv/m` has a mount below it, so its directories are covered one by one. */
    const SETUP = `
mkdir -p /srv/m/disk /srv/m/empty /srv/m/private /srv/m/few/deep /srv/m/own/deep /srv/m/many
mkdir /srv/m/theirs && (cd /srv/m/theirs && seq 33 | xargs touch) && chmod 775 /srv/m/theirs
(cd /srv/m/many && seq 33 | xargs touch && chown ${PERSON.uid} 33) && touch "/srv/m/few/$(printf 'odd\\377')"
mount -t tmpfs -o mode=0777 tmpfs /srv/m/disk
echo secret > /srv/m/private/f && chmod 700 /srv/m/private
echo text > /srv/m/few/deep/f && ln -s /srv/home /srv/m/few/link
chown ${PERSON.uid}:${PERSON.uid} /srv/m/own/deep
`;
    const COVERED = `awk '/ - overlay trai:/ && $5 ~ "^/srv/m/" { print $5 }' /proc/self/mountinfo | sort -u | xargs`;
    const out = (results: (string | CallResult)[], n: number): string => {
      const result = results[n];
      return typeof result === 'object' ? `${result.rc} ${result.stdout.trim()}` : (result ?? '');
    };

    it('have no overlay, and are read-only inside', async () => {
      const results = await machine.run(SETUP, [
        ['CALL', COVERED],
        ['CALL', 'touch /srv/m/empty/x 2>&1'],
        ['CALL', 'cat /srv/m/few/deep/f; cat /srv/m/private/f 2>&1; touch /srv/m/own/deep/x; echo $?'],
        ['HOST', 'ls /srv/m/empty /srv/m/own/deep'],
        ['CALL', "stat -c '%A %u' /srv/m/theirs; chmod u+w /srv/m/theirs 2>&1; touch /srv/m/theirs/x 2>&1"],
      ]);
      expect(out(results, 0)).toBe('0 /srv/m/disk /srv/m/many /srv/m/own');
      expect(out(results, 1)).toBe("1 touch: cannot touch '/srv/m/empty/x': Read-only file system");
      expect(out(results, 2)).toBe('0 text\ncat: /srv/m/private/f: Permission denied\n0');
      expect(results[3]).toBe('/srv/m/empty:\n\n/srv/m/own/deep:\n');
      expect(out(results, 4)).toMatch(
        /^1 drwxrwxr-x 65534\n.*Read-only file system\n.*Read-only file system$/,
      );
    }, 60_000);

    it('are covered by the next plan when that changes, at whatever depth, and stay so with something pending', async () => {
      const become = (change: string): string => `
mkdir /srv/home/.sync && chown ${PERSON.uid} /srv/home/.sync
(until [ -e /srv/home/.sync/go ]; do sleep 0.02; done; ${change}; : > /srv/home/.sync/done
until [ -e /srv/home/.sync/back ]; do sleep 0.02; done; chown 0:0 /srv/m/few/deep; : > /srv/home/.sync/over) &`;
      const wait = (say: string, hear: string) =>
        `: > ~/.sync/${say}; until [ -e ~/.sync/${hear} ]; do sleep 0.02; done`;
      const results = await machine.run(
        `${SETUP}\n${become(`chown ${PERSON.uid}:${PERSON.uid} /srv/m/few/deep`)}`,
        [
          ['CALL', 'touch /srv/m/few/deep/x 2>/dev/null; echo $?'],
          ['HOST', wait('go', 'done')],
          // With the old plan: still read-only, and never written to the host.
          ['CALL', 'touch /srv/m/few/deep/x 2>/dev/null; echo $?'],
          ['PLAN', ''],
          ['CALL', `touch /srv/m/few/deep/x; ls /srv/m/few/deep | xargs; ${COVERED}`],
          ['HOST', 'ls /srv/m/few/deep'],
          ['HOST', wait('back', 'over')],
          ['PLAN', ''],
          ['CALL', 'ls /srv/m/few/deep | xargs'],
        ],
      );
      expect(out(results, 0)).toBe('0 1');
      expect(out(results, 2)).toBe('0 1');
      expect(out(results, 4)).toBe('0 f x\n/srv/m/disk /srv/m/few /srv/m/many /srv/m/own');
      expect(results[5]).toBe('f\n');
      expect(out(results, 8)).toBe('0 f x');
    }, 60_000);

    it('let nobody in, and nothing run, when something is mounted in one after the plan was made', async () => {
      const sync = '/srv/home/.sync';
      const change = `mkdir ${sync} && chown ${PERSON.uid} ${sync}
(until [ -e ${sync}/go ]; do sleep 0.02; done; mount -t tmpfs -o mode=0777 tmpfs /srv/m/empty; : > ${sync}/done) &`;
      const results = await machine.run(`${SETUP}\n${change}`, [
        ['CALL', 'echo ran'],
        ['HOST', ': > ~/.sync/go; until [ -e ~/.sync/done ]; do sleep 0.02; done'],
        ['CALL', 'ONCE=1; touch /srv/m/empty/x; echo ran'],
        ['HOST', 'ls /srv/m/empty'],
        // By the next plan, which the launcher asks for.
        ['CALL', COVERED],
      ]);
      expect(out(results, 0)).toBe('0 ran');
      expect(results[2]).toMatchObject({
        rc: 125,
        stdout: '',
        stderr: expect.stringContaining('writable: |/srv/m/empty|'),
      });
      expect(results[3]).toBe('');
      expect(out(results, 4)).toBe('0 /srv/m/disk /srv/m/empty /srv/m/many /srv/m/own');
    }, 60_000);
  },
);
