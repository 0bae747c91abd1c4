import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { filesBelow, PLUGIN_FILES } from './tree.ts';

/** What a build reads, below the root of the repository. */
const SOURCES = [
  ...PLUGIN_FILES,
  'cli',
  'core',
  'server',
  'shared',
  'web',
  'vite.config.ts',
  'package-lock.json',
  'scripts/build',
];
/** Written in every build. */
const BUILT = 'lib/cli.cjs';

/**
 * A source that is newer than the build, so that what runs is not what one reads; null = there is none.
 * By time: a fresh clone may be built once too often, which gives the same bytes.
 */
export function newerThanBuild(root: string, dist: string): string | null {
  const built = statSync(path.join(dist, BUILT)).mtimeMs;
  for (const source of SOURCES) {
    const at = path.join(root, source);
    if (!existsSync(at)) continue;
    const names = statSync(at).isDirectory()
      ? filesBelow(at).map((name) => path.posix.join(source, name))
      : [source];
    const newer = names.find(
      (name) => !/\.test\.tsx?$/.test(name) && statSync(path.join(root, name)).mtimeMs > built,
    );
    if (newer !== undefined) return newer;
  }
  return null;
}

/** True when there is no build. */
export function isUnbuilt(dist: string): boolean {
  return !existsSync(path.join(dist, BUILT));
}
