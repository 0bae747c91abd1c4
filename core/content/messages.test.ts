import { expect, test } from 'vitest';
import { textsOf } from '../../testing/messages.ts';
import * as messages from './messages.ts';

test('the texts of core/content', async () => {
  const found = textsOf(messages, {
    isNoFile: [['host'], ['sandbox']],
    isTooLarge: [['host', 5_000_000, 1_000_000]],
    isUnreadable: [['host']],
    isNoText: [['sandbox']],
    hasManyLines: [['host', 50_000]],
  });
  await expect(found).toMatchFileSnapshot('./messages.txt');
});
