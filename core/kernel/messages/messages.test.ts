import { expect, test } from 'vitest';
import { textsOf } from '../../../testing/messages.ts';
import * as errors from './errors.ts';
import * as reasons from './reasons.ts';

const process = { pid: 41, start: '1', command: 'sleep 9', seconds: 3 };

test('the texts of core/kernel', async () => {
  const found = textsOf(
    { errors, reasons },
    {
      errors: {
        lockUnusable: [['/lock', 'EISDIR: illegal operation on a directory', null]],
        fileNotWritten: [['/config/rules.json', 'ENOSPC: no space left on device, write', null]],
        noFlock: [
          ['/lock', 'spawn flock ENOENT'],
          ['/lock', 'spawn flock EMFILE'],
        ],
        lockHeld: [
          ['/lock', 30, null],
          ['/lock', 30, process],
        ],
        processesNotEnded: [[[process]], [[process, process]]],
      },
    },
  );
  await expect(found).toMatchFileSnapshot('./messages.txt');
});
