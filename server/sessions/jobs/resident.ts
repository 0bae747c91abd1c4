import { existsSync } from 'node:fs';
import { programPath } from '../../../core/kernel/programs.ts';
import { type RunResult, run } from '../../../core/kernel/run.ts';
import { sessionContext } from '../../../core/sandbox/context.ts';
import { toText } from '../../../shared/bytes.ts';
import { sumCounts } from '../../../shared/model/change.ts';
import { within } from '../../hooks/world/within.ts';
import type { Resident } from '../../hooks/world/world.ts';
import type { JobRunner } from '../../worker/runner.ts';
import type { SessionManager } from '../index/manager.ts';

/** SessionStart is waited for, and may ask for five sessions (ms). */
const COUNT_MS = 400;

export function residentOf(
  manager: SessionManager,
  runner: JobRunner,
  report: (thrown: unknown) => void,
): Omit<Resident, 'openDoor' | 'questions'> {
  return {
    see: (session) => void manager.see(session),
    hasPending: (id) => {
      const list = manager.all().find((one) => one.id === id)?.list;
      return list?.dirty === false && list.last !== null && sumCounts(list.last.head.counts) > 0;
    },
    countPending: async (id) => {
      const list = await within(COUNT_MS, manager.see(id).list.get('recent'));
      return list === null ? null : sumCounts(list.head.counts);
    },
    settled: async (session) => await manager.settled(session),
    hostChanged: async (session, paths) => await manager.follower.changed(session, paths),
    ask: async (ctx, question, input) =>
      await runner.ask(question, ctx, await manager.see(ctx.session).list.get('recent'), input),
    typed: async ({ id, meta, world }, typed) => {
      await manager.settled(id);
      const ctx = await sessionContext(world.stateDir, id, world.env);
      return await runner.ask('typed', ctx, await manager.see(id).list.get('recent'), {
        ...typed,
        env: { ...world.env },
        off: meta.off,
        caught: meta.caught !== null,
      });
    },
    runTyped: async (session, name, cwd) => {
      const [program = ''] = session.ownPrograms();
      const words = [program, name, '--from-prompt', '--answer', '--session', session.id];
      // A directory may be pending.
      const at = [cwd, session.meta.projectRoot].find((dir) => existsSync(dir)) ?? '/';
      return lastLine(await run(programPath('bash'), ['-p', ...words], { cwd: at, env: session.world.env }));
    },
    report,
  };
}

/** The answer to a prompt is the last line of its output; without one, the last line of its errors says why. */
function lastLine({ stdout, stderr }: RunResult): string {
  const said = toText(stdout.trimEnd() || stderr.trimEnd());
  return said.split('\n').at(-1) ?? '';
}
