/** Which program an editor's id stands for. The table is the server's alone: a tab can only choose among its rows. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import type { Env } from '../../core/session/dirs.ts';
import type { EditorId } from '../../shared/api/settings.ts';

type Named = Exclude<EditorId, 'none' | 'env'>;

const PROGRAMS: Record<Named, string> = {
  vscode: 'code',
  vscodium: 'codium',
  cursor: 'cursor',
  zed: 'zed',
  sublime: 'subl',
  idea: 'idea',
  webstorm: 'webstorm',
  pycharm: 'pycharm',
  emacs: 'emacsclient',
  gvim: 'gvim',
  kate: 'kate',
  gedit: 'gedit',
};

/** The editors that could be started here: their program is on PATH. `env` counts when one of its variables is set. */
export function editorsFound(env: Env): EditorId[] {
  const found: EditorId[] = [];
  if ((env['VISUAL'] ?? '') !== '' || (env['EDITOR'] ?? '') !== '') found.push('env');
  for (const [id, program] of Object.entries(PROGRAMS) as [Named, string][])
    if (onPath(program, env) !== null) found.push(id);
  return found;
}

/** How each is told a line, and where it can, not to change the file. */
const ARGUMENTS: Record<Named, (file: string, line: number) => string[]> = {
  vscode: (file, line) => ['--goto', `${file}:${line}`],
  vscodium: (file, line) => ['--goto', `${file}:${line}`],
  cursor: (file, line) => ['--goto', `${file}:${line}`],
  zed: (file, line) => [`${file}:${line}`],
  sublime: (file, line) => [`${file}:${line}`],
  idea: (file, line) => ['--line', String(line), file],
  webstorm: (file, line) => ['--line', String(line), file],
  pycharm: (file, line) => ['--line', String(line), file],
  emacs: (file, line) => ['--no-wait', `+${line}`, file],
  gvim: (file, line) => ['-R', `+${line}`, file],
  kate: (file, line) => ['--line', String(line), file],
  gedit: (file, line) => [`+${line}`, file],
};

/** The program and the arguments that open a file at a line, by absolute names; null when there is no such program here. */
export function editorCommand(
  id: EditorId,
  file: string,
  line: number,
  env: Env,
): { program: string; args: string[] } | null {
  const named = id === 'env' ? fromEnv(env) : id;
  if (named === 'none' || named === null) return null;
  const program = onPath(PROGRAMS[named], env);
  return program === null ? null : { program, args: ARGUMENTS[named](file, line) };
}

/** $VISUAL, else $EDITOR, when it is one that opens a window of its own: there is no terminal for another. */
function fromEnv(env: Env): Named | null {
  const [word = ''] = (env['VISUAL'] || env['EDITOR'] || '').trim().split(/\s+/);
  const name = path.basename(word);
  const found = (Object.entries(PROGRAMS) as [Named, string][]).find(([, program]) => program === name);
  return found?.[0] ?? null;
}

function onPath(program: string, env: Env): string | null {
  for (const dir of (env['PATH'] ?? '').split(':')) {
    // A relative part of PATH would mean another program in every directory.
    if (!path.isAbsolute(dir)) continue;
    const file = path.join(dir, program);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {
      // Not here.
    }
  }
  return null;
}
