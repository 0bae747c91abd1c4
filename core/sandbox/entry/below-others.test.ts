import { afterEach, expect, it } from 'vitest';
import { PERSON, PersonMachine } from '../../../testing/sandbox/ordinary-user.ts';

let machine: PersonMachine | null = null;
afterEach(() => machine?.remove());

const isRoot = process.getuid?.() === 0;
const needs = isRoot ? ' (needs root)' : ' (skipped, needs root: only root can make directories of others)';
const OWN = `install -d -o ${PERSON.uid} -g ${PERSON.uid}`;

/** A write below these would copy them up, and their owner does not exist inside. */
it.skipIf(!isRoot).each<[string, string, Record<string, string>]>([
  ['$HOME', `install -d /srv/realm/dept && ${OWN} /srv/realm/dept/kim`, { HOME: '/srv/realm/dept/kim' }],
  ['a project', `install -d /srv/www/html && ${OWN} /srv/www/html/site`, { UNDER: '/srv/www/html/site' }],
])(
  `%s below directories of others is written like any other, and committed${needs}`,
  async (_, setup, env) => {
    machine = await PersonMachine.make();
    const project = `cd "\${UNDER:-$HOME}"/trai-test-*/project`;
    const out = await machine.run(
      setup,
      [
        [
          'HOST',
          `${project} && mkdir d && echo old > d/f && chmod 750 d && echo kept > ~/.kept; ls -a ~ | grep kept`,
        ],
        [
          'CALL',
          'echo new >> d/f && mkdir d/e && echo x > d/e/made && echo more >> ~/.kept && cat d/f ~/.kept',
        ],
        ['HOST', `${project} && cat d/f && ls d`],
        ['COMMIT', ''],
        ['HOST', `${project} && cat d/f d/e/made ~/.kept && stat -c %a d`],
      ],
      { env },
    );
    expect(out[1]).toEqual({ rc: 0, stdout: 'old\nnew\nkept\nmore\n', stderr: '' });
    expect(out[2]).toBe('old\nf\n');
    expect(out[4]).toBe('old\nnew\nx\nkept\nmore\n750\n');
  },
);

it.skipIf(!isRoot)(
  `beside very many directories of others the project is written like any other; they are read-only, and no mount each${needs}`,
  async () => {
    machine = await PersonMachine.make();
    const full = 'i=0; while [ $((i += 1)) -le 40 ]; do : >$0/$i; done';
    const setup = `install -d /srv/www/team /srv/www/shared && chmod 1777 /srv/www/shared && ${OWN} /srv/www/shared/mine && ${OWN} /srv/www/team/site
n=0; while [ $((n += 1)) -le 101 ]; do mkdir /srv/www/s$n; sh -c '${full}' /srv/www/s$n; done`;
    const out = await machine.run(
      setup,
      [
        [
          'CALL',
          'echo x > made && cat made; echo y > /srv/www/shared/mine/f && cat /srv/www/shared/mine/f /srv/www/s7/1',
        ],
        ['CALL', 'LC_ALL=C touch /srv/www/s7/new 2>&1; grep -c " /srv/www/s" /proc/self/mountinfo'],
        [
          'HOST',
          'ls /srv/www/shared/mine; grep -o "but for [^;]* with it" $UNDER/trai-test-*/state/sessions/s1/plan/current/plan.json',
        ],
      ],
      { env: { UNDER: '/srv/www/team/site' } },
    );
    expect(out[0]).toEqual({ rc: 0, stdout: 'x\ny\n', stderr: '' });
    expect(out[1]).toMatchObject({ stdout: expect.stringMatching(/Read-only file system\n1\n$/) });
    expect(out[2]).toBe('but for 101 of others, which are read-only with it\n');
  },
);
