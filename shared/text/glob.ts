/**
 * Whether a glob may match a name, and some more where it has brackets. Hidden names too: the shell may be set so (dotglob).
 * In time of the product of their lengths, whatever the glob: a regular expression with many stars may take for ever.
 */
export function globMatches(glob: string, name: string): boolean {
  const anyOf = glob.replace(/\[[^\]]*\]|\[/g, '?');
  // How many characters, or bytes, a letter beyond ASCII is depends on the locale.
  const shape = /^[\0-\x7f]*$/.test(name) ? anyOf : anyOf.replaceAll('?', '*');
  let [at, of] = [0, 0];
  /** The last star, and where what it stands for ends. */
  let [star, end] = [-1, 0];
  while (of < name.length) {
    const sign = shape[at];
    if (sign === '*') [star, end] = [at++, of];
    else if (sign === '?' || sign === name[of]) [at, of] = [at + 1, of + 1];
    else if (star >= 0) [at, of] = [star + 1, ++end];
    else return false;
  }
  while (shape[at] === '*') at++;
  return at === shape.length;
}
