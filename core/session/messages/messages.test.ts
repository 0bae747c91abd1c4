import { expect, test } from 'vitest';
import { textsOf } from '../../../testing/messages.ts';
import * as errors from './errors.ts';

const failed = Object.assign(new Error("EACCES: permission denied, open '/a/file'"), { code: 'EACCES' });
const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
const gone = Object.assign(new Error("ENOENT: no such file or directory, open '/a/file'"), {
  code: 'ENOENT',
});

test('the texts of core/session', async () => {
  const found = textsOf(errors, {
    relativeStateHome: [['state']],
    invalidSessionId: [['a/b']],
    noSuchSession: [['/state/sessions/s1', gone]],
    dirIsLink: [['/state']],
    dirIsOther: [['/state']],
    dirOfOther: [['/state', 1001]],
    dirOthersWrite: [['/state']],
    foreignServerFile: [['/state/server.json']],
    stateHidden: [[]],
    metaUnusable: [['/state/sessions/s1/meta.json', errors.META_IS_MISSING]],
    metaOfOther: [['s2']],
    metaField: [['createdAt']],
    attachmentDamaged: [['/state/claude/c1', 'no id']],
    logIsNoFile: [['/log']],
    logLineCut: [['/log', 3, 120]],
    logNotWritten: [
      ['/log', failed],
      ['/log', gone],
      ['/log', full],
    ],
    stateDirNotMade: [['/state', failed]],
    sessionsUnreadable: [['/state/sessions', failed]],
    sessionNotMade: [['/state/sessions/s1', failed]],
    logUnreadable: [['/log', failed]],
    metaUnreadable: [['/state/sessions/s1/meta.json', failed]],
    metaNotWritten: [['/state/sessions/s1/meta.json', failed]],
    attachmentUnreadable: [['/state/claude/c1', failed]],
    attachmentNotWritten: [['/state/claude/c1', failed]],
    permitsUnreadable: [['/state/sessions/s1/grants', failed]],
    permitNotWritten: [['/state/sessions/s1/grants', failed]],
    permitNotUsedUp: [['/state/sessions/s1/grants/permit', failed]],
    configNotUsable: [['/home/kim/.config/trai/config.json']],
    configUnusable: [[errors.configUnreadable('EACCES')]],
    configUnreadable: [['EACCES']],
    configTooLarge: [[262_144, 300_000]],
    configIsNoJson: [[new Error('Unexpected end of JSON input')]],
  });
  await expect(found).toMatchFileSnapshot('./messages.txt');
});
