/**
 * Builds what tests start as programs once a run: the plugin, and scripts from TypeScript, which Node 20 does
 * not read. Kept in the run's temporary directory (scripts/lib/neutral.ts) by its source; tests get copies.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { buildPlugin } from '../scripts/build/plugin.ts';
import { ROOT } from './root.ts';

/** The entry of a key, made by the first caller; of two made at once the first one counts. */
async function once(key: string, make: (to: string) => unknown): Promise<string> {
  const all = join(process.env['TRAI_TEST_SCRATCH'] ?? tmpdir(), 'built');
  const made = join(all, createHash('sha256').update(key).digest('hex').slice(0, 16));
  // In watch mode sources change during the run.
  const isFresh = process.env['VITEST_MODE'] === 'WATCH';
  if (existsSync(made) && !isFresh) return made;
  mkdirSync(all, { recursive: true, mode: 0o755 });
  const half = mkdtempSync(join(all, 'half-'));
  try {
    await make(join(half, 'made'));
    if (isFresh) rmSync(made, { recursive: true, force: true });
    renameSync(join(half, 'made'), made);
  } catch (error) {
    if (!existsSync(made)) throw error;
  } finally {
    rmSync(half, { recursive: true, force: true });
  }
  return made;
}

/** Copies the plugin as it is built from the present sources. */
export async function copyPlugin(to: string): Promise<void> {
  const tree = await once('plugin', async (dir) => {
    const { problems } = await buildPlugin(dir);
    if (problems.length > 0) throw new Error(`the plugin's tree is wrong: ${problems.join(', ')}`);
  });
  cpSync(tree, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

/** One script of a fixture (an absolute path) and all that it imports. */
export async function builtFixture(fixture: string): Promise<string> {
  const rolldown = join(ROOT, 'node_modules/.bin/rolldown');
  const dir = await once(fixture, (to) => {
    const args = ['--platform', 'node', '--format', 'esm', '-o', join(to, 'fixture.mjs')];
    execFileSync(rolldown, [fixture, ...args], { stdio: 'ignore' });
  });
  return join(dir, 'fixture.mjs');
}

/** Bundles a program that imports the project's files as `#/core/...` into the returned `dir/name.mjs`. */
export async function builtProgramOf(dir: string, name: string, source: string): Promise<string> {
  const made = await once(source, async (to) => {
    mkdirSync(to);
    const entry = join(to, 'program.ts');
    writeFileSync(entry, source.replaceAll("'#/", `'${ROOT}/`));
    await build({
      configFile: false,
      root: ROOT,
      logLevel: 'warn',
      ssr: { noExternal: true },
      build: {
        ssr: entry,
        outDir: to,
        emptyOutDir: false,
        minify: false,
        rollupOptions: { output: { entryFileNames: 'program.mjs' } },
      },
    });
  });
  const program = join(dir, `${name}.mjs`);
  writeFileSync(program, readFileSync(join(made, 'program.mjs')));
  return program;
}
