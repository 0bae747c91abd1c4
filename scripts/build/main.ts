/** `npm run build`: builds dist/plugin. `--check` builds elsewhere and says what differs; `--out DIR` builds into DIR. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { PLUGIN_DIST } from '../lib/root.ts';
import { buildPlugin } from './plugin.ts';
import { compareTrees } from './tree.ts';

/** Builds into `outDir` and reports; true when the tree is good. */
async function build(outDir: string): Promise<boolean> {
  const { missing, problems } = await buildPlugin(outDir);
  for (const name of missing) console.error(`build: expected ${name}, it does not exist.`);
  for (const problem of problems) console.error(`build: ${problem}`);
  return problems.length === 0 && missing.length === 0;
}

/** Builds beside the tree and compares; true when dist/ is what the sources give. */
async function check(): Promise<boolean> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'trai-build-'));
  try {
    const good = await build(scratch);
    const differences = compareTrees(scratch, PLUGIN_DIST);
    for (const difference of differences) console.error(`build: dist/plugin is stale: ${difference}`);
    if (differences.length > 0) console.error('build: run `npm run build` and commit dist/.');
    return good && differences.length === 0;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { check: { type: 'boolean' }, out: { type: 'string' } },
});
try {
  const good = values.check
    ? await check()
    : await build(values.out ? path.resolve(values.out) : PLUGIN_DIST);
  process.exitCode = good ? 0 : 1;
} catch (error) {
  // Rolldown's message has the place in the source; the stack of this script adds nothing.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
