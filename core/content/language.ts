/** highlight.js languages by file name. */
import { type BytePath, nameOf } from '../../shared/bytes.ts';

const LANGUAGES = {
  bash: '.bash .sh .zsh .bashrc .bash_profile .profile .zshrc',
  c: '.c .h',
  cmake: 'cmakelists.txt',
  cpp: '.cc .cpp .cxx .hh .hpp',
  csharp: '.cs',
  css: '.css',
  dart: '.dart',
  diff: '.diff .patch',
  dockerfile: 'dockerfile containerfile',
  elixir: '.ex .exs',
  erlang: '.erl',
  go: '.go',
  gradle: '.gradle',
  graphql: '.graphql',
  groovy: 'jenkinsfile',
  haskell: '.hs',
  ini: '.ini .cfg .conf .toml .gitconfig .npmrc .editorconfig',
  java: '.java',
  javascript: '.cjs .js .jsx .mjs',
  json: '.json .jsonc .jsonl',
  julia: '.jl',
  kotlin: '.kt .kts',
  less: '.less',
  lua: '.lua',
  makefile: '.mk makefile gnumakefile',
  markdown: '.md .markdown',
  nix: '.nix',
  objectivec: '.m',
  perl: '.pl .pm',
  php: '.php',
  protobuf: '.proto',
  python: '.py .pyi',
  r: '.r',
  ruby: '.rb gemfile rakefile',
  rust: '.rs',
  scala: '.scala',
  scss: '.scss',
  sql: '.sql',
  swift: '.swift',
  typescript: '.cts .mts .ts .tsx',
  xml: '.htm .html .svg .vue .xml',
  yaml: '.yaml .yml',
  zig: '.zig',
};

const BY_NAME = new Map(
  Object.entries(LANGUAGES).flatMap(([language, names]) => names.split(' ').map((name) => [name, language])),
);

export function languageOf(path: BytePath): string | null {
  const name = nameOf(path).toLowerCase();
  const dot = name.lastIndexOf('.');
  return BY_NAME.get(name) ?? (dot > 0 ? BY_NAME.get(name.slice(dot)) : undefined) ?? null;
}
