/**
 * `npm run release -- X.Y.Z`: makes a release commit and its tag. It refuses a tree with changes, a version that is not
 * newer, and a changelog without a section for the version; it pushes nothing. Without an argument it prints the
 * version that each manifest states.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { statedVersions, VERSION_FIELDS, writeVersion } from '../lib/manifests.ts';
import { ROOT } from '../lib/root.ts';

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

function runScript(name: string, ...args: string[]): void {
  execFileSync(process.execPath, ['scripts/run.mjs', name, ...args], { cwd: ROOT, stdio: 'inherit' });
}

/** Negative when `a` is older than `b`. Both are X.Y.Z. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (const i of [0, 1, 2]) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** What stands in the way of releasing `version`; empty = nothing. */
function obstacles(version: string): string[] {
  const found: string[] = [];
  if (!/^\d+\.\d+\.\d+$/.test(version)) return [`expected a version X.Y.Z, found "${version}"`];
  if (git('status', '--porcelain') !== '')
    found.push('the work tree has uncommitted changes: commit or stash them');
  const current = statedVersions()[0]?.version ?? 'none';
  const tags = git('tag', '--list', 'v*').split('\n');
  if (tags.includes(`v${version}`)) found.push(`the tag v${version} exists already`);
  else if (compareVersions(version, current) < 0)
    found.push(`${version} is older than ${current}, which package.json states`);
  const changelog = readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8');
  if (!changelog.split('\n').some((line) => line.startsWith(`## ${version} (`)))
    found.push(
      `CHANGELOG.md has no section "## ${version} (YYYY-MM-DD)": give "Unreleased" its number and date`,
    );
  return found;
}

function release(version: string): void {
  writeVersion(version);
  runScript('build');
  runScript('check');
  runScript('build', '--check');
  git('add', 'dist', ...new Set(VERSION_FIELDS.map(({ file }) => file)));
  if (git('status', '--porcelain') !== '') git('commit', '-m', `release: v${version}`);
  git('tag', '-a', `v${version}`, '-m', `trai ${version}`);
  console.log(`Tagged v${version}. Run "npm test", then push: git push --follow-tags`);
}

const version = process.argv[3];
if (version === undefined) {
  for (const { place, version: stated } of statedVersions()) console.log(`${stated.padEnd(10)} ${place}`);
} else {
  const found = obstacles(version);
  for (const line of found) console.error(`release: ${line}`);
  if (found.length > 0) process.exitCode = 1;
  else release(version);
}
