/** `npm run check`: lint, types, unused code, unit tests; versions and sizes are among the unit tests. */
import { CHECK_STAGES, runStages } from '../lib/stages.ts';
import { printSummary } from '../lib/summary.ts';

process.exitCode = printSummary(await runStages(CHECK_STAGES)) ? 0 : 1;
