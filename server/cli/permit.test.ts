import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openGrant } from '../../shared/session/node/grants.ts';
import { eachInAPlace, type Place } from './testing.ts';

let place: Place;
eachInAPlace((made) => {
  place = made;
});

describe('a slash command that names another session than the one it is typed in', () => {
  it.each(['commit', 'discard --yes', 'undo', 'passthrough'])(
    '%s does nothing, neither here nor there',
    async (line) => {
      place.sh('echo 1 > one', 'other');
      place.sh('echo 2 > two', 'own');
      const [name = ''] = line.split(' ');
      await openGrant(join(place.state, 'sessions/own'), { kind: 'permit', what: `${line} --session other` });
      expect(place.trai([name, '--from-prompt'])).toMatchObject({
        rc: 2,
        out: '',
        err: expect.stringContaining(`trai ${line} --session other`),
      });
      for (const session of ['other', 'own']) {
        const { out } = place.trai(['diff', '--list', '--session', session, '--json']);
        expect(JSON.parse(out)).toHaveLength(1);
      }
    },
  );

  it.each([
    [`commit one 'a b'`, `commit --session other one 'a b'`],
    ['discard --yes --call c1', 'discard --yes --call c1 --session other'],
    ['export --branch work', 'export --branch work --session other'],
  ])('%s is repeated with all that it was about, never as an order for everything', async (typed, line) => {
    place.sh('echo 1 > one', 'other');
    place.sh('echo 2 > two', 'own');
    const [name = ''] = typed.split(' ');
    await openGrant(join(place.state, 'sessions/own'), { kind: 'permit', what: `${typed} --session other` });
    const { rc, err } = place.trai([name, '--from-prompt']);
    expect(rc).toBe(2);
    expect(err.replace(/\s+/g, ' ')).toContain(`run in a terminal: trai ${line} `);
  });
});
