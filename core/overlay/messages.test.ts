import { expect, test } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { textsOf } from '../../testing/messages.ts';
import * as errors from './messages.ts';

test('the texts of core/overlay', async () => {
  const found = textsOf(errors, {
    otherMountNamespace: [[]],
    nothingToCover: [[]],
    viewNotMounted: [['no answer within 10 s', undefined]],
    mountedBelow: [[fromText('/home/kim/usb'), fromText('/home'), null]],
    dirUnreadable: [['EIO: i/o error']],
    basesAreNoFile: [['/state/sessions/s1/base.jsonl']],
  });
  await expect(found).toMatchFileSnapshot('./messages.txt');
});
