import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openGrant } from '../../shared/session/node/grants.ts';
import { builtProgram, Place } from './testing.ts';

let built: { tree: string; remove: () => void };
let place: Place;
beforeAll(async () => {
  built = await builtProgram();
}, 120_000);
afterAll(() => built.remove());
beforeEach(() => {
  place = new Place(built.tree);
});
afterEach(async () => await place.close());

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
});
