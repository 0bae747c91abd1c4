import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PERSON, PersonMachine, type PersonStep } from '../../../testing/sandbox/ordinary-user.ts';
import { NEWGIDMAP, rangesOf } from './groups.ts';

describe('subgid', () => {
  it('is read by name and by uid, and lines of another form are passed over', () => {
    const text = 'kim:1005:1\nanna:1006:2\n1000:2000:10\n\n# kim:5:1\nkim:x:1\nkim:7\n';
    expect(rangesOf(text, 'kim', '1000')).toEqual([
      { from: 1005, count: 1 },
      { from: 2000, count: 10 },
    ]);
  });
});

const isRoot = process.getuid?.() === 0;
const why = !isRoot
  ? 'only root can delegate a group'
  : existsSync(NEWGIDMAP)
    ? ''
    : 'there is no newgidmap here';

describe.skipIf(why !== '')(
  `a setgid directory of another group${why === '' ? ' (needs root)' : ` (skipped, needs root: ${why})`}`,
  () => {
    const GROUP = 54400;
    const OTHER = 54500;
    const SETUP = `
install -d -o ${PERSON.uid} -g ${GROUP} -m 2775 /srv/home/team
umask 002
echo old > /srv/home/team/f && echo old > /srv/home/team/gone && chown ${PERSON.uid}:${GROUP} /srv/home/team/*
`;
    const steps: PersonStep[] = [
      [
        'CALL',
        'cd ~/team && id -u && id -g && echo new >> f && mkdir d && echo x > d/g && rm gone && stat -c "%u %g %a" f d d/g; chgrp $(id -g) d/g && chgrp 54400 d/g; ps --ppid $$ -o comm=; true',
      ],
      ['BACK', 'cd ~/team && touch up ~/.up && cp ~/.up "$OLDPWD/up" && sleep 60'],
      ['CALL', 'cd ~/team && echo joined >> f && cat f && stat -c %g f up'],
      ['COMMIT', ''],
      ['HOST', 'cd ~/team && cat f && stat -c "%u %g %a" f d d/g && ls || true'],
    ];
    const run = async (setup: string, what = steps) => {
      const machine = await PersonMachine.make();
      try {
        return await machine.run(`${SETUP}\n${setup}`, what, { groups: [GROUP, OTHER] });
      } finally {
        machine.remove();
      }
    };

    it('is written like any other when the group is delegated in /etc/subgid, and committed with its group', async () => {
      const out = await run(`echo '${PERSON.name}:${GROUP}:1' >> /etc/subgid`);
      const [u, g] = [PERSON.uid, GROUP];
      expect(out[0]).toEqual({
        rc: 0,
        stdout: `${u}\n${u}\n${u} ${g} 664\n${u} ${g} 2775\n${u} ${g} 664\nps\n`,
        stderr: '',
      });
      expect(out[2]).toMatchObject({ stdout: `old\nnew\njoined\n${g}\n${g}\n`, stderr: '' });
      expect(out[4]).toBe(`old\nnew\njoined\n${u} ${g} 664\n${u} ${g} 2775\n${u} ${g} 664\nd\nf\nup\n`);
    });

    it('can’t be changed without that, and nothing is lost', async () => {
      const out = await run(': > /etc/subgid', [
        ['CALL', 'cd ~/team && (echo new >> f) 2>&1'],
        ['HOST', 'cat ~/team/f'],
      ]);
      expect(out[0]).toMatchObject({
        rc: 1,
        stdout: expect.stringContaining('too large for defined data type'),
      });
      expect(out[1]).toBe('old\n');
    });

    it('keeps every call out when newgidmap refuses, and says so', async () => {
      const out = await run(
        `echo '${PERSON.name}:${GROUP}:1' >> /etc/subgid; printf '#!/bin/sh\\necho no >&2; exit 1\\n' > /srv/no && chmod 755 /srv/no && mount --bind /srv/no ${NEWGIDMAP}`,
        [['CALL', 'echo ran']],
      );
      expect(out[0]).toMatchObject({
        rc: 125,
        stdout: '',
        stderr: expect.stringContaining('could not be mapped'),
      });
    });
  },
);
