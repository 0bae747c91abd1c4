import { withoutDurations } from '../compare.ts';
import type { Program } from '../program.ts';

const MANIFEST = JSON.stringify(
  {
    name: 'app',
    version: '1.0.0',
    private: true,
    scripts: { build: 'tool > built.txt' },
    dependencies: { tool: '^1.0.0' },
  },
  null,
  2,
);
const MODULES = Array.from({ length: 60 }, (_, i) => i);
const SOURCES = Object.fromEntries(
  MODULES.map((i) => [
    `src/m${i}.ts`,
    `export const value${i}: number = ${i};\nexport const text${i} = 'module ${i}';\n`,
  ]),
);
const MAIN = `${MODULES.map((i) => `import { value${i} } from './m${i}.ts';`).join('\n')}\nconsole.log([${MODULES.map((i) => `value${i}`).join(', ')}].length);\n`;
/** npm's own notes about when it was asked what. */
const NPM_CACHE = /^\.npm\//;

/** The new output is waited for, so many seconds at most. */
const watching = (seconds: number): Pick<Program, 'files' | 'command' | 'loose'> => ({
  files: {
    ...SOURCES,
    'src/main.ts': MAIN,
    'tsconfig.json':
      '{ "compilerOptions": { "rootDir": "src", "outDir": "out", "module": "esnext", "target": "es2022", "rewriteRelativeImportExtensions": true, "types": [] }, "include": ["src"] }\n',
  },
  command: [
    `appears() { for ((i = 0; i < ${seconds * 20}; i++)); do ! "$@" || return 0; sleep 0.05; done; cat watch.log; exit 9; }`,
    // A group of its own: the program that watches is a child of the one that is started.
    'set -m; node node_modules/typescript/bin/tsc --watch --preserveWatchOutput >watch.log 2>&1 & watcher=$!',
    'trap "kill -- -$watcher" EXIT',
    'appears grep -q "Found 0 errors" watch.log',
    "echo 'export const later = 1;' >>src/m7.ts",
    'appears grep -qs later out/m7.js',
    "echo 'export const added = 1;' >src/added.ts",
    'appears test -e out/added.js',
    'wc -l src/m7.ts src/added.ts',
  ].join('\n'),
  // Written while it is looked at.
  loose: [/watch\.log$/],
});

