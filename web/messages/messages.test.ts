import { expect, test } from 'vitest';
import { fromText } from '../../shared/bytes.ts';
import type { CommitReport } from '../../shared/model/commit.ts';
import type { TextDiff } from '../../shared/model/diff.ts';
import type { Question, RulePreview } from '../../shared/model/question.ts';
import { textsOf } from '../../testing/messages.ts';
import * as actions from './actions.ts';
import * as boxes from './boxes.ts';
import * as changes from './changes.ts';
import * as conflicts from './conflicts.ts';
import * as connection from './connection.ts';
import * as diff from './diff.ts';
import * as errors from './errors.ts';
import * as questions from './questions.ts';

const path = fromText('/home/kim/shop/a b');
const report: CommitReport = {
  n: 7,
  state: 'partial',
  applied: 2,
  bytes: 10,
  kept: 0,
  ignored: 0,
  failed: [],
  notApplied: [],
  copies: false,
  ms: 3,
};
const about = { id: 'i', etag: 'e' };
const search = { text: 'x', state: 'done', lines: 3, files: 1, searched: 5, total: 9, skipped: 0 } as const;

const asked = { dialog: true, until: null } as Question;
const network = { host: 'api.example.org', port: 443 };
const preview: RulePreview = {
  problem: '',
  matches: true,
  decision: 'allow',
  why: '',
  looked: 400,
  decides: 37,
  denied: 0,
  allowed: 37,
  examples: [],
};

type End = 'lf' | 'crlf' | 'none';
function textDiff(from: End, to: End, more: Partial<TextDiff> = {}): TextDiff {
  const model = { kind: 'text', hunks: [], oldTotal: 1, newTotal: 1, spacesHidden: 0, ...more };
  const lines = [
    { kind: 'removed', end: from },
    { kind: 'added', end: to },
  ];
  return { ...model, hunks: [{ lines }] } as unknown as TextDiff;
}

