import { expect, test } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import { textsOf } from '../../testing/messages.ts';
import * as errors from './errors.ts';

const path = fromText('/home/kim/shop/a b');
const caller = { kind: 'call', found: 'process 41 (bash), started by a call of a session' } as const;

test('the texts of cli', async () => {
  const found = textsOf(errors, {
    unknownCommand: [
      ['comit', 'commit', ['commit', 'undo']],
      ['x', undefined, ['commit', 'undo']],
    ],
    badUsageOf: [['why', 'why PATH', errors.USAGE.noPath]],
    USAGE: {
      unexpected: [['x']],
      unexpectedBeside: [['--gc', '--dry-rum']],
      wordWithoutEnd: [['41']],
      unknownOption: [['--x']],
      noValue: [['--call']],
      takesNoValue: [['--yes']],
      noNumber: [['limit', 'x']],
      noChoice: [['conflicts', ['refuse', 'merge'], 'x']],
      noPid: [['x']],
      noDigits: [['12']],
      noSubcommand: [[['list', 'test'], 'x']],
      noScope: [[['user', 'project'], 'x']],
      noList: [['x']],
      noTime: [['x']],
      noSource: [['x']],
      noSandboxed: [['x']],
      noIndex: [['x'], ['']],
      noHash: [['x']],
      noField: [['^mcp__']],
      noPattern: [['(', 'Unterminated group']],
      noInput: [['x']],
      noQuestionNumber: [['x']],
      noAnswer: [['maybe']],
      noSessionId: [['a/b']],
      manySessions: [['s', ['s1', 's2']]],
    },
    RULES: {
      allowedDirs: [
        [['/data', '~/notes'], true],
        [['/data'], false],
      ],
      verified: [[0], [1], [2]],
      added: [['allow[0]: {"tool":"^Bash$"}', '/home/kim/.config/trai/rules.json']],
      changed: [['allow[0]: {"tool":"^Bash$"}', '/home/kim/.config/trai/rules.json']],
      moved: [['allow[0]: {"tool":"^Bash$"}', '/home/kim/.config/trai/rules.json']],
      wouldHaveSaved: [
        [3, 1, 0],
        [12, 2, 1],
      ],
      evidence: [
        [[], { written: 0, committed: 0, discarded: 0, undone: 0 }],
        [
          [
            { rc: 0, count: 11 },
            { rc: 2, count: 1 },
          ],
          { written: 9, committed: 6, discarded: 1, undone: 2 },
        ],
      ],
      matches: [[37, 400, 12, 3]],
      leftOut: [['Read([ab])', '/home/kim/.claude/settings.json', 'it is a glob']],
      importable: [
        [0, 0, 0],
        [0, 0, 3],
        [2, 0, 3],
        [2, 1, 0],
        [0, 2, 1],
      ],
      dismissed: [[0], [3]],
      importWith: [['settings']],
      wouldSave: [
        [0, 0],
        [3, 3],
        [3, 5],
      ],
      written: [['/home/kim/.config/trai/config.json']],
      removed: [['allow[0]: {"tool":"^Bash$"}', '/home/kim/.config/trai/rules.json']],
      untrusted: [[''], ['0123456789abcdef0123456789abcdef']],
      trusted: [['/p/.claude/trai.rules.json', '0123456789abcdef0123456789abcdef']],
    },
    needsTerminal: [[caller]],
    notYetConfirmed: [['2 added', 'trai undo']],
    typedForOther: [['commit', 's1', 's2', 'commit --session s2']],
    noSessionHere: [['/home/kim/shop']],
    noSessionNamed: [['s1']],
    nothingPendingAt: [[path]],
    noConflictAt: [[path]],
    nothingToUndo: [[undefined], [{ n: 7, why: 'it was made without keeping what was there before' }]],
    ANSWER: { more: [[1], [3]], confirm: [['allow', '^Bash$ command=^make', 'user']] },
    noQuestion: [[3]],
    noSuchProcesses: [
      [[41], 's1'],
      [[41, 42], 's1'],
    ],
    clientStays: [[[]], [[{ pid: 41 }, { pid: 42 }]]],
    noHostCalls: [['s1', 41]],
    needsPermit: [
      ['commit', caller],
      ['ps', { kind: 'unknown', found: 'a process that has ended' }],
    ],
    needsYes: [[]],
    onlyUserRemoves: [[caller.found]],
    stateNotWritable: [['/state', null]],
    portTaken: [
      ['4777', null],
      ['4777', '/home/kim/.config/trai/config.json'],
    ],
    noSpaceForServer: [['/state']],
    notEntered: [[new Error("EACCES: permission denied, mkdir '/root/.claude/projects'")]],
    noRoomToEnter: [['/state', new Error('ENOSPC: no space left on device, write')]],
    serverNotStarted: [
      ['', '/state/server.log'],
      ['no place to listen', '/state/server.log'],
    ],

    bashNotStarted: [[new Error('spawn bash ENOENT')]],
  });
  await expect(found).toMatchFileSnapshot('./messages.txt');
});
