import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bytePath } from '../../../shared/bytes.ts';
import { loadConfig } from '../../session/config-file.ts';
import type { PlanDraft } from '../plan/plan.ts';
import { draftFor, expectPlan, type PlanRequest } from './draft.ts';

const base = mkdtempSync(path.join(tmpdir(), 'trai-draft-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

function requestOf(session: string): PlanRequest {
  return {
    stateDir: base,
    sessionDir: path.join(base, 'sessions', session),
    session,
    projectRoot: bytePath(base),
    config: loadConfig({}).config,
    mountinfo: readFileSync('/proc/self/mountinfo', 'latin1'),
    home: bytePath(base),
    environ: `HOME=${base}\0`,
    unixSockets: () => '',
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
  };
}

test('a draft that was made ready is what the next call gets, once', () => {
  const request = requestOf('once');
  expect(expectPlan(request)).toBeNull();
  const { draft } = draftFor(request);
  // Where the machine stands still in between, what was made is too old: again.
  let made = expectPlan(request);
  while (draftFor(request).draft !== made) made = expectPlan(request);
  expect(made).toEqual(draft);
  expect(draftFor(request).draft).not.toBe(made);
});

test('what was made for other mounts or another environment is not taken', () => {
  const request = requestOf('other');
  draftFor(request);
  const mounted = `${request.mountinfo}9999 22 0:99 / ${base} rw - tmpfs tmpfs rw\n`;
  const made = expectPlan(request);
  expect(draftFor({ ...request, mountinfo: mounted }).draft).not.toEqual(made);
  const again = expectPlan(request);
  const environ = `${request.environ}SSH_AUTH_SOCK=${base}/agent\0`;
  const { draft, named } = draftFor({ ...request, environ });
  expect(draft).not.toBe(again);
  expect(named).toContain(`${base}/agent`);
});

test('a project in a scratch directory that is made after the draft is covered', () => {
  const project = path.join(base, 'late');
  const scratch = { ...loadConfig({}).config, scratch: [base] };
  const request = { ...requestOf('late'), config: scratch, projectRoot: bytePath(project) };
  draftFor(request);
  const covered = ({ steps }: PlanDraft) =>
    steps.some((step) => step.do === 'overlay' && step.path === project);
  const made = expectPlan(request);
  expect(made !== null && covered(made)).toBe(false);
  mkdirSync(project);
  expect(covered(draftFor(request).draft)).toBe(true);
});

test('what the sandbox has made in the project since the draft is not passed over', () => {
  const request = requestOf('own');
  draftFor(request);
  const made = expectPlan(request);
  mkdirSync(path.join(request.sessionDir, 'overlay/1/u/mine'), { recursive: true });
  writeFileSync(path.join(request.sessionDir, 'overlay/places.json'), JSON.stringify([[base, 1]]));
  expect(draftFor(request).draft).not.toBe(made);
});
