import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npmEnvironment } from '../../scripts/lib/neutral.ts';
import { ROOT } from '../../scripts/lib/root.ts';

/**
 * The directory of a package for a test project: `name@version` is installed into the project's cache folder (never into
 * its lockfile) when it is not there yet; a plain name is a package of our own node_modules. No install script runs.
 * @throws when npm can't get the package; the text is npm's.
 */
export function packageDir(spec: string): string {
  const at = spec.lastIndexOf('@');
  if (at <= 0) return path.join(ROOT, 'node_modules', spec);
  const dir = path.join(ROOT, '.cache/programs', spec.replaceAll('/', '-'));
  const found = path.join(dir, 'node_modules', spec.slice(0, at));
  if (existsSync(found)) return found;
  // Half an installation must not be taken for a whole one the next time.
  const half = `${dir}.${process.pid}`;
  rmSync(half, { recursive: true, force: true });
  mkdirSync(half, { recursive: true });
  // Without a manifest of its own npm would install into the project above.
  writeFileSync(path.join(half, 'package.json'), '{"private":true}\n');
  const options = ['--prefix', half, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  execFileSync('npm', ['install', ...options, spec], {
    cwd: half,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: npmEnvironment(),
  });
  rmSync(dir, { recursive: true, force: true });
  renameSync(half, dir);
  return found;
}
