/**
 * `npm run bench:web`: how fast the dashboard is with few and with very many pending entries, beside difit with the same
 * change set in the same browser. `--sizes 50,5000,50000,300000` (the last takes minutes, and is not among the sizes
 * by itself), `--only trai` (without difit), `--difit VERSION` (otherwise the newest that the registry has). Both clocks
 * run from the command to the first line of a diff, both browsers are cold. Not a part of `npm test`.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { endAll } from '../lib/exec.ts';
import { ensureDist } from '../lib/trai.ts';
import { withBrowser } from './browser.ts';
import { DIFIT_LIMITS, type Difit, type DifitFigures, installDifit, measureDifit } from './difit.ts';
import { report } from './report.ts';
import { startTrai, type TraiFigures } from './trai.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    sizes: { type: 'string', default: '50,500,5000,50000' },
    only: { type: 'string' },
    difit: { type: 'string' },
  },
});
const sizes = values.sizes.split(',').map(Number);

/** difit, or in a sentence why there is nothing to compare with. */
function findPeer(): Difit | string {
  if (values.only === 'trai') return 'not asked for';
  try {
    return installDifit(values.difit);
  } catch (error) {
    return `could not be installed: ${messageOf(error)}`;
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

await ensureDist();
const difit = findPeer();
const peer = typeof difit === 'string' ? 'difit' : difit.name;
try {
  const trai = startTrai();
  for (const entries of sizes) {
    console.error(`bench:web: ${entries} entries ...`);
    await trai.fill(entries);
    const ours: TraiFigures = await withBrowser((browser) => trai.measure(browser, entries));
    const theirs: DifitFigures | string =
      typeof difit === 'string'
        ? difit
        : await withBrowser((browser) => measureDifit(difit.program, browser, entries), DIFIT_LIMITS).catch(
            (error: unknown) => `gave up: ${messageOf(error)}`,
          );
    console.log(report({ entries, ours, theirs, peer }));
  }
} finally {
  await endAll();
}
console.log(
  `Chromium on ${cpus().length} cores, load ${(loadavg()[0] ?? 0).toFixed(1)}, Node ${process.versions.node}, ${peer}`,
);
