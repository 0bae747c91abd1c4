/** A file system served by a program (as sshfs, rclone and WSL2's 9p): readable, never writable. */
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PersonMachine } from '../../../testing/sandbox/ordinary-user.ts';

const BINDFS = '/usr/bin/bindfs';
const why =
  process.getuid?.() !== 0
    ? 'only root can arrange the machine'
    : existsSync(BINDFS) && existsSync('/dev/fuse')
      ? ''
      : 'there is no bindfs or no /dev/fuse here';

describe.skipIf(why !== '')(
  `a directory of the user's on FUSE${why === '' ? ' (needs root)' : ` (skipped, needs root: ${why})`}`,
  () => {
    let machine: PersonMachine;
    beforeAll(async () => {
      machine = await PersonMachine.make();
    }, 60_000);
    afterAll(() => machine.remove());

    const SETUP = `
mkdir -p /srv/behind/d /srv/home/far
echo old > /srv/behind/f; echo old > /srv/behind/d/g
chown -R 54321:54321 /srv/behind
${BINDFS} -o allow_other /srv/behind /srv/home/far
`;

    it('can be read, also what changes there; a write fails loudly, and what lies beside it is pending', async () => {
      const out = await machine.run(SETUP, [
        ['CALL', 'cat ~/far/f ~/far/d/g'],
        ['HOST', 'echo newer > ~/far/f; echo made > ~/far/made'],
        ['CALL', 'cat ~/far/f ~/far/made'],
        ['CALL', 'echo x > ~/far/f'],
        ['CALL', 'rm -r ~/far/d'],
        ['CALL', 'cd ~/far && echo x > new; mv f g; ln -s f l; chmod +x f; echo x > ~/beside'],
        ['HOST', 'cd ~/far && cat f made d/g && ls -A . && stat -c %a f && test ! -e ~/beside'],
        ['COMMIT', ''],
        ['HOST', 'cat ~/beside && cd ~/far && cat f made d/g && ls -A .'],
      ]);
      expect(out.slice(0, 3)).toMatchObject([
        { rc: 0, stdout: 'old\nold\n' },
        '',
        { stdout: 'newer\nmade\n' },
      ]);
      for (const call of out.slice(3, 5)) {
        expect(call).toHaveProperty('stdout', '');
        expect(call).toHaveProperty('stderr', expect.stringContaining('Read-only file system'));
      }
      const host = 'newer\nmade\nold\nd\nf\nmade\n';
      expect(out.slice(6)).toEqual([`${host}644\n`, 'added beside', `x\n${host}`]);
    }, 60_000);
  },
);
