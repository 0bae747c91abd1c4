/** `node scripts/run.mjs fake [--port N]`: the dashboard on its fake backend, until it is ended by a signal. */
import { parseArgs } from 'node:util';
import { serveFake } from '../lib/fake.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { port: { type: 'string', default: '0' } },
});
const site = await serveFake(Number(values.port));
console.log(site.url);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void site.close().then(() => process.exit(0)));
}
