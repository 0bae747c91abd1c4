/**
 * `npm run bench`: the product's figures beside their targets, each with its peer in the same rounds. `--files N` (50000),
 * `--rounds N` (20), `--only calls,scan,diff,commit,modified,busy,steps,many,server,turns,programs,rules,box`, `--quick` (smaller
 * scan, modified, busy, steps and many), `--cold` (root: steps drop the kernel's caches). Absolute times are this machine's; the ratios travel.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { endAll } from '../lib/exec.ts';
import { benchBox } from './box.ts';
import { benchBusy } from './busy.ts';
import { benchCalls } from './calls.ts';
import { benchCommit, benchDiff } from './files.ts';
import { benchInstances } from './instances.ts';
import { benchMany } from './many.ts';
import { benchModified } from './modified.ts';
import { benchPrograms } from './programs.ts';
import { benchRules } from './rules.ts';
import { benchRulesHooks } from './rules-hooks.ts';
import { benchScan } from './scan.ts';
import { benchServer } from './server.ts';
import { benchSteps } from './steps.ts';
import { isMeasuring, supervise } from './supervise.ts';
import { type Result, table } from './table.ts';
import { benchTurns } from './turns.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    files: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '20' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    cold: { type: 'boolean', default: false },
  },
});
const files = Number(values.files);
const rounds = Number(values.rounds);

const MEASURES: Record<string, () => Promise<Result[]>> = {
  calls: () => benchCalls(rounds),
  scan: () =>
    benchScan(
      values.quick ? [1_000, 5_000] : [...new Set([1_000, 5_000, 20_000, files])].sort((a, b) => a - b),
      Math.min(rounds, 7),
    ),
  diff: () => benchDiff(rounds),
  commit: () => benchCommit(files),
  modified: () => benchModified(values.quick ? [1_000] : [1_000, 5_000, 20_000]),
  busy: () => benchBusy(values.quick ? [1, 3_000] : [1, 3_000, 50_000], values.quick ? [10] : [10, 50]),
  steps: () => benchSteps(values.quick ? [10, 1_000] : [10, 1_000, files], values.cold),
  many: () => benchMany(200, values.quick ? 10_000 : 1_000_000),
  server: () => benchServer(files),
  turns: () => benchTurns(Math.max(rounds, 30)),
  programs: () => benchPrograms(Math.min(rounds, 3)),
  box: async () => [
    ...(await benchBox(rounds)),
    ...(await benchInstances(500, values.quick ? 10 : 200, Math.min(rounds, 7))),
  ],
  rules: async () => [...(await benchRules(Math.min(rounds, 7))), ...(await benchRulesHooks(rounds))],
};

/** A measure that cannot be taken is a line of the table, not the end of the others. */
async function measure(name: string, work: () => Promise<Result[]>): Promise<Result[]> {
  const started = performance.now();
  try {
    return await work();
  } catch (error) {
    return [
      { what: name, skipped: (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '' },
    ];
  } finally {
    console.error(`bench: ${name} took ${Math.round((performance.now() - started) / 1000)} s`);
  }
}

async function bench(): Promise<void> {
  const wanted = values.only?.split(',') ?? Object.keys(MEASURES);
  console.log(
    `Node ${process.versions.node}, ${cpus().length} cores, ${process.getuid?.() === 0 ? 'root' : 'ordinary user'}`,
  );
  try {
    for (const [name, work] of Object.entries(MEASURES)) {
      // Each as soon as it is there: all of them take many minutes.
      if (wanted.includes(name)) console.log(`\n## ${name}\n\n${table(await measure(name, work))}`);
    }
  } finally {
    await endAll();
  }
}

if (isMeasuring()) await bench();
else process.exit(await supervise([process.execPath, ...process.argv.slice(1)]));
