import { expect, test } from 'vitest';
import { textsOf } from '../../testing/messages.ts';
import * as messages from './messages.ts';

test('the texts of core/decide', async () => {
  const found = textsOf(messages, {
    mixedText: [
      ['git', []],
      ['git', ['ls', 'npm']],
    ],
    openBesideText: [['sudo']],
    ownDirectoryText: [['git', '/home/kim/.local/state/trai']],
    ownProgramText: [['trai']],
    hostText: [
      ['git', false],
      ['git', true],
    ],
    runsProgramsText: [['git', 'the alias `x`']],
  });
  await expect(found).toMatchFileSnapshot('./messages.txt');
});
