import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Spellings of the plugin's `bin/trai` for a program in `lib`: beside it in an installed plugin, and at the top of a
 * repository that is used as the plugin's folder (`dist/plugin/lib`).
 */
export function programsBeside(lib: string): string[] {
  const plugin = path.dirname(lib);
  const programs = [path.join(plugin, 'bin/trai')];
  if (plugin.endsWith('/dist/plugin')) programs.push(path.join(plugin, '../../bin/trai'));
  return programs;
}

/** The spellings that a session's hooks have named; the launcher's copy of the Node path lies outside the plugin. */
export function readPrograms(sessionDir: string): string[] {
  try {
    return readFileSync(path.join(sessionDir, 'programs'), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}

/** Remembers where the plugin of a session lies. An update in mid-session adds a line. */
export function rememberPrograms(sessionDir: string, programs: readonly string[]): void {
  const known = readPrograms(sessionDir);
  const fresh = programs.filter((program) => !known.includes(program) && !program.includes('\n'));
  if (fresh.length > 0)
    appendFileSync(path.join(sessionDir, 'programs'), `${fresh.join('\n')}\n`, { mode: 0o600 });
}
