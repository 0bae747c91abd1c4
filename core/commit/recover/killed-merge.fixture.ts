/** Commits or undoes a three-way merge, and kills itself with SIGKILL at the n-th call of the port. */

import { undoRequest } from '../../../testing/commit/commit.ts';
import { FaultPort } from '../../../testing/commit/fault-port.ts';
import { type FsPort, nodePort } from '../../kernel/fs/port.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';
import { undoCommit } from '../undo/undo.ts';

/** 0 = not at all: prints the number of calls. `programs`: counts only these, and the n-th one survives. */
interface Task {
  ctx: QuietSession;
  kind: 'commit' | 'undo';
  n: number;
  programs: boolean;
}

const { ctx, kind, n, programs } = JSON.parse(process.argv[2] ?? '{}') as Task;
const die = () => process.kill(process.pid, 'SIGKILL');
const faulty = new FaultPort(programs ? 0 : n, 'die', die);
let started = 0;
const run: FsPort['run'] = async (...args) => {
  if (!programs) return await faulty.port.run(...args);
  const ending = nodePort.run(...args);
  if (++started === n) die();
  return await ending;
};
const port = { ...faulty.port, run };
if (kind === 'commit') {
  const { revision, changes } = await scan(ctx);
  const conflicts = changes.filter(({ conflict }) => conflict !== null);
  const choices = Object.fromEntries(conflicts.map(({ id }) => [id, 'merge' as const]));
  const request = {
    revision,
    includeIgnored: false,
    conflicts: 'refuse',
    choices,
    yes: true,
    typedCount: null,
  } as const;
  await commitAll(ctx, await scan(ctx), request, { port });
} else {
  await undoCommit(ctx, undoRequest(), { port });
}
console.log(programs ? started : faulty.count);
