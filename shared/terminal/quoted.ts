/** As a shell reads it. */
export function quoted(word: string): string {
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(word)) return word;
  // `'it'\''s'` is hard to read; within double quotes these characters would be special.
  if (word.includes("'") && !/["$`\\!]/.test(word)) return `"${word}"`;
  return `'${word.replaceAll("'", "'\\''")}'`;
}
