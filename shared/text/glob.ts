/** The names that a glob may match, and some more where it has brackets. Hidden ones too: the shell may be set so (dotglob). */
export function globShape(glob: string): RegExp {
  const source = glob
    .replace(/\[[^\]]*\]|\[/g, '?')
    .replace(/[\\^$.+()|{}\]]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}
