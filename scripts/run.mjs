#!/usr/bin/env node
// Runs `scripts/NAME/main.ts`. On a fresh clone it first installs the packages, so this file may use nothing but Node.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const SCRIPTS = ['start', 'test', 'check', 'build', 'bench', 'bench-web', 'screenshots', 'release', 'fake'];

/**
 * The packages that a lockfile lists, as `place version` lines. npm keeps a lockfile of what it has really installed in
 * node_modules; optional packages of other platforms are missing there, so they are not compared.
 * @param {string} file
 * @returns {Set<string>}
 */
function installedPackages(file) {
  /** @type {{ packages?: Record<string, { version?: string, optional?: boolean, devOptional?: boolean }> }} */
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const entries = Object.entries(lock.packages ?? {});
  return new Set(
    entries
      .filter(([place, entry]) => place !== '' && !entry.optional && !entry.devOptional)
      .map(([place, entry]) => `${place} ${entry.version}`),
  );
}

/** True when node_modules does not hold exactly what package-lock.json asks for. */
function isStale() {
  const installed = path.join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return true;
  const wanted = installedPackages(path.join(root, 'package-lock.json'));
  const present = installedPackages(installed);
  return [...wanted].some((line) => !present.has(line));
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`trai: expected Node 20.19 or newer, found ${process.versions.node}.`);
  process.exit(1);
}

const name = process.argv[2] ?? '';
if (!SCRIPTS.includes(name)) {
  console.error(`usage: node scripts/run.mjs ${SCRIPTS.join('|')} [ARGUMENT...]`);
  process.exit(2);
}

if (isStale()) {
  console.log('Installing the packages that package-lock.json names (npm ci) ...');
  const install = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, stdio: 'inherit' });
  if (install.status !== 0) {
    console.error('trai: npm ci failed; its own message stands above.');
    process.exit(1);
  }
}

// Vite is a dependency anyway and runs TypeScript on every Node that we support.
const { runnerImport } = await import('vite');
await runnerImport(path.join(root, 'scripts', name, 'main.ts'), {
  root,
  configFile: false,
  logLevel: 'error',
});
