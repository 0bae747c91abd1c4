/** The programs of the editors. Only the server has this table: a tab chooses a row. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import type { Env } from '../../core/session/dirs.ts';
import type { EditorId } from '../../shared/api/settings.ts';

type Named = Exclude<EditorId, 'none' | 'env'>;

type Arguments = (file: string, line: number) => string[];

const goto: Arguments = (file, line) => ['--goto', `${file}:${line}`];
const colon: Arguments = (file, line) => [`${file}:${line}`];
const option: Arguments = (file, line) => ['--line', String(line), file];

/** With the options for a line and, where there is one, for read-only. */
const PROGRAMS: Record<Named, readonly [program: string, args: Arguments]> = {
  vscode: ['code', goto],
  vscodium: ['codium', goto],
  cursor: ['cursor', goto],
  zed: ['zed', colon],
  sublime: ['subl', colon],
  idea: ['idea', option],
  webstorm: ['webstorm', option],
  pycharm: ['pycharm', option],
  emacs: ['emacsclient', (file, line) => ['--no-wait', `+${line}`, file]],
  gvim: ['gvim', (file, line) => ['-R', `+${line}`, file]],
  kate: ['kate', option],
  gedit: ['gedit', (file, line) => [`+${line}`, file]],
};
const NAMED = Object.keys(PROGRAMS) as Named[];

/** Those on PATH. `env` counts when one of its variables is set. */
export function editorsFound(env: Env): EditorId[] {
  const isSet = (env['VISUAL'] ?? '') !== '' || (env['EDITOR'] ?? '') !== '';
  return [...(isSet ? ['env' as const] : []), ...NAMED.filter((id) => onPath(PROGRAMS[id][0], env) !== null)];
}

export function editorCommand(
  id: EditorId,
  file: string,
  line: number,
  env: Env,
): { program: string; args: string[] } | null {
  const named = id === 'env' ? fromEnv(env) : id;
  if (named === 'none' || named === null) return null;
  const [name, args] = PROGRAMS[named];
  const program = onPath(name, env);
  return program === null ? null : { program, args: args(file, line) };
}

/** Only an editor with a window of its own: there is no terminal. */
function fromEnv(env: Env): Named | null {
  const [word = ''] = (env['VISUAL'] || env['EDITOR'] || '').trim().split(/\s+/);
  const name = path.basename(word);
  return NAMED.find((id) => PROGRAMS[id][0] === name) ?? null;
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