test('the texts of the dashboard', async () => {
  const found = textsOf(
    { actions, boxes, changes, conflicts, connection, diff, errors, questions },
    {
      questions: {
        endWords: [
          ['once', {}],
          ['ran', {}],
          ['late', {}],
          ['late', { network }],
          ['session', { network }],
        ],
        hostMatchWords: [[preview], [{ ...preview, matches: false, problem: 'why' }]],
        ruleWords: [
          [{ written: true, file: '/home/kim/.config/trai/rules.json', list: 'allow' }, {}],
          [{ written: false, why: 'the change was refused' }, {}],
          [{ written: true, file: 'this box', list: 'allow' }, { network }],
        ],
        waitWords: [
          [asked],
          [{ ...asked, dialog: false }],
          [{ ...asked, dialog: false, until: 'soon' }],
          [{ ...asked, network }],
        ],
        headingWords: [[0], [1]],
        askedWords: [[{ tool: 'Bash' }], [{ tool: 'Network', network }]],
        matchWords: [
          [preview],
          [{ ...preview, decision: 'ask' }],
          [{ ...preview, matches: false, problem: 'why' }],
        ],
        historyWords: [[preview], [{ ...preview, denied: 3 }], [{ ...preview, looked: 0 }]],
      },
      actions: {
        entries: [[1], [2000]],
        fileTimes: [[1], [2]],
        scopeText: [
          [{ kind: 'all' }],
          [{ kind: 'call', call: 'c1' }],
          [{ kind: 'up-to', call: 'c1' }],
          [{ kind: 'paths', paths: [path] }],
          [{ kind: 'paths', paths: [path, path] }],
        ],
        OBSTACLES: { conflicts: [[1], [2]] },
        ignoredToo: [[3, 2_000]],
        withoutUndo: [[5_000, 3_000]],
        outcomeText: [
          [{ ...report, cancelled: true }],
          [{ ...report, state: 'applied' }],
          [report],
          [{ ...report, stopped: true }],
        ],
        DISCARD: { done: [[2]], left: [[1]] },
        UNDO: {
          done: [[7, 2]],
          beside: [[7, 1]],
          failed: [['a b: permission denied']],
        },
        pendingAgain: [[1], [2]],
        confirmTick: [[1], [1_200]],
        ruleCommitted: [['effects[0] of /home/kim/.config/trai/rules.json']],
      },
      boxes: {
        groupText: [
          ['host', true],
          ['host', false],
        ],
        seenTitle: [[true], [false]],
        writeText: [
          ['pending', true],
          ['direct', true],
          ['direct', false],
          ['read-only', true],
        ],
        netText: [
          ['open', true],
          ['open', false],
          ['list', true],
          ['off', false],
        ],
        listedText: [
          [{ allow: [], deny: [] }],
          [
            {
              allow: [
                { entry: 'preset:npm', hosts: 2 },
                { entry: '*.a.example', hosts: 1 },
              ],
              deny: ['b.example'],
            },
          ],
        ],
        noBoxText: [[true], [false]],
        writesPlaces: [
          [0, true],
          [1, true],
          [2, false],
        ],
        noHosts: [[true], [false]],
        commitInsideText: [[true], [false]],
        nothingSure: [[1], [2]],
        moveText: [[1, 80_000_000]],
        movedText: [[2, 80_000_000]],
        keptText: [['0123456789abcdef', 'its project is there']],
        countText: [[1], [2]],
      },
      changes: {
        selectedText: [
          [2, 0],
          [2, 5_000],
        ],
        shownText: [[2, 3]],
        viewedText: [[2, 3]],
        tooManyText: [[1_000]],
        effectCount: [['flag', 1]],
        effectsText: [[{ never: 1, confirm: 2, flag: 0, auto: 1_200 }]],
        effectsUnknown: [[['the rule file a cannot be used (not JSON)']]],
        timesText: [[1], [2]],
        hiddenText: [
          [{ counts: null, failed: true, found: 0 }],
          [{ counts: null, failed: false, found: 0 }],
          [{ counts: { left: 3, unread: 0 }, failed: false, found: 0 }],
          [{ counts: { left: 0, unread: 2 }, failed: false, found: 0 }],
          [{ counts: { left: 0, unread: 0 }, failed: false, found: 0 }],
          [{ counts: { left: 0, unread: 0 }, failed: false, found: 1 }],
        ],
        searchText: [
          [{ ...search, text: ' ' }],
          [{ ...search, state: 'idle' }],
          [{ ...search, state: 'running' }],
          [{ ...search, state: 'enough' }],
          [search],
          [{ ...search, skipped: 2 }],
        ],
      },
      conflicts: {
        reasonText: [['host-changed'], ['unreadable'], ['it is not text']],
        overlapText: [[1], [2]],
        differText: [[0], [2]],
      },
      connection: { staleText: [['the disk is full']] },
      diff: {
        collapsedText: [
          [{ ...about, kind: 'collapsed', oldLines: 0, oldBytes: 0, newLines: 90_000, newBytes: 5_000_000 }],
          [{ ...about, kind: 'collapsed', oldLines: 1, oldBytes: 9, newLines: 90_000, newBytes: 5_000_000 }],
        ],
        omittedTitle: [
          [
            {
              ...about,
              kind: 'omitted',
              reason: 'too-large',
              message: '',
              head: [],
              newBytes: 5_000_000,
              oldBytes: null,
            },
          ],
        ],
        endingsText: [
          [textDiff('lf', 'lf'), 'lf'],
          [textDiff('crlf', 'crlf'), 'crlf'],
          [textDiff('lf', 'lf'), 'cr'],
          [textDiff('lf', 'crlf'), 'mixed'],
          [textDiff('none', 'none'), 'mixed'],
        ],
        emptyText: [
          [textDiff('lf', 'lf', { oldTotal: 0, newTotal: 0 })],
          [textDiff('lf', 'lf', { spacesHidden: 1 })],
          [textDiff('lf', 'lf')],
        ],
        NOTES: { otherSpaces: [[1], [2]], cut: [[1, 10_000]], gapFailed: [['the disk is full']] },
      },
    },
  );
  expect(found, 'apostrophes that are none').not.toMatch(/\w'\w/);
  await expect(found).toMatchFileSnapshot('./messages.txt');
});
