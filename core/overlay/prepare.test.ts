import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { bytePath } from '../../shared/bytes.ts';
import { takeFileLock } from '../kernel/proc/file-lock.ts';
import { keepAhead, type PlanRequest, takeAhead } from '../sandbox/prepare/draft.ts';
import { loadConfig } from '../session/config-file.ts';
import { ensurePlan } from './prepare.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'trai-prepare-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

it('a directory that goes between the draft of a plan and its making keeps no call out', async () => {
  const [stateDir, project] = [join(base, 'state'), join(base, 'project')];
  const sessionDir = join(stateDir, 'sessions/s1');
  for (const dir of ['kept', 'gone', 'mnt']) mkdirSync(join(project, dir), { recursive: true });
  mkdirSync(sessionDir, { recursive: true });
  // With a mount below it, each directory of the project is covered by itself.
  const mountinfo = `${readFileSync('/proc/self/mountinfo', 'latin1')}9999 22 0:99 / ${project}/mnt rw - tmpfs tmpfs rw\n`;
  const release = await takeFileLock(join(sessionDir, 'lock'));
  const request: PlanRequest = {
    stateDir,
    sessionDir,
    session: 's1',
    projectRoot: bytePath(project),
    config: { ...loadConfig({}).config, scratch: [base] },
    mountinfo,
    home: bytePath(base),
    environ: `HOME=${base}\0`,
    unixSockets: () => '',
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
  };
  // However long it takes.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  const making = ensurePlan(request);
  rmSync(join(project, 'gone'), { recursive: true });
  await release();
  const { plan, dir } = await making;
  const paths = plan.coveredDirs.map(({ path }) => path);
  expect(paths).toContain(join(project, 'kept'));
  expect(paths).not.toContain(join(project, 'gone'));
  // The call that follows at once has the draft, and drafts none.
  const drafted = takeAhead(request);
  expect(drafted?.draft.steps.map(({ path }) => path)).toContain(join(project, 'kept'));
  if (drafted !== null) keepAhead(request, { at: performance.now(), draft: drafted.draft });
  expect((await ensurePlan(request)).dir).toBe(dir);
});
