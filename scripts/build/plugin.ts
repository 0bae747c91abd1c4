import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../lib/root.ts';
import { bundle } from './bundle.ts';
import { licencesOf, packagesOf } from './licences.ts';
import { copyPluginFiles, normaliseModes, treeProblems } from './tree.ts';

/** The path without a server starts this program for every call: what it loads is what the user waits for. */
const FALLBACK_MAY_LOAD = new Set(['unbash']);

export interface BuildResult {
  /** Sources that do not exist (yet). */
  missing: string[];
  /** What is wrong with the tree, as sentences. */
  problems: string[];
}

/** Builds the whole plugin into `outDir`, which is emptied first. */
export async function buildPlugin(outDir: string): Promise<BuildResult> {
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(outDir, { recursive: true });
  const { modules, missing } = await bundle(outDir);
  missing.push(...copyPluginFiles(ROOT, outDir));
  writeFileSync(path.join(outDir, 'THIRD-PARTY-LICENSES.md'), licencesOf([...modules.values()].flat()));
  normaliseModes(outDir);

  const problems = treeProblems(outDir, ROOT);
  const heavy = packagesOf(modules.get('fallback') ?? []).filter((name) => !FALLBACK_MAY_LOAD.has(name));
  if (heavy.length > 0)
    problems.push(`lib/fallback.mjs must load next to nothing, it loads ${heavy.join(', ')}.`);
  return { missing, problems };
}
