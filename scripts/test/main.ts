/**
 * `npm test`: everything. As root in CI (CI=true or --ci) it installs what is missing and tests as an ordinary user and
 * as root; elsewhere it uses what is there and says what is missing. Ends with the line `N passed, N failed, N skipped`.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CHROMIUM_MISSING, findChromium } from '../lib/chromium.ts';
import { endLeftovers, processKeys } from '../lib/leftovers.ts';
import { makeNeutral } from '../lib/neutral.ts';
import { allStages, PART_STAGES, runStages } from '../lib/stages.ts';
import { printSummary } from '../lib/summary.ts';
import type { TestRecord } from '../lib/test-report.ts';
import { testAsBothUsers } from './both-users.ts';
import { missingTools } from './tools.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    ci: { type: 'boolean' },
    // Only these stages, by id, separated by commas.
    only: { type: 'string' },
    // Also write the records to this file.
    records: { type: 'string' },
    // Who runs it, said with each stage, where two runs go side by side.
    as: { type: 'string' },
  },
});

async function suite(): Promise<TestRecord[]> {
  for (const line of missingTools()) console.log(line);
  const stages = allStages(() => (findChromium() === null ? CHROMIUM_MISSING : null));
  const wanted = values.only?.split(',');
  const chosen = wanted && [...stages, ...PART_STAGES].filter(({ id }) => wanted.includes(id));
  return await runStages(chosen ?? stages, { again: true, as: values.as });
}

/** The suite as whoever started it, in directories of its own, with a look at what it left behind. */
async function suiteInPlace(): Promise<TestRecord[]> {
  const before = processKeys();
  const dirs = makeNeutral();
  const runId = path.basename(process.env['TMPDIR'] ?? '');
  process.env['TRAI_TEST_RUN'] = runId;
  const records = await suite();
  const left = await endLeftovers(before, [`TRAI_TEST_RUN=${runId}`, ...dirs]);
  if (process.getuid?.() === 0 && values.records === undefined) {
    console.log(
      '\nThese were root’s results only; `npm test -- --ci` also runs everything as an ordinary user.',
    );
  }
  return [
    ...records,
    ...left.map(({ pid, command }): TestRecord => {
      return { file: 'left behind', name: `process ${pid}: ${command}`, state: 'failed', reason: null };
    }),
  ];
}

const ci = values.ci === true || process.env['CI'] === 'true';
const both = ci && process.getuid?.() === 0;
const records = both
  ? await testAsBothUsers(process.env['TRAI_TEST_USER'] ?? 'tester')
  : await suiteInPlace();
if (values.records !== undefined) writeFileSync(values.records, JSON.stringify(records));
process.exitCode = printSummary(records) ? 0 : 1;
