/** Test help: begins a commit or discard and kills itself with SIGKILL at the n-th call of the port. */
import type { BytePath } from '../../../shared/bytes.ts';
import type { CommitRequest } from '../../../shared/model/commit.ts';
import { FaultPort } from '../../../testing/commit/fault-port.ts';
import type { QuietSession } from '../../sandbox/lock.ts';
import { scan } from '../../scan/scan.ts';
import { commitAll } from '../commit.ts';
import { discardPart, lookAtDiscard } from '../discard/discard-part.ts';

/** What to do, and where to die; 0 = nowhere: then the number of calls is printed. */
interface Task {
  ctx: QuietSession;
  kind: 'commit' | 'cancel' | 'discard';
  paths: BytePath[];
  n: number;
}

const { ctx, kind, paths, n } = JSON.parse(process.argv[2] ?? '{}') as Task;
const faulty = new FaultPort(n, 'die', () => process.kill(process.pid, 'SIGKILL'), 'changes');
const { port } = faulty;
const list = await scan(ctx);
let asked = 0;
const cancelled = () => kind === 'cancel' && ++asked > 8;
if (kind === 'discard') {
  const { plan } = await lookAtDiscard(ctx, list, new Set(paths));
  discardPart(ctx, plan, { port, cancelled });
} else {
  const request: CommitRequest = {
    revision: list.revision,
    includeIgnored: false,
    conflicts: 'take-sandbox',
    choices: {},
    yes: true,
    typedCount: null,
    exactly: kind === 'commit' ? new Set(paths) : undefined,
  };
  await commitAll(ctx, list, request, { port, cancelled });
}
console.log(faulty.count);
