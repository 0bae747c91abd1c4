import { expect, test } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { textsOf } from '../../testing/messages.ts';
import * as messages from './messages.ts';

const top = fromText('/home/kim/shop');
const ran = { command: 'write-tree', status: 128, err: 'fatal: bad index' };

test('the texts of core/export', async () => {
  const found = textsOf(messages, {
    notABranchName: [['-x']],
    branchExists: [['kim/pending']],
    patchNotMade: [['/home/kim/a.patch', 'EEXIST: file already exists']],
    nothingToExport: [
      [top, []],
      [top, [{ path: fromText('/home/kim/shop/.env'), why: messages.IGNORED }]],
    ],
    gitFailed: [
      ['workTree', ran, 'not-found'],
      ['head', ran],
      ['objects', ran],
      ['index', ran],
      ['indexRead', ran],
      ['tree', ran],
      ['patch', ran],
      ['commit', ran],
      ['branch', ran],
      ['differing', ran],
      ['ignored', ran],
    ],
    notCopied: [[top, 'Permission denied']],
    typeUnknownToGit: [['fifo']],
  });
  await expect(found).toMatchFileSnapshot('./messages.txt');
});
