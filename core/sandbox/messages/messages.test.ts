import { expect, test } from 'vitest';
import { fromText } from '../../../shared/bytes.ts';
import { textsOf } from '../../../testing/messages.ts';
import * as errors from './errors.ts';
import * as notes from './notes.ts';

const upper = fromText('/state/sessions/s1/overlay/3/u');
const covered = fromText('/home/kim/a b');

test('the texts of core/sandbox', async () => {
  const found = textsOf(
    { errors, notes },
    {
      errors: {
        probeFailed: [[''], ['unshare: EPERM']],
        upperNotMounted: [['/state/sessions/s1/overlay/3/u', 'mount: wrong fs type']],
        newlineAboveMount: [[]],
        newlineInOwnDir: [[]],
        doorSpoilt: [['/s/inside', 'EISDIR']],
        boxRecordUnreadable: [['/state/sessions/s1/box.json']],
        upperMissing: [[upper, covered]],
        linkContradicts: [[fromText('/state/sessions/s1/overlay'), 3, errors.LINK_IS_MISSING]],
        tableSays: [[covered]],
        linkIsTaken: [[2]],
      },
      notes: {
        mayNotAnswer: [['nfs4']],
        noLower: [['fuse']],
        inParts: [
          [notes.mountBelow(covered), 0],
          [notes.mountBelow(covered), 120],
        ],
        othersAbove: [[null], [covered]],
        mountBelow: [[covered]],
        hostsBelow: [[covered]],
      },
    },
  );
  await expect(found).toMatchFileSnapshot('./messages.txt');
});
