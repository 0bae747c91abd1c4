import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npmEnvironment } from '../../scripts/lib/neutral.ts';
import { ROOT } from '../../scripts/lib/root.ts';

/** Pinned: hooks and the shell string differ between releases, and a test must not change with the calendar. */
export const CLIENT_VERSION = '2.1.330';

/**
 * The real client's program, installed into the project's cache folder (never into its lockfile) when it is not there
 * yet. Its package is a wrapper; the native program stands in an optional dependency, so no install script has to run.
 * @throws when npm can't get the package; the text is npm's.
 */
export function installClient(version = CLIENT_VERSION): string {
  const dir = path.join(ROOT, '.cache/client', version);
  const found = nativeProgram(dir);
  if (found !== null) return found;
  mkdirSync(dir, { recursive: true });
  // Without a manifest of its own npm would install into the project above.
  writeFileSync(path.join(dir, 'package.json'), '{"private":true}\n');
  const spec = `@anthropic-ai/claude-code@${version}`;
  const options = ['--prefix', dir, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  execFileSync('npm', ['install', ...options, spec], {
    cwd: dir,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: npmEnvironment(),
  });
  const program = nativeProgram(dir);
  if (program === null)
    throw new Error(`${spec} has no native program for ${process.platform}-${process.arch}.`);
  return program;
}

function nativeProgram(dir: string): string | null {
  const scope = path.join(dir, 'node_modules/@anthropic-ai');
  if (!existsSync(scope)) return null;
  const name = readdirSync(scope).find((entry) => /^claude-code-linux-(x64|arm64)(-musl)?$/.test(entry));
  const program = name === undefined ? null : path.join(scope, name, 'claude');
  return program !== null && existsSync(program) ? program : null;
}
