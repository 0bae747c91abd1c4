/** Runs with a TMPDIR on a tmpfs of 3 MB: no space for the copy of a new tree, but a rename needs none. */

import { testSession } from '../../../testing/changes/changes.ts';
import { commitNow, quickLook, requestFor } from '../../../testing/commit/commit.ts';
import { scan } from '../../scan/scan.ts';
import { planCommit } from '../plan/plan.ts';
import { preflight } from '../preflight.ts';

const t = testSession();
t.onHost('head -c 1200000 /dev/zero > filler');
t.inSandbox('mkdir -p tree/in; head -c 1000000 /dev/urandom > tree/in/big');
const list = await scan(t.ctx);
const plan = planCommit(list, requestFor(list));
const foreseen: boolean[] = [];
for (const live of [false, true]) {
  const { space } = await preflight(t.ctx, plan, live);
  foreseen.push(space.every(({ needed, free }) => needed <= free));
}
const { state } = await commitNow(t);
console.log(JSON.stringify({ foreseen, state, host: [...quickLook(t.host).keys()] }));
