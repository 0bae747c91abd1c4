import { afterEach, expect, it } from 'vitest';
import { PERSON, PersonMachine } from './person.testing.ts';

let machine: PersonMachine | null = null;
afterEach(() => machine?.remove());

const isRoot = process.getuid?.() === 0;
const needs = isRoot ? ' (needs root)' : ' (skipped, needs root: only root can make directories of others)';
const OWN = `install -d -o ${PERSON.uid} -g ${PERSON.uid}`;

/** Writing below these would copy them up, and their owner does not exist inside. */
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
