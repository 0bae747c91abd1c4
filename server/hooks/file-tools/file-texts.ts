/** Texts for the model about pending changes. Short: they cost tokens at every use. */

import type { Look } from '../../../core/scan/lookup/look.ts';
import { fromText, toDisplay } from '../../../shared/bytes.ts';

const WAY_OUT =
  'Do it with Bash (sed, a here-document, a script): that stays pending with the rest. Or ask the user to commit (/trai:commit) or discard (/trai:discard --yes) first.';

/** Null where the merged view shows the same. */
export function readText(look: Look, file: string): string | null {
  const what = happened(look, file);
  if (!look.inView) {
    if (!look.onHost) return null;
    return `this is the host's content of ${shown(file)}. ${what}, and that is pending: Bash commands no longer see it.`;
  }
  const how = `Read the pending version with Bash${catLine(file)}.`;
  if (!look.onHost) return `the host does not have ${shown(file)}. ${what}, and that is pending. ${how}`;
  return `this is the host's content of ${shown(file)}. ${what}, and that is pending. ${how}`;
}

export function writeText(look: Look, file: string): string {
  return `${happened(look, file)}, and that is pending: the file tools work on the host and would create a second version. ${WAY_OUT}`;
}

/** For a write that the client itself refused, since it sees only the host. */
export function missedText(look: Look, file: string): string {
  if (look.kind === 'added') {
    const made = `Bash created ${shownAt(look, file)}, and that is pending`;
    return `${made}: the file tools do not see it. Edit it with Bash (sed, a here-document, a script), or ask the user to commit it (/trai:commit).`;
  }
  return `${happened(look, file)}, and that is pending; the file tools see the host's version. ${WAY_OUT}`;
}

export function searchText(dir: string, pending: { count: number; more: boolean }): string {
  const { count, more } = pending;
  const entries = count === 1 ? 'entry' : 'entries';
  return `this searches the host. ${more ? 'More than ' : ''}${count} pending ${entries} below ${shown(dir)} can be found only with Bash (grep -rn, find).`;
}

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
      return `Bash created ${at}`;
    case 'closed':
      return `Bash removed the permission to read ${at}`;
  }
}

function shownAt(look: Look, file: string): string {
  return look.at === fromText(file) ? shown(file) : toDisplay(look.at);
}

function shown(file: string): string {
  return toDisplay(fromText(file));
}

/** Empty for a name that a shell or a terminal would change. */
function catLine(file: string): string {
  if (shown(file) !== file) return ' (cat)';
  return `: cat ${/^[\w@%+=:,./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`}`;
}
