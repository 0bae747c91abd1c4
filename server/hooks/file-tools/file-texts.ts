/** Texts for the model about pending changes. Short: they cost tokens at every use. */

import type { Look } from '../../../core/scan/lookup/look.ts';
import { fromText, toDisplay } from '../../../shared/bytes.ts';

const WAY_OUT =
  'Do it with Bash (sed, a here-document, a script): that stays pending with the rest. Or ask the user to commit (/trai:commit) or discard (/trai:discard --yes) first.';

/** Null where the merged view shows the same. */
export function readText(look: Look, file: string): string | null {
  if (!look.inView && !look.onHost) return null;
  const host = look.onHost ? "this is the host's content of" : 'the host does not have';
  const text = `${host} ${shown(file)}. ${happened(look, file)}, and that is pending`;
  if (!look.inView) return `${text}: Bash commands no longer see it.`;
  return `${text}. Read the pending version with Bash${catLine(file)}.`;
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

const HAPPENED = {
  none: 'changed',
  modified: 'changed',
  meta: 'changed the permissions or the owner of',
  replaced: 'replaced',
  deleted: 'deleted',
  added: 'created',
  closed: 'removed the permission to read',
} as const satisfies Record<Look['kind'], string>;

function happened(look: Look, file: string): string {
  return `Bash ${HAPPENED[look.kind]} ${shownAt(look, file)}`;
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
