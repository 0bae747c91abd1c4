import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterRunningAgain, filesToRunAgain, seedOf } from './again.ts';
import { type RunResult, run } from './exec.ts';
import { ROOT } from './root.ts';
import { readPlaywrightReport, readRecords, type TestRecord } from './test-report.ts';

/** One step of `npm run check` and `npm test`. */
export interface Stage {
  id: string;
  title: string;
  /** Stages of one lane run one after the other, the lanes side by side. */
  lane: 'processes' | 'pages' | 'client';
  /** A program of node_modules/.bin, or `node`. */
  program: string;
  args: readonly string[];
  /** Which test files; none: all. */
  filters?: readonly string[];
  /** Of its random tests; undefined: a new one. */
  seed?: string | undefined;
  /** Who writes a report; a stage without one counts as one test. */
  report: 'vitest' | 'playwright' | null;
  /** Why this stage cannot run on this machine, or null. */
  missing?: () => string | null;
}

function vitest(id: string, title: string, lane: Stage['lane']): Stage {
  const reporters = ['--reporter=default', '--reporter=./scripts/lib/vitest-reporter.ts'];
  return {
    id,
    title,
    lane,
    program: 'vitest',
    args: ['run', ...reporters, '--project', id],
    report: 'vitest',
  };
}

/** Whether a test's result depends on kernel and user, so that it runs as root too: vitest's project `kernel`. */
export function isKernelTest(file: string): boolean {
  return /^(core|hooks)\//.test(file) && !/^core\/decide\/|\/messages\.test\.ts$/.test(file);
}

/** What a commit must pass. */
export const CHECK_STAGES: readonly Stage[] = [
  {
    id: 'lint',
    title: 'lint and format',
    lane: 'pages',
    program: 'biome',
    args: ['ci', '--colors=off', '--error-on-warnings', '.'],
    report: null,
  },
  {
    id: 'types',
    title: 'types',
    lane: 'pages',
    program: 'tsc',
    args: ['--noEmit', '--pretty', 'false'],
    report: null,
  },
  {
    id: 'knip',
    title: 'unused code and dependencies',
    lane: 'pages',
    program: 'knip',
    args: [],
    report: null,
  },
  {
    id: 'dist',
    title: 'dist/ is what the sources give',
    lane: 'pages',
    program: 'node',
    args: ['scripts/run.mjs', 'build', '--check'],
    report: null,
  },
  vitest('pure', 'what neither kernel nor server takes part in', 'processes'),
];

// These mostly wait for the client, and for package registries.
const CLIENT = vitest('client', 'tests with the real client', 'client');

export function allStages(chromiumMissing: () => string | null): readonly Stage[] {
  return [
    ...CHECK_STAGES,
    vitest('kernel', 'sandbox, scan, commit and hooks', 'processes'),
    vitest('server', 'server and command line', 'processes'),
    {
      id: 'browser',
      title: 'browser tests',
      lane: 'pages',
      program: 'playwright',
      args: ['test'],
      report: 'playwright',
      missing: chromiumMissing,
    },
    CLIENT,
    vitest('programs', 'real programs with and without trai', 'client'),
  ];
}

/** Parts of `allStages` that are run only when they are asked for by name. */
export const PART_STAGES: readonly Stage[] = [
  // The smallest: whether a client that root starts as an ordinary user gets to its plugin and its home at all.
  { ...CLIENT, id: 'client-start', title: 'a real client is started', filters: ['e2e/client/why.test.ts'] },
];

function readReport(stage: Stage, file: string): TestRecord[] {
  if (!existsSync(file)) return [];
  const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return stage.report === 'playwright' ? readPlaywrightReport(json) : readRecords(json);
}

/** The failures that a runner's report does not have: its own exit status, processes that it left behind. */
function stageFaults(
  stage: Stage,
  { status, leftGroup }: Pick<RunResult, 'status' | 'leftGroup'>,
  records: TestRecord[],
): TestRecord[] {
  const fault = (name: string): TestRecord => ({ file: stage.id, name, state: 'failed', reason: null });
  const faults: TestRecord[] = [];
  if (leftGroup.length > 0)
    faults.push(fault(`processes of its group were left behind, and were ended: ${leftGroup.join('; ')}`));
  const explained = records.some((record) => record.state === 'failed');
  if (status !== 0 && !explained) faults.push(fault(`exit status ${status}`));
  if (stage.report !== null && status === 0 && records.length === 0) faults.push(fault('no test ran'));
  return faults;
}

/**
 * Runs one stage, in a process group of its own. Never throws for a failing stage: what went wrong is among the records.
 * @param output whether its output is shown as it comes, or whole when it has ended
 */
async function runStage(stage: Stage, output: 'show' | 'show-whole', title: string): Promise<TestRecord[]> {
  if (output === 'show') process.stdout.write(title);
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
    const env = { ...process.env, TRAI_REPORT: report, ...(stage.seed && { TRAI_SEED: stage.seed }) };
    const args = [...stage.args, ...(stage.filters ?? [])];
    const { status, leftGroup } = await run(program, args, { cwd: ROOT, env, output, title });
    if (stage.report === null && status === 0 && leftGroup.length === 0) {
      return [{ file: stage.id, name: stage.title, state: 'passed', reason: null }];
    }
    const records = readReport(stage, report);
    return [...records, ...stageFaults(stage, { status, leftGroup }, records)];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs the files of the few tests that failed once more, each alone (see again.ts). */
async function runFailedAgain(stage: Stage, first: TestRecord[]): Promise<TestRecord[]> {
  let records = first;
  for (const file of filesToRunAgain(first)) {
    const title = `\n=== ${stage.id}: ${file} failed; once more, alone\n`;
    const again = await runStage({ ...stage, filters: [file], seed: seedOf(first, file) }, 'show', title);
    records = afterRunningAgain(records, file, again);
  }
  return records;
}

const failuresOf = (records: readonly TestRecord[]) =>
  records.filter(({ state }) => state === 'failed').length;

/**
 * Runs stages, all of them also when one fails: a user wants to see everything at once.
 * @param again whether a test file that failed is run once more, when no other stage runs
 * @param as who runs them, when somebody else's stages run at the same time
 */
export async function runStages(
  stages: readonly Stage[],
  { again = false, as }: { again?: boolean; as?: string | undefined } = {},
): Promise<TestRecord[]> {
  const lanes = [...new Set(stages.map(({ lane }) => lane))];
  const output = lanes.length > 1 || as !== undefined ? 'show-whole' : 'show';
  const nameOf = ({ id }: Stage) => (as === undefined ? id : `${id} as ${as}`);
  const results = new Map<Stage, TestRecord[]>();
  const runLane = async (lane: Stage['lane']): Promise<void> => {
    for (const stage of stages.filter((one) => one.lane === lane)) {
      const name = nameOf(stage);
      if (output === 'show-whole') console.log(`=== ${name}: begins`);
      const started = performance.now();
      const found = await runStage(stage, output, `\n=== ${name}: ${stage.title}\n`);
      const [failed, ms] = [failuresOf(found), performance.now() - started];
      console.log(`=== ${name}: ${failed === 0 ? 'good' : `${failed} FAILED`} (${Math.round(ms / 1000)} s)`);
      results.set(stage, found);
    }
  };
  await Promise.all(lanes.map(runLane));
  const records: TestRecord[] = [];
  for (const [stage, found] of results) records.push(...(again ? await runFailedAgain(stage, found) : found));
  return records;
}
