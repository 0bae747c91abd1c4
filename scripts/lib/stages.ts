import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterRunningAgain, filesToRunAgain } from './again.ts';
import { run } from './exec.ts';
import { ROOT } from './root.ts';
import { readPlaywrightReport, readRecords, type TestRecord } from './test-report.ts';

/** One step of `npm run check` and `npm test`. */
export interface Stage {
  id: string;
  title: string;
  /** A program of node_modules/.bin, or `node`. */
  program: string;
  args: readonly string[];
  /** Which test files; none: all. */
  filters?: readonly string[];
  /** Who writes a report; a stage without one counts as one test. */
  report: 'vitest' | 'playwright' | null;
  /** Why this stage cannot run on this machine, or null. */
  missing?: () => string | null;
}

const VITEST = ['run', '--reporter=default', '--reporter=./scripts/lib/vitest-reporter.ts'];

/** Where the tests stand whose result depends on kernel and user: they run as root too. */
export const KERNEL_FOLDERS = ['core/', 'server/', 'cli/', 'hooks/'] as const;

const STATIC_STAGES: readonly Stage[] = [
  {
    id: 'lint',
    title: 'lint and format',
    program: 'biome',
    args: ['ci', '--colors=off', '--error-on-warnings', '.'],
    report: null,
  },
  { id: 'types', title: 'types', program: 'tsc', args: ['--noEmit', '--pretty', 'false'], report: null },
  { id: 'knip', title: 'unused code and dependencies', program: 'knip', args: [], report: null },
];

const UNIT: Stage = {
  id: 'unit',
  title: 'unit and integration tests',
  program: 'vitest',
  args: [...VITEST, '--project', 'unit'],
  report: 'vitest',
};

const CLIENT: Stage = {
  id: 'client',
  title: 'tests with the real client',
  program: 'vitest',
  args: [...VITEST, '--project', 'client'],
  report: 'vitest',
};

/** What a commit must pass. */
export const CHECK_STAGES: readonly Stage[] = [...STATIC_STAGES, UNIT];

export function allStages(chromiumMissing: () => string | null): readonly Stage[] {
  return [
    ...STATIC_STAGES,
    {
      id: 'dist',
      title: 'dist/ is what the sources give',
      program: 'node',
      args: ['scripts/run.mjs', 'build', '--check'],
      report: null,
    },
    UNIT,
    {
      id: 'browser',
      title: 'browser tests',
      program: 'playwright',
      args: ['test'],
      report: 'playwright',
      missing: chromiumMissing,
    },
    CLIENT,
    {
      id: 'programs',
      title: 'real programs with and without trai',
      program: 'vitest',
      args: [...VITEST, '--project', 'programs'],
      report: 'vitest',
    },
  ];
}

/** The part of the unit tests that root repeats. */
const KERNEL_STAGE: Stage = {
  ...UNIT,
  id: 'kernel',
  title: 'sandbox, changes, commit and server',
  filters: KERNEL_FOLDERS,
};

/** Parts of `allStages` that are run only when they are asked for by name. */
export const PART_STAGES: readonly Stage[] = [
  KERNEL_STAGE,
  // The smallest: whether a client that root starts as an ordinary user gets to its plugin and its home at all.
  { ...CLIENT, id: 'client-start', title: 'a real client is started', filters: ['e2e/client/why.test.ts'] },
];

function readReport(stage: Stage, file: string): TestRecord[] {
  if (!existsSync(file)) return [];
  const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return stage.report === 'playwright' ? readPlaywrightReport(json) : readRecords(json);
}

/** The failures that a runner's report does not have: its own exit status, processes that it left behind. */
function stageFaults(stage: Stage, status: number, leftGroup: boolean, records: TestRecord[]): TestRecord[] {
  const fault = (name: string): TestRecord => ({ file: stage.id, name, state: 'failed', reason: null });
  const faults: TestRecord[] = [];
  if (leftGroup) faults.push(fault('processes of its group were left behind; they were ended'));
  const explained = records.some((record) => record.state === 'failed');
  if (status !== 0 && !explained) faults.push(fault(`exit status ${status}`));
  if (stage.report !== null && status === 0 && records.length === 0) faults.push(fault('no test ran'));
  return faults;
}

/**
 * Runs one stage with its output shown, in a process group of its own.
 * Never throws for a failing stage: what went wrong is among the records.
 */
export async function runStage(stage: Stage): Promise<TestRecord[]> {
  const reason = stage.missing?.() ?? null;
  if (reason !== null) {
    // In CI everything can be installed, so nothing may be left out there.
    const state = process.env['CI'] || process.env['TRAI_TEST_COMPLETE'] ? 'failed' : 'skipped';
    return [{ file: stage.id, name: `${stage.title}: ${reason}`, state, reason }];
  }
  const scratch = mkdtempSync(path.join(tmpdir(), 'trai-report-'));
  try {
    const report = path.join(scratch, 'report.json');
    const program =
      stage.program === 'node' ? process.execPath : path.join(ROOT, 'node_modules/.bin', stage.program);
    const env = { ...process.env, TRAI_REPORT: report };
    const args = [...stage.args, ...(stage.filters ?? [])];
    const { status, leftGroup } = await run(program, args, { cwd: ROOT, env });
    if (stage.report === null && status === 0 && !leftGroup) {
      return [{ file: stage.id, name: stage.title, state: 'passed', reason: null }];
    }
    const records = readReport(stage, report);
    return [...records, ...stageFaults(stage, status, leftGroup, records)];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs the files of the few tests that failed once more, each alone (see again.ts). */
async function runFailedAgain(stage: Stage, first: TestRecord[]): Promise<TestRecord[]> {
  let records = first;
  for (const file of filesToRunAgain(first)) {
    console.log(`\n=== ${stage.id}: ${file} failed; once more, alone`);
    records = afterRunningAgain(records, file, await runStage({ ...stage, filters: [file] }));
  }
  return records;
}

/**
 * Runs stages one after the other, all of them also when one fails: a person wants to see everything at once.
 * @param again whether a test file that failed is run once more, alone
 */
export async function runStages(stages: readonly Stage[], again = false): Promise<TestRecord[]> {
  const records: TestRecord[] = [];
  for (const stage of stages) {
    console.log(`\n=== ${stage.id}: ${stage.title}`);
    const started = performance.now();
    const first = await runStage(stage);
    const found = again ? await runFailedAgain(stage, first) : first;
    const failed = found.filter((record) => record.state === 'failed').length;
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(`=== ${stage.id}: ${failed === 0 ? 'good' : `${failed} FAILED`} (${seconds} s)`);
    records.push(...found);
  }
  return records;
}
