/** Which program an editor's id stands for. The table is the server's alone: a tab can only choose among its rows. */
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import type { EditorId } from '../../shared/api/settings.ts';
import type { Env } from '../../shared/session/node/dirs.ts';

const PROGRAMS: Record<Exclude<EditorId, 'none' | 'env'>, string> = {
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
  for (const [id, program] of Object.entries(PROGRAMS) as [keyof typeof PROGRAMS, string][])
    if (isOnPath(program, env)) found.push(id);
  return found;
}

function isOnPath(program: string, env: Env): boolean {
  return (env['PATH'] ?? '').split(':').some((dir) => {
    // A relative part of PATH would mean another program in every directory.
    if (!path.isAbsolute(dir)) return false;
    const file = path.join(dir, program);
    try {
      accessSync(file, constants.X_OK);
      return statSync(file).isFile();
    } catch {
      return false;
    }
  });
}