export const NODE: readonly Program[] = [
  {
    name: 'npm',
    needs: ['npm'],
    files: { 'package.json': MANIFEST },
    setup: 'npm install --package-lock-only',
    // The second replaces what the first made; the third takes one away.
    command: 'npm ci && npm ci && npm run --silent build && cat built.txt && npm uninstall tool',
    stdout: withoutDurations,
    ignore: [NPM_CACHE],
  },
  {
    name: 'npm, node_modules there already',
    needs: ['npm'],
    files: { 'package.json': MANIFEST },
    setup: 'npm install',
    command: 'npm ci && npm run --silent build && cat built.txt',
    stdout: withoutDurations,
    ignore: [NPM_CACHE],
  },
  {
    name: 'pnpm, warm store',
    needs: ['node'],
    packages: ['pnpm@10.34.8'],
    files: { 'package.json': MANIFEST },
    // Out of node_modules, which it is to make anew.
    setup: 'mv node_modules/pnpm ../pnpm && node ../pnpm/bin/pnpm.cjs install && rm -r node_modules',
    command:
      'node ../pnpm/bin/pnpm.cjs install --offline --frozen-lockfile && node ../pnpm/bin/pnpm.cjs --silent run build && cat built.txt',
    stdout: withoutDurations,
    copiesOfLinks: true,
    // When something was looked at last, and by which projects.
    loose: [
      /node_modules\/\.(modules\.yaml|pnpm-workspace-state.*)$/,
      /^\.local\/share\/pnpm\/store\/.*\.json$/,
    ],
    ignore: [/^\.cache\/pnpm\//, /^\.local\/state\/pnpm\//, /^\.local\/share\/pnpm\/store\/v\d+\/projects\//],
  },
  {
    name: 'yarn',
    needs: ['node'],
    packages: ['yarn@1.22.22'],
    files: { 'package.json': MANIFEST },
    setup: 'mv node_modules/yarn ../yarn && node ../yarn/bin/yarn.js install && rm -r node_modules',
    command:
      'node ../yarn/bin/yarn.js install --frozen-lockfile && node ../yarn/bin/yarn.js --silent run build && cat built.txt',
    stdout: withoutDurations,
    ignore: [/^\.cache\/yarn\/v\d+\/\.tmp/],
  },
  {
    name: 'vite build',
    needs: ['node'],
    packages: ['vite'],
    files: {
      ...SOURCES,
      'src/main.ts': `import './look.css';\n${MAIN}`,
      'src/look.css': 'body { color: teal; }\n',
      'index.html': '<!doctype html><title>app</title><script type="module" src="/src/main.ts"></script>\n',
    },
    command: 'node node_modules/vite/bin/vite.js build && node node_modules/vite/bin/vite.js build',
    // On a busy machine it also says which plugins took long.
    stdout: null,
  },
  {
    name: 'astro build',
    needs: ['node'],
    packages: ['astro@5.18.2'],
    files: {
      'package.json': '{ "name": "site", "type": "module", "private": true }\n',
      'src/layouts/Page.astro':
        '---\nconst { title } = Astro.props;\n---\n<html><head><title>{title}</title></head><body><slot /></body></html>\n<style>body { color: teal; }</style>\n',
      'src/pages/index.astro':
        '---\nimport Page from \'../layouts/Page.astro\';\nconst rows = [1, 2, 3];\n---\n<Page title="Home"><ul>{rows.map((row) => <li>{row}</li>)}</ul></Page>\n',
      'src/pages/about.md': '---\ntitle: About\n---\n# About\n\nText.\n',
    },
    command:
      'export ASTRO_TELEMETRY_DISABLED=1 && node node_modules/astro/astro.js build && cat dist/index.html',
    stdout: (text) => withoutDurations(text).replace(/\d\d:\d\d:\d\d/g, ''),
    ignore: [/^\.config\/astro/],
    loose: [/\/\.astro\//, /\/\.vite\//],
  },
  {
    name: 'next build',
    needs: ['node'],
    packages: ['next@16.4.6'],
    files: {
      'package.json': '{ "name": "site", "private": true }\n',
      'next.config.mjs': "export default { output: 'export', generateBuildId: () => 'fixed' };\n",
      'app/layout.js':
        'export const metadata = { title: \'Home\' };\nexport default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }\n',
      'app/page.js':
        "import Counter from './counter';\nexport default function Page() { return <main>{[1, 2, 3].map((n) => <p key={n}>{n}</p>)}<Counter /></main>; }\n",
      'app/counter.js':
        "'use client';\nimport { useState } from 'react';\nexport default function Counter() { const [n, set] = useState(0); return <button onClick={() => set(n + 1)}>{n}</button>; }\n",
    },
    // npm puts the packages that it wants beside itself next to it.
    setup:
      'beside=$(dirname "$(realpath node_modules/next)") && ln -s "$beside/react" "$beside/react-dom" node_modules/',
    // Not Turbopack, which follows no link out of the project.
    command:
      'export NEXT_TELEMETRY_DISABLED=1 && node node_modules/next/dist/bin/next build --webpack && cat out/index.html',
    stdout: withoutDurations,
    // A cache, traces with times, and keys made for this build.
    loose: [/^p\/\.next\//],
    ignore: [/^p\/\.next\/cache\/webpack\//],
  },
  {
    name: 'tsc --watch',
    needs: ['node'],
    packages: ['typescript@6.0.3'],
    ...watching(60),
  },
  {
    name: 'tsc --watch, TypeScript 7.0',
    needs: ['node'],
    packages: ['typescript'],
    ...watching(60),
  },
  {
    name: 'vitest',
    needs: ['node'],
    packages: ['vitest', 'vite'],
    files: {
      ...SOURCES,
      'vitest.config.ts': "export default { cacheDir: '.vite-cache', test: { watch: false } };\n",
      'src/a.test.ts':
        "import { expect, test } from 'vitest';\nimport { value3 } from './m3.ts';\ntest('three', () => { expect(value3).toBe(3); });\ntest('kept', () => { expect({ a: [1, 2] }).toMatchSnapshot(); });\n",
      'src/b.test.ts':
        "import { expect, test } from 'vitest';\ntest('fails', () => { expect(1).toBe(2); });\n",
    },
    // It writes a snapshot first and compares with it then.
    command:
      'node node_modules/vitest/vitest.mjs run --reporter=tap-flat; node node_modules/vitest/vitest.mjs run --reporter=tap-flat',
    stdout: (text) => withoutDurations(text).split('\n').sort().join('\n'),
    loose: [/\.vite-cache\//],
  },
  {
    name: 'jest',
    needs: ['node'],
    packages: ['jest@30.5.2'],
    files: {
      'package.json': '{ "name": "app", "private": true }\n',
      'jest.config.js': "module.exports = { cacheDirectory: '.jest-cache', watchman: false };\n",
      'src/three.js': 'exports.three = 3;\n',
      'src/a.test.js':
        "const { three } = require('./three.js');\ntest('three', () => { expect(three).toBe(3); });\ntest('kept', () => { expect({ a: [1, 2] }).toMatchSnapshot(); });\n",
      'src/b.test.js': "test('fails', () => { expect(1).toBe(2); });\n",
    },
    // The last one goes by what its cache says of the runs before.
    command:
      'node node_modules/jest/bin/jest.js 2>&1; node node_modules/jest/bin/jest.js 2>&1; node node_modules/jest/bin/jest.js --onlyFailures 2>&1',
    // It says how long it took, how long it thought it would, and of a slow test that it was slow.
    stdout: (text) =>
      text
        .replace(/^Time:.*$|\s\([\d.]+ m?s\)/gm, '')
        .split('\n')
        .sort()
        .join('\n'),
    loose: [/\.jest-cache\//],
  },
];
