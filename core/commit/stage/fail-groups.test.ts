import { expect, it } from 'vitest';
import type { BytePath } from '../../../shared/bytes.ts';
import type { Change } from '../../../shared/model/change.ts';
import type { Step } from '../plan/plan.ts';
import { type CheckedStep, failGroups } from './check-steps.ts';

function stepOf(op: Step['op'], path: string, more: Partial<Change> = {}): Step {
  const change = { path, group: null, ...more } as Change;
  return { op, change, members: [change], below: [] };
}

it('an old name stays when its new name falls with a group', () => {
  const steps = [
    stepOf('put', '/in', { group: 'git:/r' }),
    stepOf('put', '/new', { group: 'git:/r', renamedFrom: '/old' as BytePath }),
    stepOf('put', '/other'),
    stepOf('delete', '/old'),
  ];
  const plan = { steps, kept: [], ignored: [], closed: [], along: [], stays: [], stale: [] };
  const checked = steps
    .slice(1)
    .map((step): CheckedStep => ({ step, host: null, below: [], upper: new Map() }));
  const findings = { checked, failed: new Map([['/in' as BytePath, 'its copy failed']]) };
  failGroups(plan, findings);
  expect(findings.checked.map(({ step }) => step.change.path)).toEqual(['/other']);
  expect([...findings.failed.keys()]).toEqual(['/in', '/new', '/old']);
});
