/**
 * `npm run bench:web`: cold starts of the dashboard, and how fast it is with few and with very many pending entries, beside
 * difit with the same change set in the same browser. `--cold 50,500,5000` modified files, `--rounds 5` of them; `--sizes
 * 50,5000,50000,300000` entries (the last takes minutes, and is not among the sizes by itself); `--audit 100000` decisions;
 * empty sizes leave a part out. `--only trai` (without difit), `--difit VERSION` (otherwise the newest that the registry has). Not a part of `npm test`.
 */
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { table } from '../bench/table.ts';
import { endAll } from '../lib/exec.ts';
import { ensureDist } from '../lib/trai.ts';
import { benchAudit } from './audit.ts';
import { withBrowser } from './browser.ts';
import { mixed } from './changes.ts';
import { benchCold } from './cold.ts';
import {
  DIFIT_LIMITS,
  type Difit,
  type DifitFigures,
  installDifit,
  makeRepository,
  measureDifit,
} from './difit.ts';
import { report } from './report.ts';
import { startTrai, type TraiFigures } from './trai.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    cold: { type: 'string', default: '50,500,5000' },
    rounds: { type: 'string', default: '5' },
    sizes: { type: 'string', default: '50,500,5000,50000' },
    audit: { type: 'string', default: '100000' },
    only: { type: 'string' },
    difit: { type: 'string' },
  },
});
const sizesOf = (text: string): number[] => text.split(',').filter(Boolean).map(Number);

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
const isThere = typeof difit !== 'string';
try {
  const makeSession = startTrai();
  const coldSizes = sizesOf(values.cold);
  const rounds = Number(values.rounds);
  if (coldSizes.length > 0) {
    const parts = { sizes: coldSizes, rounds, makeSession, difit: isThere ? difit : null };
    console.log(`\n## cold start\n\n${isThere ? '' : `difit: ${difit}\n\n`}${table(await benchCold(parts))}`);
  }
  for (const entries of sizesOf(values.sizes)) {
    console.error(`bench:web: ${entries} entries ...`);
    const changes = mixed(entries);
    const trai = await makeSession(`s${entries}`, changes);
    const ours: TraiFigures = await withBrowser((browser) => trai.measure(browser));
    const repository = isThere ? makeRepository(changes) : '';
    const theirs: DifitFigures | string = isThere
      ? await withBrowser((browser) => measureDifit(difit.program, browser, repository), DIFIT_LIMITS).catch(
          (error: unknown) => `gave up: ${messageOf(error)}`,
        )
      : difit;
    console.log(report({ entries, ours, theirs, peer }));
  }
  for (const decisions of sizesOf(values.audit)) {
    console.error(`bench:web: ${decisions} decisions ...`);
    console.log(`\n## audit\n\n${table(await benchAudit(decisions, rounds))}`);
  }
} finally {
  await endAll();
}
console.log(
  `Chromium on ${cpus().length} cores, load ${(loadavg()[0] ?? 0).toFixed(1)}, Node ${process.versions.node}, ${peer}`,
);
