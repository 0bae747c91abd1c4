/**
 * `npm test`: everything. As root in CI (CI=true or --ci) it installs what is missing and tests as an ordinary user and
 * as root; elsewhere it uses what is there and says what is missing. Ends with the line `N passed, N failed, N skipped`.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CHROMIUM_MISSING, findChromium } from '../lib/chromium.ts';
import { run } from '../lib/exec.ts';
import { endLeftovers, processKeys } from '../lib/leftovers.ts';
import { ROOT } from '../lib/root.ts';
import { allStages, runStages } from '../lib/stages.ts';
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
    // Internal: run in place and write the records to this file.
    suite: { type: 'string' },
  },
});

async function suite(): Promise<TestRecord[]> {
  for (const line of missingTools()) console.log(line);
  const stages = allStages(() => (findChromium() === null ? CHROMIUM_MISSING : null));
  const wanted = values.only?.split(',');
  return await runStages(
    stages.filter(({ id }) => wanted === undefined || wanted.includes(id)),
    true,
  );
}

/** The suite as whoever started it, in a temporary directory of its own, with a look at what it left behind. */
async function suiteInPlace(): Promise<TestRecord[]> {
  const before = processKeys();
  const scratch = mkdtempSync(path.join(tmpdir(), 'trai-t-'));
  const runId = path.basename(scratch);
  Object.assign(process.env, { TMPDIR: scratch, TRAI_TEST_RUN: runId });
  const records = await suite();
  const left = await endLeftovers(before, [`TRAI_TEST_RUN=${runId}`, scratch]);
  // Directories that a test made unreadable would stop a plain removal half-way.
  await run('chmod', ['-R', 'u+rwX', scratch], { cwd: ROOT, output: 'collect' });
  await run('rm', ['-rf', scratch], { cwd: ROOT, output: 'collect' });
  if (process.getuid?.() === 0) {
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

if (values.suite !== undefined) {
  writeFileSync(values.suite, JSON.stringify(await suite()));
} else {
  const ci = values.ci === true || process.env['CI'] === 'true';
  const both = ci && process.getuid?.() === 0;
  const records = both
    ? await testAsBothUsers(process.env['TRAI_TEST_USER'] ?? 'tester')
    : await suiteInPlace();
  process.exitCode = printSummary(records) ? 0 : 1;
}
