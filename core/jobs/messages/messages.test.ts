import { expect, test } from 'vitest';
import { fromText } from '../../../shared/bytes.ts';
import { textsOf } from '../../../testing/messages.ts';
import * as errors from './errors.ts';
import * as texts from './texts.ts';

const path = fromText('/home/kim/shop/a b');
const process = { pid: 41, start: '1', command: 'sleep 9', seconds: 3 };
const [one, other] = [
  { id: 's1', projectRoot: '/home/kim/shop' },
  { id: 's2', projectRoot: '/home/kim/blog' },
];

test('the texts of core/jobs', async () => {
  const found = textsOf(
    { errors, texts },
    {
      errors: {
        adoptsItself: [['s1']],
        otherProject: [[one, other]],
        nothingPending: [['s1']],
        notOneCall: [
          ['abc', 's1', 0],
          ['a', 's1', 2],
        ],
        nothingToDiscard: [[[{ path, why: 'its directory was made in the sandbox' }]]],
        isLive: [
          [[], errors.UNTIL_QUIET],
          [[process], errors.UNTIL_QUIET_TO_DISCARD],
          [[process, process], errors.UNTIL_QUIET_TO_ADOPT, 'session s2'],
          [[process], errors.UNTIL_CLIENT_ENDS],
        ],
        clientIsHere: [['s1', 41]],
        clientStateLocked: [['/home/kim/.claude.json.lock', 12]],
        clientIsOpen: [['s1', 41]],
        adopterHasChanges: [['s2']],
        noClient: [[['/home/kim/.local/bin/claude', '/home/kim/.claude/local/claude']]],
      },
      texts: {
        NEWS: {
          committed: [[1, ' (a)']],
          committedByRule: [[2, ' (a, b)']],
          committedAgain: [[2, ' (a, b)']],
          undone: [[2, ' (a, b)']],
          discarded: [[2, ' (a, b)']],
          discardUndone: [[2]],
          adopted: [['s1']],
        },
        manyFailed: [[2]],
        markersWritten: [[[path]], [[path, path, path, path]]],
        autoLeft: [
          ['/p/dist/a', 'effects[0] of /home/kim/.config/trai/rules.json', '/p/dist'],
          ['/p/a', 'effects[0] of /home/kim/.config/trai/rules.json', '/p/a'],
        ],
        autoFailed: [['this commit deletes the project /p']],
      },
    },
  );
  await expect(found).toMatchFileSnapshot('./messages.txt');
});
