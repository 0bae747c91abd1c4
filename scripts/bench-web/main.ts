/**
 * `npm run bench:web`: how fast the dashboard is with few and with very many pending entries, beside difit with the same
 * change set in the same browser. `--sizes 50,5000,50000,300000` (the last takes minutes, and is not among the sizes
 * by itself), `--only trai` (without difit). Not a part of `npm test`.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { endAll } from '../lib/exec.ts';
import { ensureDist } from '../lib/trai.ts';
import { withBrowser } from './browser.ts';
import { DIFIT, DIFIT_LIMITS, type DifitFigures, installDifit, measureDifit } from './difit.ts';
import { report } from './report.ts';
import { startTrai, type TraiFigures } from './trai.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { sizes: { type: 'string', default: '50,5000,50000' }, only: { type: 'string' } },
});
const sizes = values.sizes.split(',').map(Number);

/** difit, or in a sentence why there is nothing to compare with. */
function peer(): { program: string } | { why: string } {
  if (values.only === 'trai') return { why: 'not asked for' };
  try {
    return { program: installDifit() };
  } catch (error) {
    return { why: `${DIFIT} could not be installed: ${messageOf(error)}` };
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

await ensureDist();
const difit = peer();
try {
  const trai = await startTrai();
  for (const entries of sizes) {
    console.error(`bench:web: ${entries} entries ...`);
    const ours: TraiFigures = await withBrowser((browser) => trai.measure(browser, entries));
    let theirs: DifitFigures | string = 'why' in difit ? difit.why : '';
    if ('program' in difit)
      theirs = await withBrowser(
        (browser) => measureDifit(difit.program, browser, entries),
        DIFIT_LIMITS,
      ).catch((error: unknown) => `gave up: ${messageOf(error)}`);
    console.log(report(entries, ours, theirs));
  }
  await trai.stop();
} finally {
  await endAll();
}
console.log(`Chromium on ${cpus().length} cores, Node ${process.versions.node}, ${DIFIT}`);
