import { existsSync } from 'node:fs';
import path from 'node:path';
import { createBuilder, type Plugin } from 'vite';
import { NODE_ENTRIES, pluginConfig, WEB_ENTRY } from '../../vite.config.ts';
import { ROOT } from '../lib/root.ts';

export interface Bundles {
  /** Absolute paths of all source modules, by environment (`client`, `server`, `cli`, `fallback`, `scan_worker`). */
  modules: Map<string, string[]>;
  /** Entry points that do not exist. */
  missing: string[];
}

/** Remembers which modules went into which bundle: for the licences, and for what the fallback may load. */
function moduleRecorder(modules: Map<string, string[]>): Plugin {
  return {
    name: 'trai:modules',
    applyToEnvironment: () => true,
    generateBundle(_options, bundle) {
      const known = modules.get(this.environment.name) ?? [];
      for (const output of Object.values(bundle)) {
        if (output.type === 'chunk') known.push(...output.moduleIds.filter((id) => path.isAbsolute(id)));
      }
      modules.set(this.environment.name, known);
    },
  };
}

/**
 * Builds the web app and the Node programs into `outDir/web` and `outDir/lib`.
 * @throws what vite throws; nothing half-built is left out silently.
 */
export async function bundle(outDir: string): Promise<Bundles> {
  const modules = new Map<string, string[]>();
  const config = pluginConfig(outDir);
  const builder = await createBuilder({
    ...config,
    configFile: false,
    logLevel: 'warn',
    plugins: [moduleRecorder(modules)],
    // Workers are bundled apart, without these plugins.
    worker: { ...config.worker, plugins: () => [moduleRecorder(modules)] },
  });
  // Not buildApp(): it would also build the `client` environment that vite always has, without its entry.
  for (const name of Object.keys(config.environments ?? {})) {
    const environment = builder.environments[name];
    if (environment) await builder.build(environment);
  }
  const entries = [WEB_ENTRY, ...Object.values(NODE_ENTRIES)];
  return { modules, missing: entries.filter((entry) => !existsSync(path.join(ROOT, entry))) };
}
