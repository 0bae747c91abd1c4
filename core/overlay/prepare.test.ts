import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { bytePath } from '../../shared/bytes.ts';
import { takeFileLock } from '../kernel/proc/file-lock.ts';
import { draftAhead, type PlanRequest, takeAhead } from '../sandbox/prepare/draft.ts';
import { loadConfig } from '../session/config-file.ts';
import { ensurePlan, makeFirstPlan } from './prepare.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'trai-prepare-')));
const [stateDir, project] = [join(base, 'state'), join(base, 'project')];
afterAll(() => rmSync(base, { recursive: true, force: true }));

const requestOf = (session: string): PlanRequest => ({
  stateDir,
  sessionDir: join(stateDir, 'sessions', session),
  session,
  projectRoot: bytePath(project),
  config: { ...loadConfig({}).config, scratch: ['/'] },
  // With a mount below it, each directory of the project is covered by itself; none beside it, where other tests make and remove theirs.
  mountinfo: `22 1 8:1 / / rw - ext4 /dev/sda1 rw\n9999 22 0:99 / ${project}/mnt rw - tmpfs tmpfs rw\n`,
  home: bytePath(base),
  environ: `HOME=${base}\0`,
  unixSockets: () => '',
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
});

it('a directory that goes between the draft of a plan and its making keeps no call out', async () => {
  const request = requestOf('s1');
  for (const dir of ['kept', 'gone', 'mnt']) mkdirSync(join(project, dir), { recursive: true });
  mkdirSync(request.sessionDir, { recursive: true });
  const release = await takeFileLock(join(request.sessionDir, 'lock'));
  const making = ensurePlan(request);
  rmSync(join(project, 'gone'), { recursive: true });
  await release();
  const paths = (await making).plan.coveredDirs.map(({ path }) => path);
  expect(paths).toContain(join(project, 'kept'));
  expect(paths).not.toContain(join(project, 'gone'));
});

it('the plan of a session that is being made is that of its first call, which drafts none', async () => {
  const request = requestOf('s2');
  const place = join(stateDir, 'sessions/.new.s2');
  for (const dir of [join(project, 'kept'), place, join(stateDir, 'overlays/s2')])
    mkdirSync(dir, { recursive: true });
  symlinkSync('../../overlays/s2', join(place, 'overlay'));
  // However long it takes.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  await makeFirstPlan(request, place);
  renameSync(place, request.sessionDir);
  const { plan } = await ensurePlan(request);
  expect(takeAhead(request)).toBeNull();
  expect(readdirSync(join(request.sessionDir, 'plan')).sort()).toEqual([plan.id, 'current'].sort());
  expect(plan.coveredDirs.map(({ upper }) => upper)).toContain(join(request.sessionDir, 'overlay/1/u'));
  expect(existsSync(join(request.sessionDir, 'lock'))).toBe(false);
});

it('what was drafted before its session is made gets no younger with the session’s first plan', async () => {
  const request = requestOf('s3');
  const place = join(stateDir, 'sessions/.new.s3');
  for (const dir of [join(project, 'kept'), place, join(stateDir, 'overlays/s3')])
    mkdirSync(dir, { recursive: true });
  symlinkSync('../../overlays/s3', join(place, 'overlay'));
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
  const { sessionDir: _, ...before } = request;
  draftAhead(before);
  clock.mockReturnValue(now + 60);
  await makeFirstPlan(request, place);
  clock.mockReturnValue(now + 101);
  expect(takeAhead(request)).toBeNull();
});
