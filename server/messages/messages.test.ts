import { expect, test } from 'vitest';
import { textsOf } from '../../testing/messages.ts';
import { MESSAGES } from './hooks.ts';
import * as network from './network.ts';
import { REFUSALS } from './refusals.ts';

test('the texts of server', async () => {
  const found = textsOf({ hooks: MESSAGES, network, refusals: REFUSALS }, {});
  await expect(found).toMatchFileSnapshot('./messages.txt');
});
