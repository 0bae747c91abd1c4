import { existsSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { defineConfig, type EnvironmentOptions, type UserConfig } from 'vite';

const root = import.meta.dirname;

/** The Node programs of the plugin: name in `dist/plugin/lib/NAME.mjs` (`cli.cjs`: Node loads modules of the other kind 5 ms later), and the source they are bundled from. */
export const NODE_ENTRIES = {
  server: 'server/main.ts',
  cli: 'cli/main.ts',
  fallback: 'server/hooks/fallback/main.ts',
  'scan-worker': 'server/worker/scan-worker.ts',
} as const;

export const WEB_ENTRY = 'web/index.html';

/** How long a build's parts took is no news to who types `npm start`. */
const CHECKS = { bundlerTimings: false };

/** The web app. Nothing inline, since the server's CSP allows only files of its own. */
export function webBuild(input: string, outDir: string): EnvironmentOptions {
  return {
    consumer: 'client',
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      minify: true,
      // Inlined assets are data: addresses, which the CSP refuses; the polyfill of modulepreload is an inline script.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: {
        checks: CHECKS,
        input: path.join(root, input),
        output: {
          // Rolldown takes these hashes from the content, so equal sources give equal names.
          entryFileNames: 'assets/[name]-[hash].js',
          chunkFileNames: 'assets/[name]-[hash].js',
          assetFileNames: 'assets/[name]-[hash][extname]',
        },
      },
    },
  };
}

/** One file for what starts a client, since each costs time of its own, and one for each of what it may need later. */
const CLI_CHUNKS = {
  groups: [
    { name: 'start', tags: ['$initial' as const], priority: 4 },
    // Of those that follow, and of `rules`: none has to load another.
    {
      name: 'draft',
      test: /\/(core\/sandbox\/(plan\/groups|prepare\/copies)|shared\/(maps|model\/(change|ignore)|text\/glob))\.ts$/,
      priority: 3,
    },
    { name: 'list', test: /\/core\/scan\/scan\.ts$/, priority: 2 },
    { name: 'box', test: /\/cli\/commands\/box\.ts$/, priority: 1 },
  ],
};

/** One Node program with everything it needs: the user's machine has no node_modules. */
export function nodeBuild(name: string, input: string, outDir: string): EnvironmentOptions {
  return {
    consumer: 'server',
    resolve: { noExternal: true, conditions: ['node', 'import', 'module', 'default'] },
    build: {
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'node20',
      // Readable, so that a stack trace from a user's machine says something.
      minify: false,
      ssr: true,
      reportCompressedSize: false,
      rolldownOptions: {
        checks: CHECKS,
        input: { [name]: path.join(root, input) },
        external: [/^node:/, ...builtinModules],
        // Otherwise every module's path, relative to where the build was started, stands in a comment.
        experimental: { attachDebugInfo: 'none' },
        // Docstrings were a seventh of what Node reads for every call without a server; licences stay.
        output: {
          format: name === 'cli' ? 'cjs' : 'esm',
          // As modules are.
          strict: true,
          entryFileNames: `[name].${name === 'cli' ? 'cjs' : 'mjs'}`,
          // Only the command line program imports parts of itself on demand.
          ...(name === 'cli'
            ? { chunkFileNames: 'cli/[name].cjs', codeSplitting: CLI_CHUNKS }
            : { codeSplitting: false }),
          comments: { jsdoc: false, legal: true, annotation: true },
        },
      },
    },
  };
}

/** Everything that the plugin tree below `outDir` gets from vite; a source that does not exist is left out. */
export function pluginConfig(outDir: string): UserConfig {
  const environments: Record<string, EnvironmentOptions> = {};
  if (existsSync(path.join(root, WEB_ENTRY))) {
    environments['client'] = webBuild(WEB_ENTRY, path.join(outDir, 'web'));
  }
  for (const [name, input] of Object.entries(NODE_ENTRIES)) {
    if (!existsSync(path.join(root, input))) continue;
    environments[name.replace('-', '_')] = nodeBuild(name, input, path.join(outDir, 'lib'));
  }
  return { ...sharedConfig(), mode: 'production', builder: {}, environments };
}

/** What the build, the development server and the fake build have in common. */
export function sharedConfig(): UserConfig {
  return {
    root: path.join(root, 'web'),
    base: './',
    cacheDir: path.join(root, 'node_modules/.vite'),
    // A worker of modules, with names from their contents as above. Its licences: scripts/build/bundle.ts.
    worker: { format: 'es' },
    // Named, since the development form writes the absolute path of every source file into the bundle.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  };
}

export default defineConfig(pluginConfig(path.join(root, 'dist/plugin')));
