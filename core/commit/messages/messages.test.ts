import { expect, test } from 'vitest';
import { fromText } from '../../../shared/bytes.ts';
import { textsOf } from '../../../testing/messages.ts';
import * as errors from './errors.ts';
import * as reasons from './reasons.ts';

const path = fromText('/home/kim/shop/a b');
const at = fromText('/state/sessions/s1/commits/2/back/3/shop/a b');
const told = { path, why: reasons.NOTHING_THERE };
const failed = Object.assign(new Error("EACCES: permission denied, open '/a/file'"), { code: 'EACCES' });
const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });

test('the texts of core/commit', async () => {
  const found = textsOf(
    { errors, reasons },
    {
      errors: {
        notADiscard: [['s1', '../x']],
        discardGone: [['s1.20260302T140322000Z']],
        historyEntryGone: [[]],
        nothingPending: [
          [{ kind: 'paths', paths: [path] }, [told]],
          [{ kind: 'call', call: 'c1' }, []],
        ],
        noSuchCall: [
          ['abc', 0],
          ['a', 2],
        ],
        notUndoable: [[7, reasons.NOT_NEWEST]],
        nothingToRedo: [[]],
        staleList: [[]],
        staleUndo: [[]],
        staleMerge: [[path]],
        changedSinceUndo: [[path]],
        openConflicts: [
          [[{ path, conflict: 'host-changed' }]],
          [Array.from({ length: 6 }, () => ({ path, conflict: null }))],
        ],
        openUndoConflicts: [
          [
            [
              { path, reason: 'host-changed' },
              { path, reason: 'host-new-below' },
            ],
            [],
          ],
          [[{ path, reason: 'host-changed' }], [{ path, at }]],
        ],
        notMergeable: [[path, 'On the host it is not text.']],
        mergeOverlaps: [
          [path, 1],
          [path, 2],
        ],
        massUndo: [
          [{ reasons: ['removes or replaces 120 entries of the host (more than 100)'], count: 120 }, []],
          [
            { reasons: ['removes or replaces 120 entries of the host (more than 100)'], count: 120 },
            [
              { path, at },
              { path, at },
            ],
          ],
        ],
        undoTooLarge: [[5_000, 3_000]],
        mergeWhileLive: [[]],
        undoWhileLive: [[]],
        overlayNotEmpty: [[]],
        discardInTheWay: [[[{ path, why: reasons.SESSION_CHANGED }]]],
        discardStopped: [[0], [1], [2]],
        commitNotClosed: [[reasons.STOPPED], ['ENOSPC: no space left on device, write', full]],
        noSpace: [[5_000, 3_000, path]],
        noSpaceForCopies: [["cp: error writing 'a': No space left on device"]],
        noCp: [['spawn cp ENOENT']],
        versionNotKept: [[path, 'cp: Permission denied']],
        mergeNotWritten: [['cat: write error']],
        copyIsOther: [[path]],
        deletionNotPending: [['mknod: Permission denied']],
        asTraiError: [
          [failed],
          [full],
          [failed, 'discard'],
          [failed, 'undoDiscard'],
          [failed, 'adoption'],
          [failed, 'begunAdoption'],
        ],
        otherVersion: [[path]],
        otherJournalVersion: [
          [fromText('/state/sessions/s1/commits/7'), 4, 5],
          [fromText('/state/trash/s1.20260302T140322000Z'), undefined, 5],
        ],
        nothingDiscardedLive: [[[told, told]]],
        journalDamaged: [[fromText('/state/sessions/s1/commits/7/journal'), errors.JOURNAL_HAS_NO_BEGIN]],
        unitsMissing: [[3, 2]],
        manyFileSystems: [[]],
        coveredSince: [[path, fromText('/state/sessions/s1/commits/7/back')]],
      },
      reasons: {
        byOtherCalls: [[['c1']], [['c1', 'c2', 'c3', 'c4']]],
        ALONG: {
          holds: [[path]],
          sameFile: [[path]],
          oldName: [[path]],
          newName: [[path]],
          belowDeleted: [[path]],
          belowReplaced: [[path]],
          above: [[path]],
          again: [[path]],
          git: [[path]],
          database: [[path]],
          inDropped: [[path]],
          aboveDropped: [[path]],
        },
        ignoredBy: [['.cache']],
        notCopied: [[''], ['Permission denied']],
        aclNotKept: [['a b', 'EINVAL: invalid argument']],
        noBeforeImage: [[''], ['Permission denied']],
        hostHas: [[path]],
        hostHasIn: [[path]],
        replacedKept: [[path, reasons.NOT_REVIEWED]],
        partlyApplied: [['EIO: i/o error']],
        stoppedAt: [[path, 'EIO: i/o error']],
        givenUp: [[2]],
        cleaningStopped: [['EIO: i/o error']],
        pendingAgainStopped: [['EIO: i/o error']],
        beforeImageChanged: [[''], ['Permission denied']],
        sessionHasOther: [[path]],
        notPending: [[reasons.MEANWHILE]],
        treeStays: [[reasons.IN_USE]],
        treeReplaced: [[reasons.NEW_OR_CHANGED]],
        openForWriting: [[''], ['node server.js (process 7)']],
        savedBeside: [['/home/kim/shop/a.trai-1']],
        dirGone: [[path]],
        sessionChanged: [[path]],
        olderThan: [[30]],
        moreThan: [[5_000]],
        takenFromHost: [[reasons.olderThan(30)]],
      },
    },
  );
  await expect(found).toMatchFileSnapshot('./messages.txt');
});
