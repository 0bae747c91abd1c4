import { expect, it } from 'vitest';
import { makeCall } from '../../testing/dashboard/make.ts';
import { type LoggedSession, prepareDecisions, recordedDecisions } from './audit.ts';

it('before the first question each log is read once, and others have their turn between two logs', async () => {
  const steps: string[] = [];
  const session = (id: string): LoggedSession => {
    const views = () => {
      steps.push(id);
      return [makeCall(`${id}-1`, 'make'), makeCall(`${id}-2`, 'make check')];
    };
    return { id, log: { fold: { version: 1, views, tools: () => [] } } };
  };
  const sessions = ['a', 'b', 'c'].map(session);
  let goesOn = true;
  const hook = (): void => {
    steps.push('hook');
    if (goesOn) setImmediate(hook);
  };
  setImmediate(hook);
  await prepareDecisions(() => sessions);
  goesOn = false;
  expect(steps.filter((step) => step !== 'hook')).toEqual(['a', 'b', 'c']);
  for (const [one, next] of [
    ['a', 'b'],
    ['b', 'c'],
  ] as const)
    expect(steps.slice(steps.indexOf(one), steps.indexOf(next))).toContain('hook');
  const before = steps.length;
  expect(recordedDecisions(sessions)).toHaveLength(6);
  expect(recordedDecisions(sessions)).toBe(recordedDecisions(sessions));
  expect(steps.slice(before).filter((step) => step !== 'hook')).toEqual([]);
});
