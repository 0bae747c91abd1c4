/** Languages that are coloured, by their names in highlight.js. Apart from the grammars, which only the worker loads. */
export const HIGHLIGHTED = [
  'bash',
  'c',
  'cpp',
  'css',
  'diff',
  'dockerfile',
  'go',
  'ini',
  'java',
  'javascript',
  'json',
  'makefile',
  'markdown',
  'python',
  'ruby',
  'rust',
  'sql',
  'typescript',
  'xml',
  'yaml',
] as const;
export type Highlighted = (typeof HIGHLIGHTED)[number];

export function isHighlighted(name: string | null): name is Highlighted {
  return HIGHLIGHTED.some((known) => known === name);
}
