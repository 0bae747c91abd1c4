/** What the commit confirmation says about tests, by the real rules, over a recording. */

import { findTested, type Tested } from '../../shared/log/tested.ts';
import type { Change } from '../../shared/model/change.ts';
import type { FakeSession } from './make.ts';

export function fakeTested({ detail, calls, marks, list }: FakeSession, going: readonly Change[]): Tested {
  const spans = calls
    .filter(({ mode, startedAt }) => mode === 'sandbox' && startedAt !== null)
    .map(({ id, endedAt, left, gone }) => ({
      call: id,
      to: endedAt === null || left.length > gone.length ? null : Date.parse(endedAt),
    }));
  const found = findTested({
    calls,
    marks,
    spans,
    projectRoot: detail.projectRoot,
    isTest: (command) => /^(npx vitest run|make check)$/.test(command),
    onlyLooks: ({ command }) => /^(ls|git status)\b/.test(command),
  });
  const command = found.run?.command ?? 'npm test';
  const counted = ({ ignored }: Change): boolean => ignored === null;
  return {
    ...found,
    line: `cd ${detail.projectRoot} && trai exec --session ${detail.id} -- ${command}`,
    beside: list.changes.filter(counted).length - going.filter(counted).length,
  };
}
