/** What the model is told about pending changes where one of its file tools works. Short: it costs tokens at every use. */

import type { Look } from '../../../core/scan/lookup/look.ts';
import { fromText, toDisplay } from '../../../shared/bytes.ts';

/** After a hint for somebody who wants to write. */
const WAY_OUT =
  'Do it with Bash (sed, a here-document, a script): that stays pending with the rest. Or ask the user to commit (/trai:commit) or discard (/trai:discard --yes) first.';

/** For who reads `file` on the host; null where the pending view has nothing else to show. */
export function readText(look: Look, file: string): string | null {
  const what = happened(look, file);
  if (!look.inView) {
    if (!look.onHost) return null;
    return `this is the host's content of ${shown(file)}. ${what}, and that is pending: Bash commands do not see it any more.`;
  }
  const how = `Read the pending version with Bash${catLine(file)}.`;
  if (!look.onHost) return `the host does not have ${shown(file)}. ${what}, and that is pending. ${how}`;
  return `this is the host's content of ${shown(file)}. ${what}, and that is pending. ${how}`;
}

/** Why `file` is not written on the host, and what to do. */
export function writeText(look: Look, file: string): string {
  return `${happened(look, file)}, and that is pending: the file tools work on the host and would make a second version. ${WAY_OUT}`;
}

/** For who tried to write and was stopped by the client itself, which sees only the host. */
export function missedText(look: Look, file: string): string {
  if (look.kind === 'added') {
    const made = `${shownAt(look, file)} was made by Bash and is pending`;
    return `${made}, so the file tools do not see it: edit it with Bash (sed, a here-document, a script), or ask the user to commit it (/trai:commit).`;
  }
  return `${happened(look, file)}, and that is pending; the file tools see the host's version. ${WAY_OUT}`;
}

/** For who searches the host below `dir`. */
export function searchText(dir: string, pending: { count: number; more: boolean }): string {
  const { count, more } = pending;
  const entries = count === 1 ? 'entry' : 'entries';
  return `this searches the host. ${more ? 'More than ' : ''}${count} pending ${entries} below ${shown(dir)} can be found only with Bash (grep -rn, find).`;
}

/** For who searches a directory that itself differs. */
export function searchDirText(look: Look, dir: string): string {
  return `this searches the host. ${happened(look, dir)}, and that is pending: search the pending version with Bash (grep -rn, find).`;
}

function happened(look: Look, file: string): string {
  const at = shownAt(look, file);
  switch (look.kind) {
    case 'none':
    case 'modified':
      return `Bash changed ${at}`;
    case 'meta':
      return `Bash changed the permissions or the owner of ${at}`;
    case 'replaced':
      return `Bash replaced ${at}`;
    case 'deleted':
      return `Bash deleted ${at}`;
    case 'added':
      return `Bash made ${at}`;
    case 'closed':
      return `Bash took away the permission to look into ${at}`;
  }
}

function shownAt(look: Look, file: string): string {
  return look.at === fromText(file) ? shown(file) : toDisplay(look.at);
}

function shown(file: string): string {
  return toDisplay(fromText(file));
}

/** Nothing for a name that a shell word or a terminal would show as another one. */
function catLine(file: string): string {
  if (shown(file) !== file) return ' (cat)';
  return `: cat ${/^[\w@%+=:,./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`}`;
}
