import { expect, test } from 'vitest';
import { fromText } from '../../../shared/bytes.ts';
import { textsOf } from '../../../testing/messages.ts';
import * as checks from './checks.ts';
import * as errors from './errors.ts';
import * as reasons from './reasons.ts';

const project = fromText('/home/kim/a b');
const remedy = 'sudo apt-get install bubblewrap';

test('the texts of core/box', async () => {
  const found = textsOf(
    { checks, errors, reasons },
    {
      checks: {
        CHECKS: {
          bwrap: [
            [{ path: '/usr/bin/bwrap', version: '0.8.0', setuid: false }],
            [{ path: '/usr/bin/bwrap', version: '0.9.0', setuid: true }],
            [{ path: '/usr/bin/bwrap', version: '', setuid: false }],
          ],
          notNested: [['bwrap: No permissions']],
          noProc: [['bwrap: Can’t mount proc']],
        },
      },
      errors: {
        noBwrap: [[remedy]],
        unsafeBwrap: [['/home/kim/bin/bwrap', errors.BWRAP.written, remedy]],
        BWRAP: { others: [[1000]], setuid: [['0.11.0']] },
        projectTooWide: [[project, errors.WIDE.home]],
        foreignRepository: [[project, fromText('/srv/other/.git')]],
        projectNotPending: [[project, errors.CANNOT_COVER]],
        settingsNotPending: [[fromText('/tmp/x/.claude')]],
        settingsDirect: [[fromText('/home/kim/a b/.claude')]],
        alreadyInside: [['box', errors.INSIDE.session]],
        otherProject: [['s1', project]],
        programPending: [['s1', fromText('/usr/bin/bwrap')]],
        notMade: [[]],
        noGate: [['mkfifo: Permission denied']],
        noNetwork: [['the server did not answer', undefined]],
        allowsAll: [[fromText('/'), errors.ALLOWS.root]],
        allowedMissing: [[project]],
        hiddenOutside: [[fromText('/etc/passwd'), project]],
        hiddenMissing: [['.evn']],
        pendingUnseen: [['s1']],
        hiddenPattern: [[fromText('/home/kim/a b/*.env')]],
        hiddenWhole: [['keys/k', fromText('/home/kim/a b/keys')]],
        noVariable: [['A B=1']],
        variableUnset: [['NODE_ENV']],
        placeVariable: [['HOME', '/x']],
        noHome: [[fromText('/nonexistent')]],
        noProfile: [
          ['work', []],
          ['work', ['play']],
        ],
        brokenProfile: [
          [
            'safe',
            [
              '/home/kim/config.json: box.profiles.safe.net: expected "off", found "of"; the default is used.',
            ],
          ],
        ],
        emptyPath: [['--hide']],
        NARROWS: { widens: [['allow']], form: [['hide']], outside: [['../x']] },
        STAYS: { pending: [['s1']], unread: [['s1']], above: [['/mnt/disk']], empty: [['/mnt']] },
      },
      reasons: {
        givesAway: ['/run/docker.sock', '/run/user/1000/bus', '/home/kim/.ssh', '/home/kim/notes'].map(
          (path) => [fromText(path)] as const,
        ) as never,
        byLink: [['--allow', fromText('/home/kim/notes/link')]],
      },
    },
  );
  await expect(found).toMatchFileSnapshot('./messages.txt');
});
